import { sql } from "kysely";
import { AMOUNT_MAX, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { keyOf } from "../allocation/allocation.rules.ts";
import { type OpenLine, openLinesOf } from "../allocation/plan.service.ts";
import { type Bill, isHeld, whyNotTake } from "../bill/bill.rules.ts";
import { type Around, aroundOf, readBills } from "../bill/bills.queries.ts";
import { billNote } from "../bill/keep.service.ts";
import { openOrderOf } from "../pay-order/order.queries.ts";
import { type Shown, endOrder, orderFor, paidAlready, wayFor } from "../pay-order/order.service.ts";
import type { CodeChannel, PayBy } from "../pay-order/pay-order.rules.ts";
import { BILLS, type Checkout, checkoutOf, openOn } from "./checkout.queries.ts";
import { SAID, type Share, isSame, overlaps, titleOf, totalOf } from "./checkout.rules.ts";

export type Wanted = {
  billIds: readonly number[];
  /** Parts of what is open; left out it is all of it. */
  shares?: readonly Share[] | undefined;
  channel?: CodeChannel | undefined;
  way: PayBy;
  link?: { id: number; createdBy: number | null };
};

/** Bills that one code may pay: of one party in one store, and none of them void. */
export function payable(bills: readonly Bill[], billIds: readonly number[]): Bill[] {
  const [first] = bills;
  const fits = (b: Bill) =>
    b.direction === "receivable" && b.partyId === first?.partyId && b.villageId === first.villageId;
  if (!first || bills.length < new Set(billIds).size || !bills.every(fits))
    throw invalid({ field: "billIds", msg: SAID.mixed });
  const why = whyNotTake(bills);
  if (why) throw new Refusal("billVoid", why);
  return [...bills];
}

/** What of the open lines a code pays. */
function sharesOf(open: readonly OpenLine[], wanted: readonly Share[] | undefined): Share[] {
  if (!wanted) return open.map(({ billId, lineId, owed }) => ({ billId, lineId, amount: owed }));
  const owed = new Map(open.map((line) => [keyOf(line), line.owed]));
  if (wanted.some((s) => s.amount > (owed.get(keyOf(s)) ?? 0)))
    throw invalid({ field: "shares", msg: "超过该费用的未收金额" });
  return [...wanted];
}

type Group = { purpose: "rent" | "deposit"; shares: Share[] };

/** Deposits go to the account of their purpose: where that is another one, what is paid becomes two orders. */
async function groupsOf(
  act: Act,
  { villageId, channel }: { villageId: number; channel: CodeChannel | undefined },
  shares: readonly Share[],
  of: { open: readonly OpenLine[]; around: Around },
): Promise<Group[]> {
  const subjectOf = new Map(of.open.map((line) => [keyOf(line), line.feeSubjectId]));
  const held = (s: Share) => isHeld(of.around.subjects.of(subjectOf.get(keyOf(s))!).kind);
  const rent = shares.filter((s) => !held(s));
  const deposit = shares.filter(held);
  const groups = (
    [
      { purpose: "rent", shares: rent },
      { purpose: "deposit", shares: deposit },
    ] satisfies Group[]
  ).filter((g) => g.shares.length);
  const accounts = await Promise.all(
    groups.map((g) => wayFor(act, { villageId, channel, purpose: g.purpose })),
  );
  const one = new Set(accounts.map((a) => a.merchantAccountId)).size === 1;
  return one ? [{ purpose: groups[0]!.purpose, shares: [...shares] }] : groups;
}

/**
 * The open orders by which bills of one party are paid, made anew where there are none of these amounts. A code that
 * would pay the same a second time is taken back; what was paid by it meanwhile is booked, and this is refused.
 */
export async function ordersFor(act: Act, wanted: Wanted): Promise<Shown[]> {
  const seen = payable(await readBills(act, wanted.billIds), wanted.billIds);
  const { villageId, partyId } = seen[0]!;
  // two who show codes for one party do so one after the other
  await sql`select pg_advisory_xact_lock(hashtextextended(${`checkout ${villageId} ${partyId}`}, 0))`.execute(
    act.tx,
  );
  for (const { id } of await openOn(act, wanted.billIds)) await checkoutOf(act, id, true);
  // what was paid while that was waited for is over, and owed no more
  const before = await openOn(act, wanted.billIds);
  const bills = payable(await readBills(act, wanted.billIds), wanted.billIds);
  const around = await aroundOf(act, [villageId]);
  const open = await openLinesOf(act, bills, act.today, around);
  const shares = sharesOf(open, wanted.shares);
  if (!shares.length) throw new Refusal("notAllowed", SAID.nothing);
  if (totalOf(shares) > AMOUNT_MAX) throw invalid({ field: "billIds", msg: "金额过大" });
  const groups = await groupsOf(act, { villageId, channel: wanted.channel }, shares, { open, around });
  const targets = await targetsOf(act, wanted, { villageId, partyId, before }, groups);
  const until = new Date(act.now.getTime() + around.settings(villageId).payOrderMinutes * 60_000);
  const orders: Shown[] = [];
  for (const [i, { purpose, shares: own }] of groups.entries()) {
    const paid = bills.filter((b) => own.some((s) => s.billId === b.id));
    const { id, fresh } = targets[i]!;
    const order = await orderFor(act, {
      targetKind: BILLS,
      targetId: id,
      villageId,
      partyId,
      roomId: paid[0]!.roomId,
      title: titleOf(paid, await roomOf(act, paid[0]!.roomId)),
      amount: totalOf(own),
      until,
      channel: wanted.channel,
      purpose,
      by: wanted.way,
      ...(wanted.link && { createdBy: wanted.link.createdBy }),
    });
    orders.push(order);
    const what = wanted.link ? "客户打开付款" : "出示收款码";
    if (fresh)
      await act.note(
        paid.map((b) =>
          billNote(b, "收款码", `${what}，收款单 ${order.orderNo}，共 ${yuan(order.amount)} 元`),
        ),
      );
  }
  return orders;
}

const roomOf = async (read: Pick<Read, "tx">, id: number | null) =>
  (id !== null && (await aRow(read, "room", ["fullName"], { id }))?.fullName) || null;

/** The checkout that each group is paid by: one that is open for the very same, or a new one. */
async function targetsOf(
  act: Act,
  { way, link }: Wanted,
  { before, ...of }: { villageId: number; partyId: number; before: readonly Checkout[] },
  groups: readonly Group[],
): Promise<{ id: number; fresh: boolean }[]> {
  const same = (shares: readonly Share[]) =>
    before.find((c) => c.way === way && c.linkId === (link?.id ?? null) && isSame(c.shares, shares));
  const kept = groups.map((g) => same(g.shares));
  for (const other of before)
    if (!kept.includes(other) && groups.some((g) => overlaps(g.shares, other.shares)))
      if ((await endCode(act, other, "重新出示收款码")) === "paid") throw paidAlready();
  const made: { id: number; fresh: boolean }[] = [];
  for (const [i, { shares }] of groups.entries()) {
    const open = kept[i];
    made.push(
      open
        ? { id: open.id, fresh: false }
        : {
            id: await keep(act, {
              ...of,
              way,
              linkId: link?.id ?? null,
              createdBy: link ? link.createdBy : act.who.operatorId,
              shares,
            }),
            fresh: true,
          },
    );
  }
  return made;
}

/** Takes the open code of a checkout back, once the channel said that nothing was paid by it. */
export async function endCode(act: Act, { id }: Checkout, why: string): Promise<"closed" | "paid"> {
  await checkoutOf(act, id, true);
  const order = await openOrderOf(act, BILLS, id);
  return order ? endOrder(act, order, why) : "closed";
}

async function keep(act: Act, of: Omit<Checkout, "id">): Promise<number> {
  const { shares, ...row } = of;
  const { id } = await act.tx
    .insertInto("checkout")
    .values({ ...row, createdAt: act.now.toISOString() })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("checkoutLine")
    .values(shares.map((s) => ({ checkoutId: id, billId: s.billId, billLineId: s.lineId, amount: s.amount })))
    .execute();
  return id;
}

/**
 * Codes that ask for more than is owed by now: bills were voided, or paid in another way. Each is taken back in a
 * transaction of its own by `each`; a channel that does not answer keeps it, and what comes by it is kept for the customer.
 */
export async function endUnfit(
  read: Read,
  billIds: readonly number[],
  each: (work: (act: Act) => Promise<unknown>) => Promise<void>,
): Promise<number> {
  let ended = 0;
  for (const code of await openOn(read, billIds)) {
    const bills = await readBills(
      read,
      code.shares.map((s) => s.billId),
    );
    const open = await openLinesOf(read, bills, read.today, await aroundOf(read, [code.villageId]));
    const owed = new Map(open.map((line) => [keyOf(line), line.owed]));
    if (code.shares.every((s) => s.amount <= (owed.get(keyOf(s)) ?? 0))) continue;
    await each((act) => endCode(act, code, "账单已变化"));
    ended += 1;
  }
  return ended;
}
