import { yuan } from "../../../platform/kernel/fen.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { PAGE } from "../agent/agent.rules.ts";
import { RecordLog } from "../record/secret.panel.tsx";
import { BASES, CLAW_MODES } from "./commission.rules.ts";
import { getRule, type RuleRow } from "./rule.contract.ts";

const TIERS = elementOf(shapeOf(getRule.reply)["tiers"])!;
const VERSIONS = elementOf(shapeOf(getRule.reply)["versions"])!;

/** One version of a rule, with those before and after it. */
export const RuleDrawer = ({ id, actions }: { id: number; actions: (rule: RuleRow) => Actions }) => (
  <Detail
    call={getRule}
    sent={{ params: { id } }}
    title={(r) => r.name}
    facts={[
      { title: "计算基数", show: (r) => BASES[r.base][0] },
      { title: "封顶金额", show: (r) => (r.cap === null ? "不封顶" : `${yuan(r.cap)} 元`) },
      { title: "可付日", show: (r) => (r.payAfterDays ? `签约后 ${r.payAfterDays} 天` : "签约当天") },
      {
        title: "扣回",
        show: (r) => (r.clawDays ? `${r.clawDays} 天内退租${CLAW_MODES[r.clawMode][0]}` : "不扣回"),
      },
      "renewals",
      { title: "生效期", show: (r) => `${r.fromDay} ~ ${r.toDay ?? "长期"}` },
      "agencies",
      "agents",
      "used",
    ]}
    actions={actions}
    tabs={[
      {
        key: "tiers",
        title: "档位",
        view: (r) => (
          <RowTable
            flat
            schema={TIERS}
            rows={r.tiers}
            columns={[
              { key: "fromMonths", show: (t) => `满 ${t.fromMonths} 个月` },
              {
                own: "pays",
                title: "佣金",
                show: (t) =>
                  t.fixed === null ? `${BASES[r.base][0]} × ${t.percent}%` : `${yuan(t.fixed)} 元`,
              },
            ]}
          />
        ),
      },
      {
        key: "versions",
        title: "版本",
        count: (r) => r.versions.length,
        view: (r) => (
          <RowTable
            flat
            schema={VERSIONS}
            rows={r.versions}
            columns={[
              { key: "fromDay", to: (v) => pathTo(PAGE, { tab: "rule", id: v.id }) },
              { key: "toDay", show: (v) => v.toDay ?? "长期" },
            ]}
          />
        ),
      },
      { key: "log", title: "日志", view: (r) => <RecordLog kind="commissionRule" id={r.id} /> },
    ]}
  />
);
