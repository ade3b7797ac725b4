import { unfolding, zipped, type Zipped } from "../../../platform/server/unzip.ts";

/** Inflated size that a workbook may have, by each byte it has packed; ordinary ones stay below 20. */
const MOST_RATIO = 40;
const ALWAYS_FINE = 32 * 1024 * 1024;
const MOST_ENTRIES = 2_000;
const MACROS = /vbaProject|macrosheets|activeX|\.bin$/i;
const PRINTER = /printerSettings\d*\.bin$/i;

/** Bytes an entry unfolds to, really counted: what the directory claims is not believed. Stops beyond `most`. */
async function unfolded(entry: Zipped, most: number): Promise<number> {
  let size = 0;
  for await (const chunk of unfolding(entry)) {
    size += chunk.length;
    if (size > most) break;
  }
  return size;
}

/** True for a workbook without macros that unfolds to a sane size: no bomb, nothing that climbs out of a folder. */
export async function isWorkbook(bytes: Buffer): Promise<boolean> {
  const entries = zipped(bytes, MOST_ENTRIES);
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
