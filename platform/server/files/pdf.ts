type Doc = PDFKit.PDFDocument;
export type PdfFonts = { body: Buffer; strong: Buffer };

/** The bytes of a PDF that `draw` draws in the letters `body` and `strong`. */
export async function pdfOf(doc: Doc, { body, strong }: PdfFonts, draw: () => unknown): Promise<Buffer> {
  const parts: Buffer[] = [];
  doc.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise<void>((resolve, reject) => {
    doc.on("end", () => resolve());
    doc.on("error", reject);
  });
  doc.registerFont("body", body);
  doc.registerFont("strong", strong);
  await draw();
  doc.end();
  await ended;
  return Buffer.concat(parts);
}
