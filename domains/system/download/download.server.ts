import { sql } from "kysely";
import { allows } from "../../../platform/kernel/call.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { serveList, listOf } from "../../../platform/server/lists/list.ts";
import { answersExports, everyExport, prepare } from "../../../platform/server/sheets/export.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  createDownload,
  downloadFile,
  downloadTypes,
  removeDownloads,
  retryDownload,
  downloadRequested,
  listDownloadRecords,
  listDownloads,
} from "./download.contract.ts";
import { answerExport, fetchFile, titleOf } from "./download.service.ts";
import type { z } from "zod";
import { amongWords, fromDay, is, toDay } from "../../../platform/server/lists/conditions.ts";
import { aRow } from "../../../platform/server/database/row.ts";

const titled = <R extends { type: string }>(rows: R[]) =>
  rows.map((row) => ({ ...row, type: titleOf(row.type) }));

const downloads = listOf(listDownloads, {
  id: "t.id",
  from: sql`download_task t`,
  scope: ({ who }) => is("t.requested_by")(who.operatorId),
  where: { state: amongWords("t.state"), type: is("t.type") },
  sort: { createdAt: { by: "t.created_at", indexed: true } },
  order: "createdAt",
  columns: sql<
    z.input<typeof listDownloads.reply.shape.list.element>
  >`t.id, t.name, t.type, t.words, t.rows, t.size,
    t.state, t.progress / 100.0::float8 progress, t.error, t.created_at "createdAt", t.finished_at "finishedAt",
    t.expires_at "expiresAt", t.downloads`,
  join: sql`join download_task t on t.id = page.id`,
  rows: titled,
});

const records = listOf(listDownloadRecords, {
  id: "r.id",
  from: sql`download_record r`,
  scope: ({ who }) => (who.superType === "0" ? sql`true` : is("r.enterprise_id")(who.enterpriseId)),
  where: { type: is("r.type"), operatorId: is("r.operator_id"), from: fromDay("r.at"), to: toDay("r.at") },
  sort: { at: { by: "r.at", indexed: true } },
  order: "at",
  columns: sql<z.input<typeof listDownloadRecords.reply.shape.list.element>>`r.id, r.at,
    r.operator_name "operatorName", r.name, r.type, r.rows, r.ip, r.usage`,
  join: sql`join download_record r on r.id = page.id`,
  rows: titled,
});

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

  serveList(downloads),

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
    const known = await aRow(act, "downloadTask", ["id"], {
      id: params.id,
      requestedBy: act.who.operatorId,
    });
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

  serveList(records),
];
