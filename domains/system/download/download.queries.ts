import { sql } from "kysely";
import type { z } from "zod";
import { amongWords, fromDay, is, toDay } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { listDownloadRecords, listDownloads } from "./download.contract.ts";
import { titleOf } from "./download.service.ts";

const titled = <R extends { type: string }>(rows: R[]) =>
  rows.map((row) => ({ ...row, type: titleOf(row.type) }));

/** What the person exported. */
export const downloads = listOf(listDownloads, {
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

/** Who fetched which export. */
export const records = listOf(listDownloadRecords, {
  id: "r.id",
  from: sql`download_record r`,
  scope: ({ who }) => (who.superType === "0" ? sql`true` : is("r.enterprise_id")(who.enterpriseId)),
  where: {
    type: is("r.type"),
    operatorId: is("r.operator_id"),
    from: fromDay("r.at"),
    to: toDay("r.at"),
  },
  sort: { at: { by: "r.at", indexed: true } },
  order: "at",
  columns: sql<z.input<typeof listDownloadRecords.reply.shape.list.element>>`r.id, r.at,
    r.operator_name "operatorName", r.name, r.type, r.rows, r.ip, r.usage`,
  join: sql`join download_record r on r.id = page.id`,
  rows: titled,
});
