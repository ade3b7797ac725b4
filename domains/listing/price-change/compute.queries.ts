import { sql, type RawBuilder } from "kysely";
import { maxDay, type Day } from "../../../platform/kernel/day.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import {
  type PriceLine,
  type PriceRule,
  type PricedProduct,
  type PricedRoom,
  type ProductChange,
  type Totals,
  byProducts,
  histogram,
  lineOf,
  totalsOf,
  wholeProducts,
} from "./change.rules.ts";
import { APPROVAL, changeSeen } from "./change.queries.ts";
import type { ChangePlan, ChangeScope } from "./change.contract.ts";
import { type ChangeKind, type LinePart, MOST_ROOMS, notUndone } from "./words.rules.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

export type Computed = {
  lines: PriceLine[];
  products: ProductChange[];
  totals: Totals;
  histogram: ReturnType<typeof histogram>;
  hash: string;
  /** By how much prices move, where that does not follow from the rooms. */
  percent?: number;
};
type Asked = Partial<ChangeScope> & Pick<Partial<ChangePlan>, "undoOf" | "self">;

/** The price of `room r` on a day. */
const priceOn = (day: Day) => sql`
  select x.list_price, x.lowest_price, x.unit from room_price x where x.room_id = r.id and x.effective_day <= ${day}
  order by x.effective_day desc limit 1`;

function chosen(q: Partial<ChangeScope>, today: Day): RawBuilder<unknown> {
  return sql`
    ${q.roomIds?.length ? sql`and r.id = ${anyOf(q.roomIds)}` : sql``}
    ${q.buildingId ? sql`and a.building_id = ${q.buildingId}` : sql``}
    ${q.productId ? sql`and r.product_id = ${q.productId}` : sql``}
    ${q.kind ? sql`and r.kind = ${q.kind}` : sql``}
    ${q.bedrooms == null ? sql`` : sql`and a.bedrooms = ${q.bedrooms}`}
    ${q.areaFrom == null ? sql`` : sql`and r.area >= ${q.areaFrom}`}
    ${q.areaTo == null ? sql`` : sql`and r.area <= ${q.areaTo}`}
    ${q.priceFrom == null ? sql`` : sql`and p.list_price >= ${q.priceFrom}`}
    ${q.priceTo == null ? sql`` : sql`and p.list_price <= ${q.priceTo}`}
    ${q.occupancy?.length ? sql`and n.occupancy = any(${q.occupancy}::text[])` : sql``}
    ${q.vacantDays == null ? sql`` : sql`and n.occupancy = 'vacant' and n.vacant_since <= ${today}::date - ${q.vacantDays}::int`}`;
}

const from = (read: Read, q: Partial<ChangeScope>, villages: readonly number[], day: Day) => sql`
  from room r join apartment a on a.id = r.apartment_id
  left join lateral (${priceOn(day)}) p on true
  left join room_status_at(${read.today}, ${read.today}, ${villages as number[]}::bigint[],
    ${(q.roomIds?.length ? q.roomIds : null) as number[] | null}::bigint[]) n on n.room_id = r.id
  where r.village_id = ${anyOf(villages)}
    -- rooms that are named stay in sight when they have gone
    ${q.roomIds?.length ? sql`` : sql`and not_retired(r.retired_day, ${read.today})`}
    ${chosen(q, read.today)}`;

export async function countRooms(read: Read, q: ChangeScope): Promise<number> {
  const villages = villagesOf(read.who, q.villageIds);
  const { rows } = await sql<{ n: number }>`select count(*) n ${from(read, q, villages, read.today)}`.execute(
    read.tx,
  );
  return rows[0]!.n;
}

/** What `room r` had before a change and what that made of it. A line keeps only its new unit: the one of before is that of the price it took the place of. */
const undoneBy = (changeId: number) => sql`
  select json_build_object('list', u.old_list, 'lowest', u.old_lowest,
    'made', json_build_object('list', u.new_list, 'lowest', u.new_lowest),
    'unit', coalesce(u.replaced ->> 'unit', (select x.unit from room_price x where x.room_id = u.room_id
      and x.effective_day < c.effective_day and x.created_at <= c.applied_at order by x.effective_day desc limit 1), u.unit))
  from price_change_line u join price_change c on c.id = u.change_id
  where u.change_id = ${changeId} and u.room_id = r.id and not u.skipped`;

/** Rooms with their price on the day, in walking order, read in one statement. */
export async function roomsOf(
  read: Read,
  plan: Asked,
  villages: readonly number[],
  day: Day,
  most = MOST_ROOMS,
) {
  const undone = plan.undoOf ? sql`(${undoneBy(plan.undoOf)})` : sql`null`;
  const { rows } = await sql<Omit<PricedRoom, "undone"> & { undone: PricedRoom["undone"] | null }>`
    select r.id "roomId", r.full_name "roomName", r.village_id "villageId", r.area::text area, p.unit,
      r.product_id "productId", p.list_price "oldList", p.lowest_price "oldLowest", r.price_mode = 'follow' followed,
      (n.occupancy = 'vacant' and n.condition in ('rentable', 'dirty')) is true vacant,
      (r.retired_day <= ${day}::date) is true retired, ${undone} undone,
      (select c.number from price_change_line l join price_change c on c.id = l.change_id
        ${APPROVAL}
        where l.room_id = r.id and not l.skipped and c.id is distinct from ${plan.self ?? null}::bigint
          and c.effective_day >= ${day}::date
          and (c.state = 'scheduled' or (c.state = 'submitted' and (e.state = 'approving' or c.queued_at is not null)))
          -- what is being undone does not stand in the way of that
          and c.id is distinct from ${plan.undoOf ?? null}::bigint limit 1) other,
      (select min(x.effective_day) from room_price x where x.room_id = r.id and x.effective_day > ${day}
        and not (x.source = 'product' and r.price_mode = 'follow')) "laterDay"
    ${from(read, plan, villages, day)}
      ${plan.undoOf ? sql`and r.id in (select room_id from price_change_line where change_id = ${plan.undoOf} and not skipped)` : sql``}
    order by r.village_id, r.place, r.id limit ${most + 1}`.execute(read.tx);
  if (rows.length > most) throw tooMany();
  return rows.map((row) => ({ ...row, undone: row.undone ?? undefined }));
}

const tooMany = () => new Refusal("tooMany", `一次最多调整${MOST_ROOMS}间，请缩小范围`);

export const ruleOf = (plan: Pick<ChangePlan, "mode" | "value" | "applyTo" | "round">): PriceRule => ({
  mode: plan.mode,
  value: plan.mode === "undo" ? null : (plan.value ?? null),
  applyTo: plan.applyTo,
  round: plan.round,
});

/** The same hash means the same prices for the same rooms. What is left out does not count. */
export const hashOf = (lines: readonly PriceLine[], also: readonly unknown[] = []) =>
  basisHash([
    ...lines
      .filter((l) => !l.skipped)
      .map((l) => [l.roomId, l.unit, l.oldList, l.newList, l.oldLowest, l.newLowest, l.byProduct])
      .toSorted((a, b) => Number(a[0]) - Number(b[0])),
    ...also,
  ]);

/** What a plan does to the rooms of some villages as things stand now. A day that is past counts as today. */
export async function compute(read: Read, plan: ChangePlan, villages: readonly number[]): Promise<Computed> {
  const day = maxDay(plan.effectiveDay, read.today);
  const rooms = await roomsOf(read, plan, villages, day);
  const skip = new Set(plan.skip);
  const edits = new Map(plan.edits.map((e) => [e.roomId, e]));
  const rule = ruleOf(plan);
  const single = rooms.map((room) => lineOf(room, rule, edits.get(room.roomId), skip.has(room.roomId)));
  const products = wholeProducts(single, await productsOf(read, single, day), rule);
  const lines = plan.asProduct ? byProducts(single, products) : single;
  return { lines, products, totals: totalsOf(lines), histogram: histogram(lines), hash: hashOf(lines) };
}

/** The products that rooms of a change follow, with their prices on the day. */
async function productsOf(read: Read, lines: readonly PriceLine[], day: Day): Promise<PricedProduct[]> {
  const ids = new Set(lines.flatMap((l) => (l.followed && !l.skipped && l.productId ? [l.productId] : [])));
  if (!ids.size) return [];
  const { rows } = await sql<PricedProduct>`
    select d.id, d.name, d.price_unit unit,
      (select count(*) from room r where r.product_id = d.id and r.price_mode = 'follow'
        and not_retired(r.retired_day, ${day})) following,
      (select coalesce(json_agg(json_build_object('villageId', x.village_id, 'list', x.list_price, 'lowest', x.lowest_price)), '[]')
        from product_price x where x.product_id = d.id and x.effective_day = (select max(y.effective_day) from product_price y
          where y.product_id = d.id and y.effective_day <= ${day}::date)) prices
    from product d where d.id = ${anyOf([...ids])} order by d.id`.execute(read.tx);
  return rows;
}

/** For whoever plans: only villages and rooms of their own, only a day to come, the lowest price only with 601. */
export async function computeFor(read: Read, plan: ChangePlan): Promise<Computed> {
  const villages = villagesOf(read.who, plan.villageIds);
  if (plan.effectiveDay < read.today) throw invalid({ field: "effectiveDay", msg: "生效日不能早于今天" });
  // what was before comes back with its lowest prices for everybody; one that is typed is set by who may
  const ruled = plan.applyTo !== "list" && plan.mode !== "undo";
  const touches = ruled || plan.edits.some((e) => e.lowest !== undefined);
  if (touches && !read.who.permits.has("#601"))
    throw new Refusal("noPermission", "没有调整底价的权限，请只调整标价", 403);
  if (plan.undoOf) {
    const why = notUndone((await changeSeen(read, plan.undoOf)).kind as ChangeKind);
    if (why) throw new Refusal("notAllowed", why);
  }
  if (plan.roomIds?.length) await mineOnly(read, plan.roomIds, villages);
  return compute(read, plan, villages);
}

async function mineOnly(read: Read, roomIds: readonly number[], villages: readonly number[]): Promise<void> {
  const { n } = await read.tx
    .selectFrom("room")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("id", "=", anyOf(roomIds))
    .where("villageId", "=", anyOf(villages))
    .executeTakeFirstOrThrow();
  if (n < roomIds.length) throw notFound();
}

const FITS: Record<LinePart, (line: PriceLine) => boolean> = {
  all: () => true,
  warned: (line) => line.warnings.length > 0,
  edited: (line) => line.edited,
  skipped: (line) => line.skipped,
};

/** The lines of a part, and how many each part has. Lowest prices only for who may see them. */
export function shownLines(
  read: Read,
  lines: readonly PriceLine[],
  { part, pageNo, pageSize }: { part: LinePart; pageNo: number; pageSize: number },
) {
  const seesLowest = read.who.permits.has("#601");
  const of = (key: LinePart) => lines.filter(FITS[key]);
  const page = of(part).slice((pageNo - 1) * pageSize, pageNo * pageSize);
  return {
    counts: {
      all: lines.length,
      warned: of("warned").length,
      edited: of("edited").length,
      skipped: of("skipped").length,
    },
    lines: page.map((line) => shownLine(line, seesLowest)),
  };
}

export const shownLine = <L extends Pick<PriceLine, "oldList" | "newList" | "oldLowest" | "newLowest">>(
  { oldLowest, newLowest, ...line }: L,
  seesLowest: boolean,
) => ({
  ...line,
  change: line.oldList === null || line.newList === null ? null : line.newList - line.oldList,
  ...(seesLowest && { oldLowest, newLowest }),
});
