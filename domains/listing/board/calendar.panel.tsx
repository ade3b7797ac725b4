import { FILL } from "../room-detail/room-overview.panel.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { type Day, addDays, addMonths, daysBetween, maxDay, minDay } from "../../../platform/kernel/day.ts";
import { BlockForm } from "../block/block.form.tsx";
import { contractPage, signings } from "../room/renting.rules.ts";
import type { Section } from "./arrange.rules.ts";
import { type Bar, roomCalendar } from "./board.contract.ts";
import { type Tile, isFree, shortGaps } from "./board.rules.ts";

const BOOKING = "/configuration/BookingManagement";
export type Picked = { tile: Tile; from: Day; to: Day };

/** What can be done with a stretch of free days. */
export function PickedBar({ picked, today, onClose }: { picked: Picked; today: Day; onClose: () => void }) {
  const [address] = useAddress();
  const go = useGo();
  const [blocking, setBlocking] = useState(false);
  const [until, setUntil] = useState<Day>();
  const { tile, from } = picked;
  // a term is longer than what the calendar shows: its end can be set by hand
  const to = until !== undefined && until > from ? until : picked.to;
  const past = from < today ? "开始日已过" : undefined;
  return (
    <div className="rb__batch row wrap" role="region" aria-label="所选日期">
      <span>
        <b>{tile.name}</b> {from} ~
      </span>
      <label className="rb__until">
        <span className="sr">结束日</span>
        <DayInput value={to} onChange={setUntil} />
      </label>
      <span>{daysBetween(from, to) + 1} 天</span>
      <Button size="sm" run={() => setUntil(addDays(addMonths(from, 12), -1))}>
        一年
      </Button>
      <ActionButtons
        actions={[
          ...signings(tile.kind).map(
            ({ kind, label, need }, i) =>
              reach(contractPage(kind)) !== undefined && {
                label,
                need,
                main: i === 0,
                why: past,
                run: () =>
                  go(contractPage(kind), {
                    draft: "new",
                    villageId: address.get("villageId"),
                    roomId: tile.id,
                    start: from,
                    end: to,
                    // a shop's list price may be one of a square metre
                    rent: kind === "merchant" ? undefined : (tile.listPriceFen ?? undefined),
                  }),
              },
          ),
          reach(BOOKING) !== undefined && {
            label: "预订",
            need: "15.add",
            why: past,
            run: () =>
              go(BOOKING, {
                tab: "reservation",
                reserve: 1,
                villageId: address.get("villageId"),
                roomId: tile.id,
                moveInDay: from,
                plannedEndDay: to,
              }),
          },
          { label: "封房", need: "3.edit", why: past, run: () => setBlocking(true) },
        ]}
      />
      <Button look="text" run={onClose}>
        取消
      </Button>
      {blocking && (
        <BlockForm
          rooms={[tile]}
          today={today}
          from={from}
          to={to}
          onClose={() => setBlocking(false)}
          onDone={onClose}
        />
      )}
    </div>
  );
}

export const ROW = 28;
const HEAD = 44;
const NAME = 96;
export type Row = { tile: Tile; top: number };

const isWeekend = (day: Day) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

type GridProps = {
  from: Day;
  to: Day;
  today: Day;
  heads: readonly { section: Section; top: number }[];
  rows: readonly Row[];
  height: number;
  barsOf: ReadonlyMap<number, readonly Bar[]>;
  opened: number | undefined;
  onOpen: (id: number) => void;
};

/** Only the rows in sight exist as elements; days run across. */
export function CalendarGrid({ from, to, today, heads, rows, height, barsOf, opened, onOpen }: GridProps) {
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState({ top: 0, seen: 600, width: 900 });
  const [drag, setDrag] = useState<{ tile: Tile; a: Day; b: Day }>();
  const [picked, setPicked] = useState<Picked>();
  const span = daysBetween(from, to) + 1;
  const day = Math.max(18, (at.width - NAME) / span);
  useLayoutEffect(() => {
    const el = box.current!;
    const read = () => setAt({ top: el.scrollTop, seen: el.clientHeight, width: el.clientWidth });
    read();
    const sized = new ResizeObserver(read);
    sized.observe(el);
    el.addEventListener("scroll", read, { passive: true });
    return () => {
      sized.disconnect();
      el.removeEventListener("scroll", read);
    };
  }, []);
  useEffect(() => setPicked(undefined), [from, to]);
  const days = Array.from({ length: span }, (_, i) => addDays(from, i));
  const seen = <T extends { top: number }>(list: readonly T[]) =>
    list.filter((r) => r.top + ROW > at.top - at.seen / 2 && r.top < at.top + at.seen * 1.5);
  const dayAt = (event: React.PointerEvent) => {
    const left = event.currentTarget.getBoundingClientRect().left + NAME;
    return days[Math.max(0, Math.min(span - 1, Math.floor((event.clientX - left) / day)))]!;
  };
  const x = (d: Day) => NAME + daysBetween(from, d) * day;
  const finish = () => {
    if (!drag) return;
    const [a, b] = [minDay(drag.a, drag.b), maxDay(drag.a, drag.b)];
    const free = isFree(barsOf.get(drag.tile.id) ?? [], a, b);
    setDrag(undefined);
    setPicked(free && a !== b ? { tile: drag.tile, from: a, to: b } : undefined);
  };
  return (
    <>
      <div
        ref={box}
        className="scroll"
        style={{ "--day": `${day}px`, "--name": `${NAME}px` } as React.CSSProperties}
      >
        <div className="rb__calhead" style={{ height: HEAD, width: NAME + span * day }}>
          {days.map((d, i) => (
            <span
              key={d}
              className={`${isWeekend(d) ? "we" : ""} ${d === today ? "now" : ""}`}
              style={{ left: x(d) }}
            >
              {(i === 0 || d.endsWith("-01")) && <b>{Number(d.slice(5, 7))}月</b>}
              {Number(d.slice(8))}
            </span>
          ))}
        </div>
        <div className="rb__calall" style={{ height, width: NAME + span * day }}>
          {today >= from && today <= to && <i className="rb__calnow" style={{ left: x(today) + day / 2 }} />}
          {seen(heads).map(({ section, top }) => (
            <div key={section.key} className="rb__calsec" style={{ top }}>
              <b>{section.title}</b> <span className="dim">{section.note}</span>
            </div>
          ))}
          {seen(rows).map(({ tile, top }) => {
            const bars = barsOf.get(tile.id) ?? [];
            return (
              <div
                key={tile.id}
                className={`rb__calrow ${tile.id === opened ? "open" : ""}`}
                style={{ top }}
                onPointerDown={(event) => {
                  if (event.button !== 0 || (event.target as Element).closest("button")) return;
                  const d = dayAt(event);
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDrag({ tile, a: d, b: d });
                }}
                onPointerMove={(event) => drag?.tile.id === tile.id && setDrag({ ...drag, b: dayAt(event) })}
                onPointerUp={finish}
              >
                <button type="button" className="rb__calname linkish" onClick={() => onOpen(tile.id)}>
                  {tile.name}
                </button>
                {shortGaps(bars, tile.minTermMonths).map((gap) => (
                  <i
                    key={gap.from}
                    className="rb__calgap"
                    title={`空档短于最短租期 ${tile.minTermMonths} 个月`}
                    style={{
                      left: x(maxDay(gap.from, from)),
                      width: (daysBetween(maxDay(gap.from, from), minDay(gap.to, to)) + 1) * day,
                    }}
                  />
                ))}
                {bars.map((bar) => {
                  const a = maxDay(bar.from, from);
                  const b = bar.to === null ? to : minDay(bar.to, to);
                  return (
                    <button
                      key={`${bar.kind}${bar.number}${bar.id}`}
                      type="button"
                      tabIndex={-1}
                      className={`rb__calone ${FILL[bar.kind]} ${bar.kind === "lease" && !bar.movedIn ? "t-toMoveIn" : ""}`}
                      style={{ left: x(a), width: (daysBetween(a, b) + 1) * day - 2 }}
                      title={`${bar.label} ${bar.number} ${bar.from} 至 ${bar.to ?? "未定"}`}
                      onClick={() => onOpen(tile.id)}
                    >
                      {bar.label}
                    </button>
                  );
                })}
                {drag?.tile.id === tile.id && (
                  <i
                    className="rb__calpick"
                    style={{
                      left: x(minDay(drag.a, drag.b)),
                      width: (Math.abs(daysBetween(drag.a, drag.b)) + 1) * day,
                    }}
                  />
                )}
                {picked?.tile.id === tile.id && (
                  <i
                    className="rb__calpick"
                    style={{ left: x(picked.from), width: (daysBetween(picked.from, picked.to) + 1) * day }}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {picked && <PickedBar picked={picked} today={today} onClose={() => setPicked(undefined)} />}
    </>
  );
}

const SPANS = [30, 60, 90] as const;

type Props = {
  villageId: number;
  today: Day;
  sections: readonly Section[];
  opened: number | undefined;
  onOpen: (id: number) => void;
};

/** 日历: rooms by days. Dragging over free days offers what can be done with them. */
export function BoardCalendar({ villageId, today, sections, opened, onOpen }: Props) {
  const [address, set] = useAddress();
  const span = SPANS.find((n) => String(n) === address.get("span")) ?? 60;
  const from = address.get("from") ?? addDays(today, -7);
  const to = addDays(from, span - 1);
  const { data, error, refetch } = useQuery({
    ...ask(roomCalendar, { query: { villageId, from, to } }),
    placeholderData: (before) => before,
  });
  const barsOf = useMemo(() => Map.groupBy(data?.bars ?? [], (b) => b.roomId), [data]);
  const heads: { section: Section; top: number }[] = [];
  const rows: Row[] = [];
  let top = 0;
  for (const section of sections) {
    heads.push({ section, top });
    top += ROW;
    for (const tile of section.tiles) {
      rows.push({ tile, top });
      top += ROW;
    }
  }
  const step = (days: number) => set({ from: addDays(from, days) });
  return (
    <section className="card rb__cal stack fill">
      <header className="rb__calbar row wrap">
        <IconButton icon="left" label="向前" size={14} run={() => step(-Math.floor(span / 2))} />
        <b>
          {from} ~ {to}
        </b>
        <IconButton icon="right" label="向后" size={14} run={() => step(Math.floor(span / 2))} />
        <Button size="sm" look="text" run={() => set({ from: undefined })}>
          今天
        </Button>
        <span className="grow" />
        <div className="seg" role="radiogroup" aria-label="天数">
          {SPANS.map((n) => (
            <button
              key={n}
              type="button"
              role="radio"
              aria-checked={n === span}
              className={n === span ? "on" : ""}
              onClick={() => set({ span: n === 60 ? undefined : n })}
            >
              {n} 天
            </button>
          ))}
        </div>
      </header>
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : data ? (
        <CalendarGrid {...{ from, to, today, heads, rows, height: top, barsOf, opened, onOpen }} />
      ) : (
        <RowsSkeleton rows={10} />
      )}
    </section>
  );
}
