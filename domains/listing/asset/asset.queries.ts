import { sql } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { amongWords, is, keyword, part, type Sql } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { anyOf, seen } from "../../../platform/server/pipeline/scope.ts";
import { roomAssets, type assetRow } from "./asset.contract.ts";
import type { AssetState } from "./asset.rules.ts";

type Row = z.input<typeof assetRow>;

// rooms in their order, then areas; what still stands comes first
const PLACE = sql`a.village_id, r.place nulls last, p.name collate "zh-x-icu",
  array_position(array['inUse', 'damaged', 'lost', 'removed'], a.state),
  array_position(array['furniture', 'appliance', 'hardware', 'soft', 'shared'], d.category), a.id`;

const FROM = sql`room_asset a join asset_dic d on d.id = a.asset_dic_id
  left join room r on r.id = a.room_id left join public_area p on p.id = a.public_area_id`;

/** How a place is called where an asset went to or came from; of another store only that it is another. */
const called = (read: Read, asset: Sql) => sql`coalesce((
  select case when x.village_id = ${anyOf(read.who.villages)} then coalesce(xr.full_name, xp.name) else '其他门店' end
  from room_asset x left join room xr on xr.id = x.room_id left join public_area xp on xp.id = x.public_area_id
  where ${asset} limit 1), '')`;

// what is gone is no longer worth anything here
const STANDS = sql`filter (where a.state in ('inUse', 'damaged'))`;

export const assets = listOf(roomAssets, {
  id: "a.id",
  from: FROM,
  village: "a.village_id",
  where: {
    roomId: is("a.room_id"),
    publicAreaId: is("a.public_area_id"),
    category: amongWords("d.category"),
    state: amongWords("a.state"),
    keyword: keyword(part("a.name", "a.code", "a.brand", "a.model")),
  },
  sort: {
    place: { order: PLACE },
    name: sql`a.name collate "zh-x-icu"`,
    value: sql`a.price * a.quantity`,
    purchasedOn: { order: (way) => sql`a.purchased_on ${way}, ${PLACE}` },
    warrantyTo: { order: (way) => sql`a.warranty_to ${way}, ${PLACE}` },
    updatedAt: "a.updated_at",
  },
  order: "place",
  way: "asc",
  tie: PLACE,
  columns: (
    read: Read,
  ) => sql<Row>`a.id, a.code, a.name, d.category, a.asset_dic_id "assetDicId", d.name "dicName",
    a.village_id "villageId", v.name "villageName", a.room_id "roomId", a.public_area_id "publicAreaId",
    coalesce(r.full_name, p.name) place, a.brand, a.model, a.quantity, d.unit, a.price,
    a.price * a.quantity value, coalesce(a.damage_price, d.damage_price) "damagePrice",
    a.damage_price "ownDamagePrice", a.purchased_on "purchasedOn", a.warranty_to "warrantyTo",
    a.file_ids pictures, a.state, a.reason, a.gone_on "goneOn", a.updated_at "updatedAt", a.version,
    ${called(read, sql`x.moved_from_id = a.id`)} "movedTo", ${called(read, sql`x.id = a.moved_from_id`)} "movedFrom"`,
  join: sql`join ${FROM} on a.id = page.id join village v on v.id = a.village_id`,
  sums: {
    select: sql`coalesce(sum(a.quantity) ${STANDS}, 0)::int quantity,
      coalesce(sum(a.price * a.quantity) ${STANDS}, 0)::bigint value,
      coalesce(sum(coalesce(a.damage_price, d.damage_price) * a.quantity) ${STANDS}, 0)::bigint "damageValue"`,
  },
});

/** An asset that the caller may see, as it is stored. */
export async function assetSeen(read: Read, id: number) {
  const row = await read.tx.selectFrom("roomAsset").selectAll().where("id", "=", id).executeTakeFirst();
  return { ...seen(read.who, row), state: row!.state as AssetState };
}

export async function assetDetail(read: Read, id: number): Promise<Row> {
  await assetSeen(read, id);
  return (await assets.rowsOf(read, [id]))[0]!;
}
