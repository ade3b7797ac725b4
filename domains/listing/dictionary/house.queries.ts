import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { type DicUses, type Place, usesIn, checkWords, offered } from "../../system/dic/dic.service.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import type { MappedKind } from "../channel/adapter.rules.ts";

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

/** Which columns hold the words of a group. */
const PLACES: Record<string, readonly Place[]> = {
  layoutTag: [{ table: "apartment", column: "layout_tags", many: true }],
  source: [{ table: "apartment", column: "source" }],
  buildingKind: [{ table: "building", column: "kind" }],
  orientation: [
    { table: "apartment", column: "orientation" },
    { table: "room", column: "orientation" },
  ],
  decoration: [{ table: "apartment", column: "decoration" }],
  roomTag: [{ table: "room", column: "tags", many: true }],
  areaKind: [{ table: "public_area", column: "kind_dic" }],
  blockNote: [{ table: "room_block", column: "note", written: true }],
  holdReason: [{ table: "room", column: "hold_reason", written: true }],
  room: [
    { table: "room", column: "facilities", many: true },
    { table: "product", column: "facilities", many: true, whole: true },
  ],
};

const inRecords = usesIn(
  PLACES,
  (enterpriseId) =>
    sql<boolean>`village_id in (select id from village where enterprise_id = ${enterpriseId})`,
  async (act, table, rows) => {
    if (table === "room") await changed(act, rows);
  },
);

/**
 * Words in the flats, rooms and public areas of the enterprise; boards hear of rooms whose words changed, and what
 * channels call a word outside goes along with it.
 */
export const houseUses: DicUses = {
  count: inRecords.count,
  mapped: mappedWords,
  move: async (act, group, from, to) => {
    await renameMapped(act, group, from, to);
    return inRecords.move(act, group, from, to);
  },
};

type Words = {
  orientation?: string | undefined;
  decoration?: string | undefined;
  facilities?: readonly string[] | undefined;
  layoutTags?: readonly string[] | undefined;
  source?: string | undefined;
};

/**
 * Refuses an orientation, decoration, facility, mark or ownership that the dictionary does not offer in this village; a record may keep
 * what it has from before.
 */
export async function checkHouseWords(
  read: Read,
  { orientation, decoration, facilities, layoutTags, source }: Words,
  { villageId, kept = {} }: { villageId: number; kept?: Words },
): Promise<void> {
  if (orientation)
    await checkWords(read, "house", "orientation", [orientation], {
      field: "orientation",
      kept: [kept.orientation ?? ""],
    });
  if (decoration)
    await checkWords(read, "house", "decoration", [decoration], {
      field: "decoration",
      kept: [kept.decoration ?? ""],
    });
  if (layoutTags?.length)
    await checkWords(read, "house", "layoutTag", layoutTags, {
      field: "layoutTags",
      kept: kept.layoutTags ?? [],
    });
  if (source)
    await checkWords(read, "house", "source", [source], { field: "source", kept: [kept.source ?? ""] });
  if (facilities?.length)
    await checkWords(read, "facility", "room", facilities, {
      field: "facilities",
      kept: kept.facilities ?? [],
      villageIds: [villageId],
    });
}

/** What a spreadsheet may say. */
export async function houseWords(read: Read) {
  const names = (items: readonly { name: string }[]) => items.map((item) => item.name);
  const [orientations, decorations, facilities, sources] = await Promise.all([
    offered(read, "house", "orientation"),
    offered(read, "house", "decoration"),
    offered(read, "facility", "room"),
    offered(read, "house", "source"),
  ]);
  return {
    orientations: names(orientations),
    decorations: names(decorations),
    facilities: names(facilities),
    /** Codes by their names. */
    sources: Object.fromEntries(sources.map((item) => [item.name, item.code])),
  };
}
