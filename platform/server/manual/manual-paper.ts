import { screenIn, type Run } from "./manual-text.ts";

export type Doc = PDFKit.PDFDocument;
export const MARGIN = 56;
export const COLOURS = {
  brand: "#2f5fd0",
  grey: "#5b6472",
  line: "#c9ced6",
  box: "#f3f5f8",
  code: "#9a3412",
} as const;

export const widthOf = (doc: Doc): number => doc.page.width - 2 * MARGIN;
/** Runs one after another in a column; each keeps its hand across line ends. */
export function write(
  doc: Doc,
  runs: readonly Run[],
  size: number,
  x: number,
  width: number,
  after = 0,
): void {
  const gap = size * 0.32;
  runs.forEach((run, i) => {
    const { text, strong, code, link } = run;
    const screen = screenIn(run);
    doc.font(strong ? "strong" : "body").fontSize(size);
    doc.fillColor(link ? COLOURS.brand : code ? COLOURS.code : "black");
    const options = {
      width,
      lineGap: gap,
      continued: i < runs.length - 1,
      // the manual lies beside the pages: their address leads to them from there
      link: link ?? (screen ? `/sams${screen}` : null),
      underline: Boolean(link),
    };
    if (i === 0) doc.text(text, x, doc.y, options);
    else doc.text(text, options);
  });
  doc.x = MARGIN;
  doc.y += after;
}

/** A little more than the text takes: bold hands are wider. */
export function heightOf(doc: Doc, runs: readonly Run[], size: number, width: number): number {
  const text = runs.map((run) => run.text).join("") || " ";
  doc.font(runs.some((run) => run.strong) ? "strong" : "body").fontSize(size);
  return doc.heightOfString(text, { width, lineGap: size * 0.32 });
}
