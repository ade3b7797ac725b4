import { useWordChoice, useWords } from "../../../platform/console/inputs/dic.tsx";

/** Words of a group as a filter by name offers them. */
const named = (words: readonly { name: string }[]) =>
  Object.fromEntries(words.map(({ name }) => [name, [name, "grey"] as const]));

const useNames = (group: string) => named(useWords({ kind: "house", group }));

/** Filters by words of the house dictionary that lists of flats and of rooms share, and what is in stock. */
export function useWordFilters() {
  const sources = useWordChoice("house", "source");
  return [
    { key: "orientation", words: useNames("orientation") },
    { key: "decoration", words: useNames("decoration") },
    { key: "layoutTag", words: useNames("layoutTag") },
    { key: "buildingKind", words: useNames("buildingKind") },
    { key: "source", words: sources },
    "stock",
  ] as const;
}

/** 设施 and 暂不发布原因 of rooms. */
export function useRoomWordFilters() {
  const facilities = named(useWords({ kind: "facility", group: "room" }));
  return [
    { key: "facility", words: facilities },
    { key: "holdReason", words: useNames("holdReason") },
  ] as const;
}
