import { readFile } from "node:fs/promises";
import { setImmediate as othersFirst } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { widthOf as textWidth, type Mark } from "../watermark/watermark.rules.ts";
import type { Block, Paper, Run } from "./block.rules.ts";
import { pdfOf, type PdfFonts } from "../../../platform/server/files/pdf.ts";
import { laidOver } from "../../../platform/server/pdf/pdf-append.ts";
import { coder, drawCode } from "../../../platform/server/pdf/pdf-code.ts";

/** Noto Sans SC, under the SIL Open Font License; only the characters that are used go into the file. */
const FONTS = { body: "400Regular/NotoSansSC_400Regular.ttf", strong: "700Bold/NotoSansSC_700Bold.ttf" };
let fonts: Promise<PdfFonts> | undefined;

async function read() {
  const at = (file: string) =>
    readFile(fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans-sc/${file}`)));
  const [body, strong] = await Promise.all([at(FONTS.body), at(FONTS.strong)]);
  return { body, strong };
}

/** The letters of every paper, read once. */
export const pdfFonts = () => (fonts ??= read());

const MARGIN = 50;
const GREY = "#6b7280";
/** Within the head margin, clear of what stands at its right. */
const CODE_AT = { y: 9, width: 32, fromRight: MARGIN + 90 };
type Doc = PDFKit.PDFDocument;

type Drawing = { title: string; size?: [number, number]; draw: (doc: Doc) => unknown };

async function document({ title, size, draw }: Drawing): Promise<Buffer> {
  // loaded with the first paper: a server that prints none does without its megabytes
  const { default: PDFDocument } = await import("pdfkit");
  const doc = new PDFDocument({
    size: size ?? "A4",
    margins: { top: MARGIN, bottom: MARGIN + 14, left: MARGIN, right: MARGIN },
    bufferPages: true,
    lang: "zh-CN",
    info: { Title: title, Producer: "智慧公寓", Creator: "智慧公寓" },
  });
  return pdfOf(doc, await pdfFonts(), () => draw(doc));
}

/**
 * Draws a paper as PDF on A4, with its reader's mark where there is one. The text stays text: it can be searched and copied.
 * `overflows` takes the beginning of every table row that is higher than a page.
 */
export const printed = (paper: Paper, title: string, mark?: Mark, overflows?: string[]): Promise<Buffer> =>
  printedTogether([paper], title, mark, overflows);

/** Papers as one PDF: each begins on a page of its own and counts its own pages. */
export const printedTogether = (
  papers: readonly Paper[],
  title: string,
  mark?: Mark,
  overflows: string[] = [],
): Promise<Buffer> =>
  document({
    title,
    draw: async (doc) => {
      for (const [i, paper] of papers.entries()) {
        if (i > 0) {
          // the pages before are done; the server answers others between two papers
          doc.flushPages();
          await othersFirst();
          doc.addPage();
        }
        for (const block of paper.blocks) draw(doc, block, overflows);
        stamp(doc, paper, mark);
        if (paper.code) {
          doc.switchToPage(doc.bufferedPageRange().start);
          drawCode(doc, (await coder())(paper.code), { ...CODE_AT, x: doc.page.width - CODE_AT.fromRight });
        }
      }
    },
  });

/** A picture on a page of its own, with its reader's mark over it and a line at its foot. */
export const printedPicture = (picture: Buffer, title: string, mark: Mark, note: string): Promise<Buffer> =>
  document({
    title,
    draw: (doc) => {
      const { width, height } = doc.page;
      doc.image(picture, 0, 0, { fit: [width, height], align: "center", valign: "center" });
      overlay(doc, mark, note);
    },
  });

/** A copy of a PDF with its reader's mark over every page and a line at its foot that says so; nothing where it cannot be read. */
export const marked = (pdf: Buffer, mark: Mark, note: string): Promise<Buffer | undefined> =>
  laidOver(pdf, (width, height) =>
    document({
      title: note,
      size: [width, height],
      draw: (doc) => overlay(doc, mark, note),
    }),
  );

function overlay(doc: Doc, mark: Mark, note: string): void {
  doc.page.margins.bottom = 0;
  doc.font("body").fontSize(8).fillColor(GREY);
  doc.text(note, MARGIN, doc.page.height - 16, { lineBreak: false });
  tile(doc, mark);
}

const widthOf = (doc: Doc) => doc.page.width - 2 * MARGIN;
const room = (doc: Doc) => doc.page.height - doc.page.margins.bottom - doc.y;

function draw(doc: Doc, block: Block, overflows: string[]): void {
  switch (block.kind) {
    case "title":
      doc.font("strong").fontSize(18).fillColor("black").text(block.text, { align: "center" }).moveDown(0.5);
      return;
    case "heading":
      if (room(doc) < 50) doc.addPage();
      doc.moveDown(0.5).font("strong").fontSize(11).fillColor("black").text(block.text).moveDown(0.2);
      return;
    case "text":
      doc.font("body").fontSize(10).fillColor("black").text(block.text, { lineGap: 3 }).moveDown(0.15);
      return;
    case "note":
      doc.font("body").fontSize(9).fillColor(GREY).text(block.text, { lineGap: 2 }).moveDown(0.5);
      return;
    case "pairs":
      return drawPairs(doc, block.pairs);
    case "table":
      return drawTable(doc, block, overflows);
    case "rich":
      return drawRich(doc, block);
    case "grid":
      return drawGrid(doc, block.rows, overflows);
    case "break":
      // a page that holds nothing yet is not turned
      if (doc.y > MARGIN + 1) doc.addPage();
      return;
    case "signatures":
      return drawSignatures(doc, block.sides, block.date);
    case "appendix":
      // A page that holds nothing but signatures would be a page too many.
      if (room(doc) < doc.page.height / 2) doc.addPage();
      else doc.moveDown(2);
  }
}

function drawPairs(doc: Doc, pairs: readonly (readonly [string, string])[]): void {
  const half = widthOf(doc) / 2;
  doc.fontSize(10);
  for (let i = 0; i < pairs.length; i += 2) {
    const y = doc.y;
    let bottom = y;
    pairs.slice(i, i + 2).forEach(([label, value], k) => {
      const x = MARGIN + k * half;
      doc.font("body").fillColor(GREY).text(label, x, y, { width: 100 });
      doc.fillColor("black").text(value, x + 100, y, { width: half - 110 });
      bottom = Math.max(bottom, doc.y);
    });
    doc.x = MARGIN;
    doc.y = bottom + 3;
  }
  doc.moveDown(0.5);
}

const pageRoom = (doc: Doc) => doc.page.height - doc.page.margins.bottom - MARGIN;

/** Words of two weights. Lines that are not flush left are set one by one, since pdfkit aligns each run for itself. */
function drawRich(doc: Doc, { runs, align, indent = 0, mark }: Extract<Block, { kind: "rich" }>): void {
  const width = widthOf(doc) - indent;
  const font = (run: Run) => doc.font(run.strong ? "strong" : "body");
  doc.fontSize(10).fillColor("black");
  if (!runs.length) return void doc.font("body").moveDown(0.7);
  if (room(doc) < 20) doc.addPage();
  if (mark) doc.font("body").text(mark, MARGIN + indent - 14, doc.y, { lineBreak: false });
  const y = doc.y;
  const across = runs.reduce((sum, run) => sum + font(run).widthOfString(run.text), 0);
  const oneLine = across <= width && !runs.some((run) => run.text.includes("\n"));
  if (align && align !== "left" && oneLine) {
    let x = MARGIN + indent + (width - across) / (align === "center" ? 2 : 1);
    for (const run of runs) {
      font(run).text(run.text, x, y, { lineBreak: false });
      x += doc.widthOfString(run.text);
    }
    doc.y = y + doc.currentLineHeight(true) + 3;
  } else if (align && align !== "left") {
    // a long one takes the weight of its first words
    font(runs[0]!).text(runs.map((run) => run.text).join(""), MARGIN + indent, y, {
      width,
      align,
      lineGap: 3,
    });
  } else
    runs.forEach((run, i) => {
      const continued = i < runs.length - 1;
      if (i) font(run).text(run.text, { continued, width, lineGap: 3 });
      else font(run).text(run.text, MARGIN + indent, y, { continued, width, lineGap: 3 });
    });
  doc.x = MARGIN;
  doc.font("body").moveDown(0.15);
}

function drawGrid(doc: Doc, rows: Extract<Block, { kind: "grid" }>["rows"], overflows: string[]): void {
  const pad = 4;
  const columns = Math.max(...rows.map((row) => row.length));
  const width = widthOf(doc) / columns;
  for (const row of rows) {
    doc.fontSize(9);
    const font = (cell: Run) => doc.font(cell.strong ? "strong" : "body");
    const inner = { width: width - 2 * pad, lineGap: 1 };
    const height =
      Math.max(...row.map((cell) => font(cell).heightOfString(cell.text || " ", inner)), 12) + 2 * pad;
    if (height > pageRoom(doc)) overflows.push(row.map((cell) => cell.text).join(" "));
    if (room(doc) < height) doc.addPage();
    const y = doc.y;
    for (let i = 0; i < columns; i++) {
      const cell = row[i] ?? { text: "" };
      const x = MARGIN + i * width;
      doc.rect(x, y, width, height).lineWidth(0.5).strokeColor("#9ca3af").stroke();
      font(cell)
        .fillColor("black")
        .text(cell.text, x + pad, y + pad, { ...inner, align: cell.align ?? "left" });
    }
    doc.x = MARGIN;
    doc.y = y + height;
  }
  doc.font("body").fontSize(10).moveDown(0.5);
}

function drawTable(
  doc: Doc,
  { columns, rows, sums }: Omit<Extract<Block, { kind: "table" }>, "kind">,
  overflows: string[],
): void {
  const pad = 3;
  const line = (cells: readonly string[], font: string, head = false) => {
    doc.font(font).fontSize(8);
    const height =
      Math.max(
        ...cells.map((text, i) => doc.heightOfString(text || " ", { width: columns[i]!.width - 2 * pad })),
      ) +
      2 * pad;
    if (height > pageRoom(doc)) overflows.push(cells.join(" "));
    if (room(doc) < height && !head) {
      doc.addPage();
      line(
        columns.map((c) => c.title),
        "strong",
        true,
      );
      doc.font(font).fontSize(8);
    }
    const y = doc.y;
    let x = MARGIN;
    columns.forEach((column, i) => {
      const align = column.right ? "right" : "left";
      doc.fillColor("black").text(cells[i] ?? "", x + pad, y + pad, { width: column.width - 2 * pad, align });
      x += column.width;
    });
    doc
      .moveTo(MARGIN, y + height)
      .lineTo(x, y + height)
      .lineWidth(0.5)
      .strokeColor("#d1d5db")
      .stroke();
    doc.x = MARGIN;
    doc.y = y + height;
  };
  line(
    columns.map((c) => c.title),
    "strong",
    true,
  );
  for (const row of rows) line(row, "body");
  if (sums) line(sums, "strong");
  doc.moveDown(0.5);
}

function drawSignatures(doc: Doc, sides: readonly { role: string; name: string }[], date: string): void {
  if (room(doc) < 130) doc.addPage();
  doc.moveDown(1.5);
  const y = doc.y;
  const width = widthOf(doc) / sides.length;
  const [year = "", month = "", day = ""] = date.split("-");
  const on = /^\d{4}-/.test(date)
    ? `日期：${year} 年 ${month} 月 ${day} 日`
    : `日期：${date || "　　　　年　　月　　日"}`;
  sides.forEach(({ role, name }, i) => {
    const x = MARGIN + i * width;
    // whoever signs electronically finds the place by its name: the left end of the line that the date stands on
    // in a template of one's own the sides may stand apart
    const named = ["甲方", "乙方", "丙方"].findIndex((party) => role.startsWith(party));
    const side = named < 0 ? i : named;
    doc.addNamedDestination(`signature-${side}`, "XYZ", x, y + 78, null);
    doc
      .font("strong")
      .fontSize(10)
      .fillColor("black")
      .text(`${role}：${name}`, x, y, { width: width - 20 });
    doc.font("body").text(on, x, y + 80, { width: width - 20 });
  });
  doc.x = MARGIN;
  doc.y = y + 100;
}

/** Foot and marks of every page, once it is known how many there are. */
function stamp(doc: Doc, paper: Paper, mark: Mark | undefined): void {
  const { start, count } = doc.bufferedPageRange();
  for (let i = start; i < start + count; i++) {
    doc.switchToPage(i);
    // Below the margin the text would open a new page.
    doc.page.margins.bottom = 0;
    const y = doc.page.height - 40;
    doc.font("body").fontSize(8).fillColor(GREY);
    doc.text(paper.foot[0], MARGIN, y, { lineBreak: false });
    doc.text(`第 ${i - start + 1} / ${count} 页`, MARGIN, y, {
      width: widthOf(doc),
      align: "right",
      lineBreak: false,
    });
    if (paper.foot[1]) doc.text(paper.foot[1], MARGIN, y + 12, { lineBreak: false });
    if (paper.head) drawHead(doc, paper, paper.head);
    if (paper.seam) drawSeam(doc);
    if (mark) tile(doc, mark);
    if (!paper.mark) continue;
    doc.font("strong").fontSize(12).fillColor(GREY);
    doc.text(paper.mark, MARGIN, 22, { width: widthOf(doc), align: "right", lineBreak: false });
  }
}

/** The head in lines that end before the code and the mark; several begin so high that the last stays within the head margin. */
function drawHead(doc: Doc, { code, mark }: Paper, text: string): void {
  const width = widthOf(doc) - (code ? CODE_AT.fromRight - MARGIN + 8 : mark ? 48 : 0);
  const height = doc.heightOfString(text, { width });
  doc.text(text, MARGIN, Math.min(24, MARGIN - 2 - height), { width });
}

/** Where a seal goes half over this page: outside of what is read, at the right edge. */
function drawSeam(doc: Doc): void {
  const { width, height } = doc.page;
  doc.save();
  doc
    .circle(width, height / 2, 38)
    .dash(3, { space: 3 })
    .lineWidth(0.5)
    .strokeColor("#9ca3af")
    .stroke();
  doc.undash();
  ["骑", "缝", "章"].forEach((letter, i) =>
    doc.text(letter, width - 22, height / 2 - 15 + i * 10, { lineBreak: false }),
  );
  doc.restore();
}

/** The reader's mark, laid beside itself over the whole page. */
function tile(doc: Doc, { text, opacity, angle, gap }: Mark): void {
  const size = 11;
  const width = textWidth(text, size) + gap;
  doc.save();
  doc
    .font("body")
    .fontSize(size)
    .fillColor("#808080")
    .fillOpacity(opacity / 100);
  for (let y = gap / 2; y < doc.page.height; y += gap + size)
    for (let x = -gap / 2; x < doc.page.width; x += width) {
      doc.save();
      doc.rotate(angle, { origin: [x + width / 2, y] });
      doc.text(text, x, y, { lineBreak: false });
      doc.restore();
    }
  doc.restore();
}
