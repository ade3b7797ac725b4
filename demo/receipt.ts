import type { LineRow } from "../domains/finance/bill/make.rules.ts";
import { allocationEntry } from "../domains/finance/bill/posting.rules.ts";
import { channelFee, receiptEntries } from "../domains/finance/flow/flow.rules.ts";
import { maxDay, type Day } from "../platform/kernel/day.ts";
import type { Company } from "./company.ts";
import { CHANNELS } from "./habits.ts";
import { freeze, type Held, type Settling } from "./held.ts";

export type Payment = { held: Held; fee: LineRow | undefined };

/** One payment for everything the tenant pays that day: E06, E07, and an E08 for each line it pays. */
export async function pay(
  co: Company,
  lease: Settling,
  day: Day,
  payments: readonly Payment[],
): Promise<void> {
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
