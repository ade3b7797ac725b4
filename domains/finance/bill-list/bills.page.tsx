import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { lazily } from "../../../platform/console/screens/load.tsx";
import { useEffect, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { firstWhy } from "../../../platform/console/list/picked.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { FROZEN } from "../../approval/examine/engine.rules.ts";
import {
  COUNTER,
  INVOICES,
  PARTY_PAGE,
  SETTLING,
  whyNotIssue,
  whyNotPay,
  whyNotVoid,
} from "../bill/bill.rules.ts";
import { ReduceForm } from "./reduce.form.tsx";
import { BillImport } from "../import/import.form.tsx";
import { addBill, issueBatch, voidBatch, reduceBatch } from "../bill-acts/acts.contract.ts";
import { AdjustForm } from "./adjust.form.tsx";
import { sendPayLinks, showBillCode } from "../checkout/checkout.contract.ts";
import type { Coded } from "../checkout/code.panel.tsx";
import { PayLinkForm } from "../checkout/link.form.tsx";
import { printLetters } from "../checkout/letter.contract.ts";
import { LetterForm } from "../checkout/letter.form.tsx";
import { remindBills } from "../checkout/remind.contract.ts";
import { RemindForm } from "../checkout/remind.form.tsx";
import { MOST_BILLS, SAID, titleOf } from "../checkout/checkout.rules.ts";
import {
  INVOICING,
  type Asking,
  BillDrawer,
  BillStatusTag,
  BillTags,
  Place,
  batchDone,
  placesIn,
  billActions,
} from "./bill.panel.tsx";
import { BILL_TAB, type BillRow, countBills, exportBills, listBills } from "./bill.contract.ts";

const TABS = Object.entries(BILL_TAB).map(([key, title]) => ({ key, title }));
/** Tabs whose every bill is issued and unpaid. */
const OWED = new Set(["open", "overdue"]);
// the drawing of codes is only needed where one is shown
const BillCode = lazily(() => import("../checkout/code.panel.tsx"));

type Asked = Parameters<Asking>[0];
/** A code for bills of one customer. */
const codedOf = (bills: readonly Asked[]): Coded => ({
  partyName: bills[0]!.partyName,
  villageId: bills[0]!.villageId,
  billIds: bills.map((b) => b.id),
  amount: bills.reduce((sum, b) => sum + b.outstanding, 0),
  what: titleOf(bills, bills[0]!.roomName),
});
/** What one payer owes in one store. */
const isTogether = (rows: readonly BillRow[]) =>
  rows.every(
    (b) =>
      b.direction === "receivable" && b.partyId === rows[0]?.partyId && b.villageId === rows[0].villageId,
  );
const whyNotCode = (rows: readonly BillRow[]) => (isTogether(rows) ? whyNothing(rows) : SAID.mixed);
const whyNotTake = (rows: readonly BillRow[]) =>
  isTogether(rows) ? whyNotAll(rows, (b) => whyNotPay(standing(b))) : SAID.mixed;
const whyNothing = (rows: readonly BillRow[]) =>
  rows.some((b) => b.outstanding > 0)
    ? rows.length > MOST_BILLS
      ? `一次最多处理${MOST_BILLS}笔`
      : undefined
    : SAID.nothing;
const whyNoLetters = (rows: readonly BillRow[]) =>
  rows.some((b) => b.daysOverdue && b.direction === "receivable") ? undefined : "账单没有逾期，不需要催缴";
/** The first of several bills that stands in the way, with its number. */
const whyNotAll = (rows: readonly BillRow[], whyNot: (bill: BillRow) => string | undefined) =>
  firstWhy(rows, (b) => b.billNo, whyNot);

/** Stands as issued where the list says nothing else: a plan carries its tag. */
const standing = (row: BillRow) => ({ ...row, issuedAt: row.tags.includes("plan") ? null : row.issueDate });

export default function BillsPage() {
  const act = useAct();
  const [address, set] = useAddress();
  const places = placesIn(address.get("villageIds"));
  // links of other pages say what they mean in the call's own word
  const overdue = address.get("overdue") === "1";
  useEffect(() => {
    if (overdue) set({ overdue: undefined, tab: "overdue" });
  }, [overdue, set]);
  const go = useGo();
  const [adjusting, setAdjusting] = useState<{ id: number; lateFee: boolean }>();
  const [importing, setImporting] = useState(false);
  const [reducing, setReducing] = useState<number[]>();
  const [coded, setCoded] = useState<Coded>();
  const [linked, setLinked] = useState<readonly Asked[]>();
  const [reminding, setReminding] = useState<number[]>();
  const [lettered, setLettered] = useState<number[]>();
  const asking: Asking = (bill) => ({
    code: () => setCoded(codedOf([bill])),
    link: () => setLinked([bill]),
    remind: () => setReminding([bill.id]),
  });
  return (
    <>
      <ListPage
        call={listBills}
        unit="笔"
        sumNote="按当前筛选的全部账单"
        tabs={{ key: "tab", items: TABS, counts: countBills }}
        filters={[
          "villageIds",
          "subjectIds",
          "dueFrom",
          "keyword",
          { key: "buildingIds", source: places.buildings },
          { key: "roomIds", source: places.rooms },
          "status",
          "tag",
          "partyKind",
          "periodFrom",
          "amountFrom",
          "source",
          "direction",
        ]}
        columns={[
          { key: "billNo", width: 146 },
          { key: "roomName", show: (bill) => <Place of={bill} />, width: 152 },
          {
            key: "partyName",
            width: 76,
            to: (bill) => reach(PARTY_PAGE[bill.partyKind] ?? "", { id: bill.partyId }),
          },
          { key: "subjects", width: 104 },
          { key: "periodStart", hidden: true },
          { key: "periodEnd", hidden: true },
          "dueDate",
          {
            key: "daysOverdue",
            // among settled and planned bills the due day is no order of days overdue
            unsorted: !OWED.has(address.get("tab") ?? "open"),
            show: (bill) =>
              bill.daysOverdue ? (
                <span className="neg">{bill.daysOverdue}</span>
              ) : (
                <span className="dim">—</span>
              ),
          },
          "amount",
          { key: "adjusted", wide: true },
          { key: "settled", wide: true },
          { key: "writtenOff", hidden: true },
          { key: "outstanding", strong: true },
          { key: "lateFee", hidden: true },
          { key: "status", show: (bill) => <BillStatusTag bill={bill} /> },
          { key: "tags", show: (bill) => <BillTags bill={bill} /> },
          { key: "invoiced", hidden: true },
          { key: "issueDate", hidden: true },
          { key: "villageName", hidden: true },
          { key: "partyKind", hidden: true },
          { key: "contractNo", hidden: true },
          { key: "title", hidden: true },
          { key: "direction", hidden: true },
          { key: "source", hidden: true },
        ]}
        card={{
          title: "partyName",
          right: (bill) => <BillStatusTag bill={bill} />,
          lines: [
            [(bill) => <Place of={bill} />, (bill) => <b className="card__fen">{yuan(bill.outstanding)}</b>],
            [
              "subjects",
              (bill) => bill.daysOverdue && <span className="neg">逾期 {bill.daysOverdue} 天</span>,
            ],
            [(bill) => <span className="dim">应收日 {bill.dueDate}</span>],
          ],
          sums: ["amount", "settled", "outstanding"],
        }}
        toolbar={[
          {
            label: "新增账单",
            icon: "plus",
            main: true,
            does: addBill,
            run: () => go(COUNTER, { tab: "bill" }),
          },
          { label: "导入账单", need: "#2605", run: () => setImporting(true) },
        ]}
        rowActions={(bill) =>
          billActions(standing(bill), {
            act,
            go,
            adjust: (lateFee) => setAdjusting({ id: bill.id, lateFee }),
            ...asking(bill),
          })
        }
        batch={[
          {
            label: "批量收款",
            need: "102.add",
            why: whyNotTake,
            run: (rows) => go(COUNTER, { billIds: rows.map((b) => b.id).join(",") }),
          },
          {
            label: "出示收款码",
            does: showBillCode,
            why: whyNotCode,
            run: (rows) => setCoded(codedOf(rows)),
          },
          {
            label: "批量催缴",
            does: remindBills,
            run: (rows) => setReminding(rows.map((r) => r.id)),
          },
          {
            label: "打印催缴函",
            does: printLetters,
            why: whyNoLetters,
            run: (rows) => setLettered(rows.map((r) => r.id)),
          },
          { label: "发送付款链接", does: sendPayLinks, why: whyNothing, run: setLinked },
          {
            label: "开票",
            need: INVOICING,
            why: (rows) =>
              rows.every((b) => b.partyId === rows[0]?.partyId && b.villageId === rows[0].villageId)
                ? undefined
                : "一次只能为同一门店的同一客户开票",
            run: (rows) => go(INVOICES, { bills: rows.map((b) => b.id).join(",") }),
          },
          {
            label: "批量出账",
            does: issueBatch,
            why: (rows) => whyNotAll(rows, (b) => (b.frozen ? FROZEN : whyNotIssue(standing(b)))),
            run: (rows) =>
              act(
                issueBatch,
                { body: { ids: rows.map((r) => r.id) } },
                {
                  done: "已出账",
                  ask: { title: "批量出账", body: `将 ${rows.length} 笔账单计入应收，确定吗？` },
                },
              ),
          },
          {
            label: "批量减免",
            does: reduceBatch,
            why: (rows) => (rows.length > 200 ? "一次最多处理200笔" : undefined),
            run: (rows) => setReducing(rows.map((r) => r.id)),
          },
          {
            label: "批量作废",
            does: voidBatch,
            why: (rows) =>
              whyNotAll(rows, (b) =>
                b.frozen ? FROZEN : b.tags.includes("settling") ? SETTLING : whyNotVoid(standing(b)),
              ),
            run: async (rows) => {
              const done = await act(
                voidBatch,
                { body: { ids: rows.map((r) => r.id) } },
                {
                  reason: {
                    title: "批量作废",
                    text: `作废后不能恢复，共 ${rows.length} 笔账单。`,
                    ok: "作废",
                  },
                },
              );
              if (done) toast(batchDone("已作废", done));
            },
          },
        ]}
        pickedNote={(rows) => `未收 ${yuan(rows.reduce((sum, row) => sum + row.outstanding, 0))}`}
        drawer={(id) => (
          <BillDrawer id={id} onAdjust={(lateFee) => setAdjusting({ id, lateFee })} onAsk={asking} />
        )}
        exportCall={exportBills}
        emptyText="账单由合同自动生成，也可以手工新增"
      />
      {coded && (
        <Arriving onClose={() => setCoded(undefined)}>
          <BillCode of={coded} onClose={() => setCoded(undefined)} />
        </Arriving>
      )}
      {linked && <PayLinkForm of={linked} onClose={() => setLinked(undefined)} />}
      {reminding && (
        <RemindForm title="催缴" whom={{ billIds: reminding }} onClose={() => setReminding(undefined)} />
      )}
      {lettered && <LetterForm of={{ billIds: lettered }} onClose={() => setLettered(undefined)} />}
      {importing && <BillImport onClose={() => setImporting(false)} />}
      {reducing && <ReduceForm ids={reducing} onClose={() => setReducing(undefined)} />}
      {adjusting && <AdjustForm {...adjusting} onClose={() => setAdjusting(undefined)} />}
    </>
  );
}
