import { useState } from "react";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { pathTo, useAddress } from "../../../platform/console/screens/page.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { PAGE } from "../agent/agent.rules.ts";
import { RecordLog } from "../record/secret.panel.tsx";
import { BASES, CLAW_MODES } from "../commission-rule/commission.rules.ts";
import {
  type RuleRow,
  addRule,
  copyRule,
  deleteRule,
  editRule,
  getRule,
  listRules,
} from "../commission-rule/rule.contract.ts";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { RuleForm } from "../commission-rule/rule.form.tsx";

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

/** 佣金规则: by what agents are paid; one that has been used is only followed by a new version. */
export function RuleList() {
  const [, set] = useAddress();
  const [open, setOpen] = useState<{ rule?: Reply<typeof getRule>; copy?: boolean }>();
  const start = async (id: number, copy: boolean) =>
    setOpen({ rule: await send(getRule, { params: { id } }), copy });
  const actions = (r: RuleRow): Actions => [
    {
      label: "编辑",
      does: editRule,
      why: r.used ? "该规则已用于结算佣金，不能修改，请复制为新版本" : undefined,
      run: () => start(r.id, false),
    },
    { label: "复制新版本", does: copyRule, run: () => start(r.id, true) },
    deleteAction(deleteRule, r, {
      title: "删除佣金规则",
      body: `确定删除 ${r.name} 吗？`,
      ok: "删除",
      why: r.used ? "该规则已用于结算佣金，不能删除" : undefined,
      gone: () => set({ id: undefined }),
    }),
  ];
  return (
    <>
      <ListPage
        call={listRules}
        unit="条"
        filters={["keyword"]}
        columns={[
          "name",
          "base",
          { key: "tierText", width: 260 },
          "cap",
          "payAfterDays",
          "clawDays",
          { key: "clawMode", show: (r) => (r.clawDays ? CLAW_MODES[r.clawMode][0] : "不扣回") },
          "renewals",
          "fromDay",
          { key: "toDay", show: (r) => r.toDay ?? "长期" },
          "agencies",
          "agents",
          "used",
        ]}
        card={{ title: "name", right: "base", lines: [["tierText"], ["fromDay", "toDay"]] }}
        toolbar={[{ label: "新增规则", icon: "plus", main: true, does: addRule, run: () => setOpen({}) }]}
        rowActions={actions}
        drawer={(id) => <RuleDrawer id={id} actions={actions} />}
        emptyText="先定一条佣金规则，再登记机构和经纪人"
      />
      {open &&
        (open.rule ? (
          <Current call={getRule} read={open.rule}>
            {(rule) => <RuleForm rule={rule} copy={open.copy} onClose={() => setOpen(undefined)} />}
          </Current>
        ) : (
          <RuleForm onClose={() => setOpen(undefined)} />
        ))}
    </>
  );
}
