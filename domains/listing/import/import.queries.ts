import { sql } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { likes } from "../room/keyword.queries.ts";
import type { roomImports } from "./import.contract.ts";
import { visible } from "./import.service.ts";
import type { ImportPreview } from "./preview.rules.ts";

type Query = z.output<typeof roomImports.query>;
type Row = z.input<typeof roomImports.reply>["list"][number];

const columns = sql`
  room_import.id, room_import.number, room_import.file_name "fileName", room_import.village_id "villageId", room_import.row_count "rowCount", room_import.made counts,
  room_import.error_count "errorCount", room_import.state, room_import.progress, o.real_name "createdName", room_import.created_at "createdAt",
  (select string_agg(v.name, '、' order by v.id) from village v where v.id = any (room_import.village_ids)) "villageName"`;

const matching = (read: Read, q: Query) => sql`
  from room_import join operator o on o.id = room_import.created_by
  where ${visible(read)}
    ${q.villageIds?.length ? sql`and room_import.village_ids && ${villagesOf(read.who, q.villageIds) as number[]}::bigint[]` : sql``}
    ${q.state?.length ? sql`and room_import.state = any(${q.state})` : sql``}
    ${q.from ? sql`and room_import.created_at >= ${q.from}::date` : sql``}
    ${q.to ? sql`and room_import.created_at < ${q.to}::date + 1` : sql``}
    ${q.keyword ? sql`and ${likes(q.keyword, sql`room_import.number`, sql`room_import.file_name`)}` : sql``}`;

type Stored = Omit<Row, "made"> & { counts: unknown };

/** "2 / 4 / 36 / 1200 / 1200": buildings, units, floors, flats, rooms. */
export const shown = ({ counts, ...row }: Stored): Row => {
  const made = counts as ImportPreview["made"] | null;
  return {
    ...row,
    made: made ? [made.buildings, made.units, made.floors, made.apartments, made.rooms].join(" / ") : "",
  };
};

export async function importRows(read: Read, q: Query): Promise<Row[]> {
  const { rows } = await sql<Stored>`
    select ${columns} ${matching(read, q)}
    order by room_import.created_at ${sql.raw(q.order === "asc" ? "asc" : "desc")}, room_import.id desc
    ${pageEnd(q)}`.execute(read.tx);
  return rows.map(shown);
}

export async function importTotal(read: Read, q: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) n ${matching(read, q)}`.execute(read.tx);
  return rows[0]!.n;
}

export async function importRow(read: Read, id: number): Promise<Row> {
  const { rows } = await sql<Stored>`
    select ${columns} from room_import join operator o on o.id = room_import.created_by where room_import.id = ${id}`.execute(
    read.tx,
  );
  return shown(rows[0]!);
}
