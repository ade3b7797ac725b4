import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ask, fetchFile } from "../../../platform/console/calls/request.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { copy } from "../../../platform/console/parts/toast.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { shareRoom } from "../lead/lead.contract.ts";
import { type Share, contactLine, priceLine, roomLine, shareText } from "../lead/share.rules.ts";
import "../lead/lead.css";

/** Pixels of the card: what a phone shows whole. */
const WIDTH = 750;
const MARGIN = 48;
const COVER = 560;
const WORDS = 560;
// a card leaves the house: it looks the same whatever theme its maker works in
const INK = { paper: "#ffffff", text: "#1f2329", weak: "#646a73", line: "#e5e6eb", price: "#d4380d" };

type Pen = CanvasRenderingContext2D;

/** Fills a box with a picture, cut at its edges. */
function cover(pen: Pen, picture: ImageBitmap, x: number, y: number, width: number, height: number): void {
  const scale = Math.max(width / picture.width, height / picture.height);
  const [w, h] = [width / scale, height / scale];
  pen.drawImage(picture, (picture.width - w) / 2, (picture.height - h) / 2, w, h, x, y, width, height);
}

/** The pictures: one over the whole width, the next two beside each other below it. */
function drawPictures(pen: Pen, [first, second, third]: readonly ImageBitmap[]): void {
  const below = second ? 180 : 0;
  if (first) cover(pen, first, 0, 0, WIDTH, COVER - below - (below && 6));
  const half = third ? (WIDTH - 6) / 2 : WIDTH;
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
  pen.font = `${bold ? "600 " : ""}${size}px ${getComputedStyle(document.body).fontFamily}`;
  pen.fillStyle = ink;
  let line = "";
  let at = y;
  for (const character of text) {
    if (line && pen.measureText(line + character).width > WIDTH - x - MARGIN) {
      pen.fillText(line, x, at);
      at += size * 1.4;
      line = "";
    }
    line += character;
  }
  pen.fillText(line, x, at);
  return at + size * 1.4;
}

/** Draws the card of a room; without pictures it is the words alone. */
export function drawCard(canvas: HTMLCanvasElement, of: Share, pictures: readonly ImageBitmap[]): void {
  const top = pictures.length ? COVER : 0;
  const height = top + WORDS;
  canvas.width = WIDTH;
  canvas.height = height;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = INK.paper;
  pen.fillRect(0, 0, WIDTH, height);
  drawPictures(pen, pictures);
  let y = write(pen, of.storeName, MARGIN, top + 84, { size: 40, bold: true });
  y = write(pen, roomLine(of), MARGIN, y + 4, { size: 30 });
  y = write(pen, priceLine(of), MARGIN, y + 32, { size: 48, bold: true, ink: INK.price });
  y = write(pen, `${of.freeFrom} 起可入住`, MARGIN, y + 4, { size: 28, ink: INK.weak });
  if (of.address) write(pen, of.address, MARGIN, y, { size: 28, ink: INK.weak });
  pen.fillStyle = INK.line;
  pen.fillRect(MARGIN, height - 128, WIDTH - 2 * MARGIN, 2);
  write(pen, `租房顾问 ${contactLine(of)}`, MARGIN, height - 60, { size: 32, bold: true });
}

/** A picture that cannot be had is left out of the card. */
const pictureOf = (fileId: number): Promise<ImageBitmap | undefined> =>
  fetchFile(getFile, { params: { id: fileId } })
    .then(({ blob }) => createImageBitmap(blob))
    .catch(() => undefined);

async function cardOf(share: Share & { pictures: readonly number[] }): Promise<Blob> {
  const pictures = await Promise.all(share.pictures.slice(0, 3).map(pictureOf));
  const canvas = document.createElement("canvas");
  drawCard(
    canvas,
    share,
    pictures.filter((p) => p !== undefined),
  );
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}

function save(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

/** The card of a room for a customer: looked at, then saved as a picture or copied as text. */
export function ShareDialog({
  leadId,
  roomId,
  onClose,
}: {
  leadId: number;
  roomId: number;
  onClose: () => void;
}) {
  const { data, error, refetch } = useQuery(ask(shareRoom, { params: { id: leadId }, query: { roomId } }));
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!data) return;
    let made: string | undefined;
    let gone = false;
    void cardOf(data).then((blob) => {
      if (!gone) setUrl((made = URL.createObjectURL(blob)));
    });
    return () => {
      gone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [data]);
  return (
    <Dialog
      title="分享房源"
      width={420}
      onClose={onClose}
      footer={
        data && (
          <>
            <Button run={() => copy(shareText(data))}>复制文字</Button>
            <Button
              look="main"
              why={url ? undefined : "正在生成图片"}
              run={() => save(url!, `${data.storeName}_${data.layout || "房源"}.png`)}
            >
              保存图片
            </Button>
          </>
        )
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : url && data ? (
        <img className="share" src={url} alt={shareText(data)} />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </Dialog>
  );
}
