import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { likes } from "../room/keyword.queries.ts";
import type { assetDicRow, listAssetDic } from "./dic.contract.ts";

type Query = z.output<typeof listAssetDic.query>;

const CATEGORY = sql`array_position(array['furniture', 'appliance', 'hardware', 'soft', 'shared'], d.category)`;
const SORTS: Record<NonNullable<Query["sort"]>, RawBuilder<unknown>> = {
  name: sql`d.name collate "zh-x-icu"`,
  category: CATEGORY,
  price: sql`d.price`,
  damagePrice: sql`d.damage_price`,
  updatedAt: sql`d.updated_at`,
};

const matching = (read: Read, q: Query) => sql`
  from asset_dic d where d.enterprise_id = ${read.who.enterpriseId}
    ${q.ids ? sql`and d.id = ${anyOf(q.ids)}` : sql``}
    ${q.category ? sql`and d.category = ${q.category}` : sql``}
    ${q.state ? sql`and d.enabled = ${q.state === "on"}` : sql``}
    ${q.keyword ? sql`and ${likes(q.keyword, sql`d.name`, sql`d.spec`)}` : sql``}`;

/** One page of the dictionary, by category and name while nobody asks otherwise. */
export async function assetDicRows(read: Read, q: Query): Promise<z.input<typeof assetDicRow>[]> {
  const down = sql.raw(q.order === "desc" ? "desc" : "asc");
  const by = q.sort ? sql`${SORTS[q.sort]} ${down}` : sql`${CATEGORY}, ${SORTS.name}`;
  const { rows } = await sql<z.input<typeof assetDicRow>>`
    select d.id, d.name, d.category, d.spec, d.unit, d.price, d.damage_price "damagePrice",
      d.life_months "lifeMonths", d.warranty_months "warrantyMonths", d.needs_serial "needsSerial",
      d.picture_file_id "pictureFileId", case when d.enabled then 'on' else 'off' end state,
      d.updated_at "updatedAt", d.version,
      (select coalesce(sum(a.quantity), 0)::int from room_asset a
        where a.asset_dic_id = d.id and a.state in ('inUse', 'damaged')) uses
    ${matching(read, q)} order by ${by}, d.id ${pageEnd(q)}`.execute(read.tx);
  return rows;
}

export async function assetDicTotal(read: Read, q: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) n ${matching(read, q)}`.execute(read.tx);
  return rows[0]!.n;
}

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
