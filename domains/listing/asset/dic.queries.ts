import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { among, is, isOn, keyword, part } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { listAssetDic, type assetDicRow } from "./dic.contract.ts";

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
