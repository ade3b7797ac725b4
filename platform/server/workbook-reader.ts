import { unfolding, zipped, type Zipped } from "./unzip.ts";
import { rowsOf, type SheetRow } from "./sheet-rows.ts";
import { xmlScanner, type XmlHandler } from "./xml-scanner.ts";

export type Sheet = {
  name: string;
  /** Rows with at least one cell, from the top. Ranges of merged cells are known when the last row has come. */
  rows: () => AsyncGenerator<SheetRow>;
  merged: string[];
};

/** What spreadsheets say stays in memory: all shared strings, so there is a limit to them. */
const MOST_LETTERS = 40_000_000;

/**
 * Reads a workbook (.xlsx) as a stream: strings and number formats first, then row by row, whatever the order in the
 * file and whichever program wrote it. Undefined when it is none.
 */
export async function readWorkbook(bytes: Buffer): Promise<Sheet[] | undefined> {
  const entries = new Map(zipped(bytes)?.map((entry) => [entry.name.replace(/^\//, ""), entry]));
  const book = entries.get("xl/workbook.xml");
  if (!book) return undefined;
  const targets = await relations(entries.get("xl/_rels/workbook.xml.rels"));
  const { sheets, from1904 } = await sheetList(book);
  const partOf = (kind: string) => {
    const target = [...targets.values()].find((t) => t.type.endsWith(`/${kind}`))?.target;
    return target === undefined ? undefined : entries.get(target);
  };
  const strings = await sharedStrings(partOf("sharedStrings"));
  const days = await dayFormats(partOf("styles"));
  return sheets.flatMap(({ name, relation }) => {
    const entry = entries.get(targets.get(relation)?.target ?? "");
    if (!entry) return [];
    const sheet: Sheet = {
      name,
      merged: [],
      rows: () => rowsOf(entry, { strings, days, from1904, merged: sheet.merged }),
    };
    return [sheet];
  });
}

async function scanned(entry: Zipped | undefined, handler: Partial<XmlHandler>): Promise<void> {
  if (!entry) return;
  const scanner = xmlScanner({ open: () => {}, text: () => {}, close: () => {}, ...handler });
  for await (const chunk of unfolding(entry)) scanner.write(chunk);
  scanner.end();
}

async function relations(entry: Zipped | undefined) {
  const found = new Map<string, { type: string; target: string }>();
  await scanned(entry, {
    open: (name, attributes) => {
      if (name !== "Relationship") return;
      const { Id = "", Type = "", Target = "" } = attributes();
      found.set(Id, {
        type: Type,
        target: Target.startsWith("/") ? Target.slice(1) : `xl/${Target.replace(/^\.\//, "")}`,
      });
    },
  });
  return found;
}

async function sheetList(entry: Zipped) {
  const sheets: { name: string; relation: string }[] = [];
  let from1904 = false;
  await scanned(entry, {
    open: (tag, attributes) => {
      if (tag === "workbookPr") from1904 = ["1", "true"].includes(attributes().date1904 ?? "");
      if (tag !== "sheet") return;
      const all = attributes();
      const relation = Object.entries(all).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
      sheets.push({ name: all.name ?? "", relation });
    },
  });
  return { sheets, from1904 };
}

async function sharedStrings(entry: Zipped | undefined): Promise<string[]> {
  const strings: string[] = [];
  let letters = 0;
  let current: string | undefined;
  let inText = false;
  let phonetic = false;
  await scanned(entry, {
    open: (name) => {
      if (name === "si") current = "";
      else if (name === "rPh") phonetic = true;
      else if (name === "t") inText = true;
    },
    text: (text) => {
      if (!inText || phonetic || current === undefined) return;
      current += text;
      letters += text.length;
      if (letters > MOST_LETTERS) throw new Error("more text than a list of this kind can have");
    },
    close: (name) => {
      if (name === "t") inText = false;
      else if (name === "rPh") phonetic = false;
      else if (name === "si") strings.push(current ?? "");
    },
  });
  return strings;
}

/** For each cell format whether it shows a day: by the numbers that Excel reserves, or by its own pattern. */
async function dayFormats(entry: Zipped | undefined): Promise<boolean[]> {
  const patterns = new Map<string, string>();
  const formats: string[] = [];
  let inFormats = false;
  await scanned(entry, {
    open: (name, attributes) => {
      if (name === "numFmt") {
        const { numFmtId = "", formatCode = "" } = attributes();
        patterns.set(numFmtId, formatCode);
      } else if (name === "cellXfs") inFormats = true;
      else if (name === "xf" && inFormats) formats.push(attributes().numFmtId ?? "0");
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
