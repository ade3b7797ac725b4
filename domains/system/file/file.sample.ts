import { crc32, deflateSync } from "node:zlib";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { zip } from "../../../platform/server/sheets/zip.ts";
import { uploadFile, type StoredFile } from "./file.contract.ts";

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const made = Buffer.alloc(8 + body.length);
  made.writeUInt32BE(data.length, 0);
  body.copy(made, 4);
  made.writeUInt32BE(crc32(body), 4 + body.length);
  return made;
};

/** A grey picture; `text` is a note inside the file. */
export function aPng({ width = 2, height = 2, text = "" } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const rows = Buffer.alloc(Math.min((width + 1) * height, 10_000));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    ...(text ? [chunk("tEXt", Buffer.from(`Comment\0${text}`, "latin1"))] : []),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** The frame of a photo taken sideways, with a camera's record that names a place. */
export function aJpeg({ place = "30.2741N 120.1551E", orientation = 6, behind = "" } = {}): Buffer {
  const record = Buffer.alloc(26);
  record.write("II*\0", 0, "latin1");
  record.writeUInt32LE(8, 4);
  record.writeUInt16LE(1, 8);
  record.writeUInt16LE(0x0112, 10);
  record.writeUInt16LE(3, 12);
  record.writeUInt32LE(1, 14);
  record.writeUInt16LE(orientation, 18);
  return Buffer.concat([
    Buffer.from("ffd8", "hex"),
    segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), record, Buffer.from(place)])),
    segment(0xfe, Buffer.from(`taken at ${place}`)),
    segment(0xc0, Buffer.from("080010002003012200021101031101", "hex")),
    segment(0xda, Buffer.from("03010002110311003f00", "hex")),
    Buffer.from("a1ff00b2ffd0c3ffd9", "hex"),
    Buffer.from(behind),
  ]);
}

export const aPdf = (): Buffer => Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n");

export async function aZip(parts: Record<string, string | Buffer>): Promise<Buffer> {
  const entries = Object.entries(parts).map(([name, content]) => ({ name, content: [content] }));
  return Buffer.concat(await Array.fromAsync(zip(entries)));
}
/** Just enough of a workbook; `more` adds or replaces parts. */
export const aWorkbook = (more: Record<string, string | Buffer> = {}): Promise<Buffer> =>
  aZip({ "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>", ...more });

type Brought = { name: string; bytes: Buffer; type?: string };

/** Posts a file and what is said of it; as nobody where `as` is left out. */
export async function postFile<T>(
  house: TestHouse,
  url: string,
  file: Brought,
  { as, fields = {} }: { as?: Person | undefined; fields?: Record<string, string> } = {},
) {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.append("file", new Blob([new Uint8Array(file.bytes)], { type: file.type ?? "image/png" }), file.name);
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url,
    headers: {
      "content-type": body.headers.get("content-type")!,
      ...(as && { authorization: as.token }),
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return {
    status: answer.statusCode,
    body: answer.json() as { message: string; data: T; fields?: { msg: string }[] },
  };
}

/** Sends a file as the console does. */
export const sendFile = (house: TestHouse, as: Person | undefined, file: Brought, purpose?: string) =>
  postFile<StoredFile>(house, uploadFile.path, file, { as, ...(purpose && { fields: { purpose } }) });
