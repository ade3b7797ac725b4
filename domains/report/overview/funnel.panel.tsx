import type { Reply } from "../../../platform/kernel/call.ts";
import type { Patch } from "../../../platform/console/screens/page.ts";
import { useGo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { overviewFunnel } from "./blocks.contract.ts";
import type { Chosen } from "./chosen.panel.tsx";
import { Line } from "./line.panel.tsx";
import { FUNNEL_STEPS } from "./overview.rules.ts";

const LEADS = "/configuration/BookingManagement";
const percent = (rate: number | null, digits: number) =>
  rate === null ? "—" : `${(rate * 100).toFixed(digits)}%`;

export const LEADS_BY = { step: "按阶段", source: "按来源" };
export type LeadsBy = keyof typeof LEADS_BY;

/** How far the period's leads came, or from where. Each count opens its leads. */
export function Funnel({
  data,
  by,
  chosen,
}: {
  data: Reply<typeof overviewFunnel>;
  by: LeadsBy;
  chosen: Chosen;
}) {
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
            note={rate === null ? "" : percent(rate, 1)}
            share={count / most}
            fill={step === "signed" ? "green" : "blue"}
            run={opens({ reached: step })}
          />
        ))}
      <p className="ov__sum">
        转化率
        <span className="grow" />
        <b className="num">{percent(data.whole, 2)}</b>
      </p>
      {by === "source" && data.sources.length > 0 && (
        <table className="tbl tbl--flat ov__sources">
          <thead>
            <tr>
              <th>来源</th>
              <th className="num">客源</th>
              <th className="num">签约</th>
              <th className="num">转化率</th>
            </tr>
          </thead>
          <tbody>
            {data.sources.map(({ source, name, created, signed, rate }) => (
              <tr key={source}>
                <td>{name}</td>
                <Count title={`${name}客源`} count={created} run={opens({ source })} />
                <Count title={`${name}签约`} count={signed} run={opens({ source, reached: "signed" })} />
                <td className="num">{percent(rate, 1)}</td>
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
