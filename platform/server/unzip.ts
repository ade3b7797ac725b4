import { Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";

export type Zipped = { name: string; method: number; encrypted: boolean; packed: Buffer };

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
      name: zip.toString("utf8", at + 46, at + 46 + zip.readUInt16LE(at + 28)),
      method: zip.readUInt16LE(at + 10),
      encrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
      packed: zip.subarray(start, stop),
    });
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

/** The content of an entry as it unfolds; never more of it in memory than a chunk. */
export function unfolding(entry: Zipped): AsyncIterable<Buffer> {
  if (entry.method === 0) return Readable.from([entry.packed]);
  if (entry.method !== 8) throw new Error(`${entry.name} is packed by method ${entry.method}.`);
  const inflate = createInflateRaw();
  inflate.end(entry.packed);
  return inflate;
}
