import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { send } from "../../../platform/console/calls/request.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { CLAW_MODES } from "./commission.rules.ts";
import {
  deleteRule,
  getRule,
  listRules,
  type RuleRow,
  addRule,
  copyRule,
  editRule,
} from "./rule.contract.ts";
import { RuleDrawer } from "./rule.panel.tsx";
import { RuleForm } from "./rule.form.tsx";

/** 佣金规则: by what agents are paid; one that has been used is only followed by a new version. */
export function RuleList() {
  const act = useAct();
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
    {
      label: "删除",
      does: deleteRule,
      danger: true,
      why: r.used ? "该规则已用于结算佣金，不能删除" : undefined,
      run: async () => {
        const done = await act(
          deleteRule,
          { params: { id: r.id }, query: { version: r.version } },
          { done: "已删除", ask: { title: "删除佣金规则", body: `确定删除 ${r.name} 吗？`, ok: "删除" } },
        );
        if (done !== undefined) set({ id: undefined });
      },
    },
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
      {open && <RuleForm rule={open.rule} copy={open.copy} onClose={() => setOpen(undefined)} />}
    </>
  );
}
