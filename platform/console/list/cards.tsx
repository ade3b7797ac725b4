import type { ReactNode } from "react";
import { permitted, RowActions, type Actions } from "../parts/actions.tsx";
import { Button } from "../parts/button.tsx";
import type { Ready } from "./columns.tsx";
import { lookOf } from "../parts/kinds.tsx";
import { countText } from "./page-numbers.ts";
import { Recount } from "./pager.tsx";
import { idOf, type Sums } from "./sheet.tsx";

const ACTS = Symbol("actions");
type Part<R> = string | ((row: R) => ReactNode);

/** How a row looks on a phone: at most four lines of a left and a right part; the actions end the last one. */
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
  /** undefined while it is counted; the sums are then those of the filter before. */
  total: number | undefined;
  unit: string;
  actions: ((row: R) => Actions) | undefined;
  onOpen: ((row: R) => void) | undefined;
  more: (() => unknown) | undefined;
  /** There where counting failed. */
  recount?: (() => unknown) | undefined;
  empty: ReactNode;
};

/** A bare figure or day says nothing without its word. */
const NAMED: ReadonlySet<string> = new Set(["money", "day", "month", "number", "percent", "progress"]);
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === "";

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
  recount,
  empty,
}: Props<R>) {
  const byKey = new Map(columns.map((c) => [c.key, c]));
  const shape = card ?? fallback(columns);
  const part = (p: Part<R> | undefined, row: R): ReactNode => {
    if (p === undefined) return null;
    if (typeof p === "function") return p(row);
    const column = byKey.get(p);
    if (!column) return null;
    if (column.own || !NAMED.has(column.meta.kind)) return column.show(row);
    return (
      <>
        <span className="fs-12 dim">{column.meta.title} </span>
        {column.show(row)}
      </>
    );
  };
  const nothing = (p: Part<R> | undefined, row: R): boolean =>
    p === undefined ||
    (typeof p === "string" && !byKey.get(p)?.own && isEmpty((row as Record<string, unknown>)[p]));
  /** What has nothing to say takes no line; the actions end the last line, or have one of their own. */
  const linesOf = (row: R): (readonly [Part<R>, (Part<R> | typeof ACTS)?])[] => {
    const said = shape.lines.filter(([left, right]) => !nothing(left, row) || !nothing(right, row));
    const last = said.at(-1);
    // acts that are all refused take no room here; the record itself says why
    if (!actions || permitted(actions(row)).every((a) => a.why)) return said;
    return last && last[1] === undefined ? [...said.slice(0, -1), [last[0], ACTS]] : [...said, ["", ACTS]];
  };
  const summed = (shape.sums ?? [...byKey.keys()])
    .filter((k) => byKey.has(k) && sums?.[k] !== undefined)
    .slice(0, 3);
  if (!rows.length) return empty;
  return (
    <>
      <div className="cards stack gap-4">
        {rows.map((row) => (
          <article key={idOf(row)} className="cards__one grid gap-1">
            <div className="cards__line row gap-6 between fs-13 sub">
              {onOpen ? (
                <button type="button" className="linkish" onClick={() => onOpen(row)}>
                  {part(shape.title, row)}
                </button>
              ) : (
                <span>{part(shape.title, row)}</span>
              )}
              <span>{part(shape.right, row)}</span>
            </div>
            {linesOf(row).map(([left, right], i) => (
              <div key={i} className="cards__line row gap-6 between fs-13 sub">
                <span>{part(left, row)}</span>
                <span>{right === ACTS ? <RowActions actions={actions!(row)} /> : part(right, row)}</span>
              </div>
            ))}
          </article>
        ))}
      </div>
      {(total === undefined ? more : rows.length < total) && (
        <div className="cards__more">
          {more ? (
            <Button run={more}>
              加载更多，共 {countText(total)} {unit}
            </Button>
          ) : (
            <p className="dim">
              已显示前 {rows.length} {unit}，共 {countText(total)} {unit}，其余请筛选后查看
            </p>
          )}
        </div>
      )}
      {recount && (
        <p className="cards__more">
          <Recount run={recount} />
        </p>
      )}
      {summed.length > 0 && (
        <div className={`cards__sums ${total === undefined ? "stale" : ""}`}>
          <div>
            <span>合计</span>
            <b>
              {countText(total)} {unit}
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
      <span className="fs-12 dim">{c.meta.title} </span>
      {c.show(row)}
    </>
  );
  const lines: [Part<R>, Part<R>?][] = [];
  for (let i = 0; i < others.length; i += 2) {
    const [a, b] = [others[i], others[i + 1]];
    if (a) lines.push(b ? [labelled(a), labelled(b)] : [labelled(a)]);
  }
  return { title: title?.key ?? "", ...(status && { right: status.key }), lines };
};

type FacesProps<R> = Pick<Props<R>, "rows" | "actions" | "onOpen" | "empty"> & {
  face: (row: R) => ReactNode;
};

/** The same rows as a wall of cards, on a wide screen: for records that people know by their looks. */
export function Faces<R extends object>({ rows, face, actions, onOpen, empty }: FacesProps<R>) {
  if (!rows.length) return empty;
  return (
    <div className="faces grid gap-6 scroll">
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
