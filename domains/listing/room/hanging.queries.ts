import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/act.ts";
import { anyOf } from "../../../platform/server/scope.ts";

/** Records of places that belong to the place itself and go with it. */
const PARTS = ["village_setting", "village_picture", "room_picture", "room_price"];

/** How people call what may hang on a place; what is not named here is 关联记录. */
const CALLED: Record<string, string> = {
  building: "个楼栋",
  unit: "个单元",
  floor: "个楼层",
  apartment: "套房源",
  room: "个下级房间",
  occupancy_row: "条占用记录",
  turnover: "条整备记录",
  contract: "份合同",
  contract_room: "份合同",
  contract_occupant: "位入住人",
  bill: "笔账单",
  bill_line: "笔账单明细",
  flow: "笔流水",
  village_account: "个收款账户",
  room_block: "条封房记录",
  room_import: "个导入批次",
};

export type Hanging = { table: string; column: string; called: string; count: number };

/**
 * What refers to records of a table, found through the foreign keys of the database: a table that a later release
 * adds is counted without anybody thinking of it here.
 */
export async function hangingOn(
  read: Read,
  table: "village" | "building" | "unit" | "floor" | "apartment" | "room" | "district",
  ids: readonly number[],
  except: readonly string[] = [],
): Promise<Hanging[]> {
  const { rows: references } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text "table", a.attname "column"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass and cardinality(c.conkey) = 1
    order by 1, 2`.execute(read.tx);
  const asked = references.filter((r) => !PARTS.includes(r.table) && !except.includes(r.table));
  if (!asked.length || !ids.length) return [];
  const counts = asked.map(
    (r, i) =>
      sql`select ${i}::int i, count(*) n from ${sql.table(r.table)} where ${sql.ref(r.column)} = ${anyOf(ids)}`,
  );
  const { rows } = await sql<{ i: number; n: number }>`${sql.join(counts, sql` union all `)}`.execute(
    read.tx,
  );
  return rows
    .filter((row) => row.n > 0)
    .map(({ i, n }) => ({ ...asked[i]!, called: CALLED[asked[i]!.table] ?? "条关联记录", count: n }));
}

/** Refuses a delete while something refers to the records: 该房间有 3 份合同，不能删除，可改为停用 */
export async function unused(
  read: Read,
  table: Parameters<typeof hangingOn>[1],
  ids: readonly number[],
  called: string,
  instead = "",
  except: readonly string[] = [],
): Promise<void> {
  const hanging = await hangingOn(read, table, ids, except);
  if (!hanging.length) return;
  const parts = hanging.slice(0, 5).map((h) => `${h.count} ${h.called}`);
  throw new Refusal("inUse", `${called}有 ${parts.join("、")}，不能删除${instead && `，${instead}`}`, 409, {
    data: hanging,
  });
}
