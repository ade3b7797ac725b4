import { damaged, unfolding, Unreadable, zipped, type Budget, type Zipped } from "./unzip.ts";
import { rowsOf, type SheetRow } from "./sheet-rows.ts";
import { xmlScanner, type XmlHandler } from "./xml-scanner.ts";

export type SheetStream = {
  name: string;
  /** Rows with at least one cell, from the top. Ranges of merged cells are known when the last row has come. */
  rows: () => AsyncGenerator<SheetRow>;
  merged: string[];
};

const MOST_ENTRIES = 2_000;
/** Inflated size that a workbook may have, by each byte it has packed; ordinary ones stay below 20. */
const MOST_RATIO = 40;
const ALWAYS_FINE = 32 * 1024 * 1024;
const MOST_UNFOLDED = 256 * 1024 * 1024;
/** Shared strings stay in memory, so there is a limit to them. */
const MOST_STRINGS = 1_000_000;
const MOST_LETTERS = 20_000_000;
/** More formats than a spreadsheet program itself accepts. */
const MOST_FORMATS = 70_000;
const MOST_SHEETS = 1_000;
const MACROS = /vbaProject|macrosheets|activeX|\.bin$/i;
const PRINTER = /printerSettings\d*\.bin$/i;

type Parts = { entries: Map<string, Zipped>; budget: Budget };

/** The parts of a workbook, none of them unfolded yet; undefined when it is none, or has macros or odd entries. */
function partsOf(bytes: Buffer): Parts | undefined {
  const all = zipped(bytes, MOST_ENTRIES);
  if (!all) return undefined;
  const entries = new Map(all.map((entry) => [entry.name, entry]));
  if (!entries.has("[Content_Types].xml") || !entries.has("xl/workbook.xml") || entries.size < all.length)
    return undefined;
  for (const { name, encrypted, method } of all) {
    if (encrypted || ![0, 8].includes(method)) return undefined;
    if (/(^|\/)\.\.(\/|$)|^[/\\]|^[A-Za-z]:/.test(name)) return undefined;
    if (MACROS.test(name) && !PRINTER.test(name)) return undefined;
  }
  const bytesLeft = Math.min(MOST_UNFOLDED, Math.max(ALWAYS_FINE, bytes.length * MOST_RATIO));
  return { entries, budget: { bytes: bytesLeft } };
}

/** Whether it is a whole workbook without macros that unfolds to a sane size. Throws `Unreadable` for a damaged one. */
export async function isWorkbook(bytes: Buffer): Promise<boolean> {
  const parts = partsOf(bytes);
  if (!parts) return false;
  for (const entry of parts.entries.values()) for await (const _ of unfolding(entry, parts.budget));
  return true;
}

/**
 * Reads a workbook (.xlsx) as a stream: strings and number formats first, then row by row, whatever the order in the
 * file and whichever program wrote it. Undefined when it is none; throws `Unreadable` where it breaks a bound. For what
 * people send this runs in a thread of its own (`openSheet`).
 */
export async function readWorkbook(bytes: Buffer): Promise<SheetStream[] | undefined> {
  const parts = partsOf(bytes);
  const book = parts?.entries.get("xl/workbook.xml");
  if (!parts || !book) return undefined;
  const { entries, budget } = parts;
  const scan = (entry: Zipped | undefined, handler: Partial<XmlHandler>) => scanned(entry, budget, handler);
  const targets = await relations(scan, entries.get("xl/_rels/workbook.xml.rels"));
  const { sheets, from1904 } = await sheetList(scan, book);
  const partOf = (kind: string) => {
    const target = [...targets.values()].find((t) => t.type.endsWith(`/${kind}`))?.target;
    return target === undefined ? undefined : entries.get(target);
  };
  const strings = await sharedStrings(scan, partOf("sharedStrings"));
  const days = await dayFormats(scan, partOf("styles"));
  return sheets.flatMap(({ name, relation }) => {
    const entry = entries.get(targets.get(relation)?.target ?? "");
    if (!entry) return [];
    const merged: string[] = [];
    return [{ name, merged, rows: () => rowsOf(entry, budget, { strings, days, from1904, merged }) }];
  });
}

type Scan = (entry: Zipped | undefined, handler: Partial<XmlHandler>) => Promise<void>;

async function scanned(
  entry: Zipped | undefined,
  budget: Budget,
  handler: Partial<XmlHandler>,
): Promise<void> {
  if (!entry) return;
  const scanner = xmlScanner({ open: () => {}, text: () => {}, close: () => {}, ...handler });
  for await (const chunk of unfolding(entry, budget)) scanner.write(chunk);
  scanner.end();
}

async function relations(scan: Scan, entry: Zipped | undefined) {
  const found = new Map<string, { type: string; target: string }>();
  await scan(entry, {
    open: (name, attributes) => {
      if (name !== "Relationship") return;
      const { Id = "", Type = "", Target = "" } = attributes();
      found.set(Id, {
        type: Type,
        target: Target.startsWith("/") ? Target.slice(1) : `xl/${Target.replace(/^\.\//, "")}`,
      });
      if (found.size > MOST_SHEETS) throw damaged();
    },
  });
  return found;
}

async function sheetList(scan: Scan, entry: Zipped) {
  const sheets: { name: string; relation: string }[] = [];
  let from1904 = false;
  await scan(entry, {
    open: (tag, attributes) => {
      if (tag === "workbookPr") from1904 = ["1", "true"].includes(attributes().date1904 ?? "");
      if (tag !== "sheet") return;
      const all = attributes();
      const relation = Object.entries(all).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
      if (sheets.push({ name: all.name ?? "", relation }) > MOST_SHEETS) throw damaged();
    },
  });
  return { sheets, from1904 };
}

async function sharedStrings(scan: Scan, entry: Zipped | undefined): Promise<string[]> {
  const strings: string[] = [];
  let letters = 0;
  let current: string | undefined;
  let inText = false;
  let phonetic = false;
  await scan(entry, {
    open: (name) => {
      if (name === "si") current = "";
      else if (name === "rPh") phonetic = true;
      else if (name === "t") inText = true;
    },
    text: (text) => {
      if (!inText || phonetic || current === undefined) return;
      current += text;
      letters += text.length;
    },
    close: (name) => {
      if (name === "t") inText = false;
      else if (name === "rPh") phonetic = false;
      else if (name === "si") strings.push(current ?? "");
      if (letters > MOST_LETTERS || strings.length > MOST_STRINGS)
        throw new Unreadable("文件中的文字过多，请只保留需要导入的内容后再上传");
    },
  });
  return strings;
}

/** For each cell format whether it shows a day: by the numbers that Excel reserves, or by its own pattern. */
async function dayFormats(scan: Scan, entry: Zipped | undefined): Promise<boolean[]> {
  const patterns = new Map<string, string>();
  const formats: string[] = [];
  let inFormats = false;
  await scan(entry, {
    open: (name, attributes) => {
      if (name === "numFmt") {
        const { numFmtId = "", formatCode = "" } = attributes();
        patterns.set(numFmtId, formatCode.slice(0, 255));
      } else if (name === "cellXfs") inFormats = true;
      else if (name === "xf" && inFormats) formats.push(attributes().numFmtId ?? "0");
      if (patterns.size + formats.length > MOST_FORMATS) throw damaged();
    },
    close: (name) => {
      if (name === "cellXfs") inFormats = false;
    },
  });
  const shows = (pattern: string) => /[ymd年月日]/i.test(pattern.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ""));
  return formats.map((id) => {
    const pattern = patterns.get(id);
    if (pattern !== undefined) return shows(pattern);
    const n = Number(id);
    return (n >= 14 && n <= 17) || n === 22 || (n >= 27 && n <= 36) || (n >= 50 && n <= 58);
  });
}
