import { contactLine, priceLine, roomLine, type Share } from "./share.rules.ts";

/** Size of the card in pixels: what a phone shows whole. */
export const CARD = { width: 750, height: 1120 } as const;
const MARGIN = 48;
const COVER = 560;
// a card leaves the house: it looks the same whatever theme its maker works in
const INK = {
  paper: "#ffffff",
  text: "#1f2329",
  weak: "#646a73",
  line: "#e5e6eb",
  price: "#d4380d",
  none: "#f2f3f5",
};
const FONT = '"PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif';

type Pen = CanvasRenderingContext2D;

/** Fills a box with a picture, cut at its edges. */
function cover(pen: Pen, picture: ImageBitmap, x: number, y: number, width: number, height: number): void {
  const scale = Math.max(width / picture.width, height / picture.height);
  const [w, h] = [width / scale, height / scale];
  pen.drawImage(picture, (picture.width - w) / 2, (picture.height - h) / 2, w, h, x, y, width, height);
}

/** The pictures: one over the whole width, the next two beside each other below it. */
function drawPictures(pen: Pen, pictures: readonly ImageBitmap[]): void {
  const [first, second, third] = pictures;
  pen.fillStyle = INK.none;
  pen.fillRect(0, 0, CARD.width, COVER);
  if (!first) {
    write(pen, "暂无图片", CARD.width / 2 - 64, COVER / 2, { size: 32, ink: INK.weak });
    return;
  }
  const below = second ? 180 : 0;
  cover(pen, first, 0, 0, CARD.width, COVER - below - (below && 6));
  const half = third ? (CARD.width - 6) / 2 : CARD.width;
  if (second) cover(pen, second, 0, COVER - below, half, below);
  if (third) cover(pen, third, half + 6, COVER - below, half, below);
}

/** A line of text, broken where it meets the margin; answers where the next one begins. */
function write(
  pen: Pen,
  text: string,
  x: number,
  y: number,
  { size, ink = INK.text, bold = false }: { size: number; ink?: string; bold?: boolean },
): number {
  pen.font = `${bold ? "600 " : ""}${size}px ${FONT}`;
  pen.fillStyle = ink;
  let line = "";
  let at = y;
  for (const character of text) {
    if (line && pen.measureText(line + character).width > CARD.width - x - MARGIN) {
      pen.fillText(line, x, at);
      at += size * 1.4;
      line = "";
    }
    line += character;
  }
  pen.fillText(line, x, at);
  return at + size * 1.4;
}

/** Draws the card of a room. */
export function drawCard(canvas: HTMLCanvasElement, of: Share, pictures: readonly ImageBitmap[]): void {
  canvas.width = CARD.width;
  canvas.height = CARD.height;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = INK.paper;
  pen.fillRect(0, 0, CARD.width, CARD.height);
  drawPictures(pen, pictures);
  let y = write(pen, of.storeName, MARGIN, COVER + 76, { size: 40, bold: true });
  y = write(pen, roomLine(of), MARGIN, y + 8, { size: 30 });
  y = write(pen, priceLine(of), MARGIN, y + 24, { size: 48, bold: true, ink: INK.price });
  y = write(pen, `${of.freeFrom} 起可入住`, MARGIN, y, { size: 28, ink: INK.weak });
  if (of.address) write(pen, of.address, MARGIN, y, { size: 28, ink: INK.weak });
  pen.fillStyle = INK.line;
  pen.fillRect(MARGIN, CARD.height - 128, CARD.width - 2 * MARGIN, 2);
  write(pen, `租房顾问 ${contactLine(of)}`, MARGIN, CARD.height - 64, { size: 32, bold: true });
}
