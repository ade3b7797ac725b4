import type { Pool } from "pg";
import { functionTable } from "./authorities.rules.ts";

/**
 * Brings the stored functions up to the table of this release; none is ever taken out. Names, order and switches that
 * people changed stay.
 */
export async function syncFunctions(pool: Pool): Promise<void> {
  const rows = functionTable();
  await pool.query(
    `insert into function_node as n
       (key, permission_id, level, parent_key, name, path, action, order_num, released_name, released_order)
     select key, "permissionId", level, "parentKey", name, path, action, "orderNum", name, "orderNum"
     from json_to_recordset($1::json) as r(key text, "permissionId" int, level int, "parentKey" text, name text,
       path text, action text, "orderNum" int)
     on conflict (key) do update set path = excluded.path, parent_key = excluded.parent_key, level = excluded.level,
       released_name = excluded.released_name, released_order = excluded.released_order, built_in = true,
       name = case when n.name = n.released_name then excluded.name else n.name end,
       order_num = case when n.order_num = n.released_order then excluded.order_num else n.order_num end
     where (n.path, n.parent_key, n.level, n.released_name, n.released_order, n.built_in)
       is distinct from (excluded.path, excluded.parent_key, excluded.level, excluded.released_name,
         excluded.released_order, true)`,
    [JSON.stringify(rows)],
  );
}
