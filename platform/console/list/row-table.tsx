import { Fragment, useState, type ReactNode } from "react";
import type { ZodType } from "zod";
import { Cell } from "./cell.tsx";
import { columnsOf, type Column } from "./columns.tsx";
import { Help } from "../detail/facts.tsx";
import { Icon } from "../parts/icons.tsx";
import { lookOf } from "../parts/kinds.tsx";
import { elementOf, shapeOf } from "./list-schema.ts";
import { Empty } from "../parts/states.tsx";

type Props<R> = {
  /** Schema of a row, or of the list of rows. */
  schema: ZodType;
  rows: readonly R[];
  columns: readonly Column<R>[];
  /** Sums by column, laid under it. `sumNote` stands at their left. */
  sums?: Partial<Record<keyof R & string, number | null>>;
  sumNote?: string;
  /** What a row shows when it is opened: how its amount came about. */
  expand?: (row: R) => ReactNode;
  /** The row that stands open at first. */
  opened?: (row: R) => boolean;
  /** Without a frame of its own, inside a tab. */
  flat?: boolean;
  /** Heads explain themselves. */
  helps?: boolean;
  /** The row that is open beside it. */
  marked?: (row: R) => boolean;
  emptyText?: string;
};

const none: ReadonlySet<string> = new Set();

/** A short table inside a record: lines, receipts, segments. Labels and kinds come from the contract. */
export function RowTable<R extends object>({
  schema,
  rows,
  columns,
  sums,
  sumNote = "合计",
  expand,
  opened = () => false,
  flat,
  helps,
  marked,
  emptyText,
}: Props<R>) {
  const [open, setOpen] = useState<number | undefined>(() => rows.findIndex(opened));
  const shown = columnsOf<R>(shapeOf(elementOf(schema) ?? schema), none, columns);
  const first = sums ? shown.findIndex((c) => sums[c.key as keyof R & string] !== undefined) : -1;
  if (!rows.length) return <Empty text={emptyText ?? "还没有记录"} />;
  const table = (
    <table className={`tbl ${flat ? "tbl--flat" : ""}`}>
      <thead>
        <tr>
          {shown.map((c) => (
            <th key={c.key} className={c.right ? "num" : ""} style={{ width: c.width }}>
              {c.meta.title}
              {helps && c.meta.help && <Help text={c.meta.help} />}
            </th>
          ))}
          {expand && <th aria-label="展开" style={{ width: 36 }} />}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <Fragment key={i}>
            <tr className={open === i || marked?.(row) ? "open" : ""}>
              {shown.map((c) => (
                <td key={c.key} className={c.right ? "num" : ""}>
                  <Cell column={c} row={row} />
                </td>
              ))}
              {expand && (
                <td>
                  <button
                    type="button"
                    className="ib ib--sm"
                    aria-expanded={open === i}
                    aria-label="计算说明"
                    onClick={() => setOpen(open === i ? undefined : i)}
                  >
                    <Icon name={open === i ? "up" : "down"} size={14} />
                  </button>
                </td>
              )}
            </tr>
            {expand && open === i && (
              <tr className="more">
                <td colSpan={shown.length + 1}>{expand(row)}</td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
      {sums && first > 0 && (
        <tfoot>
          <tr className="sum">
            <td colSpan={first}>{sumNote}</td>
            {shown.slice(first).map((c) => {
              const sum = sums[c.key as keyof R & string];
              return (
                <td key={c.key} className={c.right ? "num" : ""}>
                  {sum === undefined ? null : lookOf(c.meta, sum)}
                </td>
              );
            })}
            {expand && <td />}
          </tr>
        </tfoot>
      )}
    </table>
  );
  return flat ? <div className="scroll-x">{table}</div> : <div className="box">{table}</div>;
}
