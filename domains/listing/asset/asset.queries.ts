import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import {
  type Sql,
  among,
  amongWords,
  is,
  isOn,
  keyword,
  part,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, seen } from "../../../platform/server/pipeline/scope.ts";
import { type assetRow, roomAssets, type assetDicRow, listAssetDic } from "./asset.contract.ts";
import type { AssetState } from "./asset.rules.ts";

type Row = z.input<typeof assetRow>;

// rooms in their order, then areas; what still stands comes first
const placed = (way = sql``) => sql`a.village_id ${way}, r.place ${way}, p.name collate "zh-x-icu" ${way},
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
    place: { order: placed },
    name: sql`a.name collate "zh-x-icu"`,
    value: sql`a.price * a.quantity`,
    purchasedOn: { order: (way) => sql`a.purchased_on ${way} nulls last, ${placed()}` },
    warrantyTo: { order: (way) => sql`a.warranty_to ${way} nulls last, ${placed()}` },
    updatedAt: "a.updated_at",
  },
  order: "place",
  way: "asc",
  tie: placed(),
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

const CATEGORY = sql`array_position(array['furniture', 'appliance', 'hardware', 'soft', 'shared'], d.category)`;
const NAME = sql`d.name collate "zh-x-icu"`;

/** The dictionary of the caller's enterprise, by category and name while nobody asks otherwise. */
export const assetDic = listOf(listAssetDic, {
  id: "d.id",
  from: sql`asset_dic d`,
  scope: (read) => sql`d.enterprise_id = ${read.who.enterpriseId}`,
  where: {
    ids: among("d.id"),
    category: is("d.category"),
    state: isOn("d.enabled"),
    keyword: keyword(part("d.name", "d.spec")),
  },
  sort: {
    name: NAME,
    category: CATEGORY,
    price: "d.price",
    damagePrice: "d.damage_price",
    updatedAt: "d.updated_at",
  },
  order: sql`${CATEGORY}, ${NAME}, d.id`,
  way: "asc",
  tie: sql`d.id`,
  columns: sql<z.input<typeof assetDicRow>>`d.id, d.name, d.category, d.spec, d.unit, d.price,
    d.damage_price "damagePrice", d.life_months "lifeMonths", d.warranty_months "warrantyMonths",
    d.needs_serial "needsSerial", d.picture_file_id "pictureFileId",
    case when d.enabled then 'on' else 'off' end state, d.updated_at "updatedAt", d.version,
    (select coalesce(sum(a.quantity), 0)::int from room_asset a
      where a.asset_dic_id = d.id and a.state in ('inUse', 'damaged')) uses`,
  join: sql`join asset_dic d on d.id = page.id`,
});

/** One of them, in the caller's own enterprise. */
export async function assetDicFound(read: Read, id: number) {
  const row = await read.tx
    .selectFrom("assetDic")
    .selectAll()
    .where("id", "=", id)
    .where("enterpriseId", "=", read.who.enterpriseId)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
