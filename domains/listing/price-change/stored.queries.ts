import { sql, type RawBuilder } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { BEDROOMS, ROOM_KINDS, wordOf, type PriceUnit } from "../room/words.rules.ts";
import { OCCUPANCIES } from "../status/status.rules.ts";
import { changeLines, type ChangePlan, type ChangeScope } from "./change.contract.ts";
import { seenBy, valueOf, villageText } from "./change.queries.ts";
import { beyondHalf, histogram, type PriceLine } from "./change.rules.ts";
import { shownLine } from "./compute.queries.ts";
import { SKIPPED_BY_HAND, type ApplyTo, type LinePart, type Mode, type Round } from "./words.rules.ts";

type Stored = {
  id: number;
  scope: unknown;
  mode: string;
  value: number | null;
  undoOf: number | null;
  applyTo: string;
  round: string;
  effectiveDay: string;
  asProduct: boolean;
};
type Line = { roomId: number; newList: number; newLowest: number };

const linesOf = (read: Read, id: number, which: RawBuilder<unknown>) =>
  sql<Line>`select room_id "roomId", new_list "newList", new_lowest "newLowest" from price_change_line
    where change_id = ${id} and ${which} order by room_id`
    .execute(read.tx)
    .then(({ rows }) => rows);

const asEdits = (lines: readonly Line[]) =>
  lines.map(({ roomId, newList, newLowest }) => ({ roomId, list: newList, lowest: newLowest }));

const ruleFields = (change: Stored) => ({
  mode: change.mode as Mode,
  value: valueOf(change.mode, change.value),
  undoOf: change.undoOf,
  applyTo: change.applyTo as ApplyTo,
  round: change.round as Round,
  effectiveDay: change.effectiveDay,
  asProduct: change.asProduct,
});

/** The plan as its form began, for copies and edits. */
export async function planOf(read: Read, change: Stored): Promise<ChangePlan> {
  const skipped = await linesOf(read, change.id, sql`skipped and why = ${SKIPPED_BY_HAND}`);
  const edited = await linesOf(read, change.id, sql`edited and not skipped`);
  return {
    ...(change.scope as ChangeScope),
    ...ruleFields(change),
    skip: skipped.map((line) => line.roomId),
    edits: asEdits(edited.slice(0, 2000)),
  };
}

/** The plan of exactly the rooms that were agreed to, whatever the filter would find by now. */
export async function fixedPlan(read: Read, change: Stored & { villageIds: number[] }): Promise<ChangePlan> {
  const lines = await linesOf(read, change.id, sql`not skipped`);
  const edited = await linesOf(read, change.id, sql`edited and not skipped`);
  return {
    villageIds: change.villageIds,
    roomIds: lines.map((line) => line.roomId),
    ...ruleFields(change),
    skip: [],
    edits: asEdits(edited),
    self: change.id,
  };
}

/** What was chosen, in words: "滨江店，3栋，空置满 30 天". */
export async function scopeText(read: Read, q: ChangeScope, villageIds: readonly number[]): Promise<string> {
  const named = async (table: "building" | "product", id: number | null | undefined) =>
    id
      ? (await read.tx.selectFrom(table).select("name").where("id", "=", id).executeTakeFirst())?.name
      : undefined;
  const range = (from: number | null | undefined, to: number | null | undefined, unit: string, by = 1) =>
    from != null || to != null
      ? `${from == null ? "" : from / by}-${to == null ? "" : to / by} ${unit}`
      : undefined;
  return [
    await villageText(read, villageIds),
    await named("building", q.buildingId),
    await named("product", q.productId),
    q.kind && wordOf(ROOM_KINDS, q.kind),
    q.bedrooms != null && wordOf(BEDROOMS, String(q.bedrooms)),
    range(q.areaFrom, q.areaTo, "㎡"),
    range(q.priceFrom, q.priceTo, "元", 100),
    q.occupancy?.map((o) => wordOf(OCCUPANCIES, o)).join("、"),
    q.vacantDays != null && `空置满 ${q.vacantDays} 天`,
    q.roomIds?.length && `所选 ${q.roomIds.length} 间`,
  ]
    .filter(Boolean)
    .join("，")
    .slice(0, 200);
}

const PARTS: Record<LinePart, RawBuilder<unknown>> = {
  all: sql`true`,
  warned: sql`not l.skipped and (abs(l.new_list - l.old_list) * 2 > l.old_list or abs(l.new_lowest - l.old_lowest) * 2 > l.old_lowest or (l.followed and not l.by_product))`,
  edited: sql`l.edited`,
  skipped: sql`l.skipped`,
};

type Row = {
  roomId: number;
  roomName: string;
  unit: PriceUnit | null;
  oldList: number | null;
  newList: number | null;
  oldLowest: number | null;
  newLowest: number | null;
  edited: boolean;
  skipped: boolean;
  why: string;
  followed: boolean;
  byProduct: boolean;
};

/** What a change does to each room. */
export const lines = listOf(changeLines, {
  id: "l.room_id",
  from: sql`price_change_line l join room r on r.id = l.room_id`,
  where: {
    id: (id, read) =>
      sql`l.change_id = ${id} and exists (select 1 from price_change c where c.id = ${id} and ${seenBy(read)})`,
    part: (part) => PARTS[part],
  },
  sort: {
    room: { order: (way) => sql`r.village_id ${way}, r.place ${way}, r.id` },
    newList: "l.new_list",
  },
  order: "room",
  way: "asc",
  tie: sql`r.id`,
  columns: sql<Row>`l.room_id "roomId", r.full_name "roomName", l.unit, l.old_list "oldList", l.new_list "newList",
    l.old_lowest "oldLowest", l.new_lowest "newLowest", l.edited, l.skipped, l.why, l.followed,
    l.by_product "byProduct"`,
  join: (_read, { id }) => sql`join price_change_line l on l.room_id = page.id and l.change_id = ${id}
    join room r on r.id = l.room_id`,
  totals: async (read, { id, part }) => ({ total: (await lineCounts(read, id))[part] }),
  rows: (rows, read) =>
    rows.map(({ followed, ...row }) => ({
      ...shownLine(row, read.who.permits.has("#601")),
      warnings: warningsOf(row, followed),
    })),
});

const warningsOf = (row: Omit<Row, "followed">, followed: boolean): string[] =>
  row.skipped
    ? []
    : [
        (beyondHalf(row.oldList!, row.newList!) || beyondHalf(row.oldLowest!, row.newLowest!)) &&
          "调整超过 50%",
        followed && !row.byProduct && "改为自有价格",
      ].filter((w): w is string => Boolean(w));

export async function lineCounts(read: Read, id: number): Promise<Record<LinePart, number>> {
  const { rows } = await sql<Record<LinePart, number>>`
    select count(*) "all", count(*) filter (where ${PARTS.warned}) warned, count(*) filter (where l.edited) edited,
      count(*) filter (where l.skipped) skipped
    from price_change_line l where l.change_id = ${id}`.execute(read.tx);
  return rows[0]!;
}

export async function storedHistogram(read: Read, id: number) {
  const { rows } = await sql<Pick<PriceLine, "oldList" | "newList" | "skipped">>`
    select old_list "oldList", new_list "newList", false skipped from price_change_line
    where change_id = ${id} and not skipped`.execute(read.tx);
  return histogram(rows);
}
