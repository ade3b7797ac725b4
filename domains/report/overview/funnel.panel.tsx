import type { Reply } from "../../../platform/kernel/call.ts";
import { may } from "../../../platform/console/permits.ts";
import { reach } from "../../../platform/console/reach.ts";
import type { overviewFunnel } from "./blocks.contract.ts";
import type { Chosen } from "./chosen.panel.tsx";
import { FUNNEL_STEPS } from "./overview.rules.ts";

import { Line } from "./line.panel.tsx";

/** How far the period's leads came. Each bar opens its leads. */
export function Funnel({ data, chosen }: { data: Reply<typeof overviewFunnel>; chosen: Chosen }) {
  const most = Math.max(1, data.steps[0]?.count ?? 0);
  const { from, to } = chosen.period;
  return (
    <div className="ov__ages">
      {data.steps.map(({ step, count, rate }) => (
        <Line
          key={step}
          title={FUNNEL_STEPS[step as keyof typeof FUNNEL_STEPS]}
          count={String(count)}
          note={rate === null ? "" : `${(rate * 100).toFixed(1)}%`}
          share={count / most}
          fill={step === "signed" ? "green" : "blue"}
          to={
            may("#1502")
              ? reach("/configuration/BookingManagement", {
                  ...chosen.only,
                  tab: "all",
                  reached: step,
                  createdFrom: from,
                  createdTo: to,
                })
              : undefined
          }
        />
      ))}
      <p className="ov__sum">
        转化率
        <span className="grow" />
        <b className="num">{data.whole === null ? "—" : `${(data.whole * 100).toFixed(2)}%`}</b>
      </p>
    </div>
  );
}
