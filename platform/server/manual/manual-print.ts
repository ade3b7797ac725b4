import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import PDFDocument from "pdfkit";
import { draw } from "./manual-blocks.ts";
import { COLOURS, MARGIN, widthOf, type Doc } from "./manual-paper.ts";
import type { Chapter } from "./manual-text.ts";
import { pdfOf } from "../files/pdf.ts";

/** Noto Sans SC, under the SIL Open Font License; only the characters that are used go into the file. */
const font = (file: string) =>
  readFile(fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans-sc/${file}`)));

export type Cover = { title: string; owner: string; version: string };
type Entry = { text: string; name: string; level: number; page: number };

const TOC_TOP = 120;
const TOC_LINE = { 1: 26, 2: 19 } as Record<number, number>;

/** The manual on A4: cover, table of contents, chapters; headings stand in the outline and can be gone to. */
export async function printManual(chapters: readonly Chapter[], cover: Cover): Promise<Buffer> {
  const [body, strong] = await Promise.all([
    font("400Regular/NotoSansSC_400Regular.ttf"),
    font("700Bold/NotoSansSC_700Bold.ttf"),
  ]);
  const doc = new PDFDocument({
    size: "A4",
    margins: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
    bufferPages: true,
    displayTitle: true,
    lang: "zh-CN",
    info: {
      Title: cover.title,
      Subject: `${cover.title} ${cover.version}`,
      Author: cover.owner,
      Producer: cover.owner,
      Creator: cover.owner,
      // the same chapters give the same file, whenever it is made
      CreationDate: new Date(0),
    },
  });
  return pdfOf(doc, { body, strong }, () => {
    drawCover(doc, cover);
    const pages = contentsPages(chapters, doc.page.height);
    for (let i = 0; i < pages; i++) doc.addPage();
    const entries = chapters.flatMap((chapter) => drawChapter(doc, chapter));
    drawContents(doc, entries);
    drawFeet(doc, entries, cover, 1 + pages);
  });
}

function drawCover(doc: Doc, { title, owner, version }: Cover): void {
  doc.rect(0, 0, doc.page.width, 300).fill(COLOURS.brand);
  doc.font("strong").fontSize(34).fillColor("white").text(title, MARGIN, 180);
  doc.font("body").fontSize(15).text(version, MARGIN, 236);
  doc.fillColor(COLOURS.grey).fontSize(11);
  doc.text("运营人员使用：登录、房源、客户与合同、账单与收款、审批、报表和系统管理。", MARGIN, 340);
  doc.text(owner, MARGIN, doc.page.height - MARGIN - 30, { lineBreak: false });
}

function drawChapter(doc: Doc, { blocks }: Chapter): Entry[] {
  const entries: Entry[] = [];
  let chapter: PDFKit.PDFOutline | undefined;
  doc.addPage();
  for (const block of blocks) {
    if (block.kind !== "heading") {
      draw(doc, block);
      continue;
    }
    draw(doc, block);
    if (block.level > 2) continue;
    const { start, count } = doc.bufferedPageRange();
    entries.push({ text: block.text, name: block.name, level: block.level, page: start + count });
    // it knows more than its types say, and counts `left` from the right edge
    const at = { top: Math.max(0, doc.y - 40), left: doc.page.width, fit: false } as { expanded?: boolean };
    if (block.level === 1) chapter = doc.outline.addItem(block.text, at);
    else chapter?.addItem(block.text, at);
  }
  return entries;
}

/** How many pages the table of contents takes: it stands before what it counts. */
function contentsPages(chapters: readonly Chapter[], height: number): number {
  let [pages, y] = [1, TOC_TOP];
  for (const { blocks } of chapters)
    for (const block of blocks) {
      const line = block.kind === "heading" ? TOC_LINE[block.level] : undefined;
      if (!line) continue;
      if (y + line > height - MARGIN - 20) [pages, y] = [pages + 1, MARGIN];
      y += line;
    }
  return pages;
}

function drawContents(doc: Doc, entries: readonly Entry[]): void {
  let [page, y] = [1, TOC_TOP];
  doc.switchToPage(page);
  doc.font("strong").fontSize(20).fillColor("black").text("目录", MARGIN, 72);
  for (const { text, name, level, page: at } of entries) {
    const line = TOC_LINE[level]!;
    if (y + line > doc.page.height - MARGIN - 20) {
      doc.switchToPage(++page);
      y = MARGIN;
    }
    const [x, top] = [MARGIN + (level - 1) * 18, y + (level === 1 ? 8 : 3)];
    doc.font(level === 1 ? "strong" : "body").fontSize(level === 1 ? 11.5 : 10);
    doc.fillColor(level === 1 ? "black" : COLOURS.grey);
    const end = x + doc.widthOfString(text) + 6;
    doc.text(text, x, top, { lineBreak: false, goTo: name });
    const number = String(at);
    const from = MARGIN + widthOf(doc) - doc.widthOfString(number);
    doc.text(number, from, top, { lineBreak: false, goTo: name });
    doc
      .moveTo(end, top + 11)
      .lineTo(from - 6, top + 11)
      .lineWidth(0.5)
      .dash(1, { space: 2 })
      .strokeColor(COLOURS.line)
      .stroke()
      .undash();
    y += line;
  }
}

/** Chapter and page at the foot of every page that belongs to one. */
function drawFeet(doc: Doc, entries: readonly Entry[], { title, version }: Cover, first: number): void {
  const { start, count } = doc.bufferedPageRange();
  for (let i = start + 1; i < start + count; i++) {
    doc.switchToPage(i);
    // Below the margin the text would open a new page.
    doc.page.margins.bottom = 0;
    const y = doc.page.height - 36;
    const chapter = entries.findLast((entry) => entry.level === 1 && entry.page <= i + 1);
    doc.font("body").fontSize(8).fillColor(COLOURS.grey);
    doc.text(i < first || !chapter ? `${title} ${version}` : chapter.text, MARGIN, y, { lineBreak: false });
    doc.text(String(i + 1), MARGIN, y, { width: widthOf(doc), align: "right", lineBreak: false });
  }
}
