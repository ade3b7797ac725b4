import { Checkbox } from "antd";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Money } from "../../../platform/console/kinds.tsx";
import { Empty } from "../../../platform/console/states.tsx";
import { keyOf } from "../allocation/plan.rules.ts";
import { periodText } from "../bill/lines.panel.tsx";
import type { openOfParty } from "./receive.contract.ts";

type Line = Reply<typeof openOfParty>["villages"][number]["lines"][number];
type Props = { lines: readonly Line[]; chosen: ReadonlySet<string>; onChoose: (chosen: Set<string>) => void };

/** What a party still owes, in the order it would be paid, to be ticked. */
export function OpenLines({ lines, chosen, onChoose }: Props) {
  if (!lines.length) return <Empty text="没有未收的费用，收到的款项将转入预存款" />;
  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChoose(next);
  };
  const all = lines.every((l) => chosen.has(keyOf(l)));
  const sum = lines.reduce((total, l) => total + (chosen.has(keyOf(l)) ? l.owed : 0), 0);
  return (
    <div className="box counter__lines" style={{ marginBottom: 20 }}>
      <table className="tbl">
        <thead>
          <tr>
            <th>
              <Checkbox
                aria-label="全选"
                checked={all}
                indeterminate={!all && chosen.size > 0}
                onChange={() => onChoose(new Set(all ? [] : lines.map(keyOf)))}
              />
            </th>
            <th>费用</th>
            <th className="counter__no">账单号</th>
            <th>应收日</th>
            <th className="num">未收</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const key = keyOf(line);
            return (
              <tr key={key}>
                <td>
                  <Checkbox
                    aria-label={`${line.subject} ${line.dueDate}`}
                    checked={chosen.has(key)}
                    onChange={() => toggle(key)}
                  />
                </td>
                <td>
                  {line.lineId === null ? "预计滞纳金" : line.subject}{" "}
                  <span className="dim">{periodText(line.periodStart, line.periodEnd).replace("—", "")}</span>
                  {!line.issued && <small className="dim"> 未出账，将立即出账</small>}
                </td>
                <td className="dim counter__no">{line.billNo}</td>
                <td>{line.dueDate}</td>
                <td className="num">
                  <Money fen={line.owed} />
                </td>
              </tr>
            );
          })}
          <tr className="sum">
            <td />
            <td>已选 {chosen.size} 项</td>
            <td className="counter__no" />
            <td />
            <td className="num">{yuan(sum)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
