import { setImmediate as othersFirst } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { parse } from "csv-parse/sync";
import { NoSheet, openSheet } from "../../../platform/server/sheets/foreign-sheet.ts";
import {
  type Budget,
  Unreadable,
  unfolding,
  type Zipped,
  zipped,
} from "../../../platform/server/sheets/unzip.ts";
import { plain } from "./cell.rules.ts";
import { type FileLine, MOST_LINES, type Separator } from "./reader.rules.ts";

/** What a packed file may unfold to: half a million lines of a channel's bill. */
const MOST_BYTES = 320 * 1024 * 1024;
/** A line that is longer was written by no channel. */
const MOST_LETTERS = 100_000;
/** Rows of a sheet that are read in one turn. */
const ROWS_AT_ONCE = 500;
/** A quoted cell may run over so many lines. */
const MOST_JOINED = 20;

export type Encoding = "utf-8" | "gb18030" | "xlsx";
export type Opened = { encoding: Encoding; lines: () => AsyncGenerator<FileLine> };

const refuse = (why: string) => new NoSheet(why);
const DAMAGED = "文件已损坏，无法解压";

/**
 * What lies in an uploaded statement, by its content: text, a spreadsheet, or one of them packed. Its lines can be read
 * again and again, never more of them in memory than a chunk.
 */
export async function openStatement(bytes: Buffer): Promise<Opened> {
  const source = unpacked(bytes);
  if ("workbook" in source) return workbook(source.workbook);
  const encoding = await encodingOf(source.chunks);
  return { encoding, lines: () => linesOf(source.chunks, encoding) };
}

/** A workbook of so many bytes may hold thousands of rows; what is in it is known only when all of it is read. */
const LONG_WORKBOOK = 512 * 1024;

/** How many lines a file has, counted without reading them; no farther than `most`. */
export async function linesIn(bytes: Buffer, most = Infinity): Promise<number> {
  const source = unpacked(bytes);
  if ("workbook" in source)
    return bytes.length > LONG_WORKBOOK ? Math.max(1, Math.floor(bytes.length / 50)) : 1;
  let lines = 1;
  for await (const chunk of source.chunks()) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
    if (lines > most) return lines;
    await othersFirst();
  }
  return lines;
}

type Chunks = () => AsyncGenerator<Buffer>;

function unpacked(bytes: Buffer): { chunks: Chunks } | { workbook: Buffer } {
  if (bytes.length === 0) throw refuse("文件是空的");
  if (bytes.subarray(0, 2).equals(Buffer.from("1f8b", "hex"))) return { chunks: () => gunzipped(bytes) };
  if (!bytes.subarray(0, 4).equals(Buffer.from("504b0304", "hex")))
    return {
      chunks: async function* () {
        for (let i = 0; i < bytes.length; i += 65_536) yield bytes.subarray(i, i + 65_536);
      },
    };
  const entries = zipped(bytes, 1000);
  if (!entries) throw refuse(DAMAGED);
  if (entries.some((e) => e.name === "xl/workbook.xml")) return { workbook: bytes };
  const member = memberOf(entries);
  return { chunks: () => counted(unfolding(member, { bytes: MOST_BYTES })) };
}

/** The one file with the details: its summaries are left aside. */
function memberOf(entries: readonly Zipped[]): Zipped {
  const files = entries.filter((e) => !e.name.endsWith("/") && /\.(csv|txt)$/i.test(e.name));
  const details = files.filter((e) => /业务明细|账务明细/.test(e.name) && !/汇总/.test(e.name));
  const found = details.length ? details : files.filter((e) => !/汇总/.test(e.name));
  if (found.length > 1) throw refuse("压缩包内有多个明细文件，请拆开上传");
  if (!found.length) throw refuse("压缩包内没有明细文件");
  return found[0]!;
}

async function* gunzipped(bytes: Buffer): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 65_536 });
  gunzip.end(bytes);
  const budget: Budget = { bytes: MOST_BYTES };
  yield* counted(
    (async function* () {
      for await (const chunk of gunzip as AsyncIterable<Buffer>) {
        budget.bytes -= chunk.length;
        if (budget.bytes < 0) throw new Unreadable("文件解压后过大，请分日下载后再上传");
        yield chunk;
      }
    })(),
  );
}

/** The same chunks; what cannot be unfolded is refused with a sentence. */
async function* counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    if (error instanceof NoSheet) throw error;
    throw refuse(error instanceof Unreadable && /过大/.test(error.message) ? error.message : DAMAGED);
  }
}

/** Strict UTF-8, else GB18030, which GBK and GB2312 are parts of. */
async function encodingOf(chunks: Chunks): Promise<Encoding> {
  for (const encoding of ["utf-8", "gb18030"] as const) if (await decodes(chunks, encoding)) return encoding;
  throw refuse("无法识别文件编码，请另存为 UTF-8 或 GBK");
}
async function decodes(chunks: Chunks, encoding: string): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of chunks()) {
      if (decoder.decode(chunk, { stream: true }).includes("\0")) return false;
      await othersFirst();
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function* linesOf(chunks: Chunks, encoding: string): AsyncGenerator<FileLine> {
  const decoder = new TextDecoder(encoding);
  let rest = "";
  let no = 0;
  /** Lines of a quoted cell that goes on. */
  let open: { no: number; text: string; joined: number } | undefined;
  const line = (text: string): FileLine | undefined => {
    no++;
    const whole = open ? `${open.text}\n${text}` : text;
    const isOpen = quotesOpen(whole) && (open?.joined ?? 0) < MOST_JOINED;
    const begun = open?.no ?? no;
    if (isOpen) {
      open = { no: begun, text: whole, joined: (open?.joined ?? 0) + 1 };
      return undefined;
    }
    open = undefined;
    return { no: begun, text: whole, cells: (separator) => cellsOf(whole, separator) };
  };
  for await (const chunk of chunks()) {
    // yields between chunks, so that other requests are served meanwhile
    await othersFirst();
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = parts.pop()!;
    if (rest.length > MOST_LETTERS || parts.some((part) => part.length > MOST_LETTERS))
      throw refuse("文件中有过长的行，无法识别");
    // empty lines and remarks too are read one by one
    if (no + parts.length > 2 * MOST_LINES)
      throw refuse(`文件超过${(2 * MOST_LINES) / 10_000}万行，请分日下载后再上传`);
    for (const part of parts) {
      const made = line(part);
      if (made) yield made;
    }
  }
  rest += decoder.decode();
  const last = rest ? line(rest.replace(/\r$/, "")) : undefined;
  if (last) yield last;
  const unfinished = open as { no: number; text: string } | undefined;
  if (unfinished)
    yield { no: unfinished.no, text: unfinished.text, cells: (s) => cellsOf(unfinished.text, s) };
}

/** A cell that begins with a quote and does not end yet. What stands behind a backtick may hold anything. */
const quotesOpen = (text: string): boolean =>
  !text.startsWith("`") && /(^|[,\t])"/.test(text) && (text.match(/"/g)?.length ?? 0) % 2 === 1;

/** Values of WeChat Pay begin with a backtick and may hold commas; others are quoted where they do. */
function cellsOf(text: string, separator: Separator): string[] {
  if (text.startsWith("`")) return text.slice(1).split(",`");
  if (!text.includes('"')) return text.split(separator);
  const [cells] = parse(text, {
    delimiter: separator,
    relax_quotes: true,
    relax_column_count: true,
  }) as string[][];
  return cells ?? [];
}

async function workbook(bytes: Buffer): Promise<Opened> {
  const { rows } = await openSheet(bytes, "");
  return {
    encoding: "xlsx",
    lines: async function* () {
      const width = rows.reduce((most, { cells }) => Math.max(most, ...cells.keys()), 0);
      for (const [i, { number, cells }] of rows.entries()) {
        if (i % ROWS_AT_ONCE === 0) await othersFirst();
        const texts = Array.from({ length: width }, (_, i) => {
          const cell = cells.get(i + 1);
          if (cell?.kind === "formula" || cell?.kind === "error") return "";
          return plain(cell?.text ?? "");
        });
        yield { no: number, text: texts.join(","), cells: () => texts };
      }
    },
  };
}
