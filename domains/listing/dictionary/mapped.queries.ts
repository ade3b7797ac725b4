import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { MappedKind } from "../sync/words.rules.ts";

/** The groups whose words a channel may call otherwise outside, as its mapping has them. */
const KINDS: Readonly<Record<string, MappedKind>> = { orientation: "orientation", room: "facility" };

/** How many channels of the enterprise have a name of their own for each word of a group. */
export async function mappedWords(
  read: Read,
  group: string,
): Promise<ReadonlyMap<string, number> | undefined> {
  const kind = KINDS[group];
  if (!kind) return undefined;
  const { rows } = await sql<{ word: string; n: number }>`
    select m.key word, count(*)::int n from channel c, jsonb_each_text(c.mapping -> ${kind}) m
    where c.enterprise_id = ${read.who.enterpriseId} and m.value <> '' group by m.key`.execute(read.tx);
  return new Map(rows.map(({ word, n }) => [word, n]));
}

/** A word that is renamed keeps its name outside; merged into another, that one's own name stays. */
export async function renameMapped(act: Act, group: string, from: string, to: string): Promise<void> {
  const kind = KINDS[group];
  if (!kind) return;
  await sql`
    update channel set version = version + 1, updated_at = ${act.now.toISOString()},
      mapping = jsonb_set(mapping #- array[${kind}, ${from}]::text[], array[${kind}, ${to}]::text[],
        coalesce(nullif(mapping -> ${kind} -> ${to}, '""'), mapping -> ${kind} -> ${from}))
    where enterprise_id = ${act.who.enterpriseId}
      and jsonb_exists(mapping -> ${kind}, ${from})`.execute(act.tx);
}
