import { sql, type RawBuilder } from "kysely";
import type { FileReply, Permit } from "../../../platform/kernel/call.ts";
import { forbidden, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read, Upload } from "../../../platform/server/pipeline/act.ts";
import { takesFiles } from "../../../platform/server/pipeline/taken-files.ts";
import { contentOf } from "../../../platform/server/files/files.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { StoredFile } from "./file.contract.ts";
import { cleanJpeg, cleanPng, MOST_PIXELS } from "./picture.service.ts";
import { fileRefusal, plainName, TYPES, type FileKind, type PurposeName } from "./purposes.rules.ts";
import { isWorkbook } from "../../../platform/server/sheets/foreign-sheet.ts";

/** The record that carries a file decides who may read it. */
export type Carrier = {
  targetKind: string;
  targetId: number;
  /** Null or absent: everybody of the enterprise who holds the permit. */
  villageId?: number | null;
  /** Any one of them opens it; absent: every signed-in operator in scope. */
  needs?: Permit | readonly Permit[];
};

async function kindOf(bytes: Buffer): Promise<FileKind | undefined> {
  const seen = contentOf(bytes);
  if (seen === "zip") return (await isWorkbook(bytes)) ? "xlsx" : undefined;
  return seen ?? (isText(bytes) ? "csv" : undefined);
}

function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  const reads = (encoding: string) => {
    try {
      return Boolean(new TextDecoder(encoding, { fatal: true }).decode(bytes));
    } catch {
      return false;
    }
  };
  return reads("utf-8") || reads("gb18030");
}

/**
 * The upload as it may be kept or imported: judged by content, its name made plain, pictures without their place.
 * Refuses under the field that brought it.
 */
export async function checkedUpload(
  upload: Upload,
  purpose: PurposeName,
): Promise<Upload & { kind: FileKind }> {
  const no = (msg: string) => invalid({ field: upload.field, msg });
  const name = plainName(upload.name);
  const kind = await kindOf(upload.bytes);
  const refusal = fileRefusal(purpose, { name, size: upload.bytes.length, kind });
  if (refusal || !kind) throw no(refusal ?? "请上传文件");
  const checked = { field: upload.field, name, type: TYPES[kind], kind };
  if (kind !== "jpg" && kind !== "png") return { ...checked, bytes: upload.bytes };
  const picture = kind === "jpg" ? cleanJpeg(upload.bytes) : cleanPng(upload.bytes);
  if (!picture?.width || !picture.height) throw no("请上传图片");
  if (picture.width * picture.height > MOST_PIXELS) throw no("图片尺寸过大，请缩小后再上传");
  return { ...checked, bytes: picture.bytes };
}

const carried = (by: Partial<Carrier>) => ({
  targetKind: by.targetKind ?? null,
  targetId: by.targetId ?? null,
  villageId: by.villageId ?? null,
  needs: by.needs ? [by.needs].flat().join(" ") : null,
});

/** Keeps an upload; with a carrier it is attached at once. */
export async function storeFile(
  act: Act,
  upload: Upload,
  { purpose, ...by }: { purpose: PurposeName } & Partial<Carrier>,
): Promise<StoredFile> {
  return keepFile(act, { ...(await checkedUpload(upload, purpose)), purpose }, by);
}

/** Keeps what the product itself made, such as a signed contract. */
export async function keepFile(
  act: Act,
  file: { name: string; type: string; bytes: Buffer; purpose?: string },
  by: Partial<Carrier>,
): Promise<StoredFile> {
  const { key, sha256, size } = await act.files.put(file.bytes);
  return act.tx
    .insertInto("storedFile")
    .values({
      name: file.name,
      type: file.type,
      size,
      sha256,
      storageKey: key,
      purpose: file.purpose ?? "",
      enterpriseId: act.who.enterpriseId || null,
      createdBy: act.who.operatorId || null,
      ...carried(by),
    })
    .returning(["id", "name", "type", "size", "sha256"])
    .executeTakeFirstOrThrow();
}

/** The files that a call has hung on its records, by its transaction. */
const hung = new WeakMap<object, Set<number>>();
function hangs(act: Act, ids: readonly number[]): void {
  const known = hung.get(act.tx) ?? new Set();
  for (const id of ids) known.add(id);
  hung.set(act.tx, known);
}

/** Hangs a loose file of one's own on a record; what hangs there already stays. Anything else does not exist. */
export async function attachFiles(act: Act, fileIds: readonly number[], to: Carrier): Promise<void> {
  const ids = [...new Set(fileIds)];
  if (!ids.length) return;
  const rows = await act.tx
    .updateTable("storedFile")
    .set(carried(to))
    .where("id", "=", anyOf(ids))
    .where((eb) =>
      eb.or([
        eb.and([eb("targetKind", "is", null), eb("createdBy", "=", act.who.operatorId)]),
        eb.and([eb("targetKind", "=", to.targetKind), eb("targetId", "=", to.targetId)]),
      ]),
    )
    .returning("id")
    .execute();
  if (rows.length < ids.length) throw notFound();
  hangs(act, ids);
}
/** Files that hang on one record hang on another from now on, or are loose again. */
export async function moveFiles(
  act: Act,
  fileIds: readonly number[],
  from: Pick<Carrier, "targetKind" | "targetId">,
  to?: Carrier,
): Promise<void> {
  const ids = [...new Set(fileIds)];
  const { numUpdatedRows } = await act.tx
    .updateTable("storedFile")
    .set(carried(to ?? {}))
    .where("id", "=", anyOf(ids))
    .where("targetKind", "=", from.targetKind)
    .where("targetId", "=", from.targetId)
    .executeTakeFirstOrThrow();
  if (Number(numUpdatedRows) < ids.length) throw notFound();
  hangs(act, ids);
}
export const attachFile = (act: Act, fileId: number, to: Carrier) => attachFiles(act, [fileId], to);

/** The same for the field `pictures`, which takes no other files. */
export async function attachPictures(act: Act, fileIds: readonly number[], to: Carrier): Promise<void> {
  if (!fileIds.length) return;
  await attachFiles(act, fileIds, to);
  const other = await act.tx
    .selectFrom("storedFile")
    .select("id")
    .where("id", "=", anyOf(fileIds))
    .where("type", "not in", ["image/jpeg", "image/png"])
    .executeTakeFirst();
  if (other) throw invalid({ field: "pictures", msg: "请上传图片" });
}

/**
 * Every file in the body of a call has been hung on a record by that call: one that hangs elsewhere or that nobody may attach
 * does not exist, and a handler that forgets to attach one is a mistake in the product.
 */
async function refuseLoose(act: Act, fileIds: readonly number[]): Promise<void> {
  const ids = [...new Set(fileIds)].filter((id) => !hung.get(act.tx)?.has(id));
  if (!ids.length) return;
  const own = await act.tx
    .selectFrom("storedFile")
    .select("id")
    .where("id", "=", anyOf(ids))
    .where("targetKind", "is", null)
    .where("createdBy", "=", act.who.operatorId)
    .execute();
  if (own.length < ids.length) throw notFound();
  throw new Error(`a call took files (${ids.join()}) that it hangs on no record`);
}
takesFiles(refuseLoose);

/** The files of records of one kind, by record. The caller has checked that the records may be seen. */
export async function filesOf(
  read: Read,
  targetKind: string,
  targetIds: readonly number[],
): Promise<Map<number, StoredFile[]>> {
  const rows = await read.tx
    .selectFrom("storedFile")
    .select(["id", "name", "type", "size", "sha256", "targetId"])
    .where("targetKind", "=", targetKind)
    .where("targetId", "=", anyOf(targetIds))
    .orderBy("id")
    .execute();
  return Map.groupBy(rows, (row) => row.targetId!);
}

/** The bytes, for the server's own work on them. Asks nobody's permission. */
export async function bytesOfFile(read: Read, id: number): Promise<Buffer> {
  const row = await read.tx
    .selectFrom("storedFile")
    .select("storageKey")
    .where("id", "=", id)
    .executeTakeFirstOrThrow(notFound);
  return read.files.get(row.storageKey);
}

// A picture may be shown in place; nothing else is, and nothing in it may run.
const HARMLESS = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, max-age=300",
  vary: "authorization",
};

/**
 * An export, an announcement for some, a statement over many villages, or a sheet that was brought in, which may be about many, is
 * fetched through its own record, which checks whose it is.
 */
const isBehindItsRecord = (kind: string): boolean =>
  ["download", "announcement", "statement"].includes(kind) || kind.endsWith("Import");

/** The file as an answer to whoever may see its record: 404 outside scope, 403 without the permit. */
export async function readFile(read: Read, id: number): Promise<FileReply> {
  const { who } = read;
  const row = await read.tx.selectFrom("storedFile").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row || isBehindItsRecord(row.targetKind ?? "")) throw notFound();
  if (row.targetKind === null) {
    if (row.createdBy !== who.operatorId) throw notFound();
  } else if (row.villageId !== null) {
    if (!who.villages.includes(row.villageId)) throw notFound();
  } else if (row.enterpriseId !== who.enterpriseId && who.superType !== "0") throw notFound();
  if (row.needs && !row.needs.split(" ").some((permit) => who.permits.has(permit))) throw forbidden();
  return replyOf(read, row);
}

const replyOf = async (
  read: Read,
  row: { name: string; type: string; storageKey: string; size: number },
): Promise<FileReply> => ({
  name: row.name,
  type: row.type,
  body: await read.files.open(row.storageKey),
  inline: row.type.startsWith("image/"),
  headers: { ...HARMLESS, "content-length": String(row.size) },
});

/** The file for whoever sees what shows it: an open page, or a record they may open. The caller has checked that. */
export async function shownFile(read: Read, id: number): Promise<FileReply> {
  const row = await read.tx
    .selectFrom("storedFile")
    .select(["name", "type", "storageKey", "size"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow(notFound);
  return replyOf(read, row);
}

/** A condition on `stored_file`: no column refers to it that does not go along with it, as the database itself knows them. */
export async function heldByNobody({ tx }: Pick<Act, "tx">): Promise<RawBuilder<boolean>> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'stored_file'::regclass and c.confdeltype <> 'c'`.execute(tx);
  const held = rows.map(
    ({ table, column }) =>
      sql`not exists (select from ${sql.raw(table)} h where h.${sql.ref(column)} = stored_file.id)`,
  );
  return sql<boolean>`${sql.join([sql`true`, ...held], sql` and `)}`;
}

const GONE = { targetKind: null, targetId: null, villageId: null, createdBy: null, createdAt: "-infinity" };

/** The files of records that are erased: nobody fetches them any more, and the next purge takes them. */
export async function letGoFiles(act: Act, targetKind: string, targetIds: readonly number[]): Promise<void> {
  await act.tx
    .updateTable("storedFile")
    .set(GONE)
    .where("targetKind", "=", targetKind)
    .where("targetId", "=", anyOf(targetIds))
    .execute();
}

/** Files that a record does not show any more: the same becomes of those that no other row refers to. */
export async function letGo(act: Act, fileIds: readonly (number | null)[]): Promise<void> {
  const ids = fileIds.filter((id) => id !== null);
  if (!ids.length) return;
  await act.tx
    .updateTable("storedFile")
    .set(GONE)
    .where("id", "=", anyOf(ids))
    .where(await heldByNobody(act))
    .execute();
}
