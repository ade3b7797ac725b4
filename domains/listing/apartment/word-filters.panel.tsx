import { useWordChoice, useWords } from "../../../platform/console/inputs/dic.tsx";

const STOCK = {
  in: ["在库", "green"],
  retired: ["已注销", "grey"],
  all: ["全部", "grey"],
} as const;

/** Words of a group as a filter by name offers them. */
const named = (words: readonly { name: string }[]) =>
  Object.fromEntries(words.map(({ name }) => [name, [name, "grey"] as const]));

const useNames = (group: string) => named(useWords({ kind: "house", group }));

/** Filters by words of the house dictionary that lists of flats and of rooms share, and what is in stock. */
export function useWordFilters() {
  const sources = useWordChoice("house", "source");
  return [
    { kind: "choice", key: "orientation", title: "朝向", words: useNames("orientation") },
    { kind: "choice", key: "decoration", title: "装修", words: useNames("decoration") },
    { kind: "choice", key: "layoutTag", title: "户型标签", words: useNames("layoutTag") },
    { kind: "choice", key: "buildingKind", title: "楼栋类型", words: useNames("buildingKind") },
    { kind: "choice", key: "source", title: "产权来源", words: sources },
    { kind: "choice", key: "stock", title: "在库", words: STOCK },
  ] as const;
}

/** 设施 and 暂不发布原因 of rooms. */
export function useRoomWordFilters() {
  const facilities = named(useWords({ kind: "facility", group: "room" }));
  return [
    { kind: "choice", key: "facility", title: "设施", words: facilities },
    { kind: "choice", key: "holdReason", title: "暂不发布原因", words: useNames("holdReason") },
  ] as const;
}
