import { pdfFonts } from "../../system/paper/print.service.ts";
import { barsOf, CODE_SIDE, LABEL, labelAt } from "./sheet.rules.ts";
import { pdfOf } from "../../../platform/server/files/pdf.ts";

/** What stands on a label, and what its code opens. */
export type Label = { name: string; place: string; url: string };
type Doc = PDFKit.PDFDocument;

/** Labels on A4 to be printed and cut apart. */
export async function labelSheet(labels: readonly Label[], title: string): Promise<Buffer> {
  const [fonts, { default: PDFDocument }, codes] = await Promise.all([
    pdfFonts(),
    import("pdfkit"),
    import("@rc-component/qrcode/lib/libs/qrcodegen.js"),
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
      const code = codes.QrCode.encodeText(label.url, codes.Ecc.MEDIUM);
      drawLabel(doc, label, code.getModules(), { x, y });
    });
  });
}

function drawLabel(
  doc: Doc,
  { name, place }: Label,
  modules: readonly (readonly boolean[])[],
  { x, y }: { x: number; y: number },
): void {
  doc.rect(x, y, LABEL.width, LABEL.height).lineWidth(0.5).dash(3, { space: 3 }).stroke("#9ca3af").undash();
  const side = CODE_SIDE / modules.length;
  const [left, top] = [x + (LABEL.width - CODE_SIDE) / 2, y + 14];
  modules.forEach((row, i) => {
    for (const { from, length } of barsOf(row))
      doc.rect(left + from * side, top + i * side, length * side, side);
  });
  doc.fill("black");
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
