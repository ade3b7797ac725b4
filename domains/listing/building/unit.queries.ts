import { sql } from "kysely";
import type { z } from "zod";
import { is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { units } from "./unit.contract.ts";

const FROM = sql`unit u join building b on b.id = u.building_id`;

export const unitList = listOf(units, {
  id: "u.id",
  from: FROM,
  scope: (read) => sql`b.village_id = ${anyOf(read.who.villages)}`,
  where: { buildingId: is("u.building_id") },
  sort: { name: "u.name", sort: "u.sort" },
  order: "sort",
  way: "asc",
  tie: sql`u.id`,
  columns: sql<z.input<typeof units.reply>["list"][number]>`u.id, u.building_id "buildingId", u.name, u.sort,
    u.version, b.name "buildingName",
    (select count(*) from apartment a where a.unit_id = u.id and a.retired_day is null) apartments`,
  join: sql`join ${FROM} on u.id = page.id`,
});
