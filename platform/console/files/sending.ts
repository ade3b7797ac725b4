import type { Envelope } from "../../kernel/call.ts";
import { Failure } from "../calls/failure.ts";
import { addressOf, failureOf, type Wire } from "../calls/request.ts";

/** Longest side in pixels that is tried first; enough to read the small print of a contract. */
const SIDES = [4096, 3072, 2048, 1440, 1024];
const QUALITY = 0.86;

const asJpeg = (canvas: HTMLCanvasElement) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));

/**
 * The picture itself when it is small enough, else the same picture smaller, as a JPEG. Undefined when it cannot be
 * read as a picture.
 */
export async function shrunk(file: File, maxBytes: number): Promise<File | undefined> {
  if (file.size <= maxBytes) return file;
  // it is turned upright as it is read
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  try {
    for (const side of SIDES) {
      const scale = Math.min(1, side / Math.max(picture.width, picture.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(picture.width * scale);
      canvas.height = Math.round(picture.height * scale);
      const pen = canvas.getContext("2d");
      if (!pen) return undefined;
      // what is see-through in a PNG is white on paper
      pen.fillStyle = "white";
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
      const made = await asJpeg(canvas);
      if (made && made.size <= maxBytes)
        return new File([made], `${file.name.replace(/\.\w+$/, "")}.jpg`, { type: "image/jpeg" });
    }
    return undefined;
  } finally {
    picture.close();
  }
}

/** Sends one file without a token and tells how much of it is under way, 0 to 1. Throws a Failure, as `send` does. */
export function sendWithProgress<R>(
  wire: Wire,
  params: Record<string, unknown>,
  file: File,
  told: (part: number) => void,
): Promise<R> {
  const body = new FormData();
  body.append("file", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(wire.method, addressOf(wire, params));
    request.timeout = wire.timeout ?? 300_000;
    request.upload.addEventListener("progress", ({ loaded, total }) => told(total ? loaded / total : 0));
    request.addEventListener("error", () =>
      reject(new Failure("offline", "网络连接失败，请检查网络后重试", 0)),
    );
    request.addEventListener("timeout", () => reject(new Failure("timeout", "请求超时，请稍后再试", 0)));
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      if (status === 200) resolve((JSON.parse(responseText) as Envelope<R>).data);
      else
        failureOf(
          new Response(responseText, {
            status,
            headers: { "x-request-id": request.getResponseHeader("x-request-id") ?? "" },
          }),
        ).then(reject, reject);
    });
    request.send(body);
  });
}
