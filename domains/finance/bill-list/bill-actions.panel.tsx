import type { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { useGo } from "../../../platform/console/screens/page.ts";
import { FROZEN } from "../../approval/examine/engine.rules.ts";
import {
  type Bill,
  COUNTER,
  whyNotAdjust,
  whyNotIssue,
  whyNotVoid,
  whyNotWriteOff,
} from "../bill/bill.rules.ts";
import { adjustBill, disputeBill, issueBill, voidBill, writeOff } from "../bill-acts/acts.contract.ts";

type Acting = { act: ReturnType<typeof useAct>; go: ReturnType<typeof useGo>; adjust: () => void };
type Standing = Pick<
  Bill,
  | "id"
  | "status"
  | "settled"
  | "writtenOff"
  | "invoiced"
  | "issuedAt"
  | "outstanding"
  | "direction"
  | "version"
> & {
  billNo: string;
  dueDate: string;
  periodEnd: string | null;
  tags: readonly string[];
  daysOverdue: number | null;
  frozen: object | null;
  /** Known on the record's own page only: when a write-off is open to this bill. */
  writeOffMinDays?: number;
  today?: string;
};

/** What can be done with a bill, in the order of use; what the rules refuse stays visible with its sentence. */
export function billActions(bill: Standing, { act, go, adjust }: Acting): (Action | false)[] {
  const sent = { params: { id: bill.id }, body: { version: bill.version } };
  const payable = bill.direction === "payable";
  const frozen = bill.frozen ? FROZEN : undefined;
  const disputed = bill.tags.includes("disputed");
  const asked = (reason: string) => ({ title: reason, ok: reason });
  if (bill.status === "void") return [];
  const open = bill.outstanding > 0;
  return [
    open && {
      label: payable ? "付款" : "收款",
      main: true,
      need: "102.add",
      run: () => go(COUNTER, payable ? { tab: "cost", billId: bill.id } : { billId: bill.id }),
    },
    open && { label: "减免", does: adjustBill, why: frozen ?? whyNotAdjust(bill), run: adjust },
    !bill.issuedAt && {
      label: "立即出账",
      does: issueBill,
      why: frozen ?? whyNotIssue(bill),
      run: () =>
        act(issueBill, sent, {
          done: "已出账",
          ask: { title: "立即出账", body: `将 ${bill.billNo} 计入应收，确定吗？` },
        }),
    },
    open && {
      label: disputed ? "解除争议" : "标记争议",
      does: disputeBill,
      why: frozen,
      run: () =>
        act(
          disputeBill,
          { params: sent.params, body: { ...sent.body, disputed: !disputed } },
          {
            done: disputed ? "已解除争议" : "已标记争议，滞纳金暂停计算",
            reason: asked(disputed ? "解除争议" : "标记争议"),
          },
        ),
    },
    {
      label: "作废",
      does: voidBill,
      danger: true,
      why: frozen ?? whyNotVoid(bill),
      run: async () => {
        const done = await act(voidBill, sent, {
          reason: { title: `作废 ${bill.billNo}`, text: "作废后不能恢复。", ok: "作废" },
        });
        if (done) toast(done.examineId ? "已提交审批" : "已作废");
      },
    },
    open &&
      bill.writeOffMinDays !== undefined && {
        label: "核销",
        does: writeOff,
        why: frozen ?? whyNotWriteOff(bill, bill.daysOverdue ?? 0, bill.writeOffMinDays, bill.today ?? ""),
        run: () =>
          act(writeOff, sent, {
            done: "已核销",
            reason: { title: `核销 ${bill.billNo}`, text: "未收金额将计入坏账。", ok: "核销" },
          }),
      },
  ];
}
