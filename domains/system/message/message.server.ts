import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { serveList, listOf } from "../../../platform/server/lists/list.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
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
  listMessages,
  type messageRow,
} from "./message.contract.ts";
import { ALWAYS, MOST_IDS, TYPE_NUMBERS, isQuiet, typeName } from "./message.rules.ts";
import type { z } from "zod";
import { allOf, among, fromDay, is, phrase, toDay } from "../../../platform/server/lists/conditions.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { aRow } from "../../../platform/server/database/row.ts";

/** One's own messages that were not deleted. */
const mine = ({ tx, who }: Read) =>
  tx
    .selectFrom("messageReceipt as r")
    .innerJoin("message as m", "m.id", "r.messageId")
    .where("r.operatorId", "=", who.operatorId)
    .where("r.deletedAt", "is", null);

const SUMMARY = 60;
function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > SUMMARY ? `${line.slice(0, SUMMARY)}…` : line;
}

type Row = Omit<z.input<typeof messageRow>, "summary"> & { content: string };

const messages = listOf(listMessages, {
  id: "r.message_id",
  from: sql`message_receipt r join message m on m.id = r.message_id`,
  scope: ({ who }, { villageIds }) =>
    allOf([
      sql`r.operator_id = ${who.operatorId} and r.deleted_at is null`,
      ...(villageIds?.length ? [among("m.village_id")(villagesOf(who, villageIds))] : []),
    ]),
  where: {
    type: is("r.type"),
    status: (status) => is("r.status")(Number(status)),
    from: fromDay("r.push_time"),
    to: toDay("r.push_time"),
    keyword: phrase("m.title", "m.content"),
  },
  sort: { pushTime: { by: "r.push_time", indexed: true } },
  order: "pushTime",
  columns: sql<Row>`m.id, r.status, m.title, r.type, r.push_time "pushTime", m.biz_type "bizType", m.biz_id "bizId",
    record_page(m.biz_type, m.biz_id) opens, m.content, coalesce(v.name, '') "villageName"`,
  join: ({
    who,
  }) => sql`join message_receipt r on r.message_id = page.id and r.operator_id = ${who.operatorId}
    join message m on m.id = r.message_id left join village v on v.id = m.village_id`,
  rows: (rows: Row[]) => rows.map(({ content, ...row }) => ({ ...row, summary: shortened(content) })),
});

async function messageDetail(read: Read, id: number) {
  const more = await mine(read)
    .select(["m.bizType", "m.bizId", "m.villageId", "m.content", "m.facts"])
    .where("m.id", "=", id)
    .executeTakeFirstOrThrow(notFound);
  const [row] = await messages.rowsOf(read, [id]);
  const { content, facts } = more;
  return { ...row!, content, facts: facts as [string, string][], open: await isThere(read, more) };
}

/** The table of a kind of record, for those that messages lead to. */
const TABLES: Record<string, string> = {
  bill: "bill",
  contract: "contract",
  download: "download_task",
  overdueBills: "village",
  renter: "renter",
  room: "room",
};

/** True when the record of a message is still there and lies in the operator's villages. */
async function isThere(
  { tx, who }: Read,
  of: { bizType: string; bizId: number | null; villageId: number | null },
): Promise<boolean> {
  if (of.bizId === null || (of.villageId !== null && !who.villages.includes(of.villageId))) return false;
  if (of.bizType === "announcement") {
    const stands = tx
      .selectFrom("announcement")
      .select("id")
      .where("id", "=", of.bizId)
      .where("deletedAt", "is", null)
      .where("state", "=", "published");
    return (await stands.executeTakeFirst()) !== undefined;
  }
  const table = TABLES[of.bizType];
  // of other kinds the record's own page judges
  if (!table) return true;
  const { rows } = await sql`select 1 from ${sql.table(table)} where id = ${of.bizId}`.execute(tx);
  return rows.length > 0;
}

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
      aRow(read, "messageSetting", ["quietFrom", "quietTo"], { operatorId: read.who.operatorId }),
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
