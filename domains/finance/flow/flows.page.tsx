import { useState } from "react";
import { useAct } from "../../../platform/console/act.ts";
import { ListPage } from "../../../platform/console/list.tsx";
import { useGo } from "../../../platform/console/page.ts";
import { reach } from "../../../platform/console/reach.ts";
import { COUNTER, PARTY_PAGE } from "../bill/around.rules.ts";
import { ACCOUNTS } from "../account/account.panel.tsx";
import { confirmBatch } from "./acts.contract.ts";
import { AddFlowForm } from "./add.form.tsx";
import { flowActions } from "./flow-actions.panel.tsx";
import { exportFlows, listFlows } from "./flow.contract.ts";
import { FlowDrawer } from "./flow.panel.tsx";
import { FLOW_DIRECTION, FLOW_KIND, FLOW_MOVES, FLOW_STATE, RECONCILE_STATE } from "./flow.rules.ts";
import { FlowForms, type OpenForm } from "./forms.panel.tsx";
import { CHANNELS } from "./words.rules.ts";

export default function FlowsPage() {
  const act = useAct();
  const go = useGo();
  const [adding, setAdding] = useState(false);
  const [form, setForm] = useState<OpenForm>();
  return (
    <>
      <ListPage
        call={listFlows}
        unit="笔"
        sumNote="按当前筛选的全部流水；金额为已确认收入"
        filters={[
          { kind: "village", key: "villageIds" },
          { kind: "choice", key: "direction", title: "方向", words: FLOW_DIRECTION },
          { kind: "days", from: "paidFrom", to: "paidTo", title: "支付时间" },
          { kind: "keyword", key: "keyword", title: "流水号、付款人、渠道流水号、客户、房间" },
          { kind: "choice", key: "channel", title: "渠道", words: CHANNELS, many: true },
          { kind: "record", key: "accountIds", title: "收款账户", source: ACCOUNTS },
          { kind: "choice", key: "state", title: "状态", words: FLOW_STATE, many: true },
          { kind: "choice", key: "kind", title: "用途", words: FLOW_KIND, many: true },
          { kind: "money", from: "amountFrom", to: "amountTo", title: "金额" },
          { kind: "choice", key: "reconcile", title: "对账", words: RECONCILE_STATE, many: true },
          { kind: "flag", key: "unallocated", title: "有未分配" },
        ]}
        columns={[
          { key: "flowNo", width: 168 },
          "paidAt",
          "direction",
          "channel",
          { key: "accountName", width: 128 },
          "villageName",
          {
            key: "partyName",
            width: 96,
            to: (f) => reach(PARTY_PAGE[f.partyKind ?? ""] ?? "", { id: f.partyId }),
          },
          { key: "roomName", width: 128 },
          { key: "payerName", hidden: true },
          { key: "amount", strong: true },
          "fee",
          "allocated",
          "unallocated",
          "state",
          { key: "reconcileState", hidden: true },
          { key: "kind", hidden: true },
          { key: "channelTradeNo", hidden: true },
          { key: "remark", hidden: true, width: 160 },
          "creator",
        ]}
        card={{
          title: (f) => f.partyName ?? f.payerName,
          right: "state",
          lines: [
            [
              (f) => (
                <span className="dim">
                  {f.villageName} {f.roomName}
                </span>
              ),
              "amount",
            ],
            [
              (f) => `${CHANNELS[f.channel][0]} ${f.accountName}`,
              (f) => f.unallocated > 0 && <span className="dim">未分配</span>,
            ],
            ["paidAt"],
          ],
          sums: ["amount", "fee", "unallocated"],
        }}
        toolbar={[
          { label: "收款", icon: "plus", main: true, need: "102.add", run: () => go(COUNTER) },
          { label: "补录流水", need: "102.add", run: () => setAdding(true) },
        ]}
        rowActions={(flow) => flowActions(flow, { act, open: (what) => setForm({ what, id: flow.id }) })}
        batch={[
          {
            label: "批量确认",
            need: "#10201",
            why: (rows) =>
              rows.map((f) => FLOW_MOVES.refusal("confirm", { ...f, status: f.state })).find(Boolean) ??
              (new Set(rows.map((f) => f.merchantAccountId)).size > 1
                ? "只能批量确认同一账户的流水"
                : undefined),
            run: (rows) =>
              act(
                confirmBatch,
                { body: { ids: rows.map((r) => r.id) } },
                { done: "已确认", ask: { title: "批量确认", body: `确认 ${rows.length} 笔流水已到账吗？` } },
              ),
          },
        ]}
        drawer={(id) => <FlowDrawer id={id} onOpen={(what) => setForm({ what, id })} />}
        exportCall={exportFlows}
        emptyText="收款、付款和补录的流水都在这里"
      />
      {adding && <AddFlowForm onClose={() => setAdding(false)} />}
      <FlowForms form={form} onClose={() => setForm(undefined)} />
    </>
  );
}
