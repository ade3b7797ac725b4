import type { Pool } from "pg";
import { functionTable } from "./function.rules.ts";

/** Brings the stored functions up to the table of this release. Names and switches that people changed stay. */
export async function syncFunctions(pool: Pool): Promise<void> {
  const rows = functionTable();
  await pool.query(
    `insert into function_node (key, permission_id, level, parent_key, name, path, action, order_num)
     select key, "permissionId", level, "parentKey", name, path, action, "orderNum"
     from json_to_recordset($1::json) as r(key text, "permissionId" int, level int, "parentKey" text, name text,
       path text, action text, "orderNum" int)
     on conflict (key) do update set path = excluded.path, parent_key = excluded.parent_key, level = excluded.level
     where (function_node.path, function_node.parent_key, function_node.level)
       is distinct from (excluded.path, excluded.parent_key, excluded.level)`,
    [JSON.stringify(rows)],
  );
}
