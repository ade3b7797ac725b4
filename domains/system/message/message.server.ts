import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  deleteMessages,
  getMessage,
  getMessageSetting,
  messageNumbers,
  putMessageSetting,
  readAllMessages,
  readMessages,
  topMessages,
} from "./message.contract.ts";
import { messageDetail, messages, mine } from "./message.queries.ts";
import { ALWAYS, MOST_IDS, TYPE_NUMBERS, isQuiet, typeName } from "./message.rules.ts";

const TOP = 5;

function idsOf(ids: readonly number[] | undefined): readonly number[] {
  if (!ids?.length) throw invalid({ field: "ids", msg: "请选择消息" });
  if (ids.length > MOST_IDS) throw invalid({ field: "ids", msg: `一次最多处理${MOST_IDS}条消息` });
  return ids;
}

export default [
  serveList(messages),

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

  serveRead(getMessage, (read, { query }) => messageDetail(read, query.id)),

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
  serveRead(getMessageSetting, async ({ tx, who }) => {
    const row = await tx
      .selectFrom("messageSetting")
      .selectAll()
      .where("operatorId", "=", who.operatorId)
      .executeTakeFirst();
    const muted = row?.muted ?? [];
    return {
      types: TYPE_NUMBERS.filter((type) => !muted.includes(type)).map((type) => String(type) as "1"),
      mailed: (row?.mailed ?? []).map((type) => String(type) as "1"),
      texted: (row?.texted ?? []).map((type) => String(type) as "1"),
      quietFrom: row?.quietFrom ?? null,
      quietTo: row?.quietTo ?? null,
      alarmLevel: String(row?.alarmLevel ?? 1) as "1",
    };
  }),

  serve(putMessageSetting, async ({ tx, who }, { body }) => {
    const chosen = {
      muted: TYPE_NUMBERS.filter((type) => !ALWAYS.includes(type) && !body.types.includes(`${type}`)),
      mailed: body.mailed.map(Number),
      texted: body.texted.map(Number),
      quietFrom: body.quietFrom ?? null,
      quietTo: body.quietTo ?? null,
      alarmLevel: Number(body.alarmLevel),
    };
    await tx
      .insertInto("messageSetting")
      .values({ operatorId: who.operatorId, ...chosen })
      .onConflict((c) => c.column("operatorId").doUpdateSet(chosen))
      .execute();
    return null;
  }),
];
