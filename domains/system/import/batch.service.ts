import { sql, type Insertable, type RawBuilder, type Selectable } from "kysely";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { DB, RenterImport } from "../../../db/types.gen.ts";
import type { Permit } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { invalid, notFound, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import type { Act, Read, Upload } from "../../../platform/server/pipeline/act.ts";
import { openSheet } from "../../../platform/server/sheets/foreign-sheet.ts";
import { markedSheet } from "../../../platform/server/sheets/noted-sheet.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { xlsxReply } from "../../../platform/server/sheets/sheet-template.ts";
import type { StoredFile } from "../file/file.contract.ts";
import { bytesOfFile, storeFile } from "../file/file.service.ts";
import type { IMPORT_STATES } from "./import.contract.ts";
import type { Checked } from "./rows.service.ts";

export type ImportState = keyof typeof IMPORT_STATES;
/** What every table of batches has; each belongs to the domain whose records it brings in. */
type Columns = Omit<RenterImport, "villageId" | "enterpriseId" | "state">;
export type BatchTable = {
  [T in keyof DB]: T extends `${string}Import` ? (DB[T] extends Columns ? T : never) : never;
}[keyof DB];
export type Batch = Selectable<Omit<RenterImport, "state">> & { state: ImportState };

/** Where the batches of an importer are, and whose they are. */
export type Batches = {
  /** Its table, which is also what files and the log call a batch. */
  table: BatchTable;
  /** First letters of its numbers. */
  letters: string;
  needs: Permit;
  /** Columns that tell its batches from others of the same table. */
  own?: Record<string, string>;
  /** A file that spans stores is there for whoever brought it alone; one of the enterprise's own, for all of its people. */
  mine?: true;
  whole?: true;
};

/** Every table of batches can be written and read as the first of them. */
const into = ({ table }: Batches) => table as "renterImport";
export const from = ({ table }: Batches) => `${table} as i` as "renterImport as i";

/** True for the batches of an importer that whoever acts may see. */
export const visible = (read: Read, { own = {}, mine, whole }: Batches): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    [
      mine
        ? sql`i.created_by = ${read.who.operatorId}`
        : whole
          ? sql`i.enterprise_id = ${read.who.enterpriseId}`
          : sql`i.village_id = ${anyOf(read.who.villages)}`,
      ...Object.entries(own).map(([column, value]) => sql`${sql.ref(`i.${column}`)} = ${value}`),
    ],
    sql` and `,
  )}`;

export async function seenBatch(read: Read, of: Batches, id: number, lock = false): Promise<Batch> {
  const row = await read.tx
    .selectFrom(from(of))
    .selectAll()
    .where("i.id", "=", id)
    .where(visible(read, of))
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound();
  return row as Batch;
}

const NOT_READY: Partial<Record<ImportState, string>> = {
  failed: "文件有错误，不能导入",
  done: "该批次已导入",
  undone: "该批次已撤销，请重新上传文件",
};

/** The batch, locked, as whoever acts last saw it, and ready for what is asked. */
export async function batchFor(
  act: Act,
  of: Batches,
  id: number,
  version: number | undefined,
  state: "ready" | "done",
): Promise<Batch> {
  const batch = await seenBatch(act, of, id, true);
  if (version !== undefined && batch.version !== version) throw stale();
  if (batch.state === state) return batch;
  throw new Refusal("notAllowed", state === "done" ? "只有已导入的批次可以撤销" : NOT_READY[batch.state]!);
}

/** The sentence against a file that was taken before, while what it made stands. */
export async function takenBefore(read: Read, of: Batches, sha256: string): Promise<string | undefined> {
  const twin = await read.tx
    .selectFrom(from(of))
    .select(["i.number", "i.updatedAt"])
    .where("i.sha256", "=", sha256)
    .where("i.state", "=", "done")
    .where(visible(read, of))
    .executeTakeFirst();
  if (!twin) return undefined;
  const at = timeInZone(twin.updatedAt, read.settings.TIME_ZONE).slice(0, 16);
  return `该文件已于 ${at} 导入（${twin.number}）`;
}

/** The one file of an upload. */
export function sheetIn([upload]: readonly Upload[]): Upload {
  if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
  return upload;
}

export const storeSheet = (act: Act, of: Batches, upload: Upload, villageId: number | null) =>
  storeFile(act, upload, { purpose: "sheet10M", targetKind: of.table, villageId, needs: of.needs });

const found = ({ errors, errorCount }: Pick<Checked<unknown>, "errors" | "errorCount">) => ({
  errors: JSON.stringify(errors),
  errorCount,
  state: errorCount ? "failed" : "ready",
});

/** Keeps what was found in a file; `more` are the columns that only this importer has. */
export async function keepBatch(
  act: Act,
  of: Batches,
  file: StoredFile,
  checked: Omit<Checked<unknown>, "rows">,
  more: object,
): Promise<number> {
  const [number] = await act.numbers(of.letters);
  const kept = {
    number,
    fileId: file.id,
    fileName: file.name,
    sha256: file.sha256,
    rowCount: checked.rowCount,
    ...found(checked),
    ...of.own,
    ...more,
    createdBy: act.who.operatorId,
  } as unknown as Insertable<RenterImport>;
  const { id } = await act.tx.insertInto(into(of)).values(kept).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Answers the new version. */
export async function moveBatch(
  act: Act,
  of: Batches,
  id: number,
  to: "done" | "undone" | Checked<unknown>,
): Promise<number> {
  const { version } = await act.tx
    .updateTable(into(of))
    .set({
      ...(typeof to === "string" ? { state: to } : found(to)),
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
    })
    .where("id", "=", id)
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
}

/** The file as it came, with every wrong cell marked. */
export async function errorFile(read: Read, of: Batches, id: number, sheet: string) {
  const { fileId, fileName, errors } = await seenBatch(read, of, id);
  const opened = await openSheet(await bytesOfFile(read, fileId), sheet);
  return xlsxReply(`标错_${fileName}`, markedSheet(opened, wrongCells.parse(errors)));
}
