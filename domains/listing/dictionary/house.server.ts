import { sql } from "kysely";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { facilityDic, houseDic, houseDicImport } from "../../system/dic/dic.contract.ts";
import { dicServer } from "../../system/dic/serve.service.ts";
import { serveWords } from "../../system/dic/import.service.ts";
import { facilitiesOf } from "./house.contract.ts";
import { houseUses } from "./house.queries.ts";

export default [
  ...dicServer(houseDic, houseUses),
  ...serveWords(houseDic, houseDicImport, houseUses),
  ...dicServer(facilityDic, houseUses),

  serveRead(facilitiesOf, async ({ tx, who }, { query: { villageId } }) => {
    inScope(who, villageId);
    const rows = await tx
      .selectFrom("dicItem as d")
      .innerJoin("village as v", "v.enterpriseId", "d.enterpriseId")
      .select(["d.id", "d.groupKey as scope", "d.name", "d.code", "d.icon"])
      .where("v.id", "=", villageId)
      .where("d.kind", "=", "facility")
      .where("d.enabled", "=", true)
      .where(sql<boolean>`(d.village_ids = '{}' or ${villageId} = any(d.village_ids))`)
      .orderBy("d.groupKey")
      .orderBy("d.sort")
      .execute();
    return rows;
  }),
];
