import { readFileSync } from "node:fs";
import { COLOURS, MARGIN, heightOf, widthOf, write, type Doc } from "./manual-paper.ts";
import { textOf, type Block, type Run } from "./manual-text.ts";

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
function drawTable(doc: Doc, head: readonly Run[][], rows: readonly Run[][][]): void {
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

const room = (doc: Doc) => doc.page.height - MARGIN - doc.y;
/** A new page where fewer than so many points are left. */
const need = (doc: Doc, points: number) => void (room(doc) < points && doc.addPage());

const HEADINGS = [
  { size: 22, before: 0, after: 14, keep: 0 },
  { size: 15, before: 14, after: 7, keep: 90 },
  { size: 11.5, before: 9, after: 4, keep: 60 },
];

export function draw(doc: Doc, block: Block): void {
  doc.x = MARGIN;
  switch (block.kind) {
    case "heading": {
      const { size, before, after, keep } = HEADINGS[block.level - 1]!;
      need(doc, keep);
      if (doc.y > MARGIN + 1) doc.y += before;
      doc
        .font("strong")
        .fontSize(size)
        .fillColor(block.level === 2 ? COLOURS.brand : "black");
      // a page's help opens the manual here, by the page's own address
      for (const screen of block.screens) doc.addNamedDestination(screen, "XYZ", doc.x, doc.y, null);
      doc.text(block.text, { ...(block.name && { destination: block.name }) });
      doc.y += after;
      return;
    }
    case "text":
      need(doc, 32);
      return write(doc, block.runs, 10, MARGIN, widthOf(doc), 7);
    case "item":
      return drawItem(doc, block.mark, block.depth, block.runs);
    case "note":
      return drawNote(doc, block.runs);
    case "code":
      return drawCode(doc, block.text);
    case "table":
      return drawTable(doc, block.head, block.rows);
    case "picture":
      return drawPicture(doc, block.file, block.says);
  }
}

function drawItem(doc: Doc, mark: string, depth: number, runs: readonly Run[]): void {
  need(doc, 30);
  const x = MARGIN + 6 + depth * 18;
  const y = doc.y;
  doc.font("body").fontSize(10).fillColor(COLOURS.grey).text(mark, x, y, { lineBreak: false });
  doc.y = y;
  write(doc, runs, 10, x + 18, widthOf(doc) - 24 - depth * 18, 3);
}

function drawNote(doc: Doc, runs: readonly Run[]): void {
  const width = widthOf(doc) - 24;
  const height = heightOf(doc, runs, 9.5, width) + 14;
  need(doc, height);
  const top = doc.y;
  doc.rect(MARGIN, top, widthOf(doc), height).fill(COLOURS.box);
  doc.rect(MARGIN, top, 3, height).fill(COLOURS.brand);
  doc.y = top + 7;
  write(doc, runs, 9.5, MARGIN + 14, width);
  doc.y = top + height + 8;
}

function drawCode(doc: Doc, text: string): void {
  const width = widthOf(doc) - 20;
  doc.font("body").fontSize(9);
  const height = doc.heightOfString(text, { width, lineGap: 3 }) + 14;
  need(doc, height);
  const top = doc.y;
  doc.roundedRect(MARGIN, top, widthOf(doc), height, 3).fillAndStroke(COLOURS.box, COLOURS.line);
  doc.fillColor("black").text(text, MARGIN + 10, top + 7, { width, lineGap: 3 });
  doc.y = top + height + 8;
}

/** As wide as the column, or as half of it where it is a picture of a phone. */
function drawPicture(doc: Doc, file: string, says: string): void {
  const bytes = readFileSync(file);
  const [w, h] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const width = h > w ? 170 : widthOf(doc);
  const height = (width * h) / w;
  need(doc, height + 30);
  const [x, y] = [MARGIN + (widthOf(doc) - width) / 2, doc.y + 2];
  // by its name: shown twice it is in the file once
  doc.image(file, x, y, { width });
  doc.rect(x, y, width, height).lineWidth(0.5).strokeColor(COLOURS.line).stroke();
  doc.font("body").fontSize(8.5).fillColor(COLOURS.grey);
  doc.text(says, MARGIN, y + height + 5, { width: widthOf(doc), align: "center" });
  doc.y += 10;
}
