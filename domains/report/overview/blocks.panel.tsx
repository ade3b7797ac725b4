import { type Patch, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Chosen } from "./chosen.panel.tsx";
import type { overviewFunnel, overviewVacancy, overviewWaterfall } from "./overview.contract.ts";
import { EMPTY_WHY, FUNNEL_STEPS, MOVE_PARTS, type MovePart } from "./overview.rules.ts";
import { Heads } from "../../../platform/console/parts/heads.tsx";

const percent = (part: number, whole: number) => (whole ? `${((part / whole) * 100).toFixed(1)}%` : "—");
const count = (n: number) => n.toLocaleString("en-US");
const FILLS = ["green", "gold", "orange", "red"] as const;

export const EMPTY_BY = { why: "按原因", days: "按天数" };
export type EmptyBy = keyof typeof EMPTY_BY;

type VacancyProps = { data: Reply<typeof overviewVacancy>; by: EmptyBy; chosen: Chosen };

/** Rooms that could be let and are not: why, or since when. Each line opens its rooms. */
export function Vacancy({ data, by, chosen }: VacancyProps) {
  const line = (title: string, rooms: number, fill: string, records: string) => (
    <Line
      key={title}
      title={title}
      count={`${count(rooms)} 间`}
      note={percent(rooms, data.rooms)}
      share={rooms / Math.max(1, data.rooms)}
      fill={fill}
      run={rooms ? () => chosen.show(records) : undefined}
    />
  );
  return (
    <div className="ov__ages grid gap-7 fs-13">
      {by === "why"
        ? data.why.map(({ key, rooms }) => line(EMPTY_WHY[key], rooms, "blue", `empty.${key}`))
        : data.days.map(({ title, rooms }, i) => line(`空置 ${title}`, rooms, FILLS[i]!, `empty.days${i}`))}
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

const LEADS = "/configuration/BookingManagement";
const rateText = (rate: number | null, digits: number) =>
  rate === null ? "—" : `${(rate * 100).toFixed(digits)}%`;

export const LEADS_BY = { step: "按阶段", source: "按来源" };
export type LeadsBy = keyof typeof LEADS_BY;

type FunnelProps = { data: Reply<typeof overviewFunnel>; by: LeadsBy; chosen: Chosen };

/** How far the period's leads came, or from where. Each count opens its leads. */
export function Funnel({ data, by, chosen }: FunnelProps) {
  const go = useGo();
  const most = Math.max(1, data.steps[0]?.count ?? 0);
  const { from, to } = chosen.period;
  const opens = (query: Patch) => {
    const leads =
      may("#1502") &&
      reach(LEADS, { ...chosen.only, tab: "all", createdFrom: from, createdTo: to, ...query });
    return leads ? () => go(leads) : undefined;
  };
  return (
    <div className="ov__ages grid gap-7 fs-13">
      {by === "step" &&
        data.steps.map(({ step, count, rate }) => (
          <Line
            key={step}
            title={FUNNEL_STEPS[step as keyof typeof FUNNEL_STEPS]}
            count={String(count)}
            note={rate === null ? "" : rateText(rate, 1)}
            share={count / most}
            fill={step === "signed" ? "green" : "blue"}
            run={opens({ reached: step })}
          />
        ))}
      <p className="ov__sum">
        转化率
        <span className="grow" />
        <b className="num">{rateText(data.whole, 2)}</b>
      </p>
      {by === "source" && !data.sources.length && <p className="dim">所选期间没有客源</p>}
      {by === "source" && data.sources.length > 0 && (
        <table className="tbl tbl--flat ov__sources">
          <Heads of={["来源", ["客源", "num"], ["签约", "num"], ["转化率", "num"]]} />
          <tbody>
            {data.sources.map(({ source, name, created, signed, rate }) => (
              <tr key={source}>
                <td>{name}</td>
                <Count title={`${name}客源`} count={created} run={opens({ source })} />
                <Count title={`${name}签约`} count={signed} run={opens({ source, reached: "signed" })} />
                <td className="num">{rateText(rate, 1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

const Count = ({ title, count, run }: { title: string; count: number; run: (() => void) | undefined }) => (
  <td className="num">
    {run && count > 0 ? (
      <button type="button" className="linkish num" onClick={run}>
        <span className="sr">{title} </span>
        {count}
      </button>
    ) : (
      count
    )}
  </td>
);

type LineProps = {
  title: string;
  count: string;
  note?: string;
  share: number;
  fill: string;
  run?: (() => void) | undefined;
  /** A second note, at the end of the line. */
  aside?: string;
};

/** A line of a small bar chart: what, how many, how long. It opens its records where there are some to see. */
export function Line({ title, count, note, aside, share, fill, run }: LineProps) {
  return (
    <div className="ov__age">
      <span>{title}</span>
      {run ? (
        <button type="button" className="num linkish" onClick={run}>
          <span className="sr">{title} </span>
          {count}
        </button>
      ) : (
        <b className="num">{count}</b>
      )}
      <small className="num dim">{note}</small>
      <small className="num dim">{aside}</small>
      <span className="ov__bar" aria-hidden>
        <i className={`ov__fill--${fill}`} style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
    </div>
  );
}
