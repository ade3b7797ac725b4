import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, type Fen, isAmount, TOO_LARGE, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Bill } from "../../finance/bill/bill.rules.ts";
import type { NewBill } from "../../finance/bill/make.rules.ts";
import { askedBack } from "../../finance/refund/plan.service.ts";
import { type CutLine, cutLines, isDropped, withinBills } from "../../finance/setoff/setoff.rules.ts";
import { type Standing, lateFeesAfter, standingOf } from "../../finance/setoff/setoff.service.ts";
import { backsOf } from "../act/cut.rules.ts";
import { closingOf, paidToOf } from "../act/cut.queries.ts";
import { activitiesOf } from "../activity/activity.queries.ts";
import { contractMoves } from "../contract/contract.rules.ts";
import { type ContractRecord, contractFacts, stillLet } from "../contract/record.queries.ts";
import { unreadObstacles } from "../inspection/inspection.queries.ts";
import { canonical } from "../schedule/net.rules.ts";
import { anchorOf } from "../template/template.rules.ts";
import { versionOf } from "../template/template.service.ts";
import { BASIS_WORDS } from "../terms/terms.contract.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import { billedCharges, chargeBill, chargeLines, checkCharges } from "./charge.service.ts";
import { leftOut } from "./findings.service.ts";
import type { SettleDraft, SettlePreview } from "./settlement.contract.ts";
import {
  type EndReason,
  type SettleLine,
  LINE_KINDS,
  MOVED_IN,
  clawbackOf,
  comparedBases,
  cutOff,
  holdoverOf,
  SUM_MAX,
  withOwed,
  leaveErrors,
  offersBack,
  penaltyOf,
  sumOf,
} from "./settlement.rules.ts";

const PENALTY_CLAUSE = "违约与退房";

export type Worked = SettlePreview & {
  cut: CutLine[];
  charge: NewBill | null;
  fromPrepaid: Fen;
  /** What the penalty lies below the one that was agreed. */
  waived: Fen;
};

const sha256 = (of: unknown) => createHash("sha256").update(canonical(of)).digest("hex");

/** Whether the party has other contracts in the village, whose prepaid money this settlement leaves alone. */
async function hasOthers(read: Read, { id, partyId, villageId }: ContractRecord): Promise<boolean> {
  const { rows } = await sql`
    select from contract where party_id = ${partyId} and village_id = ${villageId} and id <> ${id}
      and (in_force(state) or state = 'signing') limit 1`.execute(read.tx);
  return rows.length > 0;
}

/** What the operator may set is looked at with the draft; what was set before by somebody who may stays as it is. */
export async function check(
  read: Read,
  contract: ContractRecord,
  draft: SettleDraft,
  before?: SettleDraft,
): Promise<void> {
  contractMoves.next("settle", await contractFacts(read, contract));
  const { state, handoverOn } = contract;
  const held = { start: contract.start!, end: contract.end!, state, handoverOn };
  const wrong = leaveErrors({ ...draft, leaveDate: draft.effectiveOn }, held, read.today);
  if (wrong) throw invalid(wrong);
  await checkCharges(read, contract.villageId, draft.charges);
  const set = draft.penalty ?? null;
  if (set === null) return;
  if (!draft.penaltyReason) throw invalid({ field: "penaltyReason", msg: "请填写违约金调整原因" });
  const kept = set === (before?.penalty ?? null) && draft.penaltyReason === before?.penaltyReason;
  if (!kept && !read.who.permits.has("#7203"))
    throw new Refusal("noPermission", '没有"修改或免除违约金"权限', 403);
}

/** Offers of the contract that are taken back on leaving early: their places in the terms, with their names. */
async function takenBack(read: Read, { terms }: ContractRecord): Promise<Map<number, string>> {
  const discounts = terms.discounts ?? [];
  const offers = await activitiesOf(
    read,
    discounts.flatMap((d) => d.activityId ?? d.fromActivityId ?? []),
  );
  return new Map(
    discounts.flatMap((d, item) =>
      offers.get(d.activityId ?? d.fromActivityId ?? 0)?.clawbackOnEarlyLeave
        ? [[item, d.name] as const]
        : [],
    ),
  );
}

/**
 * Works out what a leaving comes to; the same from a preview and from the confirmation, which passes what it has locked and
 * compares nothing.
 */
export async function weighSettlement(
  read: Read,
  contract: ContractRecord,
  draft: SettleDraft,
  locked?: Standing,
): Promise<Worked> {
  const of = closingOf(contract);
  const standing = locked ?? (await standingOf(read, of));
  const paidTo = await paidToOf(read, contract.id);
  const others = await hasOthers(read, contract);
  const around = { paidTo, others, offers: await takenBack(read, contract) };
  const one = await workOut(read, contract, draft, standing, around);
  const compare = await Promise.all(
    (locked ? [] : comparedBases(contract.terms.basis)).map(async (basis) => {
      const own = basis === contract.terms.basis;
      const terms = { ...contract.terms, basis };
      const net = own ? one.net : (await workOut(read, { ...contract, terms }, draft, standing, around)).net;
      return { basis: BASIS_WORDS[basis][0], own, net };
    }),
  );
  const sheet = ["settle", contract.id, draft, one.lines];
  const previewHash = sha256([
    ...sheet,
    standing.bills.map((b) => [b.id, b.version, b.outstanding]),
    standing.deposit,
    standing.prepaid,
    others,
  ]);
  const lines = withOwed(await cited(read, contract, one.lines));
  const warnings = [...one.warnings, ...(locked ? [] : await leftOut(read, contract, draft.charges))];
  return { ...one, lines, compare, warnings, previewHash, sheetHash: sha256(sheet) };
}

/** What rests on the breach clauses names them by the number that they have in the contract's own words. */
async function cited(
  read: Read,
  { templateVersionId }: ContractRecord,
  lines: readonly SettleLine[],
): Promise<SettleLine[]> {
  const version = templateVersionId === null ? undefined : await versionOf(read, templateVersionId);
  const no = version && anchorOf(version.pieces, "违约条款");
  return lines.map((l) =>
    no && l.clause === PENALTY_CLAUSE ? { ...l, clause: `第 ${no} 条 ${PENALTY_CLAUSE}` } : l,
  );
}

type Around = { paidTo: Day | null; others: boolean; offers: ReadonlyMap<number, string> };

async function workOut(
  read: Read,
  contract: ContractRecord,
  draft: SettleDraft,
  standing: Standing,
  { paidTo, others, offers }: Around,
): Promise<Omit<Worked, "compare" | "previewHash" | "sheetHash">> {
  const { terms } = contract;
  const { bills, around, deposit } = standing;
  const subjectOf = (key: "rent" | "deposit" | number) => around.subjects.find(contract.villageId, key).id;
  const input = scheduleOf({ ...contract, start: contract.start!, end: contract.end! });
  const leaveDate = draft.effectiveOn;
  const trimmed = cutOff(input, terms, leaveDate, paidTo);
  const scheduled = bills.filter((b) => b.source === "schedule").flatMap((b) => b.lines);
  const { backs, missing } = backsOf(trimmed.rows, scheduled, subjectOf);
  // a deposit that was never paid is not asked for any more
  const held = new Set(
    bills.flatMap((b) => b.lines).filter((l) => around.subjects.of(l.feeSubjectId).kind === "deposit"),
  );
  for (const line of held) if (line.outstanding > 0) backs.set(line.id, line.outstanding);
  const cut = withinBills(
    cutLines(
      bills,
      [...backs].map(([lineId, back]) => ({ lineId, back })),
    ),
  );
  const settleOn = draft.settleOn ?? leaveDate;
  const late = await lateFeesAfter(read, standing, cut, settleOn);
  const leaving = {
    input,
    terms,
    leaveDate,
    endReason: draft.endReason as EndReason,
    noticeOn: draft.noticeOn ?? null,
    trimmed,
    depositHeld: deposit,
  };
  const fromPrepaid = others ? 0 : standing.prepaid;
  const nameOf = (id: number) => around.subjects.of(id).name;
  const line = (kind: SettleLine["kind"], amount: Fen, more: Partial<SettleLine> = {}): SettleLine[] =>
    amount ? [{ kind, amount, title: LINE_KINDS[kind], clause: "", formula: "", ...more }] : [];
  const ruled = (
    kind: "penalty" | "clawback" | "holdover",
    found: { amount: Fen; formula: string } | undefined,
  ) => line(kind, -(found?.amount ?? 0), { clause: PENALTY_CLAUSE, formula: found?.formula ?? "" });
  const agreed = penaltyOf(leaving);
  const penalty =
    draft.penalty === null || draft.penalty === undefined
      ? agreed
      : {
          amount: draft.penalty,
          formula: `按约定 ${yuan(agreed?.amount ?? 0)}，改为 ${yuan(draft.penalty)}：${draft.penaltyReason}`,
        };
  const billOf = new Map(bills.map((b) => [b.id, b]));
  const kept = (c: CutLine) =>
    `应收 ${yuan(c.before)}，计至退房日 ${yuan(c.after)}，已收 ${yuan(c.line.settled)}`;
  const span = (c: CutLine) =>
    c.line.periodStart ? `${c.line.periodStart} 至 ${c.line.periodEnd}` : billOf.get(c.billId)!.title;
  const isRent = (c: CutLine) => c.line.feeSubjectId === subjectOf("rent");
  const lines: SettleLine[] = [
    ...line("depositIn", deposit, { formula: "在管押金" }),
    ...line("prepaidIn", fromPrepaid, { formula: "预存款余额" }),
    ...cut.flatMap((c) =>
      line(isRent(c) ? "creditRent" : "creditFee", c.credit, {
        title: `未用${nameOf(c.line.feeSubjectId)} ${span(c)}`,
        formula: kept(c),
      }),
    ),
    ...cut.flatMap((c) =>
      line("owed", -c.open, { title: `欠${nameOf(c.line.feeSubjectId)} ${span(c)}`, formula: kept(c) }),
    ),
    ...[...late].flatMap(([billId, fee]) =>
      line("lateFee", -fee, {
        title: `滞纳金 ${billOf.get(billId)!.billNo}`,
        clause: PENALTY_CLAUSE,
        formula: `算至 ${settleOn}`,
      }),
    ),
    ...chargeLines(draft.charges),
    ...ruled("penalty", penalty),
    ...ruled("clawback", clawbackOf(leaving)),
    ...offersBack(leaving, offers).flatMap(({ name, amount, formula }) =>
      line("clawback", -amount, { title: `追回优惠 ${name}`, clause: "优惠约定", formula }),
    ),
    ...ruled("holdover", holdoverOf(leaving)),
  ];
  const obstacles: Worked["obstacles"] = [];
  if (leaveDate > read.today)
    obstacles.push({ code: "notAllowed", msg: `退房日 ${leaveDate} 未到，到日后才能确认结算` });
  // the keys may have been handed over since it was asked for
  if (draft.endReason === "notMovedIn" && contract.handoverOn)
    obstacles.push({ code: "notAllowed", msg: MOVED_IN });
  if (missing.length)
    obstacles.push({
      code: "notAllowed",
      msg: `有 ${missing.length} 项账单与合同条款不一致，请先核对合同账单`,
    });
  // nobody reads the meters of who never came, or of who is gone
  if (!["notMovedIn", "badDebt"].includes(draft.endReason))
    obstacles.push(...(await unreadObstacles(read, contract.id, stillLet(contract).letRoomIds)));
  const charge = chargeOf(contract, draft, lines, settleOn);
  const net = sumOf(lines);
  const asked = await askedBack(read, closingOf(contract));
  if (net > 0 && asked > standing.prepaid - fromPrepaid)
    obstacles.push({
      code: "notAllowed",
      msg: `押金或预存款有 ${yuan(asked)} 元正在申请退款，请在审批结束或取消后再结算`,
    });
  if (net > AMOUNT_MAX)
    obstacles.push({
      code: "notAllowed",
      msg: `应退 ${yuan(net)} 元，超过一笔退款的上限 ${yuan(AMOUNT_MAX)} 元`,
    });
  else if ([net, ...lines.map((l) => l.amount)].some((fen) => Math.abs(fen) > SUM_MAX))
    obstacles.push({ code: "notAllowed", msg: TOO_LARGE });
  if (charge && !isAmount(sumOf(charge.lines))) obstacles.push({ code: "notAllowed", msg: TOO_LARGE });
  const invoiced = bills.filter((b) => b.invoiced > 0);
  return {
    lines,
    net,
    deposit,
    prepaid: fromPrepaid,
    bills: bills.flatMap((bill) => shownBill(bill, cut)),
    obstacles,
    warnings: [
      // what was paid before the take-over is on no bill of ours: it is part of this where it was booked as prepaid
      ...(paidTo && leaveDate < paidTo
        ? [`退房日早于接管时的已付至日 ${paidTo}，多付的租金未登记为预存款的，不在结算内`]
        : []),
      ...(others && standing.prepaid ? [`该客户另有合同，预存款 ${yuan(standing.prepaid)} 元留在账上`] : []),
      ...(invoiced.length ? [`${invoiced.length} 张账单已开票，调减后请红冲`] : []),
    ],
    cut,
    charge,
    fromPrepaid,
    waived: Math.max(0, (agreed?.amount ?? 0) - (penalty?.amount ?? 0)),
  };
}

function shownBill(bill: Bill, cut: readonly CutLine[]): SettlePreview["bills"] {
  const own = cut.filter((c) => c.billId === bill.id);
  const sum = (of: (c: CutLine) => Fen) => own.reduce((total, c) => total + of(c), 0);
  const [before, after] = [sum((c) => c.before), sum((c) => c.after)];
  const dropped = isDropped(bill, cut);
  if (before === after && !sum((c) => c.open)) return [];
  const done = dropped ? "作废" : before === after ? "照收" : "截至退房日";
  const { id, billNo, title } = bill;
  return [{ id, billNo, title, before, after, credit: sum((c) => c.credit), open: sum((c) => c.open), done }];
}

/** The bill of what the settlement itself charges, in the order of its lines. */
function chargeOf(
  contract: ContractRecord,
  draft: SettleDraft,
  lines: readonly SettleLine[],
  settleOn: Day,
): NewBill | null {
  const SUBJECTS = { penalty: "penalty", clawback: "rent", holdover: "rent" } as const;
  const ruled = lines.flatMap((l) =>
    l.kind === "penalty" || l.kind === "clawback" || l.kind === "holdover"
      ? [{ subject: SUBJECTS[l.kind], amount: -l.amount, reason: l.title }]
      : [],
  );
  return chargeBill(contract, [...billedCharges(draft.charges), ...ruled], {
    title: `退房结算补收 ${contract.contractNo}`,
    dueDate: settleOn,
    remark: draft.reason,
  });
}
