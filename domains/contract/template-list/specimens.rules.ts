import { yuan } from "../../../platform/kernel/fen.ts";
import { supplementContent } from "../amendment/sheet.rules.ts";
import { slipContent } from "../archive/slip.rules.ts";
import { dunningContent } from "../document/dunning.rules.ts";
import { handoverContent } from "../document/handover.rules.ts";
import { receiptContent } from "../document/receipt.rules.ts";
import { supplementContent as movedContent } from "../moving/supplement.rules.ts";
import type { LeaseFacts } from "../paper/lease.rules.ts";
import { specimen } from "../paper/specimen.rules.ts";
import { leaseContent } from "../paper/values.rules.ts";
import { settlementContent } from "../settlement/sheet.rules.ts";
import type { Content } from "../template/blocks.rules.ts";
import { type DocKind, isLease } from "../template/doc-kind.rules.ts";
import type { Sample } from "../template/template.rules.ts";

const DAY = "2026-08-05";
const NEXT = "2026-08-06";

function leaseOf(sample: Sample): LeaseFacts {
  const facts = specimen(sample);
  const roomNames = facts.rooms.map((room) => room.name);
  const deposit = facts.plan.totals.deposit;
  return { ...facts, roomNames, rent: facts.rents[0]!.rent, deposit, signedOn: facts.start };
}

const supplement = (lease: LeaseFacts): Content =>
  supplementContent({
    lease,
    actNo: "BC（样例）",
    title: "变更条款",
    effectiveOn: NEXT,
    reason: "（样例原因）",
    clauses: [`自 ${NEXT} 起，月租金由 ${yuan(lease.rent)} 元调整为 ${yuan(lease.rent + 10_000)} 元`],
    bills: [
      {
        title: "租金",
        periodStart: "2026-08-01",
        periodEnd: "2026-08-31",
        before: lease.rent,
        after: lease.rent + 8_387,
      },
    ],
    credit: 5_000,
    dueNow: 8_387,
    refund: 20_000,
    open: false,
    dated: DAY,
  });

const moved = (kind: "room" | "tenant", lease: LeaseFacts): Content =>
  movedContent({
    lease,
    actNo: "HF（样例）",
    kind,
    nextNo: "HT（样例新合同）",
    nextPartyName: kind === "room" ? lease.lessee.name : "（样例新客户）",
    nextRoomNames: kind === "room" ? "样例 301" : lease.roomNames.join("、"),
    lastDay: DAY,
    effectiveOn: NEXT,
    nextEnd: lease.end,
    rentBefore: lease.rent,
    rentAfter: lease.rent + 60_000,
    deposit: { held: lease.deposit, carried: lease.deposit, spent: 0, back: 0, due: 60_000 },
    credit: { unused: 154_839, used: 154_839, back: 0 },
    fee: 10_000,
    due: 90_967,
    refund: 5_000,
    arrears: 12_300,
    cut: [{ billNo: "ZD（样例）", title: "租金", before: 900_000, after: 745_161, credit: 154_839 }],
    reason: "（样例原因）",
    open: false,
    dated: DAY,
  });

const settlement = (lease: LeaseFacts): Content =>
  settlementContent({
    lease,
    actNo: "TF（样例）",
    leaveDate: DAY,
    endReason: "到期退租",
    lines: [
      { kind: "depositIn", amount: lease.deposit, title: "押金", clause: "押金条款", formula: "在管押金" },
      { kind: "cleaning", amount: -15_000, title: "保洁", clause: "房屋交还", formula: "（样例说明）" },
    ],
    net: lease.deposit - 15_000,
    open: false,
    dated: DAY,
  });

const handover = (lease: LeaseFacts): Content =>
  handoverContent({
    lease,
    sheetNo: "JJ（样例）",
    kind: "in",
    doneOn: lease.start,
    roomNames: lease.roomNames.slice(0, 1),
    keys: 2,
    cards: 1,
    operator: "（样例经办人）",
    remark: "（样例备注）",
    readings: [
      { room: lease.roomNames[0]!, meter: "电表", meterNo: "（样例表号）", start: "", reading: "1024.50" },
    ],
    items: [
      { room: lease.roomNames[0]!, name: "床", quantity: 1, condition: "完好", price: 80_000, note: "" },
      {
        room: lease.roomNames[0]!,
        name: "书桌",
        quantity: 1,
        condition: "轻微损坏",
        price: 30_000,
        note: "（样例说明）",
      },
    ],
    open: false,
  });

const receipt = ({ lessor, lessee, store, contractNo, roomNames }: LeaseFacts): Content =>
  receiptContent({
    lessor,
    party: lessee,
    store,
    contractNos: [contractNo],
    roomName: roomNames[0]!,
    flowNo: "LS（样例）",
    paidOn: DAY,
    channel: "银行转账",
    payerName: lessee.name,
    operator: "（样例经办人）",
    remark: "（样例备注）",
    amount: 350_000,
    prepaid: 50_000,
    lines: [
      {
        subject: "租金",
        billNo: "ZD（样例）",
        periodStart: "2026-08-01",
        periodEnd: "2026-08-31",
        amount: 300_000,
      },
    ],
  });

const dunning = (lease: LeaseFacts): Content =>
  dunningContent({
    lease,
    bills: ["2026-06-01", "2026-07-01"].map((dueDate, i) => ({
      billNo: `ZD（样例 ${i + 1}）`,
      title: "租金",
      periodStart: dueDate,
      periodEnd: DAY,
      dueDate,
      owed: lease.rent,
      lateFee: 3_500,
    })),
    payTo: ["（样例账户）"],
    today: DAY,
  });

const slip = ({ contractNo, lessee, lessor, store, roomNames }: LeaseFacts): Content =>
  slipContent({
    archiveNo: "DA（样例）",
    contractNo,
    partyName: lessee.name,
    villageName: store,
    roomNames: roomNames[0]!,
    lessor: lessor.name,
    file: "租客合同",
    place: "A-03-2",
    copies: 1,
    borrowerName: "（样例借阅人）",
    purpose: "（样例用途）",
    lentOn: DAY,
    dueOn: "2026-08-12",
  });

const OTHERS = {
  supplement,
  changeRoom: (lease: LeaseFacts) => moved("room", lease),
  changeTenant: (lease: LeaseFacts) => moved("tenant", lease),
  settlementSheet: settlement,
  handoverSheet: handover,
  receipt,
  dunningLetter: dunning,
  lendSlip: slip,
};

/** A made-up document of a kind, about one of the made-up contracts: a template is shown and tried out with it. */
export const specimenOf = (docKind: DocKind, sample: Sample): Content =>
  isLease(docKind) ? leaseContent(specimen(sample)) : OTHERS[docKind as keyof typeof OTHERS](leaseOf(sample));
