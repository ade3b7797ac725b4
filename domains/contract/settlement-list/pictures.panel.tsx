import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { shapeOf } from "../../../platform/console/list/list-schema.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import {
  addDays,
  addToMonth,
  dayNumber,
  daysBetween,
  firstOf,
  lastOf,
  monthOf,
} from "../../../platform/kernel/day.ts";
import { settlementDays } from "../settlement/settlement.contract.ts";

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
  const today = useToday();
  const [month, setMonth] = useState(monthOf(typeof on === "string" ? on : today));
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
      <div className="grid gap-1" style={WEEK}>
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
          const no = Number(day.slice(8));
          return count ? (
            <button
              key={day}
              type="button"
              className={day === on ? "btn btn--main" : "btn"}
              style={CELL}
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
              <span className="fs-12">{no}</span>
              <b>{count}</b>
            </button>
          ) : (
            <span key={day} className="fs-12 dim" style={CELL}>
              {no}
            </span>
          );
        })}
      </div>
    </section>
  );
}

/** Seven days beside each other, each a square to press. */
const WEEK: CSSProperties = { gridTemplateColumns: "repeat(7, minmax(0, 1fr))", textAlign: "center" };
const CELL: CSSProperties = {
  display: "flex",
  flexDirection: "column",
  alignItems: "center",
  justifyContent: "center",
  gap: 0,
  height: "var(--size-44)",
  padding: 0,
};
