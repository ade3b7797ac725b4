import { sql } from "kysely";
import type { z } from "zod";
import { is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { floors } from "./floor.contract.ts";

const FROM = sql`floor f join building b on b.id = f.building_id`;

export const floorList = listOf(floors, {
  id: "f.id",
  from: FROM,
  scope: (read) => sql`b.village_id = ${anyOf(read.who.villages)}`,
  where: { buildingId: is("f.building_id"), unitId: is("f.unit_id") },
  sort: { number: { order: (way) => sql`f.building_id, f.number ${way}, f.id` } },
  order: "number",
  way: "asc",
  columns: sql<
    z.input<typeof floors.reply>["list"][number]
  >`f.id, f.building_id "buildingId", f.unit_id "unitId",
    f.number, f.name, f.plan_file_id "planFileId", f.version,
    (select count(*) from apartment a where a.floor_id = f.id and a.retired_day is null) apartments`,
  join: sql`join floor f on f.id = page.id`,
});
