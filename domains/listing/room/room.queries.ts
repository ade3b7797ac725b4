import { type RawBuilder, sql } from "kysely";
import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen, anyOf } from "../../../platform/server/pipeline/scope.ts";

/** The price of a room today; before its first day, the one it begins with. */
export const priceToday = (read: Read, room: RawBuilder<unknown>) => sql`
  select p.list_price, p.lowest_price, p.unit from room_price p where p.room_id = ${room}
  order by p.effective_day <= ${read.today} desc,
    case when p.effective_day <= ${read.today} then p.effective_day end desc, p.effective_day limit 1`;

/** A room that the caller may see, as it is stored. */
export const roomSeen = async (read: Read, id: number) =>
  seen(read.who, await read.tx.selectFrom("room").selectAll().where("id", "=", id).executeTakeFirst());

/** The lowest price is set only by who may see it. */
export function allowLowest(
  read: Read,
  ...prices: (
    | { listPrice?: number | null | undefined; lowestPrice?: number | null | undefined }
    | null
    | undefined
  )[]
) {
  for (const price of prices) {
    if (!price?.lowestPrice) continue;
    if (!read.who.permits.has("#601")) throw forbidden();
    if (price.lowestPrice > (price.listPrice ?? 0))
      throw invalid({ field: "lowestPrice", msg: "底价不能高于标价" });
  }
}

/** A product must belong to the enterprise, be enabled, of the room's kind and for its store. */
export async function usableProducts(
  read: Read,
  wanted: readonly { productId?: number | null | undefined; kind: string; villageId: number }[],
): Promise<void> {
  const named = wanted.filter((w) => w.productId);
  if (!named.length) return;
  const rows = await read.tx
    .selectFrom("product")
    .select(["id", "kind", "enabled", "villageIds"])
    .where("enterpriseId", "=", read.who.enterpriseId)
    .where("id", "in", [...new Set(named.map((w) => w.productId!))])
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const { productId, kind, villageId } of named) {
    const product = known.get(productId!);
    if (!product?.enabled) throw invalid({ field: "productId", msg: "请选择产品" });
    if (product.kind !== kind) throw invalid({ field: "productId", msg: "产品类型与房间类型不一致" });
    if (!product.villageIds.includes(villageId))
      throw invalid({ field: "productId", msg: "产品不适用于该门店" });
  }
}

/** Records of places that belong to the place itself and go with it: a hold that was given back is no reason to stay. */
const PARTS = [
  "village_setting",
  "village_picture",
  "room_picture",
  "public_area_picture",
  "room_price",
  "occupancy_ended",
  "listing_event",
  "product_picture",
  "product_price",
  // lists of stores that a deleted one is taken out of, or that mean nothing without it
  "operator",
  "dic_item",
  "download_task",
  "watermark_config",
];

/** A price change that was cancelled before it was carried out, whose lines hold nothing. */
export const neverApplied = (c: string): RawBuilder<unknown> =>
  sql`${sql.ref(`${c}.state`)} = 'cancelled' and ${sql.ref(`${c}.applied_at`)} is null`;

/** Records that hang on a place only while this is so of them, called x. */
const ONLY_WHILE: Record<string, RawBuilder<unknown>> = {
  // a draft that was cancelled sets no price any more
  price_change_line: sql`not exists (select from price_change c where c.id = x.change_id and ${neverApplied("c")})`,
  // what stands at somebody else's must be taken down there first; a feed shows what there is
  listing: sql`x.state not in ('pending', 'offline') and exists (select 1 from channel c where c.id = x.channel_id and c.adapter <> 'feed')`,
};

/** Whether a record refers to one of some places, or to the one of another row, for a query that calls it x. */
export const hangs = (
  { table, column, many }: Reference,
  to: { ids: readonly number[] } | { row: RawBuilder<unknown> },
): RawBuilder<unknown> => {
  const named = sql`x.${sql.ref(column)}`;
  const one = "ids" in to ? anyOf(to.ids) : to.row;
  const some = "ids" in to ? sql`${to.ids as number[]}::bigint[]` : sql`array[${to.row}]`;
  const refers = many ? sql`${named} && ${some}` : sql`${named} = ${one}`;
  const only = ONLY_WHILE[table];
  return only ? sql`${refers} and ${only}` : refers;
};

/** How people call what may hang on a place; what is not named here is 关联记录. */
const CALLED: Record<string, string> = {
  building: "楼栋",
  unit: "单元",
  floor: "楼层",
  apartment: "房源",
  room: "下级房间",
  occupancy_row: "占用记录",
  room_leaving: "退租记录",
  turnover: "整备记录",
  contract: "合同",
  contract_room: "合同",
  contract_occupant: "入住人",
  bill: "账单",
  bill_line: "账单明细",
  flow: "流水",
  village_account: "收款账户",
  room_block: "封房记录",
  room_import: "导入批次",
  public_area: "公共区域",
  room_asset: "资产",
  reservation: "预订",
  earnest_balance: "定金",
  refund: "退款",
  pay_order: "收款码",
  price_change: "调价单",
  price_change_line: "调价单",
  product: "产品",
  lead: "客源",
  viewing: "看房预约",
  lease_application: "租赁申请",
  agent: "经纪人",
  agency: "中介机构",
  channel: "渠道",
  announcement: "公告",
  reminder_rule: "提醒规则",
  push_task: "推送",
  activity: "优惠活动",
  listing: "渠道房源",
  channel_enquiry: "渠道询价",
};

/** The word that people count them by; records are 条. */
const COUNTED: Record<string, string> = {
  楼栋: "个",
  单元: "个",
  楼层: "个",
  房源: "套",
  下级房间: "个",
  合同: "份",
  入住人: "位",
  账单: "笔",
  账单明细: "笔",
  流水: "笔",
  收款账户: "个",
  导入批次: "个",
  公共区域: "个",
  资产: "项",
  产品: "个",
  经纪人: "位",
  中介机构: "家",
  渠道: "个",
};

/** A column that names a record of a table, or as `many` some of them: village_ids. */
export type Reference = { table: string; column: string; many: boolean; called: string };
export type Hanging = Reference & { count: number };
type Place =
  | "village"
  | "building"
  | "unit"
  | "floor"
  | "apartment"
  | "room"
  | "district"
  | "public_area"
  | "product";

/**
 * What may refer to records of a table, found through the foreign keys of the database and the lists of ids that are
 * named after it: a table that a later release adds is counted without anybody thinking of it here.
 */
export async function referencesTo(read: Read, table: Place): Promise<Reference[]> {
  const { rows } = await sql<Omit<Reference, "called">>`
    select c.conrelid::regclass::text "table", a.attname "column", false many
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass and cardinality(c.conkey) = 1
    union all
    select t.oid::regclass::text, a.attname, true
    from pg_class t join pg_attribute a on a.attrelid = t.oid
    where t.relkind = 'r' and t.relnamespace = (select relnamespace from pg_class where oid = ${table}::regclass)
      and a.atttypid = 'bigint[]'::regtype and a.attname = ${`${table}_ids`}
    order by 1, 2`.execute(read.tx);
  return rows
    .filter((row) => !PARTS.includes(row.table))
    .map((row) => ({ ...row, called: CALLED[row.table] ?? "关联记录" }));
}

/** How many records refer to some of a table, by table and column. */
export async function hangingOn(
  read: Read,
  table: Place,
  ids: readonly number[],
  except: readonly string[] = [],
): Promise<Hanging[]> {
  const asked = (await referencesTo(read, table)).filter((r) => !except.includes(r.table));
  if (!asked.length || !ids.length) return [];
  const counts = asked.map(
    (r, i) => sql`select ${i}::int i, count(*) n from ${sql.table(r.table)} x where ${hangs(r, { ids })}`,
  );
  const { rows } = await sql<{ i: number; n: number }>`${sql.join(counts, sql` union all `)}`.execute(
    read.tx,
  );
  // a record that refers twice, by two columns, is one record
  const byTable = new Map<string, Hanging>();
  for (const { i, n } of rows) {
    const known = byTable.get(asked[i]!.table);
    if (n > (known?.count ?? 0)) byTable.set(asked[i]!.table, { ...asked[i]!, count: n });
  }
  return [...byTable.values()];
}

/** Refuses a delete while something refers to the records: 该房间有 3 份合同，不能删除，可改为停用 */
export async function unused(
  read: Read,
  table: Place,
  ids: readonly number[],
  called: string,
  instead = "",
  except: readonly string[] = [],
): Promise<void> {
  const hanging = await hangingOn(read, table, ids, except);
  if (!hanging.length) return;
  const parts = hanging.slice(0, 5).map((h) => `${h.count} ${COUNTED[h.called] ?? "条"}${h.called}`);
  throw new Refusal("inUse", `${called}有 ${parts.join("、")}，不能删除${instead && `，${instead}`}`, 409, {
    data: hanging,
  });
}
