import { sql } from "kysely";
import type { Call } from "../../kernel/call.ts";
import { idsNamedIn } from "../../kernel/fields/named-fields.ts";
import { notFound } from "../../kernel/refusal.ts";
import type { Who } from "./act.ts";
import type { Database } from "../database/database.ts";
import { anyOf } from "./scope.ts";

type Given = Record<string, unknown>;

/**
 * Refuses a call that names what its caller may not name, as if there were none: a village outside their own or, where the
 * call says that it goes beyond these, of another enterprise; in its body also an entry of another enterprise's dictionary.
 * In a query an entry only narrows what is theirs. Nobody has no villages: what a public call shows, it judges by itself.
 */
export async function mayName(database: Database, who: Who, call: Call, given: Given): Promise<void> {
  if (!who.operatorId) return;
  await needVillages(database, who, call, given);
  for (const table of ["feeSubject", "assetDic"] as const) {
    const ids = new Set(idsNamedIn(call.body, given.body, table));
    if (!ids.size) continue;
    const own = await database.db
      .selectFrom(table)
      .select("id")
      .where("id", "=", anyOf([...ids]))
      .where(
        sql<boolean>`enterprise_id in (select ${who.enterpriseId}::bigint
          union select enterprise_id from village where id = ${anyOf(who.villages)})`,
      )
      .execute();
    if (own.length < ids.size) throw notFound();
  }
}

async function needVillages({ db }: Database, who: Who, call: Call, given: Given): Promise<void> {
  const mine = new Set(who.villages);
  const named = (["query", "body"] as const).flatMap((part) =>
    idsNamedIn(call[part], given[part], "village"),
  );
  const beyond = new Set(named.filter((id) => !mine.has(id)));
  if (!beyond.size) return;
  if (!call.beyondVillages) throw notFound();
  const own = await db
    .selectFrom("village")
    .select("id")
    .where("id", "=", anyOf([...beyond]))
    .where("enterpriseId", "=", who.enterpriseId)
    .execute();
  if (own.length < beyond.size) throw notFound();
}
