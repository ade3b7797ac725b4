import { sql } from "kysely";
import { allows } from "../../../platform/kernel/call.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { answersExports, everyExport, prepare } from "../../../platform/server/sheets/export.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  createDownload,
  downloadFile,
  downloadTypes,
  listDownloadRecords,
  listDownloads,
  removeDownloads,
  retryDownload,
  downloadRequested,
} from "./download.contract.ts";
import { answerExport, fetchFile, titleOf } from "./download.service.ts";

answersExports(answerExport);

export default [
  serveRead(downloadTypes, async ({ who }) =>
    everyExport()
      .filter((e) => allows(who.permits, e.needs))
      .map(({ type, title, personal = false }) => ({ type, title, personal })),
  ),

  serve(createDownload, async (act, { body }) => {
    const query = Object.fromEntries(
      Object.entries(body.query).flatMap(([key, value]) =>
        value === null || value === "" ? [] : [[key, String(value)]],
      ),
    );
    return answerExport(
      act,
      prepare(act.who, { type: body.type, params: body.params, query, columns: body.columns }),
      body.usage,
    );
  }),

  serveRead(listDownloads, async ({ tx, who }, { query }) => {
    const mine = tx
      .selectFrom("downloadTask")
      .where("requestedBy", "=", who.operatorId)
      .$if(!!query.state?.length, (q) => q.where("state", "in", query.state!))
      .$if(!!query.type, (q) => q.where("type", "=", query.type!));
    const order = query.order ?? "desc";
    const [rows, total] = await Promise.all([
      query.want === "totals"
        ? []
        : mine
            .selectAll()
            .orderBy("createdAt", order)
            .orderBy("id", order)
            .limit(query.pageSize)
            .offset((query.pageNo - 1) * query.pageSize)
            .execute(),
      query.want === "rows"
        ? null
        : mine.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    ]);
    const list = rows.map((row) => ({
      ...row,
      type: titleOf(row.type),
      state: row.state as "queued",
      progress: row.progress / 100,
    }));
    return { list, total: total?.n ?? null };
  }),

  serve(retryDownload, async (act, { params }) => {
    const task = await act.tx
      .updateTable("downloadTask")
      .set({ state: "queued", progress: 0, attempts: 0, error: null })
      .where("id", "=", params.id)
      .where("requestedBy", "=", act.who.operatorId)
      .where("state", "=", "failed")
      .returning("id")
      .executeTakeFirst();
    if (task) {
      await act.emit(downloadRequested, { id: task.id });
      return null;
    }
    const known = await act.tx
      .selectFrom("downloadTask")
      .select("id")
      .where("id", "=", params.id)
      .where("requestedBy", "=", act.who.operatorId)
      .executeTakeFirst();
    throw known ? new Refusal("state", "只有失败的任务可以重试", 409) : notFound();
  }),

  serve(removeDownloads, async (act, { query }) => {
    if (!query.ids?.length) throw invalid({ field: "ids", msg: "请选择任务" });
    const mine = await act.tx
      .selectFrom("downloadTask")
      .select(["id", "state", "fileId"])
      .where("requestedBy", "=", act.who.operatorId)
      .where("id", "=", anyOf(query.ids))
      .forUpdate()
      .execute();
    const open = mine.filter((t) => t.state === "queued" || t.state === "running").map((t) => t.id);
    const done = mine.filter((t) => !open.includes(t.id));
    await act.tx
      .updateTable("downloadTask")
      .set({ state: "cancelled" })
      .where("id", "=", anyOf(open))
      .execute();
    await act.tx
      .deleteFrom("downloadTask")
      .where("id", "=", anyOf(done.map((t) => t.id)))
      .execute();
    // Loose from now on: the nightly sweep takes row and bytes.
    await act.tx
      .updateTable("storedFile")
      .set({ targetKind: null, targetId: null, createdBy: null, createdAt: sql`'-infinity'` })
      .where("id", "=", anyOf(done.flatMap((t) => t.fileId ?? [])))
      .execute();
    return { changed: mine.length };
  }),

  serve(downloadFile, (act, { params }) => fetchFile(act, params.id)),

  serveRead(listDownloadRecords, async ({ tx, who, settings }, { query }) => {
    const zone = settings.TIME_ZONE;
    const found = tx
      .selectFrom("downloadRecord")
      .$if(who.superType !== "0", (q) => q.where("enterpriseId", "=", who.enterpriseId))
      .$if(!!query.type, (q) => q.where("type", "=", query.type!))
      .$if(!!query.operatorId, (q) => q.where("operatorId", "=", query.operatorId!))
      .$if(!!query.from, (q) =>
        q.where("at", ">=", sql<string>`${query.from}::date::timestamp at time zone ${zone}`),
      )
      .$if(!!query.to, (q) =>
        q.where("at", "<", sql<string>`(${query.to}::date + 1)::timestamp at time zone ${zone}`),
      );
    const order = query.order ?? "desc";
    const [rows, total] = await Promise.all([
      query.want === "totals"
        ? []
        : found
            .selectAll()
            .orderBy("at", order)
            .orderBy("id", order)
            .limit(query.pageSize)
            .offset((query.pageNo - 1) * query.pageSize)
            .execute(),
      query.want === "rows"
        ? null
        : found.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    ]);
    return { list: rows.map((row) => ({ ...row, type: titleOf(row.type) })), total: total?.n ?? null };
  }),
];
