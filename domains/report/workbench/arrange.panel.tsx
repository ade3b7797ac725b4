import { PickDialog } from "./pick.panel.tsx";
import { FIGURE_KEYS, figureOf, type FigureKey } from "./workbench.rules.ts";

const CARDS = {
  todo: "待办",
  figures: "今日数据",
  pictures: "近 30 天与今日房态",
  quick: "快捷操作与常用功能",
  week: "本周",
} as const;
type CardKey = keyof typeof CARDS;

/** What one person wants to see: cards that are off, figures that are hidden. */
export type Arrangement = { cards: Partial<Record<CardKey, boolean>>; figures: readonly string[] };
export const EVERYTHING: Arrangement = { cards: {}, figures: [] };

const CARD_KEYS = Object.keys(CARDS) as CardKey[];

export function ArrangeDialog({
  value,
  keys,
  onChange,
  onClose,
}: {
  value: Arrangement;
  /** The figures that there are for this person. */
  keys: readonly FigureKey[];
  onChange: (value: Arrangement) => void;
  onClose: () => void;
}) {
  const options = [
    ...CARD_KEYS.map((key) => ({ key: `card.${key}`, title: CARDS[key], group: "显示的卡片" })),
    ...keys.map((key) => ({ key: `figure.${key}`, title: figureOf(key).title, group: "今日数据" })),
  ];
  const on = [
    ...CARD_KEYS.filter((key) => value.cards[key] !== false).map((key) => `card.${key}`),
    ...keys.filter((key) => !value.figures.includes(key)).map((key) => `figure.${key}`),
  ];
  const apply = (picked: string[]) =>
    onChange({
      cards: Object.fromEntries(CARD_KEYS.map((key) => [key, picked.includes(`card.${key}`)])),
      // what is not theirs today stays as they left it
      figures: FIGURE_KEYS.filter((key) =>
        keys.includes(key) ? !picked.includes(`figure.${key}`) : value.figures.includes(key),
      ),
    });
  return (
    <PickDialog
      title="自定义工作台"
      options={options}
      value={on}
      most={options.length}
      onChange={apply}
      onReset={() => onChange(EVERYTHING)}
      onClose={onClose}
    />
  );
}
