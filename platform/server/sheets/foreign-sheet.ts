import { Worker } from "node:worker_threads";
import { Refusal } from "../../kernel/refusal.ts";
import type { Cell, SheetRow } from "./sheet-rows.ts";
import type { FlatRow, Task, Told } from "./sheet-worker.ts";

/** A sheet of a file that somebody sent: its rows with at least one cell, from the top. */
export type Sheet = { name: string; rows: SheetRow[]; merged: string[] };

/** Says why there is nothing to read in a file at all. */
export class NoSheet extends Refusal {
  constructor(why: string) {
    super("invalid", why, 400, { fields: [{ field: "file", msg: why }] });
  }
}

const TIME_LIMIT = 20_000;
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
const TOO_MUCH = "文件过于复杂，无法读取，请只保留需要导入的行和列，另存为xlsx后再上传";
const NO_WORKBOOK = "请上传xlsx文件";

/** How long the thread of a file that was read waits for the next one: making a thread costs more than most files. */
const SPARE_MS = 30_000;
let spare: { worker: Worker; ends: NodeJS.Timeout } | undefined;

/** Files that are read at the same time; others wait, so that a heap of uploads costs no more than two. */
const MOST_AT_ONCE = 2;
let reading = 0;
const waiting: (() => void)[] = [];

/**
 * The sheet of that name, or the first there is. Foreign files are read apart from the server, in a thread whose time and
 * memory have an end; what cannot be read refuses with a sentence.
 */
export async function openSheet(bytes: Buffer, name: string, timeLimit = TIME_LIMIT): Promise<Sheet> {
  const rows: SheetRow[] = [];
  const told = await inThread({ bytes, sheet: name }, timeLimit, (more) => rows.push(...more.map(rowOf)));
  if (told.step === "none") throw new NoSheet(NO_WORKBOOK);
  return { name: told.name, rows, merged: told.merged };
}

/** Whether it is a whole workbook without macros that unfolds to a sane size. */
export async function isWorkbook(bytes: Buffer): Promise<boolean> {
  const told = await inThread({ bytes, sheet: undefined }, TIME_LIMIT, () => {}).catch((error: unknown) => {
    if (error instanceof NoSheet) return undefined;
    throw error;
  });
  return told?.step === "end";
}

type Outcome = Extract<Told, { step: "end" | "none" }>;

async function inThread(task: Task, timeLimit: number, take: (rows: FlatRow[]) => void): Promise<Outcome> {
  if (reading >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else reading++;
  try {
    return await outcomeOf(task, timeLimit, take);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else reading--;
  }
}

async function outcomeOf(task: Task, timeLimit: number, take: (rows: FlatRow[]) => void): Promise<Outcome> {
  const worker = aThread();
  const ended = Promise.withResolvers<Exclude<Told, { step: "rows" }>>();
  const late = setTimeout(() => ended.reject(new NoSheet(TOO_MUCH)), timeLimit);
  worker.on("message", (told: Told) => {
    if (told.step === "rows") {
      take(told.rows);
      worker.postMessage("more");
    } else ended.resolve(told);
  });
  worker.on("error", (error: NodeJS.ErrnoException) =>
    ended.reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new NoSheet(TOO_MUCH) : error),
  );
  worker.on("exit", (code) => ended.reject(new Error(`the thread that reads a sheet ended with ${code}`)));
  worker.postMessage(task);
  const told = await ended.promise
    .catch(async (error: unknown) => {
      await worker.terminate();
      throw error;
    })
    .finally(() => clearTimeout(late));
  for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
  letWait(worker);
  if (told.step === "refused") throw new NoSheet(told.why);
  return told;
}

function aThread(): Worker {
  if (!spare)
    return new Worker(new URL("./sheet-worker.ts", import.meta.url), { resourceLimits: MEMORY_LIMIT });
  const { worker, ends } = spare;
  spare = undefined;
  clearTimeout(ends);
  worker.ref();
  return worker;
}

/** One waits, and keeps no process alive; a second one ends. What goes wrong in one that waits is nobody's fault. */
function letWait(worker: Worker): void {
  if (spare) return void worker.terminate();
  const gone = () => {
    if (spare?.worker === worker) spare = undefined;
  };
  const end = () => {
    gone();
    void worker.terminate();
  };
  worker.on("error", gone).on("exit", gone).unref();
  spare = { worker, ends: setTimeout(end, SPARE_MS).unref() };
}

function rowOf([number, ...flat]: FlatRow): SheetRow {
  const cells = new Map<number, Cell>();
  for (let i = 0; i < flat.length; i += 3)
    cells.set(flat[i] as number, { kind: flat[i + 1] as Cell["kind"], text: flat[i + 2] as string });
  return { number, cells };
}
