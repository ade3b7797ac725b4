import { pdfFonts } from "../../system/paper/print.service.ts";
import { CODE_SIDE, LABEL, labelAt } from "./sheet.rules.ts";
import { pdfOf } from "../../../platform/server/files/pdf.ts";
import { type Code, coder, drawCode } from "../../../platform/server/pdf/pdf-code.ts";

/** What stands on a label, and what its code opens. */
export type Label = { name: string; place: string; url: string };
type Doc = PDFKit.PDFDocument;

/** Labels on A4 to be printed and cut apart. */
export async function labelSheet(labels: readonly Label[], title: string): Promise<Buffer> {
  const [fonts, { default: PDFDocument }, codeOf] = await Promise.all([
    pdfFonts(),
    import("pdfkit"),
    coder(),
  ]);
  const doc = new PDFDocument({
    size: "A4",
    margin: 0,
    autoFirstPage: false,
    lang: "zh-CN",
    info: { Title: title, Producer: "智慧公寓", Creator: "智慧公寓" },
  });
  return pdfOf(doc, fonts, () => {
    labels.forEach((label, n) => {
      const { x, y } = labelAt(n);
      if (labelAt(n).page !== (n ? labelAt(n - 1).page : -1)) doc.addPage();
      drawLabel(doc, label, codeOf(label.url), { x, y });
    });
  });
}

function drawLabel(doc: Doc, { name, place }: Label, code: Code, { x, y }: { x: number; y: number }): void {
  doc.rect(x, y, LABEL.width, LABEL.height).lineWidth(0.5).dash(3, { space: 3 }).stroke("#9ca3af").undash();
  const [left, top] = [x + (LABEL.width - CODE_SIDE) / 2, y + 14];
  drawCode(doc, code, { x: left, y: top, width: CODE_SIDE });
  const text = { width: LABEL.width - 16, align: "center", ellipsis: true } as const;
  doc
    .font("strong")
    .fontSize(11)
    .fillColor("black")
    .text(name, x + 8, top + CODE_SIDE + 8, { ...text, height: 28 });
  doc
    .font("body")
    .fontSize(8)
    .fillColor("#6b7280")
    .text(place, x + 8, y + LABEL.height - 22, { ...text, height: 12 });
}
