import type { CSSProperties, ReactNode } from "react";
import { useToday } from "../session/operator.ts";
import { IconButton } from "../parts/button.tsx";
import { Broken, Empty, RowsSkeleton } from "../parts/states.tsx";

const SLIM: CSSProperties = {
  paddingInline: "var(--space-1)",
  textAlign: "center",
  verticalAlign: "middle",
};
/** Head and names stay in view; where the cells do not fit beside them, those up to today are shown first. */
const intoView = (head: HTMLTableCellElement | null) => {
  const box = head?.closest(".period");
  if (box) box.scrollLeft = head!.offsetLeft + head!.offsetWidth - box.clientWidth;
};

type Props<R, C> = {
  /** What is shown, a year or a month, and the labels of the ways to the one before and after it. */
  period: string;
  before: string;
  after: string;
  step: (by: 1 | -1) => void;
  note?: ReactNode;
  action?: ReactNode;
  error: unknown;
  retry: () => unknown;
  /** None before they are there. */
  rows: readonly R[] | undefined;
  empty: string;
  /** Over the names. */
  head: string;
  keyOf: (row: R) => number;
  name: (row: R) => ReactNode;
  cells: (row: R) => readonly C[];
  /** Its month or day, and how the head of its column says it. */
  at: (cell: C) => string;
  word: (at: string) => string;
  cell: (row: R, cell: C) => ReactNode;
  /** So many cells that they stand close. */
  slim?: boolean;
};

/** A year by months or a month by days, a row for each store or account. */
export function PeriodGrid<R, C>(p: Props<R, C>) {
  const style = p.slim ? SLIM : undefined;
  const today = useToday();
  const columns = p.rows?.[0] ? p.cells(p.rows[0]).map(p.at) : [];
  // a month is before its days; of a period to come nothing has been reached
  const reached = columns.findLast((at) => at <= today) ?? columns[0];
  return (
    <>
      <div className="row between wrap">
        <div className="row">
          <IconButton icon="left" label={p.before} run={() => p.step(-1)} />
          <b aria-live="polite" style={{ whiteSpace: "nowrap" }}>
            {p.period}
          </b>
          <IconButton icon="right" label={p.after} run={() => p.step(1)} />
          {p.note && <span className="dim">{p.note}</span>}
        </div>
        {p.action}
      </div>
      {p.error && !p.rows ? (
        <Broken error={p.error} retry={p.retry} />
      ) : !p.rows ? (
        <RowsSkeleton rows={6} />
      ) : p.rows.length ? (
        <div className="period">
          <table className="tbl tbl--flat">
            <thead>
              <tr>
                <th>{p.head}</th>
                {columns.map((at) => (
                  <th key={at} ref={at === reached ? intoView : undefined} className="num" style={style}>
                    {p.word(at)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {p.rows.map((row) => (
                <tr key={p.keyOf(row)}>
                  <td>{p.name(row)}</td>
                  {p.cells(row).map((cell) => (
                    <td key={p.at(cell)} className="num" style={style}>
                      {p.cell(row, cell)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <Empty text={p.empty} />
      )}
    </>
  );
}
