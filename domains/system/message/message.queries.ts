import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { allOf, among, fromDay, is, phrase, toDay } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { listMessages, type messageRow } from "./message.contract.ts";

/** One's own messages that were not deleted. */
export const mine = ({ tx, who }: Read) =>
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

export const messages = listOf(listMessages, {
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
    m.content, coalesce(v.name, '') "villageName"`,
  join: ({
    who,
  }) => sql`join message_receipt r on r.message_id = page.id and r.operator_id = ${who.operatorId}
    join message m on m.id = r.message_id left join village v on v.id = m.village_id`,
  rows: (rows: Row[]) => rows.map(({ content, ...row }) => ({ ...row, summary: shortened(content) })),
});

export async function messageDetail(read: Read, id: number) {
  const more = await mine(read)
    .select(["m.bizType", "m.bizId", "m.villageId", "m.content", "m.facts"])
    .where("m.id", "=", id)
    .executeTakeFirst();
  if (!more) throw notFound();
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
