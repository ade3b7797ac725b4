import { Popover } from "antd";
import { useState } from "react";
import { addDays } from "../../../platform/kernel/day.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { Card, useWorkbench } from "./card.panel.tsx";
import { TopRows } from "./todo.panel.tsx";
import { workbenchWeek } from "./workbench.contract.ts";

type Week = Reply<typeof workbenchWeek>;
const KINDS = {
  moveIns: { title: "入住", colour: "var(--t-tomovein)" },
  ends: { title: "到期", colour: "var(--orange-so)" },
  viewings: { title: "看房", colour: "var(--gold-so)" },
  reservations: { title: "预订", colour: "var(--cyan-so)" },
} as const;

/** Who comes and whose contract ends, day by day; a count opens its first five. */
export function WeekCard({ query }: { query: { villageIds?: string } }) {
  const [from, setFrom] = useState<string>();
  const result = useWorkbench(workbenchWeek, { ...query, ...(from && { from }) });
  const { data } = result;
  if (data && !data.kinds.length) return null;
  const move = (days: number) => data && setFrom(addDays(data.from, days));
  const thisWeek = !data || (data.from <= data.today && data.today <= data.to);
  return (
    <Card
      title={thisWeek ? "本周" : "周历"}
      note={data && `${data.from.slice(5)} ~ ${data.to.slice(5)}`}
      tools={
        <>
          {!thisWeek && (
            <button type="button" className="bench__fold" onClick={() => setFrom(undefined)}>
              回到本周
            </button>
          )}
          <IconButton icon="left" size={14} small label="上一周" run={() => move(-7)} />
          <IconButton icon="right" size={14} small label="下一周" run={() => move(7)} />
        </>
      }
      result={result}
      skeleton={<div className="bench__blank bench__blank--week" />}
    >
      {(week) => <Table week={week} />}
    </Card>
  );
}

function Table({ week }: { week: Week }) {
  const days = Array.from({ length: 7 }, (_, i) => addDays(week.from, i));
  const now = (day: string) => (day === week.today ? "now" : "");
  return (
    <table className="week">
      <thead>
        <tr>
          <th aria-label="类型" />
          {days.map((day, i) => (
            <th key={day} className={now(day)}>
              {day === week.today ? "今天" : "一二三四五六日"[i]}
              <b>{Number(day.slice(8))}</b>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {week.kinds.map((kind) => (
          <tr key={kind}>
            <td className="fs-12">
              <i className="dot" style={{ background: KINDS[kind].colour }} />
              {KINDS[kind].title}
            </td>
            {days.map((day) => (
              <td key={day} className={now(day)}>
                <Count week={week} kind={kind} day={day} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Count({ week, kind, day }: { week: Week; kind: keyof typeof KINDS; day: string }) {
  const cell = week.cells.find((c) => c.kind === kind && c.day === day);
  if (!cell) return <span className="dim">0</span>;
  const note =
    cell.count > cell.top.length ? `前 ${cell.top.length} 份，共 ${cell.count} 份` : `共 ${cell.count} 份`;
  return (
    <Popover
      trigger={["click"]}
      placement="bottom"
      arrow={false}
      content={<TopRows title={`${day.slice(5)} ${KINDS[kind].title}`} note={note} rows={cell.top} />}
    >
      <button type="button" className="week__n" aria-label={`${day} ${KINDS[kind].title} ${cell.count} 份`}>
        {cell.count}
      </button>
    </Popover>
  );
}
