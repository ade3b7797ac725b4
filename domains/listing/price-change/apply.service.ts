import { sql } from "kysely";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { maxDay, type Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { followProducts, leaveProducts } from "../product/price.service.ts";
import { lockProducts, priceProducts, takeBackProducts } from "./products.service.ts";
import { lockRooms } from "../room/room.service.ts";
import { announce } from "./announce.service.ts";
import type { changeSeen } from "./change.queries.ts";
import { recompute } from "./given.queries.ts";
import { noteChange } from "./save.service.ts";
import { CHANGE_KINDS, type ChangeKind } from "./words.rules.ts";

type Change = Awaited<ReturnType<typeof changeSeen>>;
type Touched = {
  roomId: number;
  villageId: number;
  fullName: string;
  followed: boolean;
  byProduct: boolean;
  productId: number | null;
  oldList: number;
  newList: number;
};

export const CHANGED = "房价已变化，请重新预览";

const touchedBy = async (act: Act, id: number): Promise<Touched[]> =>
  (
    await sql<Touched>`
      select l.room_id "roomId", r.village_id "villageId", r.full_name "fullName", l.followed,
        l.by_product "byProduct", r.product_id "productId", l.old_list "oldList",
        l.new_list "newList"
      from price_change_line l join room r on r.id = l.room_id
      where l.change_id = ${id} and not l.skipped order by l.room_id`.execute(act.tx)
  ).rows;

/**
 * Writes the new prices from the day on; approved after its day, they count from today. The rooms are locked first and
 * their prices looked at once more, so that whoever signs or prices one of them comes wholly before or wholly after.
 */
export async function apply(
  act: Act,
  change: Change,
  progress: (percent: number) => Promise<void> = async () => {},
): Promise<void> {
  const { id } = change;
  const how = howOf(change);
  const rooms = await touchedBy(act, id);
  const ids = rooms.map((room) => room.roomId);
  await lockProducts(act, rooms);
  await lockRooms(act, ids);
  const now = await recompute(act, change);
  if (now.hash !== change.previewHash) throw new Refusal("previewChanged", CHANGED);
  await progress(40);
  const day = maxDay(change.effectiveDay, act.today);
  await writePrices(act, id, day);
  const replaced = change.asProduct ? await priceProducts(act, now.products, day, how) : [];
  await progress(70);
  const followers = rooms.filter((room) => room.followed && !room.byProduct).map((room) => room.roomId);
  await leaveProducts(act, followers, day);
  await setMode(act, followers, "own");
  if (change.kind === "follow") {
    await setMode(act, ids, "follow");
    await followProducts(act, ids);
  }
  await changed(act, rooms);
  await noteRooms(
    act,
    change,
    rooms,
    (room) => `${how}，${day} 起：${yuan(room.oldList)} → ${yuan(room.newList)}`,
  );
  await progress(95);
  const applied = await act.tx
    .updateTable("priceChange")
    .set({
      state: "scheduled",
      effectiveDay: day,
      appliedAt: sql<string>`now()`,
      productPrices: JSON.stringify(replaced),
      queuedAt: null,
      progress: 100,
      updatedAt: act.now.toISOString(),
      version: NEXT_VERSION,
    })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await noteChange(act, change, "生效安排", `${rooms.length} 间自 ${day} 起执行新价格`);
  if (day <= act.today) await announce(act, applied);
}

const howOf = ({ kind, number }: Change): string => `${CHANGE_KINDS[kind as ChangeKind][0]} ${number}`;

/** What stood on that very day is kept aside, for whoever cancels. */
async function writePrices(act: Act, id: number, day: Day): Promise<void> {
  await sql`
    update price_change_line l set replaced = to_jsonb(p)
    from room_price p where l.change_id = ${id} and not l.skipped and not l.by_product and p.room_id = l.room_id and p.effective_day = ${day}`.execute(
    act.tx,
  );
  await sql`
    insert into room_price (room_id, effective_day, list_price, lowest_price, unit, source, source_id, created_by)
    select l.room_id, ${day}::date, l.new_list, l.new_lowest, l.unit, 'batch', ${id}::bigint, ${act.who.operatorId || null}::bigint
    from price_change_line l where l.change_id = ${id} and not l.skipped and not l.by_product
    on conflict (room_id, effective_day) do update set list_price = excluded.list_price,
      lowest_price = excluded.lowest_price, unit = excluded.unit, source = excluded.source,
      source_id = excluded.source_id, created_at = now(), created_by = excluded.created_by`.execute(act.tx);
}

/** Takes back what has not begun yet: the prices that stood before come back, rooms follow their product again. */
export async function takeBack(act: Act, change: Change): Promise<void> {
  const rooms = await touchedBy(act, change.id);
  await lockRooms(
    act,
    rooms.map((room) => room.roomId),
  );
  // a price that somebody has set since then stays
  await sql`
    with gone as (delete from room_price where source = 'batch' and source_id = ${change.id}
      and effective_day = ${change.effectiveDay} returning room_id)
    insert into room_price (room_id, effective_day, list_price, lowest_price, unit, source, source_id, created_at, created_by)
    select p.room_id, p.effective_day, p.list_price, p.lowest_price, p.unit, p.source, p.source_id, p.created_at, p.created_by
    from price_change_line l join gone g on g.room_id = l.room_id
    cross join lateral jsonb_populate_record(null::room_price, l.replaced) p
    where l.change_id = ${change.id} and l.replaced is not null
    on conflict (room_id, effective_day) do nothing`.execute(act.tx);
  const { rows } = await sql<{ id: number }>`
    select r.id from price_change_line l join room r on r.id = l.room_id
    where l.change_id = ${change.id} and l.followed and not l.by_product and not l.skipped and r.price_mode = 'own' and r.product_id is not null
      and not exists (select from room_price p where p.room_id = r.id and p.created_at > (select applied_at from price_change where id = ${change.id})
        and p.source <> 'product')`.execute(act.tx);
  const followers = rows.map((row) => row.id);
  await setMode(act, followers, "follow");
  await followProducts(act, followers);
  await takeBackProducts(act, change, rooms);
  await changed(act, rooms);
  await noteRooms(act, change, rooms, () => `${howOf(change)} 已取消，价格恢复`);
}

async function setMode(act: Act, roomIds: readonly number[], priceMode: "own" | "follow"): Promise<void> {
  if (!roomIds.length) return;
  await sql`update room set price_mode = ${priceMode}, version = version + 1, updated_at = ${act.now.toISOString()}
    where id = any(${roomIds as number[]}::bigint[]) and price_mode <> ${priceMode}`.execute(act.tx);
}

const noteRooms = (
  act: Act,
  { kind }: Change,
  rooms: readonly Touched[],
  summary: (room: Touched) => string,
): Promise<void> =>
  act.note(
    rooms.map((room) => ({
      kind: "room",
      recordId: room.roomId,
      number: room.fullName,
      villageId: room.villageId,
      action: CHANGE_KINDS[kind as ChangeKind][0],
      summary: summary(room),
    })),
  );
