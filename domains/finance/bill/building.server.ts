import { sql } from "kysely";
import { containing } from "../../../platform/kernel/like.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { buildingOptions } from "./building.contract.ts";

type Building = { id: number; name: string; villageId: number; villageName: string };

export default [
  serveRead(buildingOptions, async (read, { query: q }) => {
    const like = q.keyword && containing(q.keyword);
    const { rows } = await sql<Building>`
      select b.id, concat_ws(' ', nullif(b.community_name, ''), b.name) name, b.village_id "villageId",
        v.name "villageName"
      from building b join village v on v.id = b.village_id
      where b.village_id = ${anyOf(villagesOf(read.who, q.villageIds))}
        ${q.ids?.length ? sql`and b.id = ${anyOf(q.ids)}` : sql``}
        ${like ? sql`and (b.name ilike ${like} or b.community_name ilike ${like} or v.name ilike ${like})` : sql``}
      order by v.name, b.sort, b.name, b.id limit ${q.pageSize}`.execute(read.tx);
    return rows;
  }),
];
