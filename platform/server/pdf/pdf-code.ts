type Doc = PDFKit.PDFDocument;
/** A QR code, row by row; true is dark. */
export type Code = readonly (readonly boolean[])[];

/** Makes codes; loaded with the first that is asked for. */
export async function coder(): Promise<(text: string) => Code> {
  const { QrCode, Ecc } = await import("@rc-component/qrcode/lib/libs/qrcodegen.js");
  return (text) => QrCode.encodeText(text, Ecc.MEDIUM).getModules();
}

/** Dark stretches of a row of the code, so that a row is a few bars instead of many squares. */
export function barsOf(row: readonly boolean[]): { from: number; length: number }[] {
  const bars: { from: number; length: number }[] = [];
  row.forEach((dark, i) => {
    if (!dark) return;
    const last = bars.at(-1);
    if (last && last.from + last.length === i) last.length++;
    else bars.push({ from: i, length: 1 });
  });
  return bars;
}

/** Draws a code so many points wide; whoever draws it leaves four of its squares free around it. */
export function drawCode(
  doc: Doc,
  code: Code,
  { x, y, width }: { x: number; y: number; width: number },
): void {
  const side = width / code.length;
  code.forEach((row, i) => {
    for (const { from, length } of barsOf(row)) doc.rect(x + from * side, y + i * side, length * side, side);
  });
  doc.fill("black");
}
