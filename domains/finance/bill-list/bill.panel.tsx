import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Rooms } from "../../../platform/console/parts/rooms.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { examineAt, Waits } from "../../../platform/console/parts/waits.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { daysBetween } from "../../../platform/kernel/day.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { FROZEN, WORKBENCH } from "../../approval/examine/engine.rules.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import {
  type Bill,
  BILL_SOURCE,
  BILL_STATUS,
  PARTY_PAGE,
  contractPage,
  COUNTER,
  INVOICES,
  SETTLING,
  whyNotAdjust,
  whyNotIssue,
  whyNotOwed,
  whyNotVoid,
  whyNotWriteOff,
} from "../bill/bill.rules.ts";
import { BillLines, Adjustments, Payments, adjustments, LateFee } from "./lines.panel.tsx";
import { Entries, Moments } from "../journal/entries.panel.tsx";
import { type BillRow, getBill, BILL_TAGS, BUILDINGS, ROOMS } from "./bill.contract.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { disputeBill, issueBill, undoWriteOff, voidBill, writeOff } from "../bill-acts/acts.contract.ts";
import { remindBills } from "../checkout/remind.contract.ts";
import { sendPayLinks, showBillCode } from "../checkout/checkout.contract.ts";
import "../account/account.css";

/** Where nothing was ever to be paid, that is said. */
export const BillStatusTag = ({ bill }: { bill: Pick<BillRow, "status" | "amount" | "adjusted"> }) =>
  bill.status === "paid" && bill.amount + bill.adjusted === 0 ? (
    <StatusTag tone="grey">无需支付</StatusTag>
  ) : (
    <WordTag words={BILL_STATUS} code={bill.status} />
  );

/** The remarks of a bill; 审批中 leads to the approval for who may see it. */
export const BillTags = ({ bill }: { bill: Pick<BillRow, "tags" | "frozen"> }) => (
  <span className="row">
    {bill.tags.map((tag) => {
      const shown = <WordTag key={tag} words={BILL_TAGS} code={tag} dot={false} />;
      const to = tag === "approving" ? examineAt(WORKBENCH, bill.frozen) : undefined;
      return to ? (
        <Link key={tag} to={to} title={bill.frozen?.examineNo}>
          {shown}
        </Link>
      ) : (
        shown
      );
    })}
  </span>
);

/** "已作废 3 笔，2 笔已提交审批". */
export const batchDone = (verb: string, { count, waiting }: { count: number; waiting: number }): string =>
  [count > 0 && `${verb} ${count} 笔`, waiting > 0 && `${waiting} 笔已提交审批`].filter(Boolean).join("，");

type Placed = { villageName: string; roomId: number | null; roomName: string | null };

/** Where something belongs: the room, which leads to its own page, with its store behind it; the store where there is no room. */
export function Place({ of }: { of: Placed }) {
  const to = of.roomId ? reach("/configuration/apartment", { id: of.roomId }) : undefined;
  if (!of.roomName) return <span className="dim">{of.villageName}</span>;
  const room = <Rooms names={of.roomName} />;
  return to ? <Link to={to}>{room}</Link> : room;
}

/** 楼栋 and 房间, of the chosen stores where some are chosen. */
export const placesIn = (villageIds: string | null): { buildings: Source; rooms: Source } => {
  // rooms are looked up in one store or in all; buildings in any number
  const one = villageIds && !villageIds.includes(",") ? { villageId: villageIds } : {};
  return {
    buildings: { ...BUILDINGS, query: villageIds ? { villageIds } : {} },
    rooms: { ...ROOMS, query: { ...ROOMS.query, ...one } },
  };
};

const maybe = (to: string | undefined, text: string | null) =>
  text === null ? "—" : to ? <Link to={to}>{text}</Link> : text;

/** What a customer is asked to pay by phone: by a code at the desk, or by a link. */
export type Asking = (
  bill: Pick<BillRow, "id" | "partyId" | "partyName" | "villageId" | "outstanding" | "title" | "roomName">,
) => Pick<Acting, "code" | "link" | "remind">;

/** One bill beside its list, or on a page of its own. */
export function BillDrawer({
  id,
  onAdjust,
  onAsk,
}: {
  id: number;
  onAdjust: (lateFee: boolean) => void;
  onAsk: Asking;
}) {
  const act = useAct();
  const go = useGo();
  return (
    <Detail
      call={getBill}
      sent={{ params: { id } }}
      width={800}
      title={(bill) => bill.billNo}
      tags={(bill) => (
        <>
          <BillStatusTag bill={bill} />
          {bill.daysOverdue !== null && (
            <StatusTag tone="red" dot={false}>
              逾期 {bill.daysOverdue} 天
            </StatusTag>
          )}
          <BillTags bill={bill} />
        </>
      )}
      strip={(bill) => [
        { title: bill.direction === "payable" ? "应付金额" : "应收金额", fen: bill.amount },
        { title: "减免调整", fen: bill.adjusted },
        { title: bill.direction === "payable" ? "已付" : "已收", fen: bill.settled },
        { title: bill.direction === "payable" ? "未付" : "未收", fen: bill.outstanding, key: true },
        { title: "预计滞纳金", fen: bill.lateFee, help: "按今天试算，尚未入账；收到本金时入账" },
      ]}
      facts={[
        {
          title: "客户",
          show: (bill) => (
            <>
              {maybe(reach(PARTY_PAGE[bill.partyKind] ?? "", { id: bill.partyId }), bill.partyName)}{" "}
              <span className="dim">{bill.partyPhone}</span>
            </>
          ),
        },
        { title: "房间", show: (bill) => <Place of={bill} /> },
        {
          title: "合同",
          show: (bill) =>
            maybe(
              bill.contractId
                ? reach(contractPage(bill.partyKind) ?? "", { id: bill.contractId })
                : undefined,
              bill.contractNo,
            ),
        },
        {
          title: "计费期",
          show: (bill) => (bill.periodStart ? `${bill.periodStart} ~ ${bill.periodEnd}` : "—"),
        },
        {
          title: "应收日",
          show: (bill) => (
            <>
              {bill.dueDate} <span className="dim">{away(daysBetween(bill.today, bill.dueDate))}</span>
            </>
          ),
        },
        { title: "出账日", show: (bill) => (bill.issuedAt ? bill.issueDate : `计划 ${bill.issueDate}`) },
        "title",
        { title: "来源", show: (bill) => BILL_SOURCE[bill.source][0] },
        { title: "生成人", show: (bill) => bill.creator },
        { key: "remark", wide: true },
      ]}
      actions={(bill) => billActions(bill, { act, go, adjust: onAdjust, ...onAsk(bill) })}
      tabs={[
        {
          key: "pay",
          title: "收款记录",
          count: (b) => b.allocations.length,
          view: (b) => <Payments bill={b} />,
        },
        {
          key: "adjust",
          title: "调整",
          count: (b) => adjustments(b).length,
          view: (b) => <Adjustments bill={b} />,
        },
        {
          key: "late",
          title: "滞纳金",
          count: (b) => `${b.late.segments.length} 段`,
          view: (b) => <LateFee bill={b} />,
        },
        {
          key: "entries",
          title: "凭证",
          count: (b) => b.entries.length,
          view: (b) => <Entries entries={b.entries} />,
        },
        { key: "log", title: "业务日志", view: (b) => <Moments log={b.log} /> },
      ]}
      slot="bill.tabs"
    >
      {(bill) => (
        <>
          {bill.frozen && (
            <Waits page={WORKBENCH} decide={decideExamine} frozen={bill.frozen} then="账单可以再次修改" />
          )}
          <BillLines bill={bill} />
        </>
      )}
    </Detail>
  );
}

/** Who may apply for an invoice, on its own page. */
export const INVOICING = ["28.add", "#2801"] as const;

const away = (days: number) => (days === 0 ? "今天" : days > 0 ? `${days} 天后` : `${-days} 天前`);

type Acting = {
  act: ReturnType<typeof useAct>;
  go: ReturnType<typeof useGo>;
  /** 减免, of its late fee where that is meant. */
  adjust: (lateFee: boolean) => void;
  /** 收款码 and 付款链接 of this bill. */
  code: () => void;
  link: () => void;
  remind: () => void;
};
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
  source: string;
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
export function billActions(
  bill: Standing,
  { act, go, adjust, code, link, remind }: Acting,
): (Action | false)[] {
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
      why: payable ? whyNotOwed(bill) : undefined,
      run: () => go(COUNTER, payable ? { tab: "cost", billId: bill.id } : { billId: bill.id }),
    },
    open && !payable && { label: "收款码", does: showBillCode, run: code },
    open && !payable && { label: "发送付款链接", does: sendPayLinks, run: link },
    open && !payable && bill.daysOverdue !== null && { label: "催缴", does: remindBills, run: remind },
    open && { label: "减免", need: "#2601", why: frozen ?? whyNotAdjust(bill), run: () => adjust(false) },
    open &&
      !payable &&
      bill.daysOverdue !== null && {
        label: "滞纳金减免",
        need: "#2604",
        why: frozen ?? whyNotAdjust(bill),
        run: () => adjust(true),
      },
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
    !payable &&
      bill.issuedAt !== null &&
      bill.source !== "opening" && {
        label: "开票",
        need: INVOICING,
        run: () => go(INVOICES, { bills: bill.id }),
      },
    {
      label: "作废",
      does: voidBill,
      danger: true,
      why: frozen ?? (bill.tags.includes("settling") ? SETTLING : whyNotVoid(bill)),
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
        run: async () => {
          const done = await act(writeOff, sent, {
            reason: { title: `核销 ${bill.billNo}`, text: "未收金额将计入坏账。", ok: "核销" },
          });
          if (done) toast(done.examineId ? "已提交审批" : "已核销");
        },
      },
    bill.writtenOff > 0 && {
      label: "撤销核销",
      does: undoWriteOff,
      why: frozen,
      run: async () => {
        const text = `核销的 ${yuan(bill.writtenOff)} 重新变为未收，坏账按今天冲回。`;
        await act(undoWriteOff, sent, {
          done: "已撤销核销",
          reason: { title: `撤销核销 ${bill.billNo}`, text, ok: "撤销核销" },
        });
      },
    },
  ];
}
