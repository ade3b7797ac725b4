import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { namesWords } from "../../../platform/server/sheets/export-words.ts";
import type { DicCalls } from "./dic.contract.ts";
import { CODE_TAKEN, type DicGroup, type DicKind, NAME_TAKEN, groupsOf } from "./dic.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";

constraintSays("dic_item_name", { field: "name", msg: NAME_TAKEN });
constraintSays("dic_item_code", { field: "code", msg: CODE_TAKEN });

/**
 * What the domain that uses a dictionary knows of it. `held` is what records keep of a word: its code or its name, as
 * the group says.
 */
export type DicUses = {
  /** In how many records of which table each held word stands, within the caller's enterprise; undefined where nobody counts. */
  count: (read: Read, group: string) => Promise<Uses | undefined>;
  /** How many channels call a word otherwise outside; undefined where none can. */
  mapped?: (read: Read, group: string) => Promise<ReadonlyMap<string, number> | undefined>;
  /** Puts another word in the place of one in every record, and tells in how many. */
  move: (act: Act, group: string, from: string, to: string) => Promise<number>;
};

/** Records by their table, by the word they hold. */
export type Uses = ReadonlyMap<string, Readonly<Record<string, number>>>;

export const usedBy = (uses: Uses | undefined, held: string): number =>
  Object.values(uses?.get(held) ?? {}).reduce((sum, n) => sum + n, 0);

export async function foundItem(read: Read, kind: DicKind, id: number) {
  const row = await read.tx
    .selectFrom("dicItem")
    .selectAll()
    .where("id", "=", id)
    .where("kind", "=", kind)
    .where("enterpriseId", "=", read.who.enterpriseId)
    .executeTakeFirstOrThrow(notFound);
  return row;
}

export const heldOf = (kind: DicKind, item: { groupKey: string; code: string; name: string }): string =>
  groupsOf(kind)[item.groupKey]!.keeps === "code" ? item.code : item.name;

/** The words that new records may take, in order; with villages, those that are offered in every one of them. */
export async function offered<K extends DicKind>(
  read: Pick<Read, "tx" | "who">,
  kind: K,
  group: DicGroup<K>,
  {
    villageIds = [],
    enterpriseId = read.who.enterpriseId,
  }: { villageIds?: readonly number[]; enterpriseId?: number } = {},
) {
  return read.tx
    .selectFrom("dicItem")
    .select(["id", "code", "name", "colour", "hint", "photo"])
    .where("enterpriseId", "=", enterpriseId)
    .where("kind", "=", kind)
    .where("groupKey", "=", group)
    .where("enabled", "=", true)
    .$if(villageIds.length > 0, (q) =>
      q.where(sql<boolean>`(village_ids = '{}' or village_ids @> ${villageIds as number[]}::bigint[])`),
    )
    .orderBy("sort")
    .orderBy("id")
    .execute();
}

/** What a code is called, also when it is not offered any more. */
export async function wordOf<K extends DicKind>(
  read: Pick<Read, "tx" | "who">,
  kind: K,
  group: DicGroup<K>,
  code: string,
): Promise<string> {
  const row = await aRow(read, "dicItem", ["name"], {
    enterpriseId: read.who.enterpriseId,
    kind,
    groupKey: group,
    code,
  });
  return row?.name ?? code;
}

namesWords((read, [kind, group], codes) =>
  Promise.all(codes.map((code) => wordOf(read, kind as DicKind, group as never, code))),
);

/** Refuses a word that is not offered; a record may keep what it has. */
export async function checkWords<K extends DicKind>(
  read: Pick<Read, "tx" | "who">,
  kind: K,
  group: DicGroup<K>,
  words: readonly string[],
  { field, kept = [], ...where }: { field: string; kept?: readonly string[]; villageIds?: readonly number[] },
): Promise<void> {
  const fresh = words.filter((word) => word && !kept.includes(word));
  if (!fresh.length) return;
  const { title, keeps } = groupsOf(kind)[group]!;
  const known = new Set((await offered(read, kind, group, where)).map((item) => item[keeps]));
  const strange = fresh.find((word) => !known.has(word));
  if (strange !== undefined) throw invalid({ field, msg: `${title}中没有“${strange.slice(0, 20)}”` });
}

/**
 * A column that holds words: one, or an array of them. Changed rows get a new version where the table has one. What was
 * written down with a word's help is a sentence of its day: it is counted and never rewritten.
 */
/**
 * `of`: the table of the same ids that says whose enterprise a row is, where its own does not; `whole`: its rows are of
 * the enterprise, where those of the others are of a store.
 */
export type Place = {
  table: string;
  column: string;
  of?: string;
  whole?: true;
  many?: true;
  unversioned?: true;
  written?: true;
};

/**
 * Counts and moves words in the columns that hold them, by group. `mine` narrows a table to the enterprise; `after`
 * hears which rows of a table were changed.
 */
export function usesIn(
  places: Readonly<Record<string, readonly Place[]>>,
  mine: (enterpriseId: number) => RawBuilder<boolean>,
  after?: (act: Act, table: string, changed: { roomId: number; villageId: number }[]) => Promise<void>,
): DicUses {
  const held = ({ of, whole }: Place, enterpriseId: number) => {
    if (whole) return sql`enterprise_id = ${enterpriseId}`;
    return of ? sql`id in (select id from ${sql.table(of)} where ${mine(enterpriseId)})` : mine(enterpriseId);
  };
  return {
    count: async (read: Read, group: string) => {
      const own = places[group];
      if (!own) return undefined;
      const counts = new Map<string, Record<string, number>>();
      for (const place of own) {
        const { table, column, many } = place;
        const word = many ? sql`unnest(${sql.ref(column)})` : sql.ref(column);
        const { rows } = await sql<{ word: string; n: number }>`
          select word, count(*)::int n from (select ${word} word from ${sql.table(table)}
            where ${held(place, read.who.enterpriseId)}) w where word <> '' group by word`.execute(read.tx);
        for (const { word: name, n } of rows) {
          const before = counts.get(name);
          counts.set(name, { ...before, [table]: (before?.[table] ?? 0) + n });
        }
      }
      return counts;
    },
    move: async (act: Act, group: string, from: string, to: string) => {
      let moved = 0;
      for (const place of places[group] ?? []) {
        const { table, column, many, unversioned, whole, written } = place;
        if (written) continue;
        const ref = sql.ref(column);
        const set = many
          ? sql`${ref} = array(select word from unnest(array_replace(${ref}, ${from}, ${to}))
              with ordinality as w (word, at) group by word order by min(at))`
          : sql`${ref} = ${to}`;
        const where = many ? sql`${ref} @> array[${from}]` : sql`${ref} = ${from}`;
        const { rows } = await sql<{ roomId: number; villageId: number }>`
          update ${sql.table(table)} set ${set} ${unversioned ? sql`` : sql`, version = version + 1`}
          where ${where} and ${held(place, act.who.enterpriseId)}
          returning ${after && !whole ? sql`id "roomId", village_id "villageId"` : sql`1`}`.execute(act.tx);
        moved += rows.length;
        if (!whole) await after?.(act, table, rows);
      }
      return moved;
    },
  };
}

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
