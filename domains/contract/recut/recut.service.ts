import { sql } from "kysely";
import { type Day, maxDay } from "../../../platform/kernel/day.ts";
import { type Fen, TOO_LARGE, isAmount } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { NewBill } from "../../finance/bill/make.rules.ts";
import { type Recut, recutAccount } from "../../finance/setoff/recut.service.ts";
import { reopenAccount } from "../../finance/setoff/reopen.service.ts";
import {
  type Closing,
  type Standing,
  type Trace,
  lockStanding,
  standingOf,
} from "../../finance/setoff/setoff.service.ts";
import { cutLines } from "../../finance/setoff/setoff.rules.ts";
import type { ActRecord } from "../act/act.queries.ts";
import { SUCCEEDED } from "../act/act.service.ts";
import { archivePaper } from "../archive/archive.service.ts";
import type { ContractRecord } from "../contract/record.queries.ts";
import { planBills, restAfter } from "../schedule/bills.rules.ts";
import type { Plan } from "../schedule/line.rules.ts";
import { effectiveMonthlyRent } from "../schedule/net.rules.ts";
import { dueOn } from "../schedule/slot.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import { newBills, shareOf } from "../signing/bills.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { rentOn, scheduleOf } from "../terms/terms.rules.ts";
import { type Change, type Changed, joinedDeposit, parted, sum } from "./joining.rules.ts";
import { type Making, type Recutting, recutOf } from "./recut.rules.ts";

export type WeighedRecut = {
  input: ScheduleInput;
  plan: Plan;
  recutting: Recutting;
  /** What all bills of the schedule come to. */
  before: Fen;
  after: Fen;
  /** What was paid too much: it pays the next open bills. */
  credit: Fen;
  /** What falls due with the signing of the supplement. */
  dueNow: Fen;
  obstacles: { code: string; msg: string }[];
  warnings: string[];
};

export const accountOf = (contract: ContractRecord): Closing => ({
  contractId: contract.id,
  villageId: contract.villageId,
  partyId: contract.partyId!,
  roomId: contract.rooms[0]?.roomId ?? null,
});

export const standingFor = (read: Read, contract: ContractRecord): Promise<Standing> =>
  standingOf(read, accountOf(contract));
export const lockFor = (act: Act, contract: ContractRecord): Promise<Standing> =>
  lockStanding(act, accountOf(contract));

/** The day to which the tenant had paid when the contract was taken over. */
export async function paidToOf(read: Pick<Read, "tx">, contractId: number): Promise<Day | null> {
  const { rows } = await sql<{ paidTo: Day | null }>`
    select opening->>'paidTo' "paidTo" from contract where id = ${contractId}`.execute(read.tx);
  return rows[0]?.paidTo ?? null;
}

/** Works out what a change does to the bills; the same from a preview and from the confirmation, which has them locked. */
export async function weighRecut(
  read: Read,
  contract: ContractRecord,
  change: Change,
  { bills, around }: Standing,
): Promise<WeighedRecut> {
  const { next, from, retermed = false } = change;
  const joining = new Set(change.joining);
  const held = { ...contract, start: contract.start!, end: contract.end! };
  const input = scheduleOf({ ...held, ...next, termsVersion: contract.termsVersion + 1 });
  const paidTo = await paidToOf(read, contract.id);
  const planned = (of: ScheduleInput) => (paidTo ? restAfter(of, paidTo) : planBills(of));
  const plan = planned(input);
  // a deposit is given once: it is no charge of any period
  const charges = (of: Plan) => of.bills.filter((b) => b.kind !== "deposit");
  const old = charges(planned(scheduleOf(held)));
  const will = charges(plan);
  const recutting = recutOf({
    old,
    next: joining.size
      ? [
          ...joinedDeposit(plan, change, joining, input.termsVersion ?? 1),
          ...parted(will, joining, from, input),
        ]
      : will,
    bills,
    subjectOf: (key) => around.subjects.find(contract.villageId, key).id,
    today: read.today,
    changedFrom: from,
    retermedFrom: retermed ? from : null,
  });
  const credit = cutLines(bills, recutting.cuts).reduce((total, c) => total + c.credit, 0);
  const signing = recutting.made.filter((m) => !m.instead && m.bill.onSigning);
  const dueNow = sum(signing.map((m) => m.bill)) + sum(recutting.alone);
  const obstacles: WeighedRecut["obstacles"] = [];
  const refuse = (msg: string) => obstacles.push({ code: "notAllowed", msg });
  if (paidTo && from <= paidTo) refuse(`生效日须晚于接管时的已付至日 ${paidTo}`);
  if (recutting.missing) refuse(`有 ${recutting.missing} 项账单与合同条款不一致，请先核对合同账单`);
  if (recutting.rows.some((r) => r.after > 0 && !isAmount(r.after))) refuse(TOO_LARGE);
  const changed = new Set(recutting.rows.map((r) => r.billId));
  const invoiced = bills.filter((b) => b.invoiced > 0 && changed.has(b.id)).length;
  return {
    input,
    plan,
    recutting,
    before: sum(old),
    after: sum(will),
    credit,
    dueNow,
    obstacles,
    warnings: invoiced ? [`${invoiced} 张账单已开票，调减后请红冲`] : [],
  };
}

/** The bills as they stand in a hash: the same text means the same effect, whatever day it is read on. */
export const hashedRecut = ({ recutting }: WeighedRecut, { bills }: Standing) => [
  recutting.rows.map((r) => [
    r.billId,
    r.title,
    r.before,
    r.after,
    r.done,
    r.making && [r.making.bill.onSigning, r.making.bill.dueRuleDate],
  ]),
  recutting.cuts.map((c) => [c.lineId, c.back]),
  recutting.alone.map((l) => [l.subject, l.roomId ?? null, l.amount]),
  bills.map((b) => [b.id, b.version, b.outstanding]),
];

/** When a bill that is made falls due: as the one that it stands in for, unless that was amended. */
const dueOf = ({ bill, instead, retermed }: Making, { due }: Terms, today: Day): Day =>
  instead && !retermed ? instead.dueDate : dueOn(bill, today, due.firstDueDays ?? 0);

/** What of the charges that are made is due by today. */
export const dueOfMade = (
  { recutting: { made, alone } }: WeighedRecut,
  { next, from }: Change,
  today: Day,
): Fen =>
  made
    .filter((m) => m.bill.kind !== "deposit" && dueOf(m, next.terms, today) <= today)
    .reduce((total, m) => total + m.bill.amount + sum(m.surcharges), 0) + (from <= today ? sum(alone) : 0);

/** The bills that are made: of one that stands in for another the due day stays, unless it was amended. */
function billsToMake(
  act: Act,
  contract: ContractRecord,
  { recutting, plan }: WeighedRecut,
  { next, from }: Change,
): NewBill[] {
  const { terms } = next;
  const of = { ...contract, partyId: contract.partyId!, mainRoomId: contract.rooms[0]!.roomId, terms };
  const written = (making: Making): NewBill => {
    const { bill, instead, retermed, surcharges } = making;
    const [made] = newBills(of, { ...plan, bills: [bill] }, act.today);
    const { graceDays, lateFeeRate, lateFeeCap } = retermed || !instead ? made! : instead;
    const dueDate = dueOf(making, terms, act.today);
    return {
      ...made!,
      dueDate,
      graceDays,
      lateFeeRate,
      lateFeeCap,
      lines: [...made!.lines, ...surcharges],
    };
  };
  const bills = recutting.made.map(written);
  if (!recutting.alone.length) return bills;
  bills.push({
    villageId: of.villageId,
    roomId: of.mainRoomId,
    contractId: of.id,
    partyId: of.partyId,
    title: `变更补收 ${contract.contractNo}`,
    dueDate: maxDay(act.today, from),
    periodStart: null,
    periodEnd: null,
    source: "schedule",
    graceDays: terms.graceDays,
    lateFeeRate: shareOf(terms.lateFeeDailyRate),
    lateFeeCap: shareOf(terms.lateFeeCapPercent),
    lines: recutting.alone,
  });
  return bills;
}

/** What the contract was before, to be brought back by an undo. */
type Kept = Pick<ContractRecord, "terms" | "termsVersion" | "monthlyRent" | "roomNames"> & {
  end: Day;
  currentRent: Fen | null;
  netRent: Fen | null;
  depositAmount: Fen | null;
};
export type RecutTrace = Trace & { kept: Kept };

/** Books the bills and puts the new terms in force, as a version of their own. A supplement on paper goes to the archive. */
export async function carryRecut(
  act: Act,
  contract: ContractRecord,
  record: Pick<ActRecord, "id" | "actNo" | "effectiveOn" | "agreed">,
  change: Change,
  worked: WeighedRecut,
  standing: Standing,
  how: {
    reason: string;
    deposit?: Fen;
    depositChange?: Fen;
    roomNames?: string;
    rentOn?: Day;
    charge?: NewBill | null;
  },
): Promise<{ credit: Fen; deposit: Fen; trace: RecutTrace }> {
  const { recutting, input } = worked;
  const recut: Recut = {
    voided: recutting.voided,
    cuts: recutting.cuts,
    made: [...billsToMake(act, contract, worked, change), ...(how.charge ? [how.charge] : [])],
    deposit: how.deposit ?? 0,
    actId: record.id,
    reason: how.reason,
  };
  const booked = await recutAccount(act, accountOf(contract), standing, recut);
  const kept = await act.tx
    .selectFrom("contract")
    .select(["monthlyRent", "currentRent", "netRent", "depositAmount", "roomNames"])
    .where("id", "=", contract.id)
    .executeTakeFirstOrThrow();
  const { next, from } = change;
  await keepVersion(act, contract, record.id, change);
  await act.tx
    .updateTable("contract")
    .set({
      terms: JSON.stringify(next.terms),
      termsVersion: contract.termsVersion + 1,
      endDate: next.end,
      currentRent: rentOn(input, act.today),
      monthlyRent: rentOn(input, how.rentOn ?? from),
      netRent: netOf(input),
      ...(how.depositChange && {
        depositAmount: Math.max(0, (kept.depositAmount ?? 0) + how.depositChange),
      }),
      ...(how.roomNames !== undefined && { roomNames: how.roomNames }),
      version: contract.version + 1,
      ...stamp(act),
    })
    .where("id", "=", contract.id)
    .execute();
  const { agreed } = record;
  if (agreed?.how === "paper")
    await archivePaper(act, { contractId: contract.id, docKind: "supplement" }, agreed.fileIds ?? []);
  const { terms, termsVersion } = contract;
  return {
    ...booked,
    trace: { ...booked.trace, kept: { ...kept, terms, termsVersion, end: contract.end! } },
  };
}

/** 折后月租 of the rooms that are still let. */
const netOf = (input: ScheduleInput): Fen | null => {
  const staying = new Set(input.rooms.flatMap((r) => (r.leaveDate ? [] : [r.roomId])));
  const rooms = effectiveMonthlyRent(input).rooms.filter((r) => staying.has(r.roomId));
  return rooms.length ? rooms.reduce((total, r) => total + r.net, 0) : null;
};

/** The terms that were in force are kept, and those that take their place. */
async function keepVersion(
  act: Act,
  contract: ContractRecord,
  actId: number,
  { next, from }: Change,
): Promise<void> {
  const { id: contractId, termsVersion } = contract;
  const rows = (rooms: Changed["rooms"]) =>
    JSON.stringify(
      rooms.map(({ roomId, name, monthlyRent, unitPrice, area, joinDate, leaveDate }) => {
        const days = { joinDate: joinDate ?? null, leaveDate: leaveDate ?? null };
        return { roomId, name, monthlyRent, unitPrice, area, ...days };
      }),
    );
  if (termsVersion === 1)
    await act.tx
      .insertInto("contractTerms")
      .values({
        contractId,
        version: 1,
        effectiveFrom: contract.start!,
        actId: null,
        endDate: contract.end!,
        terms: JSON.stringify(contract.terms),
        rooms: rows(contract.rooms),
      })
      .onConflict((on) => on.columns(["contractId", "version"]).doNothing())
      .execute();
  await act.tx
    .insertInto("contractTerms")
    .values({
      contractId,
      version: termsVersion + 1,
      effectiveFrom: from,
      actId,
      endDate: next.end,
      terms: JSON.stringify(next.terms),
      rooms: rows(next.rooms),
    })
    .execute();
}

/** Everything back as it was; only the last change of a contract's terms, before any successor, and while nothing that it billed was paid. */
export async function undoRecut(
  act: Act,
  contract: ContractRecord,
  record: ActRecord,
  title: string,
): Promise<RecutTrace> {
  const trace = record.trace as RecutTrace | null;
  if (!trace) throw new Refusal("notAllowed", `该${title}没有可撤销的变更`);
  if (contract.state !== "effective")
    throw new Refusal("notAllowed", `合同已不在租期内，不能撤销${title}`, 409);
  if (contract.nextId !== null) throw new Refusal("notAllowed", SUCCEEDED, 409);
  if (contract.termsVersion !== trace.kept.termsVersion + 1)
    throw new Refusal("notAllowed", "之后又变更过条款，请先撤销后面的变更", 409);
  await reopenAccount(act, accountOf(contract), trace, `撤销${title} ${record.actNo}`);
  await act.tx
    .deleteFrom("contractTerms")
    .where("contractId", "=", contract.id)
    // a contract that stands as it was signed has no versions
    .where("version", ">=", trace.kept.termsVersion === 1 ? 1 : contract.termsVersion)
    .execute();
  const { terms, end, ...kept } = trace.kept;
  await act.tx
    .updateTable("contract")
    .set({
      ...kept,
      terms: JSON.stringify(terms),
      endDate: end,
      version: contract.version + 1,
      ...stamp(act),
    })
    .where("id", "=", contract.id)
    .execute();
  return trace;
}
