import { addDays, daysBetween, maxDay, minDay, type Day } from "../../../platform/kernel/day.ts";
import type { RoomCard } from "./draft.form.tsx";

const KINDS = { lease: "租用", reservation: "占用", block: "锁房" } as const;

/** A room's timeline a month around the term: who has it before, during and after. */
export function RoomStrip({
  card,
  start,
  end,
  ownNo,
}: {
  card: RoomCard;
  start: Day;
  end: Day;
  ownNo: string | undefined;
}) {
  const from = addDays(start, -31);
  const to = addDays(end, 31);
  const days = daysBetween(from, to) + 1;
  const at = (day: Day) => `${(daysBetween(from, day) / days) * 100}%`;
  const width = (a: Day, b: Day) => `${((daysBetween(a, b) + 1) / days) * 100}%`;
  const others = card.timeline.filter((t) => t.label !== ownNo);
  const clash = others.filter((t) => t.from <= end && (t.to ?? end) >= start);
  return (
    <div className="rs grid gap-6 fs-12">
      <span className="cut">{card.name}</span>
      <div
        className="rs__bar"
        role="img"
        aria-label={clash.length ? `${card.name} 在租期内已被占用` : `${card.name} 在租期内空闲`}
      >
        <i
          className={clash.length ? "rs__want bad" : "rs__want"}
          style={{ left: at(start), width: width(start, end) }}
        />
        {others.map((t) => {
          const a = maxDay(t.from, from);
          const b = minDay(t.to ?? to, to);
          return (
            <i
              key={`${t.from} ${t.label}`}
              className="rs__taken"
              style={{ left: at(a), width: width(a, b) }}
              title={`${t.from} 至 ${t.to ?? "未定"} ${KINDS[t.kind]}（${t.label}）`}
            />
          );
        })}
      </div>
      <span className={clash.length ? "neg" : "good"}>
        {clash[0] ? `${clash[0].from} 起被 ${clash[0].label} ${KINDS[clash[0].kind]}` : "租期内空闲"}
      </span>
    </div>
  );
}
