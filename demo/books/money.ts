import { isHeld, taxOf } from "../../domains/finance/bill/bill.rules.ts";
import {
  billRow,
  issueDayOf,
  lineRows,
  type BillRow,
  type LineRow,
  type NewBill,
} from "../../domains/finance/bill/make.rules.ts";
import { issueEntries, allocationEntry, lineEntry } from "../../domains/finance/bill/posting.rules.ts";
import { lateFee } from "../../domains/finance/latefee/latefee.rules.ts";
import { SUCCESSIONS } from "../../domains/contract/terms/terms.contract.ts";
import type { Fen } from "../../platform/kernel/fen.ts";
import { maxDay, addDays, minDay, type Day } from "../../platform/kernel/day.ts";
import type { Company } from "../company.ts";
import { opensBalance } from "../customers/firms.ts";
import { channelFee, receiptEntries } from "../../domains/finance/flow/flow.rules.ts";
import type { DemoRoom } from "../stores/stores.ts";
import type { Dropped, Then } from "../leases/lease-plan.ts";
import type { Tenant } from "../leases/tenant.ts";
import type { Chance } from "../random.ts";

/** How a tenant pays. Most pay around the due day; some late and with a fee; a few have stopped. */
type Habit = { kind: "good" | "late" | "stopped"; stoppedOn: Day };

const habitOf = (chance: Chance, today: Day): Habit => ({
  kind: chance.weighted([
    ["good", 91],
    ["late", 6],
    ["stopped", 3],
  ]),
  stoppedOn: addDays(today, -chance.int(10, 120)),
});

/** The day on which a bill is paid, or nothing while it is not. */
function payDay(chance: Chance, habit: Habit, due: Day, signedOn: Day, today: Day): Day | undefined {
  // even who stops paying has paid to get in
  if (habit.kind === "stopped" && due >= habit.stoppedOn && due > addDays(signedOn, 20)) return undefined;
  const slip = habit.kind === "late" ? chance.int(5, 24) : chance.int(-4, 2);
  const day = addDays(due, slip);
  const from = day < signedOn ? signedOn : day;
  return from > today ? undefined : minDay(from, today);
}

const CHANNELS = [
  ["wechat", 46],
  ["alipay", 22],
  ["bankTransfer", 20],
  ["pos", 8],
  ["cash", 4],
] as const;

type Settling = {
  id: number;
  contractNo: string;
  end: Day;
  signedOn: Day;
  /** It has ended, so everything on it was paid. */
  over: boolean;
  voided: boolean;
  /** What was held of the lease before and came over without cash. */
  carried: Fen;
  /** What becomes of the deposit: held, paid back as the tenant left, or taken over by the lease that follows. */
  deposit: "held" | "back" | "over";
  /** The lease is changed from a day on, before any of what it would have cost from there on is due. */
  cut?: Pick<Then, "kind" | "signedOn" | "start">;
  tenant: Tenant;
  room: DemoRoom;
};
type Held = {
  bill: BillRow;
  settled: Map<number, number>;
  issuedOn: Day | undefined;
  gone: { on: Day; why: string } | undefined;
};

/** E03: the fee enters the ledger on the day it is paid. */
async function freeze(co: Company, held: Held, fee: LineRow, day: Day): Promise<void> {
  held.bill.lines.push(fee);
  held.bill.amount += fee.amount;
  held.bill.subjectIds = [...new Set([...held.bill.subjectIds, fee.feeSubjectId])];
  await co.post([lineEntry("E03", held.bill, fee, "lateFee", day)]);
}

type Payment = { held: Held; fee: LineRow | undefined };

/** One payment for everything the tenant pays that day: E06, E07, and an E08 for each line it pays. */
async function pay(co: Company, lease: Settling, day: Day, payments: readonly Payment[]): Promise<void> {
  for (const { held, fee } of payments) if (fee) await freeze(co, held, fee, day);
  const lines = payments.flatMap(({ held }) =>
    held.bill.lines
      .filter((l) => l.kind !== "adjust" && l.amount + l.adjusted > 0)
      .map((line) => ({ held, line, amount: line.amount + line.adjusted })),
  );
  const amount = lines.reduce((sum, l) => sum + l.amount, 0);
  if (!amount) return;
  const { villageId } = lease.room;
  const channel = co.chance.weighted(CHANNELS);
  const purse = co.purses[channel]!;
  const id = co.ids("flow");
  const flow = {
    id,
    villageId,
    partyId: lease.tenant.id,
    merchantAccountId: purse.id,
    amount,
    fee: purse.feeRate === "0" ? 0 : channelFee(amount, purse.feeRate, null),
    paidOn: day,
  };
  const hour = co.chance.int(8, 20);
  await co.sink.add("flow", {
    ...flow,
    flowNo: co.numbers.next("LS", day),
    direction: "in",
    kind: "receipt",
    roomId: lease.room.id,
    payerName: lease.tenant.name,
    channel,
    paidAt: co.by(day, hour),
    outTradeNo: `P${id}`,
    channelTradeNo:
      channel === "cash" || channel === "bankTransfer"
        ? null
        : `${day.replaceAll("-", "")}${String(id).padStart(10, "0")}`,
    allocated: amount,
    remark: "",
    confirmedAt: co.by(day, hour),
    confirmedBy: co.cashierOf(villageId),
    createdAt: co.by(day, hour),
    createdBy: co.cashierOf(villageId),
  });
  await co.post(receiptEntries(flow, { kind: purse.kind, holderVillageId: null }));
  for (const { held, line, amount: part } of lines) {
    const allocation = {
      id: co.ids("allocation"),
      billId: held.bill.id,
      billLineId: line.id,
      flowId: id,
      villageId,
      amount: part,
      date: maxDay(day, held.issuedOn!),
    };
    held.settled.set(line.id, part);
    await co.sink.add("allocation", {
      ...allocation,
      kind: "money",
      createdAt: co.by(day, hour),
      createdBy: co.cashierOf(villageId),
    });
    const { kind } = co.subjects.of(line.feeSubjectId);
    await co.post([allocationEntry(held.bill, allocation, line, kind, allocation.date)]);
  }
}

/**
 * The bills of a signed lease, what was paid on them until today, and the sums that are kept of both. Answers the deposit
 * that is there in fen, wherever it went, and the bills that a change took away.
 */
export async function settle(
  co: Company,
  lease: Settling,
  bills: readonly NewBill[],
): Promise<{ held: Fen; dropped: Dropped[] }> {
  const habit = habitOf(co.chance, co.today);
  const held: Held[] = [];
  const payments = new Map<Day, Payment[]>();
  for (const bill of bills) {
    const made = makeBill(co, bill, lease.signedOn);
    const gone = goneOf(lease, made);
    const row: Held = { bill: made, settled: new Map(), issuedOn: undefined, gone };
    held.push(row);
    if (gone) continue;
    const paidOn = payDay(
      co.chance,
      lease.over ? { ...habit, kind: habit.kind === "stopped" ? "good" : habit.kind } : habit,
      made.dueDate,
      lease.signedOn,
      co.today,
    );
    if (made.issueDate <= co.today) row.issuedOn = made.issueDate;
    // money that comes before the issue day issues the bill at once
    if (paidOn && paidOn < made.issueDate) {
      row.issuedOn = paidOn;
      made.issueDate = paidOn;
    }
    if (row.issuedOn)
      await co.post(issueEntries(made, made.lines, (id) => co.subjects.of(id).kind, row.issuedOn));
    if (paidOn)
      payments.set(paidOn, [...(payments.get(paidOn) ?? []), { held: row, fee: lateLine(co, made, paidOn) }]);
  }
  const days = [...payments.keys()].toSorted();
  for (const day of days) await pay(co, lease, day, payments.get(day)!);
  if (days.length && opensBalance(co, lease.room.villageId, lease.tenant.id))
    await co.sink.add("party_balance", {
      villageId: lease.room.villageId,
      partyId: lease.tenant.id,
      kind: "prepaid",
      balance: 0,
    });
  for (const row of held) await writeBill(co, row, lease);
  const dropped = lease.cut ? held.filter((h) => h.gone).map((h) => h.bill) : [];
  return {
    held: await keepSums(co, lease, held),
    dropped: dropped.map(({ id, billNo, title, amount, adjusted }) => ({
      ...{ id, billNo, title, before: amount + adjusted, after: 0, credit: 0 },
    })),
  };
}

function goneOf({ voided, cut, signedOn }: Settling, bill: BillRow): Held["gone"] {
  if (voided) return { on: signedOn, why: "合同作废" };
  if (!cut || !bill.periodStart || bill.periodStart < cut.start) return undefined;
  return { on: cut.signedOn, why: SUCCESSIONS[cut.kind][0] };
}

function makeBill(co: Company, bill: NewBill, signedOn: Day): BillRow {
  const id = co.ids("bill");
  const ids = bill.lines.map(() => co.ids("bill_line"));
  const lines = lineRows(bill, id, ids, co.subjects.find);
  const when = { issueDay: issueDayOf(bill.dueDate, 0), today: signedOn };
  return billRow(bill, id, co.numbers.next("ZD", signedOn), lines, when);
}

/** A bill paid after its grace days carries the late fee to that day as a line of its own. */
function lateLine(co: Company, bill: BillRow, paidOn: Day): LineRow | undefined {
  const bears = (line: LineRow) => co.subjects.of(line.feeSubjectId).kind === "income";
  const principal = bill.lines
    .filter((l) => bears(l) && l.kind === "normal")
    .reduce((sum, l) => sum + l.amount + l.adjusted, 0);
  const terms = {
    dueDate: bill.dueDate,
    graceDays: bill.graceDays,
    rate: bill.lateFeeRate,
    cap: bill.lateFeeCap,
  };
  const fee = lateFee({ ...terms, principal, changes: [], disputes: [] }, paidOn);
  if (!fee.total) return undefined;
  const subject = co.subjects.find(bill.villageId, "lateFee");
  const { taxMode, taxRate } = subject;
  return {
    id: co.ids("bill_line"),
    billId: bill.id,
    feeSubjectId: subject.id,
    kind: "lateFee",
    roomId: bill.roomId,
    amount: fee.total,
    taxMode,
    taxRate,
    tax: taxOf(fee.total, { taxMode, taxRate }),
    periodStart: fee.segments[0]!.from,
    periodEnd: fee.segments.at(-1)!.to,
    slices: [],
    explain: {
      rule: "lateFee",
      segments: fee.segments,
      total: fee.total,
      before: 0,
      cap: bill.lateFeeCap,
      principal,
    },
    adjustsLineId: null,
    reason: "",
    adjusted: 0,
  };
}

async function writeBill(
  co: Company,
  { bill, settled, issuedOn, gone }: Held,
  lease: Settling,
): Promise<void> {
  const { lines, issued: _, ...row } = bill;
  const clerk = co.clerkOf(bill.villageId);
  await co.sink.add("bill", {
    ...row,
    issuedAt: issuedOn ? co.by(issuedOn, 0) : null,
    settled: [...settled.values()].reduce((a, b) => a + b, 0),
    voidedAt: gone ? co.by(gone.on, 15) : null,
    voidedBy: gone ? clerk : null,
    voidReason: gone?.why ?? null,
    createdAt: co.by(lease.signedOn),
    createdBy: clerk,
    updatedAt: co.by(lease.signedOn),
  });
  for (const line of lines)
    await co.sink.add("bill_line", {
      ...line,
      slices: JSON.stringify(line.slices),
      settled: settled.get(line.id) ?? 0,
      voided: gone !== undefined,
      createdAt: line.kind === "lateFee" ? co.by(line.periodEnd!) : co.by(lease.signedOn),
      createdBy: clerk,
    });
}

async function keepSums(co: Company, lease: Settling, held: readonly Held[]): Promise<Fen> {
  const live = held.filter((h) => !h.gone);
  const paid = ({ settled }: Held) => [...settled.values()].reduce((a, b) => a + b, 0);
  const open = (h: Held) => h.bill.amount + h.bill.adjusted - paid(h);
  const issued = live.filter((h) => h.issuedOn);
  const unpaid = live.filter((h) => open(h) > 0);
  const nextDueOn = unpaid.map((h) => h.bill.dueDate).toSorted()[0] ?? null;
  const dueThen = unpaid.filter((h) => h.bill.dueDate === nextDueOn);
  const deposit = live
    .flatMap((h) =>
      h.bill.lines
        .filter((l) => isHeld(co.subjects.of(l.feeSubjectId).kind))
        .map((l) => h.settled.get(l.id) ?? 0),
    )
    .reduce((a, b) => a + b, lease.carried);
  const depositHeld = lease.deposit === "held" ? deposit : 0;
  if (deposit)
    for (const kind of ["deposit", "earnest"])
      await co.sink.add("deposit_balance", {
        contractId: lease.id,
        kind,
        villageId: lease.room.villageId,
        held: kind === "deposit" ? depositHeld : 0,
      });
  await co.sink.add("contract_money", {
    contractId: lease.id,
    villageId: lease.room.villageId,
    billed: issued.reduce((sum, h) => sum + h.bill.amount + h.bill.adjusted, 0),
    received: live.reduce((sum, h) => sum + paid(h), 0),
    outstanding: issued.reduce((sum, h) => sum + open(h), 0),
    depositHeld,
    nextDueOn,
    nextDueFen: nextDueOn && dueThen.reduce((sum, h) => sum + open(h), 0),
  });
  if (lease.deposit === "back" && deposit) await refund(co, lease, deposit);
  return deposit;
}

/** The deposit of a tenant who left: approved and paid back the day after (E12, E13). */
async function refund(co: Company, lease: Settling, amount: number): Promise<void> {
  const { villageId } = lease.room;
  const day = maxDay(lease.end, lease.signedOn);
  const purse = co.purses.bankTransfer!;
  const id = co.ids("flow");
  const dims = { partyId: lease.tenant.id, contractId: lease.id, flowId: id };
  await co.sink.add("flow", {
    id,
    flowNo: co.numbers.next("LS", day),
    direction: "out",
    kind: "refund",
    villageId,
    partyId: lease.tenant.id,
    roomId: lease.room.id,
    payerName: lease.tenant.name,
    channel: "bankTransfer",
    merchantAccountId: purse.id,
    amount,
    fee: 0,
    paidAt: co.by(day, 16),
    paidOn: day,
    outTradeNo: `R${id}`,
    channelTradeNo: null,
    allocated: 0,
    remark: `退房退押金 ${lease.contractNo}`,
    confirmedAt: co.by(day, 16),
    confirmedBy: co.cashierOf(villageId),
    createdAt: co.by(day, 16),
    createdBy: co.cashierOf(villageId),
  });
  const source = { sourceType: "flow", sourceId: id, businessDate: day };
  await co.post([
    {
      ...source,
      event: "E12",
      legs: [
        { account: "2241", villageId, amount, ...dims },
        { account: "2202", villageId, amount: -amount, ...dims },
      ],
    },
    {
      ...source,
      event: "E13",
      legs: [
        { account: "2202", villageId, amount, ...dims },
        { account: "1002", villageId: null, amount: -amount, ...dims, merchantAccountId: purse.id },
      ],
    },
  ]);
}
