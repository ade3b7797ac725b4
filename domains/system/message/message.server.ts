import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  deleteMessages,
  getMessage,
  listMessages,
  messageNumbers,
  readAllMessages,
  readMessages,
  topMessages,
} from "./message.contract.ts";
import { isThere, messages, mine, rowsOf } from "./message.queries.ts";
import { isQuiet, MOST_IDS, TYPE_NUMBERS, typeName } from "./message.rules.ts";

const TOP = 5;
const SUMMARY = 60;
const shortened = (text: string) => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > SUMMARY ? `${line.slice(0, SUMMARY)}…` : line;
};

function idsOf(ids: readonly number[] | undefined): readonly number[] {
  if (!ids?.length) throw invalid({ field: "ids", msg: "请选择消息" });
  if (ids.length > MOST_IDS) throw invalid({ field: "ids", msg: `一次最多处理${MOST_IDS}条消息` });
  return ids;
}

export default [
  serveRead(listMessages, async (read, { query }) => {
    const found = messages(read, query);
    const order = query.order ?? "desc";
    const [rows, counted] = await Promise.all([
      query.want === "totals"
        ? []
        : rowsOf(found)
            .orderBy("r.pushTime", order)
            .orderBy("r.messageId", order)
            .limit(query.pageSize)
            .offset((query.pageNo - 1) * query.pageSize)
            .execute(),
      query.want === "rows"
        ? null
        : found.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    ]);
    return {
      list: rows.map((row) => ({ ...row, summary: shortened(row.content) })),
      total: counted?.n ?? null,
    };
  }),

  serveRead(messageNumbers, async (read) => {
    const [unread, setting] = await Promise.all([
      mine(read)
        .where("r.status", "=", 0)
        .select(["r.type", (eb) => eb.fn.countAll<number>().as("n")])
        .groupBy("r.type")
        .execute(),
      read.tx
        .selectFrom("messageSetting")
        .select(["quietFrom", "quietTo"])
        .where("operatorId", "=", read.who.operatorId)
        .executeTakeFirst(),
    ]);
    const clock = timeInZone(read.now, read.settings.TIME_ZONE).slice(11, 16);
    return {
      totalNum: unread.reduce((sum, { n }) => sum + n, 0),
      numList: TYPE_NUMBERS.map((type) => ({
        type,
        typeName: typeName(type),
        status: 0 as const,
        num: unread.find((u) => u.type === type)?.n ?? 0,
      })),
      quiet: isQuiet(clock, setting?.quietFrom ?? null, setting?.quietTo ?? null),
    };
  }),

  serveRead(topMessages, (read) =>
    mine(read)
      .where("r.status", "=", 0)
      .select(["m.id", "m.title", "r.pushTime", "r.type"])
      .orderBy("r.pushTime", "desc")
      .orderBy("r.messageId", "desc")
      .limit(TOP)
      .execute(),
  ),

  serveRead(getMessage, async (read, { query }) => {
    const row = await rowsOf(mine(read).where("m.id", "=", query.id)).executeTakeFirst();
    if (!row) throw notFound();
    return {
      ...row,
      summary: shortened(row.content),
      facts: row.facts as [string, string][],
      open: await isThere(read, row),
    };
  }),

  serve(readMessages, async ({ tx, who, now }, { query }) => {
    const { numUpdatedRows } = await tx
      .updateTable("messageReceipt")
      .set({ status: 1, readAt: now.toISOString() })
      .where("operatorId", "=", who.operatorId)
      .where("messageId", "=", anyOf(idsOf(query.ids)))
      .where("status", "=", 0)
      .where("deletedAt", "is", null)
      .executeTakeFirst();
    return { changed: Number(numUpdatedRows) };
  }),

  serve(readAllMessages, async ({ tx, who, now }, { query }) => {
    const { numUpdatedRows } = await tx
      .updateTable("messageReceipt")
      .set({ status: 1, readAt: now.toISOString() })
      .where("operatorId", "=", who.operatorId)
      .where("type", "=", query.type)
      .where("status", "=", 0)
      .where("deletedAt", "is", null)
      .executeTakeFirst();
    return { changed: Number(numUpdatedRows) };
  }),

  serve(deleteMessages, async ({ tx, who, now }, { query }) => {
    const { numUpdatedRows } = await tx
      .updateTable("messageReceipt")
      // what was deleted unread is swept with what was read
      .set({ deletedAt: now.toISOString(), status: 1, readAt: sql`coalesce(read_at, ${now.toISOString()})` })
      .where("operatorId", "=", who.operatorId)
      .where("messageId", "=", anyOf(idsOf(query.ids)))
      .where("deletedAt", "is", null)
      .executeTakeFirst();
    return { changed: Number(numUpdatedRows) };
  }),
];
