/** The cards of the workbench, each in its column. Announcements come from their own domain. */
export const CARDS = {
  todo: { title: "待办", column: "main" },
  figures: { title: "今日数据", column: "main" },
  pictures: { title: "近 30 天与今日房态", column: "main" },
  approvals: { title: "待我审批", column: "side" },
  news: { title: "公告", column: "side" },
  quick: { title: "快捷操作与常用功能", column: "side" },
  week: { title: "本周", column: "side" },
} as const;
export type CardKey = keyof typeof CARDS;
export const CARD_KEYS = Object.keys(CARDS) as CardKey[];
export type Column = "main" | "side";

/** What one person wants to see: cards that are off, figures that are hidden, cards in an order of their own. */
export type Arrangement = {
  cards: Partial<Record<CardKey, boolean>>;
  figures: readonly string[];
  order?: readonly CardKey[];
};
export const EVERYTHING: Arrangement = { cards: {}, figures: [] };

/** Figures that stand on the workbench at once. */
export const MOST_FIGURES = 8;

/** The cards of a column in a person's order; what came with a later version stands at the end. */
export function columnOf({ order = [] }: Arrangement, column: Column): CardKey[] {
  const known = order.filter((key) => key in CARDS);
  return [...new Set([...known, ...CARD_KEYS])].filter((key) => CARDS[key].column === column);
}

export const isOn = ({ cards }: Arrangement, key: CardKey): boolean => cards[key] !== false;
