import type { Read } from "../../../platform/server/pipeline/act.ts";
import { checkWords, offered } from "../../system/dic/dic.service.ts";

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
