import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { holds } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { contractImports } from "./import.contract.ts";
import type { CellError, ImportState, ImportTotals } from "./planned.rules.ts";

type Row = z.input<typeof contractImports.reply>["list"][number];

/** True for batches all of whose villages the caller sees; before those are known, for who sent the file. */
const visible = (read: Read) => sql<boolean>`
  case when cardinality(i.village_ids) > 0 then i.village_ids <@ ${read.who.villages as number[]}::bigint[]
       else i.created_by = ${read.who.operatorId} end`;

export type Batch = {
  id: number;
  number: string;
  villageIds: number[];
  takenOn: string;
  fileId: number;
  fileName: string;
  rowCount: number;
  errors: CellError[];
  totals: ImportTotals | null;
  state: ImportState;
  createdBy: number;
};

/** A batch as acts work with it; not found where the caller does not see all its villages. */
export async function importSeen(read: Read, id: number, lock = false): Promise<Batch> {
  const { rows } = await sql<Batch>`
    select i.id, i.number, i.village_ids "villageIds", i.taken_on "takenOn", i.file_id "fileId",
      i.file_name "fileName", i.row_count "rowCount", i.errors, i.totals, i.state, i.created_by "createdBy"
    from contract_import i where i.id = ${id} and ${visible(read)} ${lock ? sql`for update` : sql``}`.execute(
    read.tx,
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}

const FROM = sql`contract_import i join operator o on o.id = i.created_by`;

export const imports = listOf(contractImports, {
  id: "i.id",
  from: FROM,
  scope: (read, { villageIds }) =>
    villageIds?.length
      ? sql`${visible(read)} and ${holds("i.village_ids")(villagesOf(read.who, villageIds))}`
      : visible(read),
  where: {},
  sort: { createdAt: { order: (way) => sql`i.created_at ${way}, i.id desc`, way: "desc" } },
  order: "createdAt",
  columns: sql<Row>`i.id, i.number, i.file_name "fileName", i.taken_on "takenOn", i.row_count "rowCount",
    i.error_count "errorCount", i.state, i.progress, o.real_name "createdName", i.created_at "createdAt",
    coalesce((select string_agg(v.name, '、' order by v.id) from village v where v.id = any (i.village_ids)), '') "villageName"`,
  join: sql`join ${FROM} on i.id = page.id`,
});

/** Which row of the file became which contract. */
export async function contractsOf(read: Read, id: number): Promise<{ row: number; contractNo: string }[]> {
  const { rows } = await sql<{ row: number; contractNo: string }>`
    select (opening->>'row')::int "row", contract_no "contractNo" from contract where import_id = ${id}
    order by 1`.execute(read.tx);
  return rows;
}
