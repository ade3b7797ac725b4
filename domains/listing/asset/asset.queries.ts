import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, seen, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { likes } from "../room/keyword.queries.ts";
import type { assetRow, roomAssets } from "./asset.contract.ts";
import type { AssetState } from "./asset.rules.ts";

type Query = z.output<typeof roomAssets.query>;
type Row = z.input<typeof assetRow>;

// rooms in their order, then areas; what still stands comes first
const PLACE = sql`a.village_id, r.place nulls last, p.name collate "zh-x-icu",
  array_position(array['inUse', 'damaged', 'lost', 'removed'], a.state),
  array_position(array['furniture', 'appliance', 'hardware', 'soft', 'shared'], d.category), a.id`;
const SORTS: Record<Exclude<NonNullable<Query["sort"]>, "place">, RawBuilder<unknown>> = {
  name: sql`a.name collate "zh-x-icu"`,
  value: sql`a.price * a.quantity`,
  purchasedOn: sql`a.purchased_on`,
  warrantyTo: sql`a.warranty_to`,
  updatedAt: sql`a.updated_at`,
};

const FROM = sql`
  from room_asset a join asset_dic d on d.id = a.asset_dic_id
  left join room r on r.id = a.room_id left join public_area p on p.id = a.public_area_id`;

const matching = (read: Read, q: Query) => sql`
  ${FROM} where a.village_id = ${anyOf(villagesOf(read.who, q.villageIds))}
    ${q.roomId ? sql`and a.room_id = ${q.roomId}` : sql``}
    ${q.publicAreaId ? sql`and a.public_area_id = ${q.publicAreaId}` : sql``}
    ${q.category?.length ? sql`and d.category = any(${q.category})` : sql``}
    ${q.state?.length ? sql`and a.state = any(${q.state})` : sql``}
    ${q.keyword ? sql`and ${likes(q.keyword, sql`a.name`, sql`a.code`, sql`a.brand`, sql`a.model`)}` : sql``}`;

/** How a place is called where an asset went to or came from; of another store only that it is another. */
const called = (read: Read, asset: RawBuilder<unknown>) => sql`coalesce((
  select case when x.village_id = ${anyOf(read.who.villages)} then coalesce(xr.full_name, xp.name) else '其他门店' end
  from room_asset x left join room xr on xr.id = x.room_id left join public_area xp on xp.id = x.public_area_id
  where ${asset} limit 1), '')`;

const columns = (
  read: Read,
) => sql`a.id, a.code, a.name, d.category, a.asset_dic_id "assetDicId", d.name "dicName",
  a.village_id "villageId", v.name "villageName", a.room_id "roomId", a.public_area_id "publicAreaId",
  coalesce(r.full_name, p.name) place, a.brand, a.model, a.quantity, d.unit, a.price,
  a.price * a.quantity value, coalesce(a.damage_price, d.damage_price) "damagePrice",
  a.damage_price "ownDamagePrice", a.purchased_on "purchasedOn", a.warranty_to "warrantyTo",
  a.file_ids pictures, a.state, a.reason, a.gone_on "goneOn", a.updated_at "updatedAt", a.version,
  ${called(read, sql`x.moved_from_id = a.id`)} "movedTo",
  ${called(read, sql`x.id = a.moved_from_id`)} "movedFrom"`;

export async function assetRows(read: Read, q: Query): Promise<Row[]> {
  const down = sql.raw(q.order === "desc" ? "desc" : "asc");
  const by = q.sort && q.sort !== "place" ? sql`${SORTS[q.sort]} ${down}, ${PLACE}` : PLACE;
  const { rows } = await sql<Row>`
    with page as (select a.id, row_number() over (order by ${by}) at ${matching(read, q)}
      order by at ${pageEnd(q)})
    select ${columns(read)} ${FROM} join village v on v.id = a.village_id
    join page on page.id = a.id order by page.at`.execute(read.tx);
  return rows;
}

/** Counts and values of what still stands; what is gone is no longer worth anything here. */
export async function assetTotals(read: Read, q: Query) {
  const { rows } = await sql<{ total: number; quantity: number; value: number; damageValue: number }>`
    select count(*) total,
      coalesce(sum(a.quantity) filter (where a.state in ('inUse', 'damaged')), 0)::int quantity,
      coalesce(sum(a.price * a.quantity) filter (where a.state in ('inUse', 'damaged')), 0)::bigint value,
      coalesce(sum(coalesce(a.damage_price, d.damage_price) * a.quantity)
        filter (where a.state in ('inUse', 'damaged')), 0)::bigint "damageValue"
    ${matching(read, q)}`.execute(read.tx);
  return rows[0]!;
}

/** An asset that the caller may see, as it is stored. */
export async function assetSeen(read: Read, id: number) {
  const row = await read.tx.selectFrom("roomAsset").selectAll().where("id", "=", id).executeTakeFirst();
  return { ...seen(read.who, row), state: row!.state as AssetState };
}

export async function assetDetail(read: Read, id: number): Promise<Row> {
  await assetSeen(read, id);
  const { rows } = await sql<Row>`
    select ${columns(read)} ${FROM} join village v on v.id = a.village_id where a.id = ${id}`.execute(
    read.tx,
  );
  return rows[0]!;
}
