import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { PapersInput, payableSource } from "../flow-list/payment.form.tsx";
import { PayerSelect, payerSource } from "../payer/payer.panel.tsx";
import { SourceInput } from "../refund/acts.form.tsx";
import * as calls from "./reconcile.contract.ts";
import { ACCEPTING } from "./reconcile.rules.ts";

type Row = calls.ReconcileRow;

/** 登记退款: whose money a channel has given back, of which nobody had applied for here. */
export const RefundForm = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    call={calls.refundItem}
    title="登记退款"
    ok={`登记退款 ${yuan(-row.theirs!)}`}
    done="已登记退款"
    params={{ id: row.id }}
    initial={{
      version: row.version,
      note: row.summary || "渠道已退款",
      ...(row.payerId && { partyId: row.payerId }),
    }}
    width={560}
    onClose={onClose}
    note={() => `渠道 ${row.day} 已退 ${yuan(-row.theirs!)} 元，登记后不再付款`}
    fields={(set) => [
      {
        key: "partyId",
        input: (p) => <RecordSelect {...p} source={payerSource()} placeholder="客户姓名、手机号或房间" />,
      },
      { key: "sourceId", title: "款项", input: (p, now) => <SourceInput {...p} now={now} set={set} /> },
      "note",
    ]}
  />
);

/** 补录流水: a payment that only the statement knows; what its line says is not typed again. */
export const RecordForm = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDrawer
    call={calls.recordItem}
    title="补录流水"
    ok={`补录 ${yuan(Math.abs(row.theirs!))}`}
    onDone={({ waiting }) => toast(waiting ? `已提交审批 ${waiting}` : "已提交，等待他人确认")}
    params={{ id: row.id }}
    initial={{
      ...(row.holderVillageId && { villageId: row.holderVillageId }),
      version: row.version,
      remark: row.summary,
      ...(row.direction === "in" && { payerName: row.counter }),
    }}
    width={640}
    label={104}
    onClose={onClose}
    note={() => "由另一人确认到账，确认后自动匹配"}
    fields={[
      {
        section: "渠道流水",
        note: `${row.accountName} ${row.day} ${row.direction === "in" ? "收款" : "付款"} ${yuan(Math.abs(row.theirs!))} 元`,
      },
      { key: "villageId", input: (p) => <VillageSelect {...p} /> },
      {
        key: "partyId",
        must: true,
        when: () => row.direction === "in",
        input: (p, v) => <PayerSelect {...p} villageId={v.villageId} />,
      },
      {
        key: "billId",
        must: true,
        when: () => row.direction === "out",
        help: "付款须对应一笔已登记的应付账单，没有时先在“记一笔 · 支出”登记",
        input: (p, v) => (
          <RecordSelect {...p} source={payableSource(v.villageId)} placeholder="收款人、账单号" />
        ),
      },
      {
        key: "channelTradeNo",
        must: true,
        when: () => row.accountKind !== "bank" && !row.channelTradeNo,
      },
      { key: "payerName", when: () => row.direction === "in" },
      { key: "fileIds", help: "对账单已是凭据，可不传", input: (p) => <PapersInput {...p} /> },
      "remark",
    ]}
  />
);

/** 确认退款: which refund the bank has paid by this line. */
export const PaidForm = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    call={calls.payItem}
    title="确认退款"
    ok={`确认已付 ${yuan(-row.theirs!)}`}
    done="已确认退款"
    params={{ id: row.id }}
    initial={{ version: row.version, note: row.summary || "银行已付款" }}
    width={480}
    onClose={onClose}
    note={() => `${row.accountName} ${row.day} 付 ${yuan(-row.theirs!)} 元，流水即付款凭证`}
    fields={[
      {
        key: "refundId",
        help: "列出未付金额与流水一致的银行退款",
        input: (p) => (
          <RecordSelect {...p} source={calls.refundsOf(-row.theirs!)} placeholder="退款单号、收款人" />
        ),
      },
      "note",
    ]}
  />
);

type Filter = {
  merchantAccountId: number;
  result: Row["result"];
  dayFrom?: string;
  dayTo?: string;
  keyword?: string;
};

/** 批量处理: one note for all open differences that the list shows. */
export function AllForm({ filter, onClose }: { filter: Filter; onClose: () => void }) {
  const query = { ...filter, open: "true" as const, pageSize: 1 };
  const { data } = useQuery({ ...ask(calls.listReconcile, { query }), staleTime: 0 });
  if (!data) return null;
  const count = data.total ?? 0;
  const diff = Number(data.sums?.diff ?? 0);
  return (
    <FormDialog
      call={calls.resolveShown}
      title="批量处理"
      ok={`${ACCEPTING[filter.result]} ${count} 条`}
      done="已处理"
      initial={{
        filter,
        count,
        diff,
        resolution: "accept",
      }}
      width={480}
      onClose={onClose}
      note={() =>
        count ? `筛选出的 ${count} 条未处理，差额 ${yuan(diff)}；账务不变，只记录说明。` : "没有未处理的差异"
      }
      fields={["note"]}
    />
  );
}
