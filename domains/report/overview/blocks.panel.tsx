import type { Reply } from "../../../platform/kernel/call.ts";
import type { overviewVacancy, overviewWaterfall } from "./blocks.contract.ts";
import type { Chosen } from "./chosen.panel.tsx";
import { EMPTY_WHY } from "./overview.rules.ts";
import { Line } from "./line.panel.tsx";
import { MOVE_PARTS, type MovePart } from "./records.rules.ts";

const percent = (part: number, whole: number) => (whole ? `${((part / whole) * 100).toFixed(1)}%` : "—");
const count = (n: number) => n.toLocaleString("en-US");
const FILLS = ["green", "gold", "orange", "red"] as const;

export const EMPTY_BY = { why: "按原因", days: "按天数" };
export type EmptyBy = keyof typeof EMPTY_BY;

/** Rooms that could be let and are not: why, or since when. Each line opens its rooms. */
export function Vacancy({
  data,
  by,
  chosen,
}: {
  data: Reply<typeof overviewVacancy>;
  by: EmptyBy;
  chosen: Chosen;
}) {
  const share = (rooms: number) => rooms / Math.max(1, data.rooms);
  const opens = (rooms: number, records: string) => (rooms ? () => chosen.show(records) : undefined);
  return (
    <div className="ov__ages grid gap-7 fs-13">
      {by === "why" &&
        data.why.map(({ key, rooms }) => (
          <Line
            key={key}
            title={EMPTY_WHY[key]}
            count={`${count(rooms)} 间`}
            note={percent(rooms, data.rooms)}
            share={share(rooms)}
            fill="blue"
            run={opens(rooms, `empty.${key}`)}
          />
        ))}
      {by === "days" &&
        data.days.map(({ title, rooms }, i) => (
          <Line
            key={title}
            title={`空置 ${title}`}
            count={`${count(rooms)} 间`}
            note={percent(rooms, data.rooms)}
            share={share(rooms)}
            fill={FILLS[i]!}
            run={opens(rooms, `empty.days${i}`)}
          />
        ))}
      <p className="ov__sum">
        合计
        <span className="grow" />
        <button type="button" className="num" onClick={() => chosen.show("empty")}>
          <span className="sr">空置合计 </span>
          {count(data.rooms)} 间
        </button>
      </p>
    </div>
  );
}

/** Let rooms at the start, who came, who went, let rooms at the end. Each line opens its rooms. */
export function Waterfall({ data, chosen }: { data: Reply<typeof overviewWaterfall>; chosen: Chosen }) {
  const most = Math.max(1, data.start + data.came);
  const line = (part: Exclude<MovePart, "renewed">, sign: string, fill: string, note = "") => (
    <Line
      title={MOVE_PARTS[part]}
      count={data[part] ? `${sign}${count(data[part])} 间` : "0 间"}
      note={note}
      share={data[part] / most}
      fill={fill}
      run={data[part] ? () => chosen.show(`moved.${part}`) : undefined}
    />
  );
  return (
    <div className="ov__ages grid gap-7 fs-13">
      {line("start", "", "blue", data.from)}
      {line("came", "+", "green")}
      {line("went", "−", "red")}
      {line("end", "", "blue", data.to)}
      <p className="ov__sum">
        期间内续租，一直在租
        <span className="grow" />
        {data.renewed ? (
          <button type="button" className="num" onClick={() => chosen.show("moved.renewed")}>
            <span className="sr">续租 </span>
            {count(data.renewed)} 间
          </button>
        ) : (
          <b className="num">0 间</b>
        )}
      </p>
    </div>
  );
}
