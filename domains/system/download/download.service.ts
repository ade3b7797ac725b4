import { forbidden, invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { allows, type FileReply } from "../../../platform/kernel/call.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import {
  everyExport,
  exported,
  exportName,
  exportType,
  snapshot,
  totalsOf,
  type Prepared,
  wordsOf,
} from "../../../platform/server/sheets/export.ts";
import type { Kept } from "../../../platform/server/files/files.ts";
import { AT_ONCE, KEPT_DAYS, QUEUED, downloadRequested } from "./download.contract.ts";

const OPEN_AT_MOST = 20;
export const titleOf = (type: string): string => everyExport().find((e) => e.type === type)?.title ?? type;

/** The villages whose rows the file may hold. */
export const scopeOf = (read: Read, { query }: Prepared): number[] => {
  const wanted = query.villageIds;
  return [...(Array.isArray(wanted) && wanted.length ? (wanted as number[]) : read.who.villages)];
};

/** Answers an export: with its file, or with JSON that names the task which makes it. */
export async function answerExport(act: Act, prepared: Prepared, usage: string): Promise<FileReply> {
  if (prepared.of.personal && usage.length < 2)
    throw invalid({ field: "usage", msg: "请填写用途说明（2-100字）" });
  const { total, bytes } = await makeAtOnce(act, prepared);
  if (bytes) return keepAtOnce(act, prepared, { usage, rows: total, bytes });
  const id = await queue(act, prepared, { usage, rows: total });
  return {
    name: "task.json",
    type: "application/json; charset=utf-8",
    inline: true,
    body: JSON.stringify({ code: 200, message: QUEUED, data: { id, state: "queued", rows: total } }),
  };
}

/** Makes the file of a short list; of a long one only the number of rows is known afterwards. */
async function makeAtOnce(act: Act, prepared: Prepared): Promise<{ total: number; bytes?: Buffer }> {
  const make = async (read: Read) => {
    const { total, sums } = await totalsOf(read, prepared);
    const { most, title } = prepared.of;
    if (most !== undefined && total > most)
      throw new Refusal("tooMany", `${title}一次最多下载 ${most} 份，当前 ${total} 份，请缩小范围`);
    if (total > AT_ONCE || prepared.pack) return { total };
    return { total, bytes: Buffer.concat(await Array.fromAsync(await exported(read, prepared, sums))) };
  };
  // Without a replica the call's own transaction sees one moment already; a second connection could wait for ever.
  if (!act.settings.DATABASE_REPLICA_URL) return make(act);
  return snapshot(act.replica, (tx) => make({ ...act, tx, replica: tx }));
}

/** Writes the wish down; `download.requested` starts its making. */
async function queue(act: Act, prepared: Prepared, asked: { usage: string; rows: number }): Promise<number> {
  const { open } = await act.tx
    .selectFrom("downloadTask")
    .select((eb) => eb.fn.countAll<number>().as("open"))
    .where("requestedBy", "=", act.who.operatorId)
    .where("state", "in", ["queued", "running"])
    .executeTakeFirstOrThrow();
  if (open >= OPEN_AT_MOST) throw new Refusal("tooMany", "未完成的导出任务过多，请等待完成后再试", 429);
  const task = await insertTask(act, prepared, { ...asked, state: "queued" });
  await act.emit(downloadRequested, { id: task });
  return task;
}

async function insertTask(
  act: Act,
  prepared: Prepared,
  as: { usage: string; rows: number; state: "queued" | "running" },
): Promise<number> {
  const { id } = await act.tx
    .insertInto("downloadTask")
    .values({
      type: prepared.of.type,
      name: exportName(act, prepared),
      filter: JSON.stringify({ params: prepared.asked.params, query: prepared.asked.query }),
      columns: prepared.columns.map((c) => c.key),
      words: await wordsOf(act, prepared),
      villageIds: scopeOf(act, prepared),
      requestedBy: act.who.operatorId,
      createdAt: act.now.toISOString(),
      usage: as.usage,
      rows: as.rows,
      state: as.state,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Hangs the made file on its task. False when the task was cancelled meanwhile: then the bytes are nobody's. */
export async function finish(
  act: Act,
  task: { id: number; name: string },
  file: Kept,
  rows: number,
): Promise<boolean> {
  const open = await act.tx
    .selectFrom("downloadTask")
    .select("id")
    .where("id", "=", task.id)
    .where("state", "=", "running")
    .forUpdate()
    .executeTakeFirst();
  if (!open) return false;
  const { id: fileId } = await act.tx
    .insertInto("storedFile")
    .values({
      name: task.name,
      type: exportType(task.name),
      size: file.size,
      sha256: file.sha256,
      storageKey: file.key,
      // reached through its task alone
      targetKind: "download",
      targetId: task.id,
      enterpriseId: act.who.enterpriseId || null,
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx
    .updateTable("downloadTask")
    .set({
      state: "ready",
      progress: 100,
      rows,
      size: file.size,
      fileId,
      error: null,
      finishedAt: act.now.toISOString(),
      expiresAt: new Date(act.now.getTime() + KEPT_DAYS * 86_400_000).toISOString(),
    })
    .where("id", "=", task.id)
    .execute();
  return true;
}

/** Keeps a file that was made at once, as one more task that is done. */
async function keepAtOnce(
  act: Act,
  prepared: Prepared,
  asked: { usage: string; rows: number; bytes: Buffer },
): Promise<FileReply> {
  const task = await insertTask(act, prepared, { ...asked, state: "running" });
  await finish(
    act,
    { id: task, name: exportName(act, prepared) },
    await act.files.put(asked.bytes),
    asked.rows,
  );
  await recordDownload(act, task);
  return {
    name: exportName(act, prepared),
    type: exportType(exportName(act, prepared)),
    body: asked.bytes,
    headers: { "x-download-task": String(task) },
  };
}

/** Opens the file of one's own task, if permit and villages still allow what is in it; the fetch is recorded. */
export async function fetchFile(act: Act, id: number): Promise<FileReply> {
  const task = await act.tx
    .selectFrom("downloadTask as t")
    .leftJoin("storedFile as f", "f.id", "t.fileId")
    .select(["t.type", "t.name", "t.state", "t.expiresAt", "t.villageIds", "f.storageKey", "f.size"])
    .where("t.id", "=", id)
    .where("t.requestedBy", "=", act.who.operatorId)
    .executeTakeFirstOrThrow(notFound);
  const expired = task.state === "expired" || (task.expiresAt && new Date(task.expiresAt) <= act.now);
  if (expired) throw new Refusal("expired", "文件已过期，请重新导出", 409);
  if (task.state !== "ready" || !task.storageKey) throw new Refusal("notReady", "文件尚未生成", 409);
  const needs = everyExport().find((e) => e.type === task.type)?.needs;
  const villages = new Set(act.who.villages);
  if (!needs || !allows(act.who.permits, needs) || task.villageIds.some((v) => !villages.has(v)))
    throw forbidden();
  await recordDownload(act, id);
  return {
    name: task.name,
    type: exportType(task.name),
    body: await act.files.open(task.storageKey),
    headers: { "content-length": String(task.size) },
  };
}

async function recordDownload(act: Act, id: number): Promise<void> {
  const task = await act.tx
    .updateTable("downloadTask")
    .set((eb) => ({ downloads: eb("downloads", "+", 1) }))
    .where("id", "=", id)
    .returning(["type", "name", "rows", "usage"])
    .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("downloadRecord")
    .values({
      taskId: id,
      at: act.now.toISOString(),
      enterpriseId: act.who.enterpriseId,
      operatorId: act.who.operatorId,
      operatorName: act.who.name,
      ip: act.ip,
      type: task.type,
      name: task.name,
      rows: task.rows ?? 0,
      usage: task.usage,
    })
    .execute();
}
