import type { Read } from "../../../platform/server/act.ts";
import { checkWords, offered } from "../../system/dic/dic.service.ts";

type Words = {
  orientation?: string | undefined;
  decoration?: string | undefined;
  facilities?: readonly string[] | undefined;
};

/**
 * Refuses an orientation, decoration or facility that the dictionary does not offer in this village; a record may keep
 * what it has from before.
 */
export async function checkHouseWords(
  read: Read,
  { orientation, decoration, facilities }: Words,
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
  if (facilities?.length)
    await checkWords(read, "facility", "room", facilities, {
      field: "facilities",
      kept: kept.facilities ?? [],
      villageId,
    });
}

/** What a spreadsheet may say. */
export async function houseWords(read: Read) {
  const names = (items: readonly { name: string }[]) => items.map((item) => item.name);
  const [orientations, decorations, facilities] = await Promise.all([
    offered(read, "house", "orientation"),
    offered(read, "house", "decoration"),
    offered(read, "facility", "room"),
  ]);
  return {
    orientations: names(orientations),
    decorations: names(decorations),
    facilities: names(facilities),
  };
}
