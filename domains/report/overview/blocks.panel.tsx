import type { Reply } from "../../../platform/kernel/call.ts";
import { reach } from "../../../platform/console/reach.ts";
import type { overviewVacancy, overviewWaterfall } from "./blocks.contract.ts";
import type { Chosen } from "./chosen.panel.tsx";
import { EMPTY_WHY } from "./overview.rules.ts";
import { Line } from "./line.panel.tsx";

const percent = (part: number, whole: number) => (whole ? `${((part / whole) * 100).toFixed(1)}%` : "—");
const FILLS = ["green", "gold", "orange", "red"] as const;

/** Rooms that could be let and are not: why, and since when. */
export function Vacancy({ data, chosen }: { data: Reply<typeof overviewVacancy>; chosen: Chosen }) {
  const board = (query: Record<string, string>) =>
    chosen.villages.length === 1
      ? reach("/configuration/apartment", { villageId: chosen.villages[0]!, ...query })
      : undefined;
  const links = { free: { occ: "vacant" }, promised: { occ: "reserved" }, dirty: { cond: "dirty" } };
  return (
    <div className="ov__ages">
      {data.why.map(({ key, rooms }) => (
        <Line
          key={key}
          title={EMPTY_WHY[key]}
          count={`${rooms} 间`}
          note={percent(rooms, data.rooms)}
          share={rooms / Math.max(1, data.rooms)}
          fill="blue"
          to={board(links[key])}
        />
      ))}
      {data.days.map(({ title, rooms }, i) => (
        <Line
          key={title}
          title={`空置 ${title}`}
          count={`${rooms} 间`}
          note={percent(rooms, data.rooms)}
          share={rooms / Math.max(1, data.rooms)}
          fill={FILLS[i]!}
        />
      ))}
    </div>
  );
}

/** Let rooms at the start, who came, who went, let rooms at the end. */
export function Waterfall({ data, chosen }: { data: Reply<typeof overviewWaterfall>; chosen: Chosen }) {
  const most = Math.max(1, data.start + data.came);
  const contracts = (query: Record<string, string>) =>
    reach("/contract/RenterContractPage", { ...chosen.only, ...query });
  const { from, to } = chosen.period;
  return (
    <div className="ov__ages">
      <Line
        title="期初在租"
        count={`${data.start} 间`}
        note={data.from}
        share={data.start / most}
        fill="blue"
      />
      <Line
        title="新入住"
        count={`+${data.came}`}
        share={data.came / most}
        fill="green"
        to={contracts({ startFrom: from, startTo: to })}
      />
      <Line
        title="退租"
        count={`−${data.went}`}
        share={data.went / most}
        fill="red"
        to={contracts({ endFrom: from, endTo: to })}
      />
      <Line title="期末在租" count={`${data.end} 间`} note={data.to} share={data.end / most} fill="blue" />
      <p className="ov__sum">期间内续租 {data.renewed} 间，一直在租</p>
    </div>
  );
}
