import { once } from "node:events";
import { parentPort } from "node:worker_threads";
import { Unreadable } from "./unzip.ts";
import { isWorkbook, readWorkbook } from "./workbook-reader.ts";
import type { SheetRow } from "./sheet-rows.ts";

/** What the thread is asked: whether the file is a workbook at all, or the rows of one of its sheets. */
export type Task = { bytes: Uint8Array; sheet: string | undefined };
/** Cells lie flat behind one another, `column, kind, text`: cheap to copy from thread to thread. */
export type FlatRow = [number: number, ...cells: (string | number)[]];
export type Told =
  | { step: "rows"; rows: FlatRow[] }
  | { step: "end"; name: string; merged: string[] }
  | { step: "none" }
  | { step: "refused"; why: string };

/** So many cells go over at once: the server answers others in between. */
const AT_ONCE = 4_000;
const port = parentPort!;

const flat = ({ number, cells }: SheetRow): FlatRow => [
  number,
  ...[...cells].flatMap(([column, { kind, text }]) => [column, kind, text]),
];

async function work({ bytes, sheet: wanted }: Task): Promise<Told> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (wanted === undefined)
    return (await isWorkbook(file)) ? { step: "end", name: "", merged: [] } : { step: "none" };
  const sheets = await readWorkbook(file);
  if (!sheets?.length) return { step: "none" };
  const sheet = sheets.find((s) => s.name === wanted) ?? sheets[0]!;
  let rows: FlatRow[] = [];
  let cells = 0;
  const hand = async () => {
    port.postMessage({ step: "rows", rows } satisfies Told);
    rows = [];
    cells = 0;
    await once(port, "message");
  };
  for await (const row of sheet.rows()) {
    rows.push(flat(row));
    cells += row.cells.size;
    if (cells >= AT_ONCE) await hand();
  }
  if (rows.length) await hand();
  return { step: "end", name: sheet.name, merged: sheet.merged };
}

// one file after the other; whoever sends them ends the thread
for (;;) {
  const [task] = (await once(port, "message")) as [Task];
  const told = await work(task).catch((error: unknown): Told => {
    if (error instanceof Unreadable) return { step: "refused", why: error.message };
    throw error;
  });
  port.postMessage(told);
}
