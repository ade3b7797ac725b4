import { sql, type Kysely } from "kysely";
import { type Day, maxDay } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { followProducts, leaveProducts, priceProduct } from "../room/product-price.service.ts";
import { lockRooms } from "../room/room.service.ts";
import { announce } from "./announce.service.ts";
import type { changeSeen } from "./change.queries.ts";
import type { ProductChange } from "./change.rules.ts";
import { recompute } from "./product-look.queries.ts";
import { noteChange } from "./save.service.ts";
import { CHANGE_KINDS, type ChangeKind } from "./words.rules.ts";
import type { DB } from "../../../db/types.gen.ts";
import { tell } from "../../system/message/message.service.ts";
import { priceChangeCarried } from "./change.contract.ts";
import { theRow } from "../../../platform/server/database/row.ts";

type Following = { roomId: number; byProduct: boolean; productId: number | null };
type PriceRow = { villageId: number | null; listPrice: Fen; lowestPrice: Fen; createdAt?: string };
/** The price of a product on the very day of a change, as it was before. */
type Replaced = { productId: number; rows: PriceRow[] };

/** Whoever prices a product locks it first, and so does a change that does. */
export async function lockProducts(act: Act, rooms: readonly Following[]): Promise<void> {
  const ids = new Set(rooms.flatMap((room) => (room.byProduct && room.productId ? [room.productId] : [])));
  if (ids.size)
    await sql`select id from product where id = ${anyOf([...ids])} order by id for update`.execute(act.tx);
}

const pricesOn = (act: Act, productId: number, day: Day) =>
  act.tx
    .selectFrom("productPrice")
    // as text, to the microsecond: it tells which change the price is of
    .select(["villageId", "listPrice", "lowestPrice", sql<string>`created_at::text`.as("createdAt")])
    .where("productId", "=", productId)
    .where("effectiveDay", "=", day)
    .orderBy("id")
    .execute();

/** Gives products their new price from the day on; their rooms follow. Answers what stood on that day before. */
export async function priceProducts(
  act: Act,
  products: readonly ProductChange[],
  day: Day,
  how: string,
): Promise<Replaced[]> {
  const replaced: Replaced[] = [];
  for (const { id, name, unit, rooms, prices } of products) {
    replaced.push({ productId: id, rows: await pricesOn(act, id, day) });
    const [general] = prices.filter((p) => p.villageId === null);
    const priced = prices.map((p) => ({ villageId: p.villageId, listPrice: p.list, lowestPrice: p.lowest }));
    await priceProduct(
      act,
      { id, priceUnit: unit },
      {
        effectiveDay: day,
        listPrice: general!.list,
        lowestPrice: general!.lowest,
        villages: priced.flatMap(({ villageId, ...p }) => (villageId === null ? [] : [{ villageId, ...p }])),
      },
    );
    await noteProduct(
      act,
      id,
      `${how}，${day} 起 ${name} 标价 ${yuan(general!.list)}，${rooms} 间跟随房间随之变更`,
    );
  }
  return replaced;
}

/** The prices that products had come back; one that somebody has set since then stays. */
export async function takeBackProducts(
  act: Act,
  change: { id: number; effectiveDay: Day; productPrices: unknown },
  rooms: readonly Following[],
): Promise<void> {
  for (const { productId, rows } of change.productPrices as Replaced[]) {
    const { numAffectedRows } = await sql`delete from product_price where product_id = ${productId}
      and effective_day = ${change.effectiveDay} and created_at = (select applied_at from price_change where id = ${change.id})`.execute(
      act.tx,
    );
    if (!numAffectedRows) continue;
    const back = await standingRows(act, productId, rows);
    if (back.length)
      await act.tx
        .insertInto("productPrice")
        .values(back.map((row) => ({ ...row, productId, effectiveDay: change.effectiveDay })))
        .execute();
    const followers = rooms.filter((r) => r.byProduct && r.productId === productId).map((r) => r.roomId);
    await followProducts(act, followers);
    await noteProduct(act, productId, "调价已取消，产品价格恢复");
  }
}

/** Prices of a change that was cancelled meanwhile do not come back, but what that took the place of. */
async function standingRows(act: Act, productId: number, rows: PriceRow[]): Promise<PriceRow[]> {
  const [first] = rows;
  if (!first?.createdAt) return rows;
  const { rows: cancelled } = await sql<{ rows: PriceRow[] }>`
    select p -> 'rows' rows from price_change c cross join lateral jsonb_array_elements(c.product_prices) p
    where c.state = 'cancelled' and c.applied_at = ${first.createdAt}::timestamptz and (p ->> 'productId')::bigint = ${productId}`.execute(
    act.tx,
  );
  return cancelled[0] ? standingRows(act, productId, cancelled[0].rows) : rows;
}

async function noteProduct(act: Act, id: number, summary: string): Promise<void> {
  const { code } = await theRow(act, "product", ["code"], { id });
  await act.note({ kind: "product", recordId: id, number: code, action: "调价", summary });
}

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
  // a price that somebody has set since then stays; one of a change that was cancelled meanwhile does not come back, but what that took the place of
  await sql`
    with recursive gone as (delete from room_price where source = 'batch' and source_id = ${change.id}
      and effective_day = ${change.effectiveDay} returning room_id),
    stood as (
      select l.room_id, l.replaced from price_change_line l join gone g on g.room_id = l.room_id where l.change_id = ${change.id}
      union all
      select l.room_id, l.replaced from stood s
      join price_change c on s.replaced ->> 'source' = 'batch' and c.id = (s.replaced ->> 'source_id')::bigint and c.state = 'cancelled'
      join price_change_line l on l.change_id = c.id and l.room_id = s.room_id)
    insert into room_price (room_id, effective_day, list_price, lowest_price, unit, source, source_id, created_at, created_by)
    select p.room_id, p.effective_day, p.list_price, p.lowest_price, p.unit, p.source, p.source_id, p.created_at, p.created_by
    from stood s cross join lateral jsonb_populate_record(null::room_price, s.replaced) p
    where s.replaced is not null and not exists (select from price_change c
      where s.replaced ->> 'source' = 'batch' and c.id = (s.replaced ->> 'source_id')::bigint and c.state = 'cancelled')
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

/** Carries a change out now; a product with more rooms than somebody should wait for is handed to a job. */
export async function carryOut(act: Act, change: Change): Promise<void> {
  const rooms = change.kind === "product" ? await linesOf(act, change.id) : 0;
  if (rooms <= act.settings.PRICE_JOB_ROOMS) return apply(act, change);
  await act.tx
    .updateTable("priceChange")
    .set({ queuedAt: act.now.toISOString(), progress: 0, failed: "" })
    .where("id", "=", change.id)
    .execute();
  // it is done in the name of whoever asked for it, also where somebody else approved it
  await act.emit(priceChangeCarried, { id: change.id, operatorId: change.submittedBy });
  await noteChange(act, change, "开始执行", `${rooms} 间跟随房间，在后台执行，全部完成后生效`);
}

async function linesOf(act: Act, id: number): Promise<number> {
  const { n } = await act.tx
    .selectFrom("priceChangeLine")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("changeId", "=", id)
    .executeTakeFirstOrThrow();
  return Number(n);
}

const about = ({ id, submittedBy, villageIds }: Change) => ({
  to: [submittedBy!],
  type: 8 as const,
  bizType: "priceChange",
  bizId: id,
  villageId: villageIds[0]!,
});

/** What a job took up: all of it or nothing, and whoever asked for it is told. Again, it finds nothing to do. */
export async function carry(
  act: Act,
  change: Change,
  progress: (percent: number) => Promise<void>,
): Promise<number> {
  if (!change.queuedAt) return 0;
  await progress(10);
  await apply(act, change, progress);
  const rooms = await linesOf(act, change.id);
  await tell(act, {
    ...about(change),
    title: `${change.scopeText} 调价已完成`,
    content: `调价单 ${change.number}（${change.ruleText}）已全部执行，${rooms} 间跟随房间自 ${change.effectiveDay} 起执行新价格。`,
  });
  return rooms;
}

/** Why nothing came of it, in words for people. */
export const reasonOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : "执行中断，请重新提交";

/** No price has moved: it may be handed in anew. */
export async function fellThrough(act: Act, change: Change, why: string): Promise<void> {
  if (!change.queuedAt) return;
  await act.tx
    .updateTable("priceChange")
    .set({
      state: "draft",
      queuedAt: null,
      progress: 0,
      failed: why,
      version: NEXT_VERSION,
    })
    .where("id", "=", change.id)
    .execute();
  await noteChange(act, change, "未能执行", `价格没有变化：${why}`);
  await tell(act, {
    ...about(change),
    title: `${change.scopeText} 调价没有执行`,
    content: `调价单 ${change.number} 没有执行，价格没有变化：${why}`,
  });
}

/** Tells how far it is, beside the transaction that does it. */
export const telling = (db: Kysely<DB>, id: number) => async (percent: number) => {
  await db.updateTable("priceChange").set({ progress: percent }).where("id", "=", id).execute();
};
