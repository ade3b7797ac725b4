import { Tooltip } from "antd";
import type { CSSProperties, ReactNode } from "react";
import { addDays, type Day, daysBetween } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Tone } from "../../../platform/kernel/field.ts";
import type { RentFrom } from "../schedule/steps.rules.ts";
import "../contract/contract.css";

export type Stretch = {
  key: string | number;
  from: Day;
  to: Day;
  label: string;
  title: string;
  tone: Tone;
  run?: () => void;
};
type Props = {
  start: Day;
  end: Day;
  /** Billing periods; what stands for their colours is the legend. */
  stretches: readonly Stretch[];
  free: readonly { fromDate: Day; toDate: Day }[];
  rents: readonly RentFrom[];
  legend: ReactNode;
  /** Marks on days of the term. */
  marks?: (at: (day: Day) => number) => ReactNode;
};

/** The whole term as a bar: periods in their colours, free days hatched, price steps and other marks by their days. */
export function TermLine({ start, end, stretches, free, rents, legend, marks }: Props) {
  const days = daysBetween(start, end) + 1;
  const at = (day: Day) => (daysBetween(start, day) / days) * 100;
  const span = (from: Day, to: Day): CSSProperties => ({
    left: `${at(from)}%`,
    width: `${Math.max(0.4, at(addDays(to, 1)) - at(from))}%`,
  });
  return (
    <div className="term">
      <div className="term__bar">
        {stretches.map(({ key, from, to, label, title, tone, run }) => (
          <Tip key={key} style={span(from, to)} title={title}>
            {run ? (
              <button type="button" className={`term__p s-${tone}`} aria-label={label} onClick={run} />
            ) : (
              <i role="img" className={`term__p s-${tone}`} aria-label={label} />
            )}
          </Tip>
        ))}
        {free.map(({ fromDate, toDate }) => (
          <Tip key={fromDate} style={span(fromDate, toDate)} title={`免租 ${fromDate} ~ ${toDate}`}>
            <i className="term__free" />
          </Tip>
        ))}
        {marks?.(at)}
      </div>
      <div className="term__marks fs-12 dim">
        <span style={{ left: 0 }}>{start}</span>
        {rents.slice(1).map(({ fromDate, rent }, i) => (
          <span key={fromDate} style={{ left: `${at(fromDate)}%` }} title={`${fromDate} 起 ${yuan(rent)}`}>
            {rent < rents[i]!.rent ? "↓" : "↑"} {yuan(rent)}
          </span>
        ))}
        <span className="term__end">{end}</span>
      </div>
      <div className="row gap-8 fs-12 sub">
        {legend}
        {free.length > 0 && (
          <span className="row gap-3">
            <i className="dot term__hatch" />
            免租
          </span>
        )}
      </div>
    </div>
  );
}

const Tip = ({ title, style, children }: { title: string; style: CSSProperties; children: ReactNode }) => (
  <Tooltip title={title}>
    <span className="term__at" style={style}>
      {children}
    </span>
  </Tooltip>
);
