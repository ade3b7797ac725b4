import { createInflateRaw } from "node:zlib";

type Entry = { name: string; method: number; encrypted: boolean; packed: Buffer };

/** Inflated size that a workbook may have, by each byte it has packed; ordinary ones stay below 20. */
const MOST_RATIO = 40;
const ALWAYS_FINE = 32 * 1024 * 1024;
const MOST_ENTRIES = 2_000;
const MACROS = /vbaProject|macrosheets|activeX|\.bin$/i;
const PRINTER = /printerSettings\d*\.bin$/i;

/** The entries of a zip as its directory lists them; undefined when it is none that we can read whole. */
function entriesOf(zip: Buffer): Entry[] | undefined {
  const end = zip.lastIndexOf(Buffer.from("504b0506", "hex"));
  if (end < 0 || end + 22 > zip.length) return undefined;
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  if (count > MOST_ENTRIES) return undefined;
  const entries: Entry[] = [];
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

/** Bytes an entry unfolds to, really counted: what the directory claims is not believed. Stops beyond `most`. */
function unfolded(entry: Entry, most: number): Promise<number> {
  if (entry.method === 0) return Promise.resolve(entry.packed.length);
  return new Promise((resolve, reject) => {
    let size = 0;
    const inflate = createInflateRaw();
    inflate.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) {
        inflate.destroy();
        resolve(size);
      }
    });
    inflate.on("end", () => resolve(size)).on("error", reject);
    inflate.end(entry.packed);
  });
}

/** True for a workbook without macros that unfolds to a sane size: no bomb, nothing that climbs out of a folder. */
export async function isWorkbook(bytes: Buffer): Promise<boolean> {
  const entries = entriesOf(bytes);
  if (!entries) return false;
  const names = new Set(entries.map((e) => e.name));
  if (!names.has("[Content_Types].xml") || !names.has("xl/workbook.xml") || names.size < entries.length)
    return false;
  const most = Math.max(ALWAYS_FINE, bytes.length * MOST_RATIO);
  let size = 0;
  for (const entry of entries) {
    if (entry.encrypted || ![0, 8].includes(entry.method)) return false;
    if (/(^|\/)\.\.(\/|$)|^[/\\]|^[A-Za-z]:/.test(entry.name)) return false;
    if (MACROS.test(entry.name) && !PRINTER.test(entry.name)) return false;
    size += await unfolded(entry, most - size).catch(() => Infinity);
    if (size > most) return false;
  }
  return true;
}
