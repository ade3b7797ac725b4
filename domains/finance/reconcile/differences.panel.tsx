import { useState } from "react";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { firstWhy } from "../../../platform/console/list/picked.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { today } from "../../../platform/console/session/operator.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CHANNEL_ACCOUNTS } from "../account/account.contract.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import { addFlow, reverseFlow } from "../flow/flow.contract.ts";
import { applyForRefund, confirmRefund } from "../refund/refund.contract.ts";
import * as calls from "./reconcile.contract.ts";
import {
  ACCEPTING,
  type NOTED,
  RESULT,
  type Resolution,
  recordedAs,
  splitSaid,
  whyNotPaid,
  whyNotPair,
  whyNotRecord,
  whyNotRefund,
  nameOfItem,
  whyNotResolve,
} from "./reconcile.rules.ts";
import { AllForm, PaidForm, RecordForm, RefundForm } from "./resolve.form.tsx";

const REFUNDS = "/accountManage/RefundManage";
const flowAt = (id: number) => reach(FLOWS, { id });

type Row = calls.ReconcileRow;
/** What only a note is needed for. */
type Noting = keyof typeof NOTED;
const why = (row: Row, as: Resolution) => whyNotResolve(row, as, today());
const isOpen = (row: Row) => row.result !== "matched" && row.result !== "feeFixed" && !row.resolution;

/** What both sides say of each movement, the largest open difference on top. */
export function Differences() {
  const [address] = useAddress();
  const go = useGo();
  const [dealing, setDealing] = useState<{ rows: readonly Row[]; as: Noting }>();
  const [settling, setSettling] = useState<Row>();
  const [refunding, setRefunding] = useState<Row>();
  const [recording, setRecording] = useState<Row>();
  const [paid, setPaid] = useState<Row>();
  const [all, setAll] = useState(false);
  const [pairing, setPairing] = useState<readonly [Row, Row]>();
  const accountId = Number(address.get("merchantAccountId")) || undefined;
  const from = address.get("dayFrom");
  const to = address.get("dayTo");
  const result = address.get("result") ?? "";
  return (
    <>
      <ListPage
        call={calls.listReconcile}
        unit="条"
        tabs={{
          key: "result",
          counts: calls.countReconcile,
          items: [
            { key: "", title: "全部" },
            ...Object.entries(RESULT).map(([key, [title]]) => ({ key, title })),
          ],
        }}
        filters={["merchantAccountId", "dayFrom", "open", "keyword"]}
        columns={[
          { key: "result", width: 128 },
          { key: "flowNo", to: (r) => (r.flowId ? flowAt(r.flowId) : undefined) },
          "channelTradeNo",
          { key: "outTradeNo", hidden: true },
          "paidAt",
          "occurredAt",
          "ours",
          "theirs",
          { key: "diff", strong: true },
          "fee",
          { key: "feeFixed", hidden: true },
          "counter",
          { key: "summary", hidden: true },
          { key: "resolution", width: 96 },
          {
            key: "refundNo",
            hidden: true,
            to: (r) => (r.refundId ? reach(REFUNDS, { id: r.refundId }) : undefined),
          },
          {
            key: "recordNo",
            hidden: true,
            to: (r) => (r.recordNo ? reach(FLOWS, { tab: "pending", keyword: r.recordNo }) : undefined),
          },
          "note",
          { key: "resolver", hidden: true },
          { key: "day", hidden: true },
          { key: "accountName", hidden: true },
          { key: "byHand", hidden: true },
        ]}
        card={{
          title: "accountName",
          right: "result",
          lines: [
            ["day", "diff"],
            ["ours", "theirs"],
            ["flowNo", "channelTradeNo"],
          ],
        }}
        sumNote={(sums) =>
          `系统 ${Number(sums["hereCount"])} 笔，渠道 ${Number(sums["thereCount"])} 笔；${splitSaid({
            onlyHere: Number(sums["onlyHere"]),
            onlyThere: Number(sums["onlyThere"]),
            amountDiffers: Number(sums["amountDiffers"]),
          })}`
        }
        toolbar={[
          {
            label: "批量处理",
            does: calls.resolveShown,
            why:
              accountId && (ACCEPTING as Record<string, string>)[result]
                ? undefined
                : "请先选择账户和一种差异结果",
            run: () => setAll(true),
          },
          {
            label: "重新对账",
            does: calls.runReconcile,
            why: accountId && from && to ? undefined : "请先选择账户和日期",
            run: (send) =>
              send(
                calls.runReconcile,
                { body: { merchantAccountId: accountId!, from: from!, to: to! } },
                { done: "已重新对账" },
              ),
          },
        ]}
        rowActions={(r) => [
          may(addFlow.needs) &&
            !whyNotRecord(r) && {
              label: "补录流水",
              does: calls.recordItem,
              why: r.recordNo ? recordedAs(r.recordNo) : undefined,
              run: () => setRecording(r),
            },
          r.result in ACCEPTING && {
            label: ACCEPTING[r.result]!,
            does: calls.resolveItem,
            why: why(r, "accept"),
            run: () => setDealing({ rows: [r], as: "accept" }),
          },
          r.result === "onlyThere" &&
            r.direction === "in" &&
            r.accountKind === "bank" && {
              label: "渠道结算",
              does: calls.settleItem,
              why: why(r, "settle"),
              run: () => setSettling(r),
            },
          r.result === "onlyThere" &&
            r.direction === "out" &&
            may(applyForRefund.needs) &&
            !whyNotRefund(r) && {
              label: "登记退款",
              does: calls.refundItem,
              why: r.refundNo ? `已登记退款 ${r.refundNo}，正在审批` : undefined,
              run: () => setRefunding(r),
            },
          may(confirmRefund.needs) &&
            !whyNotPaid(r) && {
              label: "确认退款",
              does: calls.payItem,
              why: r.recordNo ? recordedAs(r.recordNo) : undefined,
              run: () => setPaid(r),
            },
          (r.result === "onlyHere" || r.result === "amountDiffers") &&
            r.flowId !== null &&
            flowAt(r.flowId) !== undefined && {
              label: r.result === "onlyHere" ? "冲销流水" : "冲销并重录",
              need: reverseFlow.needs,
              run: () => go(flowAt(r.flowId!)!),
            },
          r.result === "onlyHere" && {
            label: "跨日等待",
            does: calls.resolveItem,
            why: why(r, "wait"),
            run: () => setDealing({ rows: [r], as: "wait" }),
          },
          r.resolution !== null && {
            label: "重新打开",
            does: calls.reopenItem,
            run: (send) =>
              send(
                calls.reopenItem,
                { params: { id: r.id }, body: { version: r.version } },
                { done: "已重新打开" },
              ),
          },
          r.flowId !== null &&
            r.occurredAt !== null && {
              label: "取消匹配",
              does: calls.unmatchItem,
              run: (send) =>
                send(
                  calls.unmatchItem,
                  { params: { id: r.id }, query: { version: r.version } },
                  { done: "已取消匹配", ask: { title: "取消匹配", body: "两条记录重新列为差异。" } },
                ),
            },
        ]}
        batch={[
          {
            label: "批量确认",
            does: calls.resolveItems,
            why: (rows) =>
              new Set(rows.map((r) => r.result)).size > 1
                ? "只能批量处理同一结果的记录"
                : firstWhy(rows, nameOfItem, (r) => why(r, "accept")),
            run: (rows) => setDealing({ rows, as: "accept" }),
          },
          {
            label: "手工匹配",
            does: calls.matchItems,
            why: (rows) =>
              rows.length === 2 && paired(rows)
                ? undefined
                : "请选择一条系统有渠道无和一条渠道有系统无的记录",
            run: (rows) => setPairing(paired(rows)),
          },
        ]}
        pickedNote={(rows) => `差额 ${yuan(rows.reduce((sum, r) => sum + r.diff, 0))}`}
        expand={(r) => (r.raw ? <p className="dim fs-12">{r.raw.filter(Boolean).join(" | ")}</p> : null)}
        exportCall={calls.exportReconcile}
        emptyText="导入渠道或银行的对账单后，系统流水和渠道流水在这里逐笔核对"
      />
      {dealing && <DealForm {...dealing} onClose={() => setDealing(undefined)} />}
      {settling && (
        <FormDialog
          call={calls.settleItem}
          title="登记渠道结算"
          ok="登记"
          done="已登记渠道结算"
          params={{ id: settling.id }}
          initial={{ version: settling.version, note: "渠道结算到账" }}
          width={480}
          onClose={() => setSettling(undefined)}
          note={() => `${settling.counter} ${yuan(settling.theirs!)} 元转入 ${settling.accountName}`}
          fields={[
            {
              key: "merchantAccountId",
              input: (p) => <RecordSelect {...p} source={CHANNEL_ACCOUNTS} placeholder="结算的渠道账户" />,
            },
            "note",
          ]}
        />
      )}
      {recording && <RecordForm row={recording} onClose={() => setRecording(undefined)} />}
      {paid && <PaidForm row={paid} onClose={() => setPaid(undefined)} />}
      {refunding && <RefundForm row={refunding} onClose={() => setRefunding(undefined)} />}
      {all && (
        <AllForm
          filter={{
            merchantAccountId: accountId!,
            result: result as Row["result"],
            ...(from && { dayFrom: from }),
            ...(to && { dayTo: to }),
            ...(address.get("keyword") && { keyword: address.get("keyword")! }),
          }}
          onClose={() => setAll(false)}
        />
      )}
      {pairing && (
        <FormDialog
          call={calls.matchItems}
          title="手工匹配"
          ok="匹配"
          done="已匹配"
          initial={{ hereId: pairing[0].id, thereId: pairing[1].id }}
          width={480}
          onClose={() => setPairing(undefined)}
          note={() =>
            `${pairing[0].flowNo} ${yuan(pairing[0].ours!)} 与 ${pairing[1].channelTradeNo ?? "渠道流水"} ${yuan(pairing[1].theirs!)}`
          }
          fields={["note"]}
        />
      )}
    </>
  );
}

/** The one that only we have, and the one that only they have. */
function paired(rows: readonly Row[]): readonly [Row, Row] | undefined {
  const [ours, theirs] = rows[0]?.flowId ? rows : rows.toReversed();
  return ours && theirs && isOpen(ours) && isOpen(theirs) && !whyNotPair(ours, theirs)
    ? [ours, theirs]
    : undefined;
}

type DealProps = { rows: readonly Row[]; as: Noting; onClose: () => void };
const DealForm = ({ rows, as, onClose }: DealProps) => {
  const title = as === "wait" ? "跨日等待" : (ACCEPTING[rows[0]!.result] ?? "确认有效");
  const note = () =>
    as === "wait"
      ? "次日账单导入后自动匹配；最多等待3天。"
      : `${rows.length} 条，差额 ${yuan(rows.reduce((sum, r) => sum + r.diff, 0))}；账务不变，只记录说明。`;
  const shared = { title, ok: title, done: "已处理", width: 480, onClose, note, fields: ["note" as const] };
  const [row] = rows;
  return rows.length === 1 ? (
    <FormDialog
      call={calls.resolveItem}
      params={{ id: row!.id }}
      initial={{ resolution: as, version: row!.version }}
      {...shared}
    />
  ) : (
    <FormDialog
      call={calls.resolveItems}
      initial={{ resolution: as, ids: rows.map((r) => r.id) }}
      {...shared}
    />
  );
};
