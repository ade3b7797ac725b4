import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Ordered } from "../../../platform/console/inputs/ordered.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { allocationExample } from "./example.rules.ts";
import { ORDER_KEYS, ORDER_WORDS, type OrderKey } from "./setting.rules.ts";

/** The keys by which open lines are paid, and beside them what their order does to a payment. */
export const OrderInput = ({ value = [...ORDER_KEYS], onChange, id, disabled }: InputProps<OrderKey[]>) => (
  <div className="set__order grid gap-8">
    <Ordered
      id={id}
      label="分摊顺序"
      disabled={disabled}
      items={value.map((key) => ({ key, title: ORDER_WORDS[key][0] }))}
      onChange={onChange}
    />
    <Example order={value} />
  </div>
);

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
