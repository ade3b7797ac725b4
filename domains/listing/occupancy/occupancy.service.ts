import { type RawBuilder, sql } from "kysely";
import { type Day, addDays, monthOf } from "../../../platform/kernel/day.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { atEnd, savepoint } from "../../../platform/server/database/once.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { roomChanged, roomDaysTouched, roomsLeft } from "./occupancy.contract.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { whyShut } from "../../place/village/village.service.ts";

export type Taking = {
  /** The room named in the contract, reservation or block; a whole flat takes every leaf below it. */
  roomId: number;
  from: Day;
  /** Inclusive; null = open. */
  to: Day | null;
} &
  /** A submitted contract holds its rooms until the sign deadline, a reservation for whoever may come. */
  (
    | { kind: "lease" | "reservation"; contractId: number }
    | { kind: "reservation"; reservationId: number }
    | { kind: "block"; blockId: number }
  );

/** `[from, to]` as PostgreSQL keeps it, upper bound excluded. */
const rangeOf = (from: Day, to: Day | null) => `[${from},${to ? addDays(to, 1) : ""})`;

/**
 * The leaves below each room (itself when it is one), with the village they lie in. They are locked in the order of
 * their ids: who comes second waits here, and then finds the room taken instead of waiting for each other.
 */
async function leavesOf(act: Act, roomIds: readonly number[]) {
  const { rows } = await sql<{ top: number; id: number; villageId: number }>`
    with recursive below as (
      select id top, id from room where id = any(${[...new Set(roomIds)]}::bigint[])
      union all select b.top, r.id from room r join below b on r.parent_room_id = b.id)
    select b.top, r.id, r.village_id "villageId" from room r join below b on b.id = r.id
    where r.is_leaf order by r.id for no key update of r`.execute(act.tx);
  const leaves = Map.groupBy(rows, (row) => row.top);
  if (roomIds.some((id) => !leaves.has(id))) throw notFound();
  return leaves;
}

/** Locks rooms that one act takes one after another, in the order in which everybody takes them. */
export const lockRooms = async (act: Act, roomIds: readonly number[]): Promise<void> =>
  void (await leavesOf(act, roomIds));

/**
 * Writes timeline rows for one or many takings, one per leaf, in room order. When another row stands in the way the
 * database refuses and the refusal names it (409 roomTaken): a room cannot be let twice however many people try.
 */
export async function take(act: Act, takings: readonly Taking[]): Promise<void> {
  if (!takings.length) return;
  const leaves = await leavesOf(
    act,
    takings.map((t) => t.roomId),
  );
  const rows = takings.flatMap((t) =>
    leaves.get(t.roomId)!.map((leaf) => ({
      roomId: leaf.id,
      letRoomId: t.roomId,
      villageId: leaf.villageId,
      kind: t.kind,
      period: rangeOf(t.from, t.to),
      contractId: "contractId" in t ? t.contractId : null,
      reservationId: "reservationId" in t ? t.reservationId : null,
      blockId: t.kind === "block" ? t.blockId : null,
      takenOn: act.today,
    })),
  );
  await whereFree(act, rows, () =>
    act.tx
      .insertInto("occupancyRow")
      .values(rows.toSorted((a, b) => a.roomId - b.roomId))
      .execute(),
  );
  await stillLet(act, rows);
  await refuseShut(act, takings, leaves);
  await changed(act, rows);
}

/** Nothing is let in a store that is closed by then; who closes one counts what is let in it. */
async function refuseShut(
  act: Act,
  takings: readonly Taking[],
  leaves: ReadonlyMap<number, readonly { villageId: number }[]>,
): Promise<void> {
  const last = new Map<number, Day | null>();
  for (const { kind, roomId, to } of takings)
    for (const { villageId } of kind === "block" ? [] : leaves.get(roomId)!) {
      const before = last.get(villageId);
      last.set(
        villageId,
        before === undefined || to === null || (before !== null && before < to) ? to : before,
      );
    }
  for (const [villageId, to] of [...last].toSorted(([a], [b]) => a - b)) {
    const shut = await whyShut(act, villageId, to, true);
    if (shut) throw new Refusal("notAllowed", shut, 409);
  }
}

/**
 * Writes on the timeline, and where the database refuses because somebody else has one of the rooms in that period, says who.
 * What was written is taken back, the transaction goes on.
 */
async function whereFree<T>(
  act: Act,
  wanted: readonly { roomId: number; period: string }[],
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await savepoint(act, write);
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== "occupancy_free") throw error;
    for (const row of wanted) {
      const taken = await takenBy(act, row.roomId, row.period);
      if (taken) throw new Refusal("roomTaken", taken);
    }
    throw new Refusal("roomTaken", "所选房间在该期间已被占用，请刷新后重试");
  }
}

/**
 * Looked at after the rows are written: whoever retires or divides a room locks it first, so one of the two sees the
 * other and gives way.
 */
async function stillLet(read: Read, rows: readonly { roomId: number; period: string }[]): Promise<void> {
  const gone = await sql<{ room: string; retired: Day | null }>`
    select r.full_name room, r.retired_day retired
    from json_to_recordset(${JSON.stringify(rows)}::json) as t("roomId" bigint, period daterange)
    join room r on r.id = t."roomId"
    where not r.is_leaf or r.retired_day < coalesce(upper(t.period), 'infinity')
      -- until its first day the flat stood divided in another way, and those rooms may be let
      or (lower(t.period) < r.first_day and exists (select 1 from room old
        where old.apartment_id = r.apartment_id and old.retired_day > lower(t.period))) limit 1`.execute(
    read.tx,
  );
  const [room] = gone.rows;
  if (room?.retired) throw new Refusal("roomTaken", `${room.room} 自 ${room.retired} 起已注销`);
  if (room) throw new Refusal("roomTaken", `${room.room} 的房间划分已变化，请刷新后重试`);
}

/** Says who has the room in a period: "1203-A 在 2026-12-01 至 2027-11-30 已被 HT20261120-000123 占用". */
async function takenBy(read: Read, roomId: number, period: string): Promise<string | undefined> {
  const { rows } = await sql<{ room: string; from: Day; to: Day | null; who: string }>`
    select r.full_name room, lower(o.period) "from", upper(o.period) - 1 "to",
      coalesce(c.contract_no, b.number, v.number) who
    from occupancy_row o join room r on r.id = o.room_id
    left join contract_brief c on c.id = o.contract_id left join room_block b on b.id = o.block_id
    left join reservation_brief v on v.id = o.reservation_id
    where o.room_id = ${roomId} and o.period && ${period}::daterange order by lower(o.period) limit 1`.execute(
    read.tx,
  );
  const row = rows[0];
  return row && `${row.room} 在 ${row.from} 至 ${row.to ?? "未定"} 已被 ${row.who} 占用`;
}

/** What a submitted contract, or an act on it, holds becomes its lease; the period stays. */
export async function leaseHeld(act: Act, contractId: number): Promise<void> {
  const rows = await act.tx
    .updateTable("occupancyRow")
    .set({ kind: "lease" })
    .where("contractId", "=", contractId)
    .where("kind", "=", "reservation")
    .returning(["roomId", "villageId"])
    .execute();
  await changed(act, rows);
}

type Holder =
  | { contractId: number; letRoomId?: number; letRoomIds?: readonly number[] }
  | { reservationId: number }
  | { blockId: number; roomIds?: readonly number[] };
type Freed = { roomId: number; villageId: number };

const heldBy = (of: Holder) =>
  "blockId" in of
    ? sql`block_id = ${of.blockId} and (${of.roomIds ?? null}::bigint[] is null or room_id = any(${of.roomIds ?? null}::bigint[]))`
    : "reservationId" in of
      ? sql`reservation_id = ${of.reservationId}`
      : of.letRoomId
        ? sql`contract_id = ${of.contractId} and let_room_id = ${of.letRoomId}`
        : mine(of);

/** Takes rows off the timeline and keeps them aside: days past still read as they were. */
async function giveBack(act: Act, which: RawBuilder<unknown>): Promise<Freed[]> {
  const columns = sql`room_id, let_room_id, village_id, kind, period, contract_id, reservation_id, block_id, taken_on`;
  const { rows } = await sql<Freed>`
    with gone as (delete from occupancy_row where ${which} returning *),
    kept as (insert into occupancy_ended (${columns}, ended_on) select ${columns}, ${act.today}::date from gone)
    select room_id "roomId", village_id "villageId" from gone`.execute(act.tx);
  return rows;
}

/** Frees what a contract, reservation or block holds. */
export const release = async (act: Act, of: Holder): Promise<void> =>
  changed(act, await giveBack(act, heldBy(of)));

/** Brings the last day of what a contract or block has forward; a row that would begin after it goes altogether. */
export async function shorten(act: Act, of: Holder, lastDay: Day): Promise<void> {
  const next = addDays(lastDay, 1);
  const gone = await giveBack(act, sql`${heldBy(of)} and lower(period) > ${lastDay}::date`);
  const cut = await sql<Freed>`
    update occupancy_row set period = daterange(lower(period), ${next}::date)
    where ${heldBy(of)} and (upper(period) is null or upper(period) > ${next}::date)
    returning room_id "roomId", village_id "villageId"`.execute(act.tx);
  await changed(act, [...gone, ...cut.rows]);
}

type Touched = { roomId: number; villageId: number };
/**
 * Tells live boards which rooms to draw anew, after each step or at the end of them all, never only at the first: a board
 * that looks on passes over what was told long before its commit. Every act on a room's timeline, block, turnover, price or flag calls it.
 */
export const changed = (act: Act, rooms: readonly Touched[]): Promise<void> =>
  atEnd(
    act,
    "rooms changed",
    rooms,
    ({ roomId }) => roomId,
    (all) => tellChanged(act, all),
  );

async function tellChanged(act: Act, rooms: readonly Touched[]): Promise<void> {
  await sql`
    insert into room_change (room_id, village_id)
    select * from unnest(${rooms.map((r) => r.roomId)}::bigint[], ${rooms.map((r) => r.villageId)}::bigint[])`.execute(
    act.tx,
  );
  // listing channels of these villages look at once, whoever has none is not told
  const villages = [...new Set(rooms.map((r) => r.villageId))];
  const { rows } = await sql<{ id: number }>`
    select id from channel where enabled and village_ids && ${villages}::bigint[] order by id`.execute(
    act.tx,
  );
  for (const { id } of rows) await act.emit(roomChanged, { channelId: id });
}

/** A closed month never changes: no act of any kind carries a day in it. */
export async function refuseClosedDay(act: Act, villageIds: readonly number[], day: Day): Promise<void> {
  const month = monthOf(day);
  const locked = await aRow(act, "closedMonth", ["month"], {
    villageId: anyOf(villageIds),
    month,
    side: "income",
  });
  if (locked) throw new Refusal("monthClosed", `${month} 已关账，请使用开放月份的日期`);
}

/** Days of villages whose roll-up no longer holds, because an act reached back behind today. */
export const daysTouched = async (act: Act, villageIds: readonly number[], from: Day): Promise<void> => {
  if (from < act.today)
    await act.emit(roomDaysTouched, { villageIds: [...new Set(villageIds)], from, to: act.today });
};

type Of = { contractId: number; /** Absent: every room of the contract. */ letRoomIds?: readonly number[] };

const mine = (of: Of) =>
  sql`contract_id = ${of.contractId} and (${of.letRoomIds ?? null}::bigint[] is null or let_room_id = any(${of.letRoomIds ?? null}::bigint[]))`;

async function touch(act: Act, rows: readonly Touched[], day: Day): Promise<number> {
  await changed(act, rows);
  await daysTouched(
    act,
    rows.map((r) => r.villageId),
    day,
  );
  return rows.length;
}

/** Notice was given: the rooms read 退租中 from the day of the application on. */
export async function startLeaving(act: Act, of: Of, appliedOn: Day = act.today): Promise<void> {
  const { rows } = await sql<Touched>`
    insert into room_leaving (room_id, let_room_id, village_id, contract_id, applied_on)
    select room_id, let_room_id, village_id, contract_id, ${appliedOn}::date from occupancy_row
    where kind = 'lease' and ${mine(of)}
    on conflict (room_id) where ended_on is null do nothing
    returning room_id "roomId", village_id "villageId"`.execute(act.tx);
  if (!(await touch(act, rows, appliedOn))) throw notFound();
}

/** The notice was taken back: the tenant stays. */
export async function withdrawLeaving(act: Act, of: Of): Promise<void> {
  const { rows } = await sql<Touched>`
    update room_leaving set ended_on = greatest(applied_on, ${act.today}::date), withdrawn = true
    where ended_on is null and ${mine(of)} returning room_id "roomId", village_id "villageId"`.execute(
    act.tx,
  );
  await touch(act, rows, act.today);
}

/** The settlement frees the rooms: at once when it is confirmed, or when its money is through, as the contract's settings say. */
export async function freeRooms(act: Act, of: Of, day: Day = act.today): Promise<number[]> {
  const { rows } = await sql<Touched>`
    update room_leaving set ended_on = greatest(applied_on, ${day}::date)
    where ended_on is null and ${mine(of)} returning room_id "roomId", village_id "villageId"`.execute(
    act.tx,
  );
  await touch(act, rows, day);
  // the contract goes on with its other rooms
  if (!of.letRoomIds) await act.emit(roomsLeft, { contractId: of.contractId, day });
  return rows.map((r) => r.roomId);
}

/**
 * A leaving was taken back: the tenant has the rooms to the last day of the lease again, and gave notice still. 409
 * roomTaken where somebody else has one of them meanwhile.
 */
export async function comeBack(
  act: Act,
  { leaveDate, lastDay, ...of }: Of & { leaveDate: Day; lastDay: Day },
): Promise<void> {
  const columns = sql`room_id, let_room_id, village_id, kind, period, contract_id, reservation_id, block_id, taken_on`;
  const gone = sql`${mine(of)} and kind = 'lease' and lower(period) > ${leaveDate}::date`;
  const cut = sql`${mine(of)} and kind = 'lease' and upper(period) <= ${addDays(leaveDate, 1)}::date`;
  // the days that come back: whole rows that would have begun after the leaving, and the cut-off ends of the others
  const { rows: wanted } = await sql<{ roomId: number; period: string }>`
    select room_id "roomId", period::text period from occupancy_ended where ${gone}
    union all
    select room_id, daterange(upper(period), ${addDays(lastDay, 1)}::date)::text from occupancy_row where ${cut}
    order by 1`.execute(act.tx);
  const back = await whereFree(act, wanted, async () => {
    const again = await sql<Freed>`
      with back as (delete from occupancy_ended where ${gone} returning ${columns})
      insert into occupancy_row (${columns}) select * from back
      returning room_id "roomId", village_id "villageId"`.execute(act.tx);
    const longer = await sql<Freed>`
      update occupancy_row set period = daterange(lower(period), ${addDays(lastDay, 1)}::date) where ${cut}
      returning room_id "roomId", village_id "villageId"`.execute(act.tx);
    return [...again.rows, ...longer.rows];
  });
  const { rows: leaving } = await sql<Touched>`
    update room_leaving set ended_on = null, closed_on = null where ${mine(of)} and not withdrawn
    returning room_id "roomId", village_id "villageId"`.execute(act.tx);
  await touch(act, [...back, ...leaving], leaveDate);
}

/** A lease runs on beyond its last day. 409 roomTaken where somebody else has one of the rooms then. */
export async function lengthen(
  act: Act,
  { until, lastDay, ...of }: Of & { until: Day; lastDay: Day },
): Promise<void> {
  const ends = sql`${mine(of)} and kind = 'lease' and upper(period) = ${addDays(until, 1)}::date`;
  const { rows: wanted } = await sql<{ roomId: number; period: string }>`
    select room_id "roomId", daterange(upper(period), ${addDays(lastDay, 1)}::date)::text period
    from occupancy_row where ${ends} order by 1`.execute(act.tx);
  const { rows } = await whereFree(act, wanted, () =>
    sql<Freed>`
      update occupancy_row set period = daterange(lower(period), ${addDays(lastDay, 1)}::date) where ${ends}
      returning room_id "roomId", village_id "villageId"`.execute(act.tx),
  );
  await touch(act, rows, until);
}

/** The money of the settlement is through: 到期未结账 goes. */
export async function closeLeaving(act: Act, of: Of, day: Day = act.today): Promise<void> {
  const { rows } = await sql<Touched>`
    update room_leaving set closed_on = ${day}::date
    where closed_on is null and not withdrawn and ${mine(of)} returning room_id "roomId", village_id "villageId"`.execute(
    act.tx,
  );
  await touch(act, rows, day);
}
