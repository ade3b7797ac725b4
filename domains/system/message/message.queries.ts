import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { dawn } from "../log/operation-log.queries.ts";
import type { MessageQuery } from "./message.contract.ts";

/** One's own messages that were not deleted. */
export const mine = ({ tx, who }: Read) =>
  tx
    .selectFrom("messageReceipt as r")
    .innerJoin("message as m", "m.id", "r.messageId")
    .where("r.operatorId", "=", who.operatorId)
    .where("r.deletedAt", "is", null);

export function messages(read: Read, query: MessageQuery) {
  const zone = read.settings.TIME_ZONE;
  const { villageIds } = query;
  return mine(read)
    .$if(query.type !== undefined, (q) => q.where("r.type", "=", query.type!))
    .$if(query.status !== undefined, (q) => q.where("r.status", "=", Number(query.status)))
    .$if(!!villageIds?.length, (q) => q.where("m.villageId", "=", anyOf(villagesOf(read.who, villageIds))))
    .$if(!!query.from, (q) => q.where("r.pushTime", ">=", dawn(query.from!, zone)))
    .$if(!!query.to, (q) => q.where("r.pushTime", "<", dawn(addDays(query.to!, 1), zone)))
    .$if(!!query.keyword, (q) =>
      q.where((eb) =>
        eb.or([
          eb("m.title", "ilike", containing(query.keyword!)),
          eb("m.content", "ilike", containing(query.keyword!)),
        ]),
      ),
    );
}

export const rowsOf = (of: ReturnType<typeof mine>) =>
  of
    .leftJoin("village as v", "v.id", "m.villageId")
    .select([
      "m.id",
      "r.status",
      "m.title",
      "r.type",
      "r.pushTime",
      "m.bizType",
      "m.bizId",
      "m.villageId",
      "m.content",
      "m.facts",
    ])
    .select(sql<string>`coalesce(v.name, '')`.as("villageName"));

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
export async function isThere(
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
