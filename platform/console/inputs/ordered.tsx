import { useState } from "react";
import { IconButton } from "../parts/button.tsx";
import "./inputs.css";

type Props<K> = {
  items: readonly { key: K; title: string }[];
  onChange: (keys: K[]) => void;
  label: string;
  id?: string | undefined;
  disabled?: boolean | undefined;
};

/** Things in an order of their own, moved by hand or with the arrows. */
export function Ordered<K extends string | number>({ items, onChange, label, id, disabled }: Props<K>) {
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const keys = items.map((item) => item.key);
  const move = (from: number, to: number) => {
    const moved = keys[from];
    if (moved !== undefined && to >= 0 && to < keys.length)
      onChange(keys.toSpliced(from, 1).toSpliced(to, 0, moved));
  };
  return (
    <ol className={`ordered ${disabled ? "ordered--off" : ""}`} id={id} aria-label={label}>
      {items.map(({ key, title }, i) => (
        <li
          key={key}
          className={over === i && dragged !== i ? "over" : ""}
          draggable={!disabled}
          onDragStart={() => setDragged(i)}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(i);
          }}
          onDragEnd={() => {
            setDragged(undefined);
            setOver(undefined);
          }}
          onDrop={() => dragged !== undefined && move(dragged, i)}
        >
          <i>{i + 1}</i>
          <span className="grow cut">{title}</span>
          {!disabled && (
            <>
              <IconButton
                small
                icon="up"
                label={`上移 ${title}`}
                why={i === 0 ? "已是第一项" : undefined}
                run={() => move(i, i - 1)}
              />
              <IconButton
                small
                icon="down"
                label={`下移 ${title}`}
                why={i === keys.length - 1 ? "已是最后一项" : undefined}
                run={() => move(i, i + 1)}
              />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
