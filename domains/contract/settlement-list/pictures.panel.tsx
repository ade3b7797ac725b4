import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { shapeOf } from "../../../platform/console/list/list-schema.ts";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import {
  addDays,
  addToMonth,
  dayInZone,
  dayNumber,
  daysBetween,
  firstOf,
  lastOf,
  monthOf,
} from "../../../platform/kernel/day.ts";
import { settlementDays } from "../settlement/settlement.contract.ts";
import { type Fallen, fallOf, resultText } from "./fall.rules.ts";
import "./pictures.css";

type Picturing = {
  query: Record<string, unknown>;
  filter: (patch: Record<string, string | undefined>) => void;
};

/** The first day of the epoch was a Thursday; weeks begin on Monday. */
const weekday = (day: string) => (dayNumber(day) + 3) % 7;
const KNOWN = Object.keys(shapeOf(settlementDays.query));

/** How many leave on each day of a month; a day that is pressed is the list's filter. */
export function LeaveCalendar({ query, filter }: Picturing) {
  const { leaveFrom, leaveTo } = query;
  const on = leaveFrom === leaveTo ? leaveFrom : undefined;
  const [month, setMonth] = useState(monthOf(typeof on === "string" ? on : dayInZone(new Date())));
  const asked = Object.fromEntries(Object.entries(query).filter(([key]) => KNOWN.includes(key)));
  const { data = [] } = useQuery({
    ...ask(settlementDays, { query: { ...asked, month } as never }),
    placeholderData: (before) => before,
  });
  const counts = new Map(data.map((d) => [d.day, d.count]));
  const first = firstOf(month);
  const days = Array.from({ length: daysBetween(first, lastOf(month)) + 1 }, (_, i) => addDays(first, i));
  return (
    <section className="stack gap-4" aria-label="退房日历">
      <div className="row between">
        <IconButton icon="left" label="上个月" run={() => setMonth(addToMonth(month, -1))} />
        <b aria-live="polite">
          {month} 退房 {data.reduce((sum, d) => sum + d.count, 0)} 笔
        </b>
        <IconButton icon="right" label="下个月" run={() => setMonth(addToMonth(month, 1))} />
      </div>
      <div className="leaves">
        {[..."一二三四五六日"].map((name) => (
          <span key={name} className="fs-12 dim">
            {name}
          </span>
        ))}
        {Array.from({ length: weekday(first) }, (_, i) => (
          <span key={i} />
        ))}
        {days.map((day) => {
          const count = counts.get(day);
          const no = <span className="fs-12">{Number(day.slice(8))}</span>;
          return count ? (
            <button
              key={day}
              type="button"
              className="leaves__day"
              aria-pressed={day === on}
              aria-label={`${day} 退房 ${count} 笔`}
              onClick={() =>
                filter(
                  day === on
                    ? { leaveFrom: undefined, leaveTo: undefined }
                    : { leaveFrom: day, leaveTo: day },
                )
              }
            >
              {no}
              <b>{count}</b>
            </button>
          ) : (
            <span key={day} className="leaves__day">
              {no}
            </span>
          );
        })}
      </div>
    </section>
  );
}

const LOOKS = { up: "fall__bar--up", down: "fall__bar--down", end: "fall__bar--end" } as const;

/** From the deposit through each line to the one number: every bar begins where the one before ended. */
export function Waterfall({ lines, net }: { lines: readonly Fallen[]; net: number }) {
  if (!lines.length) return null;
  return (
    <section className="stack gap-3" aria-label={`结算过程，${resultText(net)}`}>
      {fallOf(lines, net).map(({ title, amount, left, width, look }, i) => (
        <div key={i} className="fall__row fs-13">
          <span className="cut" title={title}>
            {title}
          </span>
          <div className="fall__track" aria-hidden="true">
            <div
              className={`fall__bar ${LOOKS[look]}`}
              style={{ marginInlineStart: `${left}%`, width: `${width}%` }}
            />
          </div>
          <Money fen={amount} />
        </div>
      ))}
    </section>
  );
}
