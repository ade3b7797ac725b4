import type { ReactNode } from "react";
import { RowActions, type Actions } from "./actions.tsx";
import { Button } from "./button.tsx";
import type { Ready } from "./columns.tsx";
import { lookOf } from "./kinds.tsx";
import { idOf, type Sums } from "./sheet.tsx";

type Part<R> = string | ((row: R) => ReactNode);

/** How a row looks on a phone: at most four lines of a left and a right part; the last line's right are the actions. */
export type Card<R> = {
  title: Part<R>;
  right?: Part<R>;
  lines: readonly (readonly [left: Part<R>, right?: Part<R>])[];
  sums?: readonly string[];
};

type Props<R> = {
  rows: readonly R[];
  columns: readonly Ready<R>[];
  card: Card<R> | undefined;
  sums: Sums | undefined;
  total: number;
  unit: string;
  actions: ((row: R) => Actions) | undefined;
  onOpen: ((row: R) => void) | undefined;
  more: (() => unknown) | undefined;
  empty: ReactNode;
};

export function Cards<R extends object>({
  rows,
  columns,
  card,
  sums,
  total,
  unit,
  actions,
  onOpen,
  more,
  empty,
}: Props<R>) {
  const byKey = new Map(columns.map((c) => [c.key, c]));
  const shape = card ?? fallback(columns);
  const part = (p: Part<R> | undefined, row: R): ReactNode => {
    if (p === undefined) return null;
    return typeof p === "function" ? p(row) : byKey.get(p)?.show(row);
  };
  const summed = (shape.sums ?? [...byKey.keys()])
    .filter((k) => byKey.has(k) && sums?.[k] !== undefined)
    .slice(0, 3);
  if (!rows.length) return empty;
  return (
    <>
      <div className="cards">
        {rows.map((row) => (
          <article key={idOf(row)} className="cards__one">
            <div className="cards__line">
              {onOpen ? (
                <button type="button" className="linkish" onClick={() => onOpen(row)}>
                  {part(shape.title, row)}
                </button>
              ) : (
                <span>{part(shape.title, row)}</span>
              )}
              <span>{part(shape.right, row)}</span>
            </div>
            {shape.lines.map(([left, right], i) => (
              <div key={i} className="cards__line">
                <span>{part(left, row)}</span>
                <span>
                  {right === undefined && i === shape.lines.length - 1 && actions ? (
                    <RowActions actions={actions(row)} />
                  ) : (
                    part(right, row)
                  )}
                </span>
              </div>
            ))}
          </article>
        ))}
      </div>
      {more && (
        <div className="cards__more">
          <Button run={more}>
            再看一些，共 {total} {unit}
          </Button>
        </div>
      )}
      {summed.length > 0 && (
        <div className="cards__sums">
          <div>
            <span>合计</span>
            <b>
              {total.toLocaleString("en-US")} {unit}
            </b>
          </div>
          {summed.map((key) => {
            const column = byKey.get(key)!;
            return (
              <div key={key}>
                <span>{column.meta.title}</span>
                <b>{lookOf(column.meta, sums![key])}</b>
              </div>
            );
          })}
        </div>
      )}
    </>
  );
}

/** Without a layout of its own a list shows its first columns, one under the other. */
const fallback = <R,>(columns: readonly Ready<R>[]): Card<R> => {
  const [title, ...rest] = columns;
  const status = rest.find((c) => c.meta.kind === "status");
  const others = rest.filter((c) => c !== status).slice(0, 5);
  const labelled = (c: Ready<R>) => (row: R) => (
    <>
      <span className="dim">{c.meta.title} </span>
      {c.show(row)}
    </>
  );
  const lines: [Part<R>, Part<R>?][] = [];
  for (let i = 0; i < others.length; i += 2) {
    const [a, b] = [others[i], others[i + 1]];
    if (a) lines.push(b ? [labelled(a), labelled(b)] : [labelled(a)]);
  }
  if (lines.at(-1)?.length === 2) lines.push([""]);
  return { title: title?.key ?? "", ...(status && { right: status.key }), lines };
};

type FacesProps<R> = Pick<Props<R>, "rows" | "actions" | "onOpen" | "empty"> & {
  face: (row: R) => ReactNode;
};

/** The same rows as a wall of cards, on a wide screen: for records that people know by their looks. */
export function Faces<R extends object>({ rows, face, actions, onOpen, empty }: FacesProps<R>) {
  if (!rows.length) return empty;
  return (
    <div className="faces">
      {rows.map((row) => (
        <article key={idOf(row)} className="faces__one">
          <button type="button" className="faces__face" onClick={() => onOpen?.(row)}>
            {face(row)}
          </button>
          {actions && <RowActions actions={actions(row)} />}
        </article>
      ))}
    </div>
  );
}
