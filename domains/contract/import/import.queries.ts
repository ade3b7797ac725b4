import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { contractImports } from "./import.contract.ts";
import type { CellError, ImportState, ImportTotals } from "./import.rules.ts";

type Query = z.output<typeof contractImports.query>;
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

const columns = sql`
  i.id, i.number, i.file_name "fileName", i.taken_on "takenOn", i.row_count "rowCount", i.error_count "errorCount",
  i.state, i.progress, o.real_name "createdName", i.created_at "createdAt",
  coalesce((select string_agg(v.name, '、' order by v.id) from village v where v.id = any (i.village_ids)), '') "villageName"`;

const matching = (read: Read, q: Pick<Query, "villageIds">) => sql`
  from contract_import i join operator o on o.id = i.created_by
  where ${visible(read)}
    ${q.villageIds?.length ? sql`and i.village_ids && ${villagesOf(read.who, q.villageIds) as number[]}::bigint[]` : sql``}`;

export async function importRows(read: Read, q: Query): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${columns} ${matching(read, q)}
    order by i.created_at ${sql.raw(q.order === "asc" ? "asc" : "desc")}, i.id desc
    limit ${q.pageSize} offset ${(q.pageNo - 1) * q.pageSize}`.execute(read.tx);
  return rows;
}

export async function importTotal(read: Read, q: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) n ${matching(read, q)}`.execute(read.tx);
  return rows[0]!.n;
}

export async function importRow(read: Read, id: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select ${columns} from contract_import i join operator o on o.id = i.created_by where i.id = ${id}`.execute(
    read.tx,
  );
  return rows[0]!;
}

/** Which row of the file became which contract. */
export async function contractsOf(read: Read, id: number): Promise<{ row: number; contractNo: string }[]> {
  const { rows } = await sql<{ row: number; contractNo: string }>`
    select (opening->>'row')::int "row", contract_no "contractNo" from contract where import_id = ${id}
    order by 1`.execute(read.tx);
  return rows;
}
