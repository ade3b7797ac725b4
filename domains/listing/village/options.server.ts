import { sql } from "kysely";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { villageOptions } from "./village.contract.ts";
import type { VillageMode, VillageState } from "./village.rules.ts";

export default [
  serveRead(villageOptions, async (read) => {
    const rows = await read.tx
      .selectFrom("village as v")
      .innerJoin("district as d", "d.id", "v.districtId")
      .select([
        "v.id",
        "v.name",
        "v.shortName",
        "v.code",
        "v.mode",
        "v.state as status",
        "v.districtId",
        "d.name as districtName",
        "v.pinyin",
      ])
      .where("v.id", "=", anyOf(read.who.villages))
      .orderBy(sql`v.state = 'closed'`)
      .orderBy("d.sort")
      .orderBy("v.name")
      .orderBy("v.id")
      .execute();
    return rows.map((row) => ({
      ...row,
      mode: row.mode as VillageMode,
      status: row.status as VillageState,
    }));
  }),
];
