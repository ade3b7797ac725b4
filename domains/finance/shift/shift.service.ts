import { sql } from "kysely";
import type { z } from "zod";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { revise, asSeen } from "../../../platform/server/database/versioned.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { fromDay, toDay } from "../../../platform/server/lists/conditions.ts";
import { listOf, type RowOf } from "../../../platform/server/lists/list.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, seen } from "../../../platform/server/pipeline/scope.ts";
import { whoHolds } from "../../access/operator/scope.service.ts";
import { accountsOf, cashBalances } from "../account/account.service.ts";
import { EVENTS, type EventCode } from "../journal/journal.rules.ts";
import { type cashBoxes, type getShift, listShifts } from "./shift.contract.ts";

constraintSays("cash_shift_open", { code: "notAllowed", msg: "该现金箱已开班，请先交班" });

export const shifts = listOf(listShifts, {
  id: "s.id",
  from: sql`cash_shift s`,
  village: "s.village_id",
  where: { from: fromDay("s.opened_at"), to: toDay("s.opened_at") },
  sort: { openedAt: "s.opened_at" },
  order: "openedAt",
  columns: sql<
    RowOf<typeof listShifts>
  >`s.id, v.name "villageName", a.name "accountName", s.opened_at "openedAt",
    o.real_name opener, s.opening_counted "openingCounted", s.opening_booked "openingBooked", s.closed_at "closedAt",
    c.real_name closer, s.closing_counted "closingCounted", s.closing_booked "closingBooked",
    s.closing_counted - s.closing_booked diff, t.real_name taker, s.version`,
  join: sql`join cash_shift s on s.id = page.id join village v on v.id = s.village_id
    join merchant_account a on a.id = s.merchant_account_id join operator o on o.id = s.opened_by
    left join operator c on c.id = s.closed_by left join operator t on t.id = s.taker_id`,
});

type Open = NonNullable<z.input<typeof cashBoxes.reply>[number]["shift"]>;

/** The cash boxes of a store with what the books say is in them; one that is out of use as long as its shift is open. */
export async function boxesOf(read: Read, villageId: number): Promise<z.input<typeof cashBoxes.reply>> {
  const inUse = (await accountsOf(read, villageId)).filter((a) => a.kind === "cash" && a.enabled);
  const { rows } = await sql<Open & { accountId: number; name: string }>`
    select a.id "accountId", a.name, s.id, s.opened_at "openedAt", o.real_name opener, s.village_id "villageId",
      v.name "villageName", s.opening_counted "openingCounted", s.version
    from cash_shift s join village v on v.id = s.village_id join operator o on o.id = s.opened_by join merchant_account a on a.id = s.merchant_account_id
    where s.closed_at is null
      and (s.village_id = ${villageId} or s.merchant_account_id = ${anyOf(inUse.map((a) => a.id))})
    order by a.id`.execute(read.tx);
  const left = rows.filter((row) => !inUse.some((a) => a.id === row.accountId));
  const found = [];
  for (const { id, name } of [...inUse, ...left.map(({ accountId, name }) => ({ id: accountId, name }))]) {
    const shift = rows.find((row) => row.accountId === id) ?? null;
    found.push({ id, name, booked: await bookedIn(read, id), shift });
  }
  return found;
}

const bookedIn = async (read: Pick<Read, "tx">, accountId: number): Promise<Fen> =>
  (await cashBalances(read, [accountId])).get(accountId)!;

export async function takersIn(
  read: Read,
  {
    villageId,
    keyword = "",
    ids,
  }: { villageId: number; keyword?: string | undefined; ids?: number[] | undefined },
): Promise<{ id: number; name: string }[]> {
  const may = await whoHolds(read, "102.add", villageId);
  const { rows } = await sql<{ id: number; name: string }>`
    select id, real_name "name" from operator where id = any(${may}::bigint[]) order by real_name, id`.execute(
    read.tx,
  );
  return rows.filter((o) => o.name.includes(keyword) && (!ids || ids.includes(o.id))).slice(0, 200);
}

type Counted = { counted: Fen; booked: Fen; note: string };
/** What the books say now, under the lock of the box: who counted saw the same, and explains another sum. */
async function checkedAgainst(
  act: Act,
  accountId: number,
  { counted, booked, note }: Counted,
): Promise<void> {
  await sql`select from merchant_account where id = ${accountId} for no key update`.execute(act.tx);
  const now = await bookedIn(act, accountId);
  if (now !== booked)
    throw new Refusal("previewChanged", `账面现金已变为 ${yuan(now)}，请核对后重新确认`, 409);
  if (counted !== now && note.length < 2)
    throw invalid({ field: "note", msg: "实点与账面不符，请填写差额说明" });
}

const said = ({ counted, booked, note }: Counted) => {
  const diff = counted - booked;
  if (!diff) return `实点 ${yuan(counted)} 元，与账面一致`;
  return `实点 ${yuan(counted)} 元，${diff < 0 ? "少" : "多"} ${yuan(Math.abs(diff))} 元：${note}`;
};
const noted = (act: Act, id: number, villageId: number, action: string, summary: string) =>
  act.note({ kind: "cashShift", recordId: id, villageId, action, summary });

export async function open(
  act: Act,
  given: Counted & { villageId: number; merchantAccountId: number },
): Promise<{ id: number }> {
  const { villageId, merchantAccountId, counted, booked, note } = given;
  const box = (await accountsOf(act, villageId)).find((a) => a.id === merchantAccountId && a.kind === "cash");
  if (!box) throw invalid({ field: "merchantAccountId", msg: "该账户不能用于此门店" });
  if (!box.enabled) throw invalid({ field: "merchantAccountId", msg: "该账户已停用" });
  await checkedAgainst(act, merchantAccountId, given);
  const { id } = await act.tx
    .insertInto("cashShift")
    .values({
      villageId,
      merchantAccountId,
      openedAt: act.now.toISOString(),
      openedBy: act.who.operatorId,
      openingCounted: counted,
      openingBooked: booked,
      openingNote: counted === booked ? "" : note,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await noted(act, id, villageId, "开班", `${box.name} ${said(given)}`);
  return { id };
}

export async function close(
  act: Act,
  id: number,
  given: Counted & { takerId?: number | undefined; version: number },
): Promise<{ id: number }> {
  const s = seen(
    act.who,
    await aRow(act, "cashShift", ["villageId", "merchantAccountId", "closedAt", "version"], { id }),
  );
  if (s.closedAt) throw new Refusal("notAllowed", "该班已交班，请刷新后查看", 409);
  asSeen(s, given.version);
  const { takerId } = given;
  const taker = takerId && (await takersIn(act, { villageId: s.villageId, ids: [takerId] }))[0];
  if (takerId && !taker) throw invalid({ field: "takerId", msg: "接班人不能在此门店收款" });
  await checkedAgainst(act, s.merchantAccountId, given);
  await revise(
    act,
    "cashShift",
    { id, version: given.version },
    {
      closedAt: act.now.toISOString(),
      closedBy: act.who.operatorId,
      closingCounted: given.counted,
      closingBooked: given.booked,
      closingNote: given.counted === given.booked ? "" : given.note,
      takerId: takerId ?? null,
    },
  );
  await noted(act, id, s.villageId, "交班", `${said(given)}${taker ? `，${taker.name} 接班` : ""}`);
  return { id };
}

type Sheet = z.input<typeof getShift.reply>;

/**
 * A shift with its takings: all through this box, and what its cashier took through other channels, by codes that they showed
 * too. What was reversed before the shift ended was not taken.
 */
export async function sheetOf(read: Read, id: number): Promise<Sheet> {
  const row = await shifts.one(read, id);
  const [head] = (
    await sql<{
      villageId: number;
      accountId: number;
      openedBy: number;
      openedAt: string;
      until: string;
      openingNote: string;
      closingNote: string;
    }>`
      select village_id "villageId", merchant_account_id "accountId", opened_by "openedBy", opened_at "openedAt",
        coalesce(closed_at, ${read.now.toISOString()}::timestamptz) until, opening_note "openingNote", closing_note "closingNote"
      from cash_shift where id = ${id}`.execute(read.tx)
  ).rows;
  if (!head) throw notFound();
  const { accountId, openedBy, openedAt, until } = head;
  const channels = await sql<Sheet["channels"][number]>`
    select channel, count(*)::int count, sum(amount)::bigint amount from flow f
    where village_id = ${head.villageId} and direction = 'in'
      and (state = 'confirmed' or (state = 'reversed' and reversed_at > ${until}))
      and confirmed_at > ${openedAt} and confirmed_at <= ${until}
      and paid_on between ${openedAt}::timestamptz::date - 366 and ${until}::timestamptz::date
      and (merchant_account_id = ${accountId} or created_by = ${openedBy}
        or exists (select from pay_order o where o.flow_id = f.id and o.created_by = ${openedBy}))
    group by 1 order by 3 desc`.execute(read.tx);
  const moves = await sql<{ event: EventCode; amount: Fen }>`
    select e.event, sum(l.debit - l.credit)::bigint amount from journal_line l join journal_entry e on e.id = l.entry_id
    where l.merchant_account_id = ${accountId} and l.account = '1001' and e.posted_at > ${openedAt} and e.posted_at <= ${until}
    group by 1 order by 1`.execute(read.tx);
  return {
    ...row,
    openingNote: head.openingNote,
    closingNote: head.closingNote,
    channels: channels.rows,
    moves: moves.rows.map(({ event, amount }) => ({ name: EVENTS[event].name, amount })),
  };
}
