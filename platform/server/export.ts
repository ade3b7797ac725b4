import { CompiledQuery, type Compilable, type Kysely } from "kysely";
import { z } from "zod";
import type { DB } from "../../db/types.gen.ts";
import { allows, type Call, type FileReply, type Given } from "../kernel/call.ts";
import { columnsOf, type ExportColumn, type ListExport } from "../kernel/export.ts";
import { timeInZone } from "../kernel/day.ts";
import { forbidden, invalid, notFound } from "../kernel/refusal.ts";
import type { Read, Who } from "./act.ts";
import { filterWords } from "./export-words.ts";
import { everyServed, type Handler } from "./serve.ts";
import { workbook, type Row } from "./xlsx.ts";

type Answer = { list: Row[]; total: number | null; sums?: Row | null };

/** How a long list is read: one query through a cursor instead of page by page. */
export type Rows<C, R> = {
  /** The list's query with its filter and order, without limit. */
  rows: (read: Read, query: Given<C> extends { query: infer Q } ? Q : never) => Compilable<R>;
  /** From what the database says to what the screen shows, as the list's handler does it. */
  row?: (raw: R, read: Read) => object;
};
type Exporter = { of: ListExport; rows?: Rows<Call, unknown> };
const exporters = new Map<string, Exporter>();

/**
 * Lets a list be exported; a line in the noun's server file. Rows come from the list's own handler, page by page.
 * Lists of more than some ten thousand rows name their query, which is then read through a cursor.
 */
export function exportList<C extends Call, R>(of: ListExport<C>, rows?: Rows<C, R>): void {
  exporters.set(of.type, { of: of as ListExport, ...(rows && { rows: rows as never }) });
}
export const everyExport = (): ListExport[] => [...exporters.values()].map((e) => e.of);

/** What is to be exported; `query` as it stands in the address of the list. */
export type Asked = { type: string; query: Record<string, string>; columns: readonly string[] };
export type Prepared = Exporter & {
  query: Record<string, unknown>;
  raw: Asked["query"];
  columns: ExportColumn[];
};

/** Judges a wish on behalf of a person: 404 unknown, 403 not theirs, 400 wrong filter or column. */
export function prepare(who: Who, asked: Asked): Prepared {
  const exporter = exporters.get(asked.type);
  if (!exporter) throw notFound();
  const { needs, list } = exporter.of;
  if (!allows(who.permits, needs)) throw forbidden();
  const parsed = (list.query ?? z.object({})).safeParse(asked.query);
  if (!parsed.success)
    throw invalid(
      ...parsed.error.issues.map((i) => ({ field: `query.${i.path.join(".")}`, msg: i.message })),
    );
  const known = columnsOf(list);
  const columns = asked.columns.map((key) => known.find((c) => c.key === key));
  if (columns.includes(undefined)) throw invalid({ field: "columns", msg: "导出列不正确" });
  return {
    ...exporter,
    query: parsed.data as Record<string, unknown>,
    raw: asked.query,
    columns: columns.length ? (columns as ExportColumn[]) : known,
  };
}

let handlers: Promise<Map<Call, Handler<Call>>> | undefined;
async function answer(read: Read, { of, query }: Prepared, more: object): Promise<Answer> {
  handlers ??= everyServed().then((all) => new Map(all.map((s) => [s.call, s.handle])));
  const handle = (await handlers).get(of.list);
  if (!handle) throw new Error(`${of.type}: nothing serves ${of.list.path}`);
  return (await handle(
    read as never,
    { query: { ...query, ...more }, files: [] } as never,
  )) as unknown as Answer;
}

/** Rows under the filter, and their sums. */
export async function totalsOf(
  read: Read,
  prepared: Prepared,
): Promise<{ total: number; sums: Row | undefined }> {
  const { total, sums } = await answer(read, prepared, { want: "totals", pageNo: 1, pageSize: 1 });
  return { total: total ?? 0, sums: sums ?? undefined };
}

const BATCH = 500;

async function* byPage(read: Read, prepared: Prepared): AsyncGenerator<Row[]> {
  for (let pageNo = 1; ; pageNo++) {
    const { list } = await answer(read, prepared, { want: "rows", pageNo, pageSize: BATCH });
    if (list.length) yield list;
    if (list.length < BATCH) return;
  }
}

async function* byCursor(read: Read, { query, rows }: Prepared): AsyncGenerator<Row[]> {
  const run = (sql: string, parameters: unknown[] = []) =>
    read.tx.executeQuery<Row>(CompiledQuery.raw(sql, parameters));
  const { sql, parameters } = rows!.rows(read, query as never).compile();
  // all rows are wanted, so the plan is made for all of them
  await run("set local cursor_tuple_fraction = 1");
  await run(`declare exported no scroll cursor for ${sql}`, [...parameters]);
  for (;;) {
    const batch = (await run(`fetch forward ${BATCH} from exported`)).rows;
    if (!batch.length) break;
    yield rows!.row ? batch.map((raw) => rows!.row!(raw, read) as Row) : batch;
  }
  await run("close exported");
}

/** The workbook of a list. `read.tx` is a transaction that sees one moment. `passed` hears how many rows are through. */
export async function exported(
  read: Read,
  prepared: Prepared,
  sums: Row | undefined,
  passed: (rows: number) => Promise<void> = async () => {},
): Promise<AsyncGenerator<Buffer>> {
  const at = timeInZone(read.now, read.settings.TIME_ZONE);
  const words = await filterWords(read, prepared);
  let through = 0;
  const rows = (async function* () {
    for await (const batch of prepared.rows ? byCursor(read, prepared) : byPage(read, prepared)) {
      yield batch;
      await passed((through += batch.length));
    }
  })();
  return workbook({
    title: prepared.of.title,
    columns: prepared.columns,
    note: `筛选：${words}　　导出时间：${at}　　导出人：${read.who.name}`,
    watermark: `${read.who.name} ${read.who.phone.slice(-4)} ${at}`,
    timeZone: read.settings.TIME_ZONE,
    rows,
    sums: () => sums,
  });
}

export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const exportName = (read: Read, of: ListExport): string =>
  `${of.title}_${timeInZone(read.now, read.settings.TIME_ZONE).replace(/[-:]/g, "").replace(" ", "_")}.xlsx`;

/** One moment of the database, for as long as the work takes. */
export const snapshot = <T>(db: Kysely<DB>, work: (tx: Kysely<DB>) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);

/** A short list as a file at once, for calls that the specification names as exports of their own. */
export async function exportedNow(
  read: Read,
  of: ListExport,
  query: Record<string, string>,
): Promise<FileReply> {
  const prepared = prepare(read.who, { type: of.type, query, columns: [] });
  const body = await snapshot(read.replica, async (tx) => {
    const within = { ...read, tx, replica: tx };
    const { sums } = await totalsOf(within, prepared);
    return Buffer.concat(await Array.fromAsync(await exported(within, prepared, sums)));
  });
  return { name: exportName(read, of), type: XLSX, body };
}
