import { useState } from "react";
import { IconButton } from "../../../platform/console/button.tsx";
import type { InputProps } from "../../../platform/console/inputs.tsx";
import { Money } from "../../../platform/console/kinds.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { allocationExample } from "./example.rules.ts";
import { ORDER_KEYS, ORDER_WORDS, type OrderKey } from "./setting.rules.ts";

/** The keys by which open lines are paid, moved by hand or with the arrows, and beside them what that does to a payment. */
export function OrderInput({ value = [...ORDER_KEYS], onChange, id, disabled }: InputProps<OrderKey[]>) {
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const move = (from: number, to: number) => {
    const moved = value[from];
    if (moved && to >= 0 && to < value.length) onChange(value.toSpliced(from, 1).toSpliced(to, 0, moved));
  };
  return (
    <div className="set__order">
      <ol className={`set__keys ${disabled ? "set__keys--off" : ""}`} id={id} aria-label="分摊顺序">
        {value.map((key, i) => (
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
            <span className="grow">{ORDER_WORDS[key][0]}</span>
            {!disabled && (
              <>
                <IconButton
                  small
                  icon="up"
                  label={`上移 ${ORDER_WORDS[key][0]}`}
                  why={i === 0 ? "已是第一项" : undefined}
                  run={() => move(i, i - 1)}
                />
                <IconButton
                  small
                  icon="down"
                  label={`下移 ${ORDER_WORDS[key][0]}`}
                  why={i === value.length - 1 ? "已是最后一项" : undefined}
                  run={() => move(i, i + 1)}
                />
              </>
            )}
          </li>
        ))}
      </ol>
      <Example order={value} />
    </div>
  );
}

function Example({ order }: { order: readonly OrderKey[] }) {
  const { money, rows } = allocationExample(order);
  return (
    <div className="set__eg" aria-live="polite">
      <table>
        <caption className="sr">分摊举例</caption>
        <thead>
          <tr className="dim">
            <td>例：欠两个月，收到 {yuan(money)}</td>
            <td className="num">应收</td>
            <td className="num">付</td>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className={row.pay ? "" : "none"}>
              <td>{row.name}</td>
              <td className="num">{yuan(row.owed)}</td>
              <td className="num">{row.pay ? <Money fen={row.pay} /> : "—"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
