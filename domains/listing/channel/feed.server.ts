import { createHash } from "node:crypto";
import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { shownFile } from "../../system/file/file.service.ts";
import { feedAt } from "./channel.queries.ts";
import { checkSignature, pictureUrl, takeEnquiry } from "./send.service.ts";
import { feedLead, listingPicture, readFeed } from "./feed.contract.ts";
import type { ListingDocument } from "./listing.rules.ts";

type Row = { document: ListingDocument; updatedAt: string };

async function pageOf(
  read: Read,
  channelId: number,
  q: { page: number; size: number; updatedSince: string | undefined },
) {
  const since = q.updatedSince ? sql`and updated_at >= ${q.updatedSince}::timestamptz` : sql``;
  const online = sql`from listing where channel_id = ${channelId} and state = 'online' ${since}`;
  const [{ rows }, all] = await Promise.all([
    sql<Row>`select document, updated_at "updatedAt" ${online}
      order by id limit ${q.size} offset ${(q.page - 1) * q.size}`.execute(read.tx),
    sql<{ total: number; mark: string | null }>`
      select count(*) total, md5(string_agg(id || sent_hash, ',' order by id)) mark ${online}`.execute(
      read.tx,
    ),
  ]);
  return { rows, ...all.rows[0]! };
}

/** The document with addresses for its pictures; ids of files stay in the house. */
const shownOf = (read: Read, { document, updatedAt }: Row) => ({
  ...document,
  availableDay: document.availableDay ?? read.today,
  pictures: document.pictures.map(pictureUrl(read)),
  updatedAt: new Date(updatedAt).toISOString(),
});

type Value = string | number | boolean | null | undefined | Value[] | { [key: string]: Value };

/** Characters that XML cannot carry are left out. */
const escaped = (text: string) =>
  text
    // oxlint-disable-next-line no-control-regex -- exactly those
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

function element(name: string, value: Value): string {
  if (value === null || value === undefined) return `<${name}/>`;
  if (Array.isArray(value)) return `<${name}>${value.map((v) => element("item", v)).join("")}</${name}>`;
  if (typeof value === "object")
    return `<${name}>${Object.entries(value)
      .map(([key, v]) => element(key, v))
      .join("")}</${name}>`;
  return `<${name}>${escaped(String(value))}</${name}>`;
}

/** The same tree as its JSON: keys are elements, the items of a list are called item. */
export const xmlOf = (root: string, value: Value): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, value)}\n`;

export default [
  serveRead(readFeed, async (read, { params, query }) => {
    const [token, as] = params.token.split(".") as [string, "json" | "xml"];
    const channel = await feedAt(read, token);
    const size = query.size ?? Number(channel.config["pageSize"] ?? 100);
    const asked = { page: query.page, size, updatedSince: query.updatedSince };
    const { rows, total, mark } = await pageOf(read, channel.id, asked);
    const list = rows.map((row) => shownOf(read, row));
    const body = { page: query.page, size, total, list };
    const seen = JSON.stringify([as, asked, mark, read.today]);
    const etag = `"${createHash("sha256").update(seen).digest("base64url").slice(0, 32)}"`;
    return {
      name: `listings.${as}`,
      type: as === "json" ? "application/json; charset=utf-8" : "application/xml; charset=utf-8",
      inline: true,
      headers: { etag, "cache-control": "private, no-cache" },
      body: as === "json" ? JSON.stringify(body) : xmlOf("feed", body),
    };
  }),

  serve(feedLead, async (act, { params, body }) => {
    const channel = await feedAt(act, params.token);
    await takeEnquiry(act, channel, body);
    return { accepted: true };
  }),

  serveRead(listingPicture, async (read, { params, query }) => {
    checkSignature(read, params.id, query.sig);
    // what has left every channel is not shown any longer
    const { rows } = await sql`select 1 from listing where state in ('online', 'queued', 'withdrawing')
      and document is not null and document -> 'pictures' @> ${JSON.stringify(params.id)}::jsonb limit 1`.execute(
      read.tx,
    );
    if (!rows.length) throw notFound();
    return shownFile(read, params.id);
  }),
];
