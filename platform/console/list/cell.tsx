import { Link } from "react-router";
import type { Ready } from "./columns.tsx";
import { isWhole } from "../parts/kinds.tsx";

type CellProps<R> = { column: Ready<R>; row: R; onOpen?: ((row: R) => void) | undefined };

/** One cell: a link to another screen, a button that opens the record, or the value. */
export function Cell<R>({ column: c, row, onOpen }: CellProps<R>) {
  const to = c.to?.(row);
  const shown = c.show(row);
  const text = typeof shown === "string" ? shown : undefined;
  // long texts are cut, and whole in the tooltip
  const cut = (c.plain && text !== undefined) || c.width !== undefined;
  const content = cut ? (
    <span
      className="sheet__cell"
      title={text}
      style={c.width ? { maxWidth: c.width - 14 } : undefined}
      // what a page draws itself says itself what of it may not be cut
      data-whole={(text !== undefined && isWhole(c.meta.kind)) || undefined}
    >
      {shown}
    </span>
  ) : (
    shown
  );
  if (to) return <Link to={to}>{content}</Link>;
  if (!onOpen) return content;
  return (
    <button type="button" className="linkish" onClick={() => onOpen(row)}>
      {content}
    </button>
  );
}
