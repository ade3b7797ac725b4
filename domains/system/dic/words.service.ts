import { sql } from "kysely";
import type { z } from "zod";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { DicCalls } from "./dic.contract.ts";
import type { DicKind } from "./dic.rules.ts";

export type FreshWord = Omit<z.output<DicCalls["add"]["body"]>, "group">;

/** The words of a group in order, locked: whoever adds or moves one at the same time waits. */
export async function ordered(act: Act, kind: DicKind, group: string): Promise<number[]> {
  const rows = await act.tx
    .selectFrom("dicItem")
    .select("id")
    .where("enterpriseId", "=", act.who.enterpriseId)
    .where("kind", "=", kind)
    .where("groupKey", "=", group)
    .orderBy("sort")
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map((row) => row.id);
}

/** Codes that nobody has to think of: the next numbers behind a letter. */
async function freshCodes(act: Act, kind: DicKind, group: string, typed: readonly string[]) {
  const { rows } = await sql<{ n: number }>`
    select coalesce(max(substring(code from '^N(\\d{1,9})$')::int), 0) n from (
      select code from dic_item
      where enterprise_id = ${act.who.enterpriseId} and kind = ${kind} and group_key = ${group}
      union all select unnest(${typed as string[]}::text[])) c (code)`.execute(act.tx);
  let { n } = rows[0]!;
  return typed.map((code) => code || `N${++n}`);
}

/** Puts words at the end of a group, in their order. */
export async function addWords(
  act: Act,
  kind: DicKind,
  group: string,
  words: readonly FreshWord[],
  importId: number | null = null,
) {
  const { length } = await ordered(act, kind, group);
  const codes = await freshCodes(
    act,
    kind,
    group,
    words.map((word) => word.code),
  );
  return act.tx
    .insertInto("dicItem")
    .values(
      words.map((word, i) => ({
        ...word,
        enterpriseId: act.who.enterpriseId,
        kind,
        groupKey: group,
        code: codes[i]!,
        sort: (length + i + 1) * 10,
        importId,
        createdBy: act.who.operatorId,
        updatedBy: act.who.operatorId,
      })),
    )
    .returning(["id", "groupKey", "name"])
    .execute();
}
