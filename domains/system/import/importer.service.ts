import { sql } from "kysely";
import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import * as f from "../../../platform/kernel/field.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { MappedColumns } from "../../../platform/kernel/fields/sheet-mapping.ts";
import { MOST_WRONG } from "../../../platform/kernel/fields/wrong-cells.ts";
import { savepoint } from "../../../platform/server/database/once.ts";
import type { Act, Read, Upload } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { readSheet, type SheetError } from "../../../platform/server/sheets/sheet-reading.ts";
import { columnNumber } from "../../../platform/server/sheets/sheet-rows.ts";
import type { Mapping } from "../../../platform/server/sheets/headings.ts";
import { bytesOfFile, storeFile } from "../file/file.service.ts";
import { batchFor, keepBatch, mappedLast, moveBatch, seenBatch, takenBefore } from "./batch.service.ts";
import type { Batch, Batches } from "./batch.service.ts";
import {
  type ImportColumn,
  type ImportState,
  MOST_ROWS,
  commitRefusal,
  mappingRefusal,
} from "./import.rules.ts";
import { rowOf, type Row } from "./rows.service.ts";
import { theRow } from "../../../platform/server/database/row.ts";

/** The store whose records a file holds. */
export type Place = { villageId: number; enterpriseId: number };
/** Whose the records are that belong to no store. */
export type WholePlace = Pick<Place, "enterpriseId">;
/** How far it is, 0 to 1. */
export type Progress = (part: number) => Promise<void>;
/** How many records were made or taken away, and what else is to be kept, answered and written to the log about it. */
export type Outcome = {
  count: number;
  kept?: object;
  reply?: object;
  /** What the log says, where that is more than the number; empty where the records have a log of their own. */
  told?: string;
  after?: unknown;
};

/**
 * A sheet that people bring, declared as one object: what its rows are, what makes them right, what they become and how
 * they are taken back. Template, dry run, batches, job, marked file and undo follow from it.
 */
export type Importer<F, P extends object = Place> = Batches & {
  /** What a row is; also the name of the sheet and of its template. */
  things: string;
  /** How they are counted: 人. */
  counter: string;
  /** What the refusal at the last moment calls them. */
  record?: string;
  columns: (read: Read) => Promise<readonly ImportColumn[]>;
  /** Every column must stand in the file, also those whose cells may stay empty. */
  allColumns?: true;
  /** Most rows of one file, and megabytes. */
  most?: number;
  megabytes?: 10 | 30;
  template: Explained | Dictionary;
  /** What the template is called, where it is made for a choice. */
  fileName?: (query: never) => string;
  /** Rows that stand in the template already. */
  filled?: (read: Read, query: never) => Promise<string[][]>;
  /** What the form says of the file as a whole, as columns of its batch; a store or the enterprise, where it says nothing. */
  place?: (act: Act, body: never) => Promise<P>;
  /** Refuses a file that somebody has taken already, whoever it was; `always` also when it is checked anew or confirmed. */
  sameFile?: "anybody" | "always" | "free";
  /** Judges all rows, against each other and against what stands: says what is wrong, answers what they would become. */
  check: (read: Read, rows: readonly Row[], place: P) => Promise<F>;
  /** Columns of its own that are kept of a check; `found` is missing where nothing could be read. */
  kept?: (found: F | undefined, place: P, right: boolean) => object;
  /** What was kept is taken as it was checked, instead of being checked again. */
  planned?: (batch: Batch & P) => F;
  /** What is shown beside its columns. */
  shown?: (row: Record<string, unknown>) => object;
  /** Files of thousands of rows: several errors to a cell, marked in a column of their own, taken by a job. */
  long?: {
    /** So many rows are taken within the call. */
    atOnce: number;
    /** It may be checked anew, and lapses when nobody confirms it. */
    anew?: true;
    /** What the file is given back with once it is taken. */
    result?: { title: string; of: (read: Read, id: number) => Promise<{ row: number; text: string }[]> };
  };
  make: (act: Act, found: F, batch: Batch & P, progress: Progress) => Promise<Outcome | number>;
  /** Takes away what a batch made, or refuses naming what hangs on it; where there is no way back, nothing. */
  remove?: (act: Act, batch: Batch & P) => Promise<Outcome | number>;
};
/** A page that explains the columns, with one line as an example. */
type Explained = { example: string };
/** Drop-downs from a sheet of words, rules and rows as examples, of which the first column is a store. */
type Dictionary = {
  lists: (read: Read, query: never) => Promise<Record<string, readonly string[]>>;
  rules: readonly string[];
  samples: readonly Partial<Record<string, string | number>>[];
  frozen: number;
  /** How wide words and rules are. */
  wide: { list: number; rules: number };
};

/** What checking a file needs of it, and what its template does: also of a sheet whose rows go into a form and make nothing. */
export type SheetCheck<F, P extends object> = Pick<
  Importer<F, P>,
  "things" | "columns" | "allColumns" | "most" | "long" | "check"
>;
export type SheetTemplate<F = unknown, P extends object = object> = Pick<
  Importer<F, P>,
  "things" | "columns" | "most" | "megabytes" | "template" | "filled"
>;

export type Checked<F> = {
  found: F | undefined;
  rowCount: number;
  errors: SheetError[];
  /** How its headings are read, where they are not those of the template. */
  mapping?: Mapping | undefined;
};

/** Which columns a file must have. */
export const mustOf =
  ({ allColumns }: Pick<Importer<unknown>, "allColumns">) =>
  (column: ImportColumn): boolean =>
    allColumns ?? column.must === true;

/** Judges a whole file: every wrong cell by row and column, against the file itself and against what is registered. */
export async function checkSheet<F, P extends object>(
  read: Read,
  of: SheetCheck<F, P>,
  bytes: Buffer,
  place: P,
  mappedAs?: Mapping | null,
): Promise<Checked<F>> {
  const columns = await of.columns(read);
  const shape = { columns, must: mustOf(of), most: of.most ?? MOST_ROWS };
  const reading = await readSheet<string, ImportColumn>(bytes, of.things, shape, mappedAs ?? undefined);
  const { mapping } = reading;
  const rowCount = reading.rows.length;
  if (of.long && reading.errors.length)
    return { found: undefined, rowCount, errors: reading.errors, mapping };
  const rows = reading.rows.map((text) => ({ text, row: rowOf(text, columns) }));
  const found = await of.check(
    read,
    rows.map(({ row }) => row),
    place,
  );
  const errors = rows.flatMap(({ text, row }) => row.wrong.map((wrong) => reading.errorAt(text, wrong)));
  const column = (error: SheetError) => (of.long ? columnNumber(error.column) : 0);
  return {
    found,
    rowCount,
    mapping,
    errors: [...reading.errors, ...errors].toSorted((a, b) => a.row - b.row || column(a) - column(b)),
  };
}

/** Checks a file of a batch; for headings that nobody has confirmed yet, what was said of the same ones last is the guess. */
async function look<F, P extends object>(
  read: Read,
  of: Importer<F, P>,
  bytes: Buffer,
  place: P,
  mappedAs?: Mapping | null,
): Promise<Checked<F>> {
  const checked = await checkSheet(read, of, bytes, place, mappedAs);
  const { mapping } = checked;
  if (!mapping || mapping.confirmed) return checked;
  return { ...checked, mapping: { ...mapping, ...(await mappedLast(read, of, mapping)) } };
}
const lookAt = async <F, P extends object>(read: Read, of: Importer<F, P>, batch: Batch & P) =>
  look(read, of, await bytesOfFile(read, batch.fileId), batch, batch.mapping);

/** The columns of a batch that follow from a check. */
const keptOf = <F, P extends object>(
  of: Importer<F, P>,
  { found, rowCount, errors, mapping }: Checked<F>,
  place: P,
) => ({
  rowCount,
  mapping: mapping ? JSON.stringify(mapping) : null,
  errors: JSON.stringify(errors.slice(0, MOST_WRONG)),
  errorCount: errors.length,
  state: errors.length ? ("failed" as const) : ("ready" as const),
  ...of.kept?.(found, place, !errors.length),
});
/** The same, as the call answers it. */
const answerOf = (id: number, { errors, rowCount }: Checked<unknown>) => ({
  id,
  state: errors.length ? ("failed" as const) : ("ready" as const),
  errorCount: errors.length,
  rows: rowCount,
  errors: errors.slice(0, MOST_WRONG),
});

async function placeOf<F, P extends object>(act: Act, of: Importer<F, P>, body: object): Promise<P> {
  if (of.place) return of.place(act, body as never);
  if (of.whose !== "village") return { enterpriseId: act.who.enterpriseId } as unknown as P;
  const villageId = inScope(act.who, (body as Place).villageId);
  const { enterpriseId } = await theRow(act, "village", ["enterpriseId"], { id: villageId });
  return { villageId, enterpriseId } as unknown as P;
}

async function refuseTaken<F, P extends object>(act: Act, of: Importer<F, P>, sha256: string): Promise<void> {
  if (of.sameFile === "free") return;
  const twin = await takenBefore(act, of, sha256, of.sameFile !== undefined);
  if (twin) throw new Refusal("twice", twin);
}

/** Checks a file and keeps it with its errors; nothing is made. */
export async function checkUpload<F, P extends object>(
  act: Act,
  of: Importer<F, P>,
  upload: Upload,
  body: object,
) {
  const place = await placeOf(act, of, body);
  const file = await storeFile(act, upload, {
    purpose: of.megabytes === 30 ? "sheet30M" : "sheet10M",
    targetKind: of.table,
    villageId: (place as Partial<Place>).villageId ?? null,
    needs: of.needs,
  });
  await refuseTaken(act, of, file.sha256);
  const checked = await look(act, of, upload.bytes, place);
  const id = await keepBatch(act, of, file, { ...place, ...keptOf(of, checked, place) });
  return answerOf(id, checked);
}

/** Checks a file once more that was not taken, or was taken back. */
export async function checkAnew<F, P extends object>(act: Act, of: Importer<F, P>, id: number) {
  const batch = await seenBatch<Batch & P>(act, of, id, true);
  if (batch.state === "importing" || batch.state === "done")
    throw new Refusal("notAllowed", commitRefusal(batch.state)!);
  return lookAgain(act, of, batch);
}

async function lookAgain<F, P extends object>(act: Act, of: Importer<F, P>, batch: Batch & P) {
  await refuseTaken(act, of, batch.sha256);
  const checked = await lookAt(act, of, batch);
  await moveBatch(act, of, batch.id, { ...keptOf(of, checked, batch), ...(of.long && { progress: 0 }) });
  return answerOf(batch.id, checked);
}

/** Reads a file with headings of its own as somebody says, and checks it so. */
export async function mapColumns<F, P extends object>(
  act: Act,
  of: Importer<F, P>,
  id: number,
  mapped: MappedColumns,
) {
  const batch = await seenBatch<Batch & P>(act, of, id, true);
  const { state, mapping } = batch;
  if (state !== "failed" && state !== "ready") throw new Refusal("notAllowed", commitRefusal(state)!);
  if (!mapping) throw new Refusal("notAllowed", "文件的列与模板一致，按模板读取");
  const why = mappingRefusal(await of.columns(act), mustOf(of), mapped);
  if (why) throw invalid({ field: "columns", msg: why });
  const from = Object.fromEntries(mapped.columns.map(({ key, at }) => [key, at]));
  const fixed = Object.fromEntries(mapped.fixed.map(({ key, text }) => [key, text]));
  return lookAgain(act, of, { ...batch, mapping: { ...mapping, from, fixed, confirmed: true } });
}

/** Told when somebody confirms a long file. */
export const committed = (of: Batches) =>
  event(`${of.work ?? of.table}.commit`, z.object({ id: f.id, operatorId: f.id }));

/** Makes every record of the file, or none; a long one is left to a job. */
export async function commitBatch<F, P extends object>(
  act: Act,
  of: Importer<F, P>,
  id: number,
  version: number | undefined,
) {
  const failed = of.long ? undefined : "文件有错误，不能导入";
  const batch = await batchFor<Batch & P>(act, of, id, version, "ready", failed);
  if (of.sameFile === "always") await refuseTaken(act, of, batch.sha256);
  if (!of.long) return takeBatch(act, of, batch);
  if (batch.rowCount <= of.long.atOnce) return takeLong(act, of, batch);
  await moveBatch(act, of, id, { state: "importing" });
  await act.emit(committed(of), { id, operatorId: act.who.operatorId });
  return { id, state: "importing" as ImportState };
}

/** What was registered since the check sends the file back to its errors. */
async function takeBatch<F, P extends object>(act: Act, of: Importer<F, P>, batch: Batch & P) {
  if (of.planned) return makeAll(act, of, batch, of.planned(batch), {});
  const checked = await lookAt(act, of, batch);
  const [first] = checked.errors;
  if (!first) return makeAll(act, of, batch, checked.found!, keptOf(of, checked, batch));
  await moveBatch(act, of, batch.id, keptOf(of, checked, batch));
  const why = `第 ${first.row} 行：${first.msg}，未导入任何${of.record ?? "记录"}`;
  throw new Refusal("changed", why, 409, { keeps: true });
}

/**
 * The same for a file that people mend outside: what stands in the way now is named in its errors, row by row. Answers the
 * state after it.
 */
export async function takeLong<F, P extends object>(
  act: Act,
  of: Importer<F, P>,
  batch: Batch & P,
  progress: (percent: number) => Promise<void> = async () => {},
) {
  // two batches of one village follow each other, so that the second sees what the first has taken
  for (const villageId of (batch.villageIds ?? []).toSorted((a, b) => a - b))
    await sql`select pg_advisory_xact_lock(hashtext(${of.table}), ${villageId}::int)`.execute(act.tx);
  const lookNow = () => lookAt(act, of, batch);
  const sendBack = async (checked: Checked<F>) => {
    await moveBatch(act, of, batch.id, { ...keptOf(of, checked, batch), ...{ progress: 0 } });
    return { id: batch.id, state: "failed" as ImportState };
  };
  try {
    return await savepoint(act, async () => {
      const checked = await lookNow();
      if (checked.errors.length) return sendBack(checked);
      await progress(20);
      const kept = { ...keptOf(of, checked, batch), progress: 100, doneAt: act.now.toISOString() };
      return makeAll(act, of, batch, checked.found!, kept, (part) => progress(20 + Math.floor(75 * part)));
    });
  } catch (error) {
    const taken = error instanceof Refusal ? error.message : undefined;
    if (taken === undefined && (error as { code?: string }).code !== "23505") throw error;
    // somebody made the same in this very moment: look again, and name it
    const again = await lookNow();
    const msg = `${taken ?? "数据已被他人修改"}，请重新检查`;
    return sendBack(again.errors.length ? again : { ...again, errors: [wholeFile(msg)] });
  }
}

/** A sentence about a file as a whole. */
export const wholeFile = (msg: string): SheetError => ({
  sheet: "",
  row: 1,
  column: "",
  header: "",
  value: "",
  msg,
});

async function makeAll<F, P extends object>(
  act: Act,
  of: Importer<F, P>,
  batch: Batch & P,
  found: F,
  kept: object,
  progress: Progress = async () => {},
) {
  const made = outcome(await of.make(act, found, batch, progress));
  const version = await moveBatch(act, of, batch.id, { ...kept, ...made.kept, state: "done" });
  await note(act, of, batch, "导入", made);
  return { id: batch.id, state: "done" as ImportState, version, made: made.count, ...made.reply };
}

/** Takes back what an import made, as long as nothing hangs on it. */
export async function undoBatch<F, P extends object>(
  act: Act,
  of: Importer<F, P>,
  id: number,
  version: number | undefined,
) {
  const batch = await batchFor<Batch & P>(act, of, id, version, "done");
  const gone = outcome(await of.remove!(act, batch));
  await moveBatch(act, of, id, { state: "undone" });
  await note(act, of, batch, "撤销导入", gone);
  return { id, state: "undone" as ImportState, removed: gone.count, ...gone.reply };
}

const outcome = (of: Outcome | number): Outcome => (typeof of === "number" ? { count: of } : of);

async function note(
  act: Act,
  of: Batches & { things: string; counter: string },
  batch: Batch,
  action: string,
  done: Outcome,
) {
  const summary = done.told ?? `${action}${of.things} ${done.count} ${of.counter}`;
  const about = { kind: of.table, recordId: batch.id, number: batch.number, villageId: batch.villageId };
  if (summary) await act.note({ ...about, action, summary, after: done.after });
}

/**
 * Refuses to take a batch back while something hangs on its records, naming the first five; `why` is null for those
 * that can go. With `all` the sentence says where there are more, and every one of them goes along.
 */
export function refuseHanging(
  records: readonly { name: string; why: string | null }[],
  said: (count: number) => string,
  all = false,
): void {
  const hanging = records.filter(({ why }) => why !== null);
  if (!hanging.length) return;
  const named = hanging.slice(0, 5).map(({ name, why }) => `${name}${why}`);
  const more = all && hanging.length > 5 ? " 等" : "";
  const data = all ? hanging : null;
  throw new Refusal("inUse", `${said(hanging.length)}不能撤销：${named.join("、")}${more}`, 409, { data });
}
