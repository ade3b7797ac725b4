import { Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";

export type Zipped = { name: string; method: number; encrypted: boolean; crc: number; packed: Buffer };
/** Bytes that may still unfold, counted down over all entries of one file. */
export type Budget = { bytes: number };

/** A file of somebody else's that cannot be read; the message is a sentence for its sender. */
export class Unreadable extends Error {}
export const damaged = () =>
  new Unreadable("文件已损坏或不是标准的xlsx文件，请用Excel或WPS打开后另存为xlsx再上传");
const tooLarge = () => new Unreadable("文件解压后过大，请只保留需要导入的内容后再上传");

const UTF8 = new TextDecoder();
/** Names without the flag of UTF-8 come from a Chinese Windows, or are plain letters, which both read alike. */
const GBK = new TextDecoder("gb18030");

/** The entries of a zip as its directory lists them; undefined when it is none that can be read whole, or has too many. */
export function zipped(zip: Buffer, most = 65_535): Zipped[] | undefined {
  const end = zip.lastIndexOf(Buffer.from("504b0506", "hex"));
  if (end < 0 || end + 22 > zip.length) return undefined;
  const count = zip.readUInt16LE(end + 10);
  if (count > most) return undefined;
  let at = zip.readUInt32LE(end + 16);
  const entries: Zipped[] = [];
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || zip.readUInt32LE(at) !== 0x02014b50) return undefined;
    const local = zip.readUInt32LE(at + 42);
    if (local + 30 > end || zip.readUInt32LE(local) !== 0x04034b50) return undefined;
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const stop = start + zip.readUInt32LE(at + 20);
    if (stop > end) return undefined;
    entries.push({
      name: (zip.readUInt16LE(at + 8) & 0x800 ? UTF8 : GBK).decode(
        zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28)),
      ),
      method: zip.readUInt16LE(at + 10),
      encrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
      crc: zip.readUInt32LE(at + 16),
      packed: zip.subarray(start, stop),
    });
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * The content of an entry as it unfolds; never more of it in memory than a chunk. Its size is really counted and its
 * checksum compared: what the directory claims is not believed.
 */
export async function* unfolding(
  entry: Zipped,
  budget: Budget = { bytes: Infinity },
): AsyncGenerator<Buffer, void, undefined> {
  if (entry.encrypted || ![0, 8].includes(entry.method)) throw damaged();
  let crc = 0;
  try {
    for await (const chunk of entry.method === 8 ? inflated(entry.packed) : Readable.from([entry.packed])) {
      budget.bytes -= chunk.length;
      if (budget.bytes < 0) throw tooLarge();
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } catch (error) {
    // Z_DATA_ERROR and its like
    throw (error as { errno?: number }).errno === undefined ? error : damaged();
  }
  if (crc !== entry.crc) throw damaged();
}

function inflated(packed: Buffer): AsyncIterable<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 65_536 });
  inflate.end(packed);
  return inflate;
}
