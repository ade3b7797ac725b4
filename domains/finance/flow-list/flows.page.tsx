import { useEffect, useState } from "react";
import { firstOf, lastOf, monthOf, timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { today, useOperator, useToday } from "../../../platform/console/session/operator.ts";
import { useAddress, useGo, type Patch } from "../../../platform/console/screens/page.ts";
import { COUNTER } from "../bill/bill.rules.ts";
import { Place } from "../bill-list/bill.panel.tsx";
import { AllocateForm } from "./owed.panel.tsx";
import {
  type FlowRow,
  addFlow,
  confirmBatch,
  countFlows,
  exportFlows,
  listFlows,
  FLOW_TAB,
} from "../flow/flow.contract.ts";
import { ConfirmForm } from "./allotment.panel.tsx";
import { type Doing, FlowDrawer, flowActions, submissionPath } from "./flow.panel.tsx";
import { partyPath } from "../payer/payer.panel.tsx";
import { PatchForm } from "./payment.form.tsx";
import { SlipDialog } from "./slip.panel.tsx";
import { CHANNELS } from "../account/channel.rules.ts";

/** What waits is shown whenever it was paid; everything else starts with the month. */
function useThisMonth(address: URLSearchParams, set: (patch: Patch) => void) {
  const tab = address.get("tab") ?? "all";
  useEffect(() => {
    const month = monthOf(today());
    const [from, to] = [firstOf(month), lastOf(month)];
    if (tab === "all" && ![...address.keys()].some((key) => key !== "tab"))
      set({ paidFrom: from, paidTo: to });
    if (tab !== "all" && address.get("paidFrom") === from && address.get("paidTo") === to)
      set({ paidFrom: undefined, paidTo: undefined });
    // only on entering a tab: who clears the days wants to see every month
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [tab]);
}

/** Every movement of money: find one, confirm it, lay it out, take it back. */
export default function FlowsPage() {
  const [address, set] = useAddress();
  const go = useGo();
  const act = useAct();
  const refresh = useRefresh();
  const me = useOperator()?.operatorId;
  const year = useToday().slice(0, 4);
  const [adding, setAdding] = useState(false);
  const [doing, setDoing] = useState<Doing>();
  useThisMonth(address, set);
  const done = () => setDoing(undefined);
  const whyNotBatch = (rows: readonly FlowRow[]) =>
    rows.some((f) => f.state !== "pending")
      ? "只能确认待确认的流水"
      : rows.some((f) => f.createdBy === me)
        ? "录入人不能确认自己的流水"
        : new Set(rows.map((f) => f.merchantAccountId)).size > 1
          ? "只能批量确认同一账户的流水"
          : undefined;
  return (
    <>
      <ListPage
        call={listFlows}
        unit="笔"
        sumNote="按当前筛选，收支为已确认的流水"
        sort={{ sort: "paidAt", order: "desc" }}
        tabs={{
          key: "tab",
          counts: countFlows,
          items: Object.entries(FLOW_TAB).map(([key, title]) => ({ key, title })),
        }}
        filters={[
          "villageIds",
          "paidFrom",
          "channel",
          "keyword",
          "direction",
          "state",
          "accountIds",
          "kind",
          "amountFrom",
          "unallocated",
          "reconcile",
          "partyId",
        ]}
        columns={[
          "flowNo",
          { key: "paidAt", show: (f) => <PaidAt at={f.paidAt} year={year} /> },
          { key: "partyName", to: (f) => partyPath(f.partyKind, f.partyId) },
          { key: "roomName", show: (f) => <Place of={f} />, width: 156 },
          { key: "channel", show: (f) => CHANNELS[f.channel][0] },
          { key: "accountName", wide: true },
          { key: "amountIn", show: (f) => f.amountIn !== null && <Money fen={f.amountIn} strong /> },
          { key: "amountOut", show: (f) => f.amountOut !== null && <Money fen={f.amountOut} strong /> },
          // on a small screen what is left to be laid out matters more
          { key: "fee", wide: true },
          { key: "allocated", hidden: true },
          "unallocated",
          "state",
          { key: "villageName", hidden: true },
          { key: "direction", hidden: true },
          { key: "kind", hidden: true },
          { key: "payerName", hidden: true },
          { key: "channelTradeNo", hidden: true },
          { key: "refunded", hidden: true },
          { key: "reconcileState", hidden: true },
          { key: "submissionNo", hidden: true, to: submissionPath },
          { key: "creator", hidden: true },
          { key: "remark", hidden: true },
        ]}
        card={{
          title: (f) => f.partyName ?? f.payerName ?? f.flowNo,
          right: "state",
          lines: [
            [
              (f) => <Place of={f} />,
              (f) => (
                <b
                  className={f.direction === "out" ? "neg" : ""}
                >{`${f.direction === "out" ? "−" : ""}${yuan(f.amount)}`}</b>
              ),
            ],
            [
              (f) => `${CHANNELS[f.channel][0]} · ${f.accountName}`,
              (f) => (f.unallocated ? `未分配 ${yuan(f.unallocated)}` : ""),
            ],
            ["paidAt"],
          ],
          sums: ["amountIn", "amountOut", "unallocated"],
        }}
        toolbar={[
          { label: "记一笔", icon: "plus", main: true, need: "102.add", run: () => go(COUNTER) },
          { label: "补录流水", does: addFlow, run: () => setAdding(true) },
        ]}
        rowActions={(flow) => [
          ...flowActions(flow, me, setDoing, refresh).filter((a) => a && (a.label !== "分配" || !a.why)),
          flow.direction === "in" &&
            flow.partyId !== null &&
            flow.state === "confirmed" && {
              label: "申请退款",
              need: "108.add" as const,
              run: () => go("/accountManage/RefundManage", { applyFor: flow.partyId! }),
            },
          {
            label: "附件",
            need: "102.get" as const,
            run: () => set({ id: flow.id, part: "files" }, { push: true }),
          },
        ]}
        batch={[
          {
            label: "批量确认",
            does: confirmBatch,
            why: whyNotBatch,
            run: (rows) =>
              act(
                confirmBatch,
                { body: { ids: rows.map((f) => f.id) } },
                {
                  done: `已确认 ${rows.length} 笔`,
                  ask: {
                    title: "批量确认到账",
                    body: `确认 ${rows[0]?.accountName} 的 ${rows.length} 笔流水已到账，合计 ${yuan(sumOf(rows))} 元？`,
                    ok: "确认到账",
                  },
                },
              ),
          },
        ]}
        pickedNote={(rows) => `合计 ${yuan(sumOf(rows))}`}
        drawer={(id) => <FlowDrawer id={id} onDo={setDoing} />}
        exportCall={exportFlows}
        emptyText="收款、付款和补录的流水都在这里"
      />
      {adding && <PatchForm onClose={() => setAdding(false)} />}
      {doing?.what === "confirm" && <ConfirmForm flow={doing.flow} onClose={done} />}
      {doing?.what === "allocate" && <AllocateForm flow={doing.flow} onClose={done} />}
      {doing?.what === "print" && <SlipDialog flowId={doing.flow.id} onClose={done} />}
    </>
  );
}

/** Without the year while it is this one. */
function PaidAt({ at, year }: { at: string; year: string }) {
  const time = timeInZone(at).slice(0, 16);
  return <span title={time}>{time.startsWith(year) ? time.slice(5) : time}</span>;
}

const sumOf = (rows: readonly FlowRow[]) =>
  rows.reduce((sum, f) => sum + (f.direction === "in" ? f.amount : -f.amount), 0);
