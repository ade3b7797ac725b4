import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import type { Section } from "./arrange.rules.ts";
import { roomCalendar } from "./board.contract.ts";
import { CalendarGrid, ROW, type Row } from "./calendar-grid.panel.tsx";

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
