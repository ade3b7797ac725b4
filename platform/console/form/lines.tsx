import type { ReactElement, ReactNode } from "react";
import { Button, IconButton } from "../parts/button.tsx";
import { OneField, type Changes } from "./form-field.tsx";
import { valueAt, type FormState } from "./form-state.ts";

type LineField<L> =
  | (keyof L & string)
  | { [K in keyof L & string]: { key: K; width?: number } & Changes<L, NonNullable<L[K]>> }[keyof L & string];

type Props<V, L> = {
  form: FormState<V>;
  /** Key of the list in the body. */
  name: keyof V & string;
  fields: readonly LineField<L>[];
  /** Heads of the columns, in the same order. */
  heads: readonly string[];
  /** A new, empty line. */
  blank: Partial<L>;
  /** Null: lines come only by what stands at the foot. */
  add?: string | null;
  /** At least this many lines stay. */
  least?: number;
  most?: number;
  /** Under the table: sums. */
  foot?: (lines: readonly Partial<L>[]) => ReactNode;
};

type TableProps<L> = {
  lines: readonly L[];
  /** Titles of the columns; one of figures is a cell of its own. */
  heads: readonly (string | ReactElement | false)[];
  cells: (line: L, i: number) => ReactNode;
  keyOf?: (line: L, i: number) => string | number;
  /** What takes a line out, or why it stays. */
  remove: (line: L, i: number) => { label?: string; why?: string | undefined; run: () => void };
  /** Without a line there are no heads either. */
  headless?: boolean;
  className?: string;
  /** Under the table: what adds a line. */
  children: ReactNode;
  note?: ReactNode;
};

/** The table of a list inside a form: a row for each line with the way to remove it. */
export const LineTable = <L,>({
  lines,
  heads,
  cells,
  keyOf = (_, i) => i,
  remove,
  headless,
  className = "lines",
  children,
  note,
}: TableProps<L>) => (
  <div className={className}>
    {(!headless || lines.length > 0) && (
      <table>
        <thead>
          <tr>
            {heads.map((head) => (typeof head === "string" ? <th key={head}>{head}</th> : head))}
            <th aria-label="移除" />
          </tr>
        </thead>
        <tbody>
          {lines.map((line, i) => (
            <tr key={keyOf(line, i)}>
              {cells(line, i)}
              <td className="lines__x">
                <IconButton icon="trash" size={14} label={`移除第 ${i + 1} 行`} {...remove(line, i)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
    <div className="lines__add row wrap gap-4">{children}</div>
    {note}
  </div>
);

/** A list inside a form, one line per row: fees, steps, occupants. */
export function Lines<V, L extends object>({
  form,
  name,
  fields,
  heads,
  blank,
  add = "添加",
  least = 0,
  most = 100,
  foot,
}: Props<V, L>) {
  const lines = (valueAt(form.values, name) ?? []) as Partial<L>[];
  const error = form.errors[name];
  return (
    <div className="fi--wide">
      <LineTable
        lines={lines}
        heads={heads}
        cells={(_, i) =>
          fields.map((field) => {
            const f = typeof field === "string" ? { key: field } : field;
            return (
              <td key={f.key} style={{ width: "width" in f ? f.width : undefined }}>
                <OneField
                  bare
                  form={form}
                  path={`${name}.${i}.${f.key}`}
                  more={f as unknown as Changes<V, unknown>}
                />
              </td>
            );
          })
        }
        remove={(_, i) => ({
          why: lines.length <= least ? `至少保留 ${least} 行` : undefined,
          run: () => form.set(name, lines.toSpliced(i, 1)),
        })}
      >
        {add !== null && (
          <Button
            size="sm"
            icon="plus"
            why={lines.length >= most ? `最多 ${most} 行` : undefined}
            run={() => form.set(name, [...lines, blank])}
          >
            {add}
          </Button>
        )}
        {foot?.(lines)}
      </LineTable>
      {error && (
        <p className="form__note" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
