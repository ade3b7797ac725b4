import { Checkbox } from "antd";
import { useState } from "react";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Ordered } from "../../../platform/console/inputs/ordered.tsx";
import {
  CARD_KEYS,
  CARDS,
  columnOf,
  EVERYTHING,
  isOn,
  MOST_FIGURES,
  type Arrangement,
  type CardKey,
  type Column,
} from "./workbench.rules.ts";
import { FIGURE_KEYS, figureOf, type FigureKey } from "../indicator/figure.rules.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

const COLUMNS: Record<Column, string> = { main: "左侧顺序", side: "右侧顺序" };

type Props = {
  value: Arrangement;
  /** The figures that there are for this person. */
  keys: readonly FigureKey[];
  onChange: (value: Arrangement) => void;
  onClose: () => void;
};

/** Which cards stand on the workbench, in which order, and which figures are among them. */
export function ArrangeDialog({ value, keys, onChange, onClose }: Props) {
  const [cards, setCards] = useState(() => CARD_KEYS.filter((key) => isOn(value, key)));
  const [figures, setFigures] = useState(() => keys.filter((key) => !value.figures.includes(key)));
  const [order, setOrder] = useState(value.order ?? []);
  const close = (work: () => void) => () => {
    work();
    onClose();
  };
  const apply = () =>
    onChange({
      cards: Object.fromEntries(CARD_KEYS.map((key) => [key, cards.includes(key)])),
      // what is not theirs today stays as they left it
      figures: FIGURE_KEYS.filter((key) =>
        keys.includes(key) ? !figures.includes(key) : value.figures.includes(key),
      ),
      ...(order.length && { order }),
    });
  const turned = <K,>(list: readonly K[], key: K, on: boolean) =>
    on ? [...list, key] : list.filter((k) => k !== key);
  const full = figures.length >= MOST_FIGURES;
  return (
    <Dialog
      title="自定义工作台"
      width={560}
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          note={
            <Button look="text" run={close(() => onChange(EVERYTHING))}>
              恢复默认
            </Button>
          }
          ok="确定"
          run={close(apply)}
        />
      }
    >
      <fieldset className="bench__pick grid gap-4">
        <legend className="fs-12 dim">显示的卡片</legend>
        {CARD_KEYS.map((key) => (
          <Checkbox
            key={key}
            checked={cards.includes(key)}
            onChange={({ target }) => setCards(turned(cards, key, target.checked))}
          >
            {CARDS[key].title}
          </Checkbox>
        ))}
      </fieldset>
      <div className="arrange grid gap-8">
        {(Object.keys(COLUMNS) as Column[]).map((column) => (
          <div key={column}>
            <h3 className="fs-12 dim">{COLUMNS[column]}</h3>
            <Ordered
              label={COLUMNS[column]}
              items={columnOf({ ...value, order }, column)
                .filter((key) => cards.includes(key))
                .map((key) => ({ key, title: CARDS[key].title }))}
              onChange={(moved: CardKey[]) =>
                setOrder([...moved, ...order.filter((key) => CARDS[key]?.column !== column)])
              }
            />
          </div>
        ))}
      </div>
      {keys.length > 0 && (
        <fieldset className="bench__pick grid gap-4">
          <legend className="fs-12 dim">
            今日数据{keys.length > MOST_FIGURES && `，已选 ${figures.length} 项，最多 ${MOST_FIGURES} 项`}
          </legend>
          {keys.map((key) => (
            <Checkbox
              key={key}
              checked={figures.includes(key)}
              disabled={full && !figures.includes(key)}
              onChange={({ target }) => setFigures(turned(figures, key, target.checked))}
            >
              {figureOf(key).title}
            </Checkbox>
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}
