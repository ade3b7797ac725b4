import { Broken } from "../../../platform/console/parts/states.tsx";
import { OCCUPANCIES, OCCUPANCY_KEYS, type Occupancy } from "./status.rules.ts";
import type { Moves } from "./board.rules.ts";

export type Cell = { from: Occupancy; to: Occupancy };
type Props = {
  from: string;
  to: string;
  moves: Moves | undefined;
  error: unknown;
  retry: () => unknown;
  chosen: Cell | undefined;
  onChoose: (cell: Cell | undefined) => void;
};

/** From one day to another: how many rooms went from which state to which. A number filters the board. */
export function CompareMatrix({ from, to, moves, error, retry, chosen, onChoose }: Props) {
  if (error) return <Broken error={error} retry={retry} />;
  if (!moves) return null;
  const used = OCCUPANCY_KEYS.filter((key) =>
    OCCUPANCY_KEYS.some((other) => moves.counts[key][other] || moves.counts[other][key]),
  );
  const sum = (pick: (key: Occupancy) => number) => used.reduce((n, key) => n + pick(key), 0);
  return (
    <section className="rb__matrix" aria-label="对比">
      <table className="tbl">
        <thead>
          <tr>
            <th>
              {from} ↓　{to} →
            </th>
            {used.map((key) => (
              <th key={key} className="num">
                {OCCUPANCIES[key][0]}
              </th>
            ))}
            <th className="num">合计</th>
          </tr>
        </thead>
        <tbody>
          {used.map((row) => (
            <tr key={row}>
              <th>{OCCUPANCIES[row][0]}</th>
              {used.map((column) => {
                const n = moves.counts[row][column];
                const on = chosen?.from === row && chosen.to === column;
                return (
                  <td key={column} className="num">
                    {row === column || !n ? (
                      <span className="dim">{n || "—"}</span>
                    ) : (
                      <button
                        type="button"
                        className={`linkish ${on ? "on" : ""}`}
                        aria-pressed={on}
                        onClick={() => onChoose(on ? undefined : { from: row, to: column })}
                      >
                        {n}
                      </button>
                    )}
                  </td>
                );
              })}
              <td className="num">
                <b>{sum((column) => moves.counts[row][column])}</b>
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th>合计</th>
            {used.map((column) => (
              <td key={column} className="num">
                <b>{sum((row) => moves.counts[row][column])}</b>
              </td>
            ))}
            <td className="num">
              <b>{sum((row) => sum((column) => moves.counts[row][column]))}</b>
            </td>
          </tr>
        </tfoot>
      </table>
      {(moves.came > 0 || moves.went > 0) && (
        <p className="dim">
          {moves.came > 0 && `其间新增 ${moves.came} 间`}
          {moves.came > 0 && moves.went > 0 && "，"}
          {moves.went > 0 && `注销 ${moves.went} 间`}
        </p>
      )}
    </section>
  );
}
