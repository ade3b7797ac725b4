import { useEffect, useRef } from "react";
import { MenuOf } from "../../../platform/console/parts/actions.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { block } from "../target/grid.panel.tsx";
import { type Unit, UNITS } from "../budget-indicator/source.rules.ts";
import {
  type Evaluator,
  isMoney,
  MONTHS,
  shownValue,
  typeableValue,
} from "../budget-indicator/value.rules.ts";
import type { GridRow } from "./budget.contract.ts";
import type { Indicator } from "../budget-indicator/source.rules.ts";
import { type Edits, type Typed, cellKey } from "./edits.panel.tsx";
import "../target/target.css";

type Props = {
  rows: readonly GridRow[];
  /** The same as figures are worked out by them. */
  indicators: ReadonlyMap<number, Indicator>;
  figures: Evaluator;
  villageId: number;
  edits: Edits;
  editable: boolean;
  /** The year before is shown below each row that is typed. */
  past: boolean;
  /** The row that the page was opened for. */
  marked: number | undefined;
  onSpread: (row: GridRow) => void;
  onRaise: (row: GridRow) => void;
};

/** Money as everywhere, red where it is negative. */
const Figure = ({ unit, value }: { unit: Unit; value: number | null }) =>
  isMoney(unit) ? <Money fen={value} /> : shownValue(unit, value);

/** Indicators by months. Cells are typed or pasted as a block; what is worked out from others is grey. */
export function BudgetSheet(p: Props) {
  const table = useRef<HTMLTableElement>(null);
  const typed = p.rows.filter((row) => row.formula === null);
  const lineOf = new Map(typed.map((row, i) => [row.id, i]));
  useEffect(() => {
    if (p.marked === undefined) return;
    const row = table.current?.querySelector<HTMLElement>(`[data-row="${p.marked}"]`);
    row?.scrollIntoView({ block: "nearest" });
  }, [p.marked]);

  const focus = (line: number, column: number) =>
    table.current?.querySelector<HTMLInputElement>(`input[data-at="${line}.${column}"]`)?.focus();
  const paste = (event: React.ClipboardEvent, line: number, column: number) => {
    const cells = block(event.clipboardData.getData("text"));
    if (cells.length === 1 && cells[0]!.length === 1) return;
    event.preventDefault();
    const laid: Typed[] = cells.flatMap((texts, y) =>
      texts.flatMap((text, x) => {
        const row = typed[line + y];
        if (!row || column + x > 11) return [];
        return [{ indicatorId: row.id, unit: row.unit, month: column + x + 1, typed: text }];
      }),
    );
    p.edits.lay(laid);
  };
  const move = (event: React.KeyboardEvent<HTMLInputElement>, line: number, column: number) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      p.edits.undo();
      return;
    }
    const { selectionStart: from, selectionEnd: to, value } = event.currentTarget;
    const whole = from === 0 && to === value.length;
    const step: [number, number] | undefined = {
      ArrowUp: [-1, 0] as [number, number],
      ArrowDown: [1, 0] as [number, number],
      Enter: [1, 0] as [number, number],
      // within a word the arrows move the caret
      ArrowLeft: whole || to === 0 ? ([0, -1] as [number, number]) : undefined,
      ArrowRight: whole || from === value.length ? ([0, 1] as [number, number]) : undefined,
    }[event.key];
    if (!step) return;
    event.preventDefault();
    focus(line + step[0], column + step[1]);
  };

  return (
    <div className="tg__scroll" tabIndex={0} role="region" aria-label="预算表格">
      <table ref={table} className="tg">
        <thead>
          <tr>
            <th scope="col">指标</th>
            {MONTHS.map((month) => (
              <th key={month} scope="col" className="num">
                {month} 月
              </th>
            ))}
            <th scope="col" className="num">
              全年
            </th>
          </tr>
        </thead>
        <tbody>
          {p.rows.map((row) => {
            const line = lineOf.get(row.id);
            const one = p.indicators.get(row.id)!;
            const value = (months: number[]) => p.figures.value(one, { villages: [p.villageId], months });
            const locked = !p.editable || !row.enabled;
            return [
              <tr key={row.id} data-row={row.id} className={p.marked === row.id ? "tg__marked" : ""}>
                <th scope="row">
                  <span className="row gap-2" style={{ paddingLeft: row.level * 16 }}>
                    <span title={row.formulaText || undefined}>
                      {row.name}
                      {row.must && row.formula === null && <span className="neg"> *</span>}{" "}
                      <small className="dim">{UNITS[row.unit][0]}</small>
                    </span>
                    <span className="grow" />
                    {!locked && row.formula === null && (
                      <MenuOf
                        label={`${row.name}：填写工具`}
                        actions={[
                          {
                            label: "全年分摊",
                            why: row.agg === "sum" ? undefined : "只有按合计汇总的指标可以全年分摊",
                            run: () => p.onSpread(row),
                          },
                          { label: "整行上浮 %", run: () => p.onRaise(row) },
                        ]}
                      />
                    )}
                  </span>
                </th>
                {MONTHS.map((month, i) => {
                  if (line === undefined || locked)
                    return (
                      <td key={month} className="num tg__calc">
                        <Figure unit={row.unit} value={value([month])} />
                      </td>
                    );
                  const key = cellKey(row.id, month);
                  const edit = p.edits.edits.get(key);
                  const said = edit?.wrong ?? edit?.late;
                  return (
                    <td key={month} className={said ? "tg--bad" : edit ? "tg--new" : ""}>
                      <input
                        data-at={`${line}.${i}`}
                        aria-label={`${row.name} ${month}月`}
                        aria-invalid={said !== undefined}
                        title={said}
                        inputMode="decimal"
                        value={edit?.typed ?? typeableValue(row.unit, p.edits.keptAt(key).value, true)}
                        placeholder="—"
                        onChange={(event) =>
                          p.edits.type({
                            indicatorId: row.id,
                            unit: row.unit,
                            month,
                            typed: event.target.value,
                          })
                        }
                        onFocus={(event) => event.target.select()}
                        onPaste={(event) => paste(event, line, i)}
                        onKeyDown={(event) => move(event, line, i)}
                      />
                    </td>
                  );
                })}
                <td className="num tg__year" data-whole>
                  <Figure unit={row.unit} value={value([...MONTHS])} />
                </td>
              </tr>,
              p.past && row.formula === null && (
                <tr key={`past ${row.id}`} className="tg__past">
                  <th scope="row">
                    <small style={{ paddingLeft: row.level * 16 }}>上年实际</small>
                  </th>
                  {row.before.map((was, i) => (
                    <td key={i} className="num tg__calc">
                      <Figure unit={row.unit} value={was} />
                    </td>
                  ))}
                  <td className="num tg__year">
                    <Figure unit={row.unit} value={row.beforeYear} />
                  </td>
                </tr>
              ),
            ];
          })}
        </tbody>
      </table>
    </div>
  );
}
