import { useRef } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Month } from "../../../platform/kernel/day.ts";
import { type Code, shownValue, typeableValue, typedValue } from "../indicator/figure.rules.ts";
import type { targets } from "./target.contract.ts";
import { monthsOf, yearValue } from "./target.rules.ts";

type Row = Reply<typeof targets>[number];
export type Edit = { typed: string; value: number | null; msg?: string | undefined };
export type Edits = ReadonlyMap<string, Edit>;
export const cellKey = (villageId: number, month: Month) => `${villageId} ${month}`;

type Props = {
  code: Code;
  year: number;
  rows: readonly Row[];
  edits: Edits;
  onEdit: (edits: Edits) => void;
  editable: boolean;
  /** Takes a cell off the budget that it follows. */
  onUnlink: (cell: { villageId: number; month: Month; version: number }) => void;
  /** What stands for an empty cell. */
  otherwise: number | null;
};

/** What is in the clipboard of a spreadsheet: lines of cells. */
export const block = (text: string): string[][] =>
  text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((line) => line.split("\t"));

/** Stores by months. Cells are typed, or a block out of a spreadsheet is pasted from one of them on. */
export function TargetGrid({ code, year, rows, edits, onEdit, editable, onUnlink, otherwise }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const months = monthsOf(year);
  const kept = (row: Row, i: number) => row.cells[i]!;
  const valueAt = (row: Row, i: number) => {
    const edit = edits.get(cellKey(row.villageId, months[i]!));
    return (edit ? edit.value : kept(row, i).value) ?? otherwise;
  };
  const given = (row: Row, i: number) =>
    otherwise !== null && kept(row, i).value === null
      ? `未单独设置，按默认目标 ${shownValue(code, otherwise)}`
      : undefined;
  /** Puts a word into a cell; what equals the kept value is no edit. */
  const put = (into: Map<string, Edit>, row: Row, i: number, typed: string) => {
    const key = cellKey(row.villageId, months[i]!);
    if (kept(row, i).source === "budget") return;
    const read = typedValue(code, typed);
    if ("msg" in read) into.set(key, { typed, value: null, msg: read.msg });
    else if (read.value === kept(row, i).value) into.delete(key);
    else into.set(key, { typed, value: read.value });
  };
  const paste = (event: React.ClipboardEvent, at: number, column: number) => {
    const cells = block(event.clipboardData.getData("text"));
    if (cells.length === 1 && cells[0]!.length === 1) return;
    event.preventDefault();
    const next = new Map(edits);
    cells.forEach((line, y) =>
      line.forEach((typed, x) => {
        const row = rows[at + y];
        if (row && column + x < 12) put(next, row, column + x, typed);
      }),
    );
    onEdit(next);
  };
  const move = (event: React.KeyboardEvent, at: number, column: number) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    table.current
      ?.querySelector<HTMLInputElement>(`input[data-at="${at + step[0]!}.${column + step[1]!}"]`)
      ?.focus();
  };
  return (
    <div className="tg__scroll">
      <table ref={table} className="tg">
        <thead>
          <tr>
            <th scope="col">门店</th>
            {months.map((month) => (
              <th key={month} scope="col" className="num">
                {Number(month.slice(5))} 月
              </th>
            ))}
            <th scope="col" className="num">
              全年
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.villageId}>
              <th scope="row">{row.name}</th>
              {months.map((month, i) => {
                const edit = edits.get(cellKey(row.villageId, month));
                const { source, version } = kept(row, i);
                return (
                  <td key={month} className={edit?.msg ? "tg--bad" : edit ? "tg--new" : ""}>
                    <input
                      data-at={`${at}.${i}`}
                      aria-label={`${row.name} ${month}`}
                      aria-invalid={edit?.msg !== undefined}
                      title={edit?.msg ?? (source === "budget" ? "由预算带入" : given(row, i))}
                      inputMode="decimal"
                      readOnly={!editable || source === "budget"}
                      value={edit?.typed ?? typeableValue(code, kept(row, i).value)}
                      placeholder={typeableValue(code, otherwise) || "—"}
                      onChange={(event) => {
                        const next = new Map(edits);
                        put(next, row, i, event.target.value);
                        onEdit(next);
                      }}
                      onFocus={(event) => event.target.select()}
                      onPaste={(event) => paste(event, at, i)}
                      onKeyDown={(event) => move(event, at, i)}
                    />
                    {source === "budget" && (
                      <button
                        type="button"
                        className="tg__mark fs-12"
                        disabled={!editable}
                        title="随预算变化；点击改为手工"
                        aria-label={`${row.name} ${month} 预算，改为手工`}
                        onClick={() => onUnlink({ villageId: row.villageId, month, version })}
                      >
                        预算
                      </button>
                    )}
                  </td>
                );
              })}
              <td className="num tg__year">
                {shownValue(
                  code,
                  yearValue(
                    code,
                    months.map((_, i) => valueAt(row, i)),
                  ),
                ) || "—"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
