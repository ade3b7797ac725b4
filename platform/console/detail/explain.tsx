import type { ReactNode } from "react";
import { Icon } from "../parts/icons.tsx";

type Props = {
  title?: string;
  /** Label and sentence: 规则, 天数, 算式, 取整. */
  rows: readonly (readonly [label: string, sentence: ReactNode])[];
  /** What a recomputation found; red when it differs. */
  same?: { text: string; ok: boolean };
  tool?: ReactNode;
};

/** Why a figure is what it is, always in the same shape. */
export const Explain = ({ title = "计算说明", rows, same, tool }: Props) => (
  <div className="explain">
    <div className="explain__bar row gap-0 between">
      <b>{title}</b>
      {tool}
    </div>
    <ol>
      {rows.map(([label, sentence], i) => (
        // a label may come twice
        <li key={i}>
          <span>{label}</span>
          <p>{sentence}</p>
        </li>
      ))}
    </ol>
    {same && (
      <div className={`explain__same ${same.ok ? "" : "bad"}`}>
        <Icon name={same.ok ? "check" : "warn"} size={14} />
        {same.text}
      </div>
    )}
  </div>
);
