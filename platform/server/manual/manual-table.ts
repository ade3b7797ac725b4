import { COLOURS, MARGIN, heightOf, widthOf, write, type Doc } from "./manual-paper.ts";
import { textOf, type Run } from "./manual-text.ts";

const SIZE = 9;
const PAD = 5;

/** Columns as wide as their longest cell where that fits, the rest shared by what the others would need. */
function widths(doc: Doc, rows: readonly Run[][][]): number[] {
  const columns = rows[0]!.map((_, i) => {
    doc.font("strong").fontSize(SIZE);
    return Math.max(...rows.map((row) => doc.widthOfString(textOf(row[i] ?? [])))) + 2 * PAD + 2;
  });
  const whole = widthOf(doc);
  const fair = whole / columns.length;
  const small = columns.filter((width) => width <= fair).reduce((sum, width) => sum + width, 0);
  const large = columns.filter((width) => width > fair).reduce((sum, width) => sum + width, 0);
  if (!large) return columns.map((width) => (width * whole) / small);
  return columns.map((width) => (width <= fair ? width : ((whole - small) * width) / large));
}

/** A table; where it goes on over a page, its head stands again. */
export function drawTable(doc: Doc, head: readonly Run[][], rows: readonly Run[][][]): void {
  const wide = widths(doc, [[...head], ...rows]);
  const line = (cells: readonly Run[][], isHead: boolean) => {
    const hands = isHead ? cells.map((runs) => runs.map((run) => ({ ...run, strong: true }))) : cells;
    const height =
      Math.max(...hands.map((runs, i) => heightOf(doc, runs, SIZE, wide[i]! - 2 * PAD))) + 2 * PAD;
    if (doc.y + height > doc.page.height - MARGIN) {
      doc.addPage();
      if (!isHead) line(head, true);
    }
    const top = doc.y;
    if (isHead) doc.rect(MARGIN, top, widthOf(doc), height).fill(COLOURS.box);
    let x = MARGIN;
    hands.forEach((runs, i) => {
      doc.y = top + PAD;
      write(doc, runs.length ? runs : [{ text: " " }], SIZE, x + PAD, wide[i]! - 2 * PAD);
      x += wide[i]!;
    });
    doc
      .moveTo(MARGIN, top + height)
      .lineTo(x, top + height)
      .lineWidth(0.5)
      .strokeColor(COLOURS.line)
      .stroke();
    doc.y = top + height;
  };
  // a head alone at the foot of a page says nothing
  if (doc.y + 60 > doc.page.height - MARGIN) doc.addPage();
  line(head, true);
  for (const row of rows) line(row, false);
  doc.y += 10;
}
