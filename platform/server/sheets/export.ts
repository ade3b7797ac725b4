import { CompiledQuery, type Compilable, type Kysely } from "kysely";
import { z } from "zod";
import type { DB } from "../../../db/types.gen.ts";
import { allows, type Call, type FileReply } from "../../kernel/call.ts";
import { timeInZone } from "../../kernel/day.ts";
import {
  columnsOf,
  type Each,
  type ExportCall,
  type ExportColumn,
  type Exporting,
} from "../../kernel/export.ts";
import { filterOf } from "../../kernel/filter.ts";
import { extraOf, idList } from "../../kernel/paging.ts";
import { forbidden, invalid, notFound } from "../../kernel/refusal.ts";
import type { Act, Read, Who } from "../pipeline/act.ts";
import { filterWords } from "./export-words.ts";
import { everyServed, serve, type Handler, type Served } from "../pipeline/serve.ts";
import { workbook, type Row, type Sheet } from "./xlsx.ts";
import { zip, type ZipEntry } from "./zip.ts";
import { listShownBy } from "../lists/list.ts";
import { inChinese, wrongFields } from "../pipeline/validation-messages.ts";

/** How a long list that is not declared (lists/list.ts) is read: one query through a cursor instead of page by page. */
export type Rows<R, Q = never> = {
  /** What is demanded beside the call's own permission, as its query says. */
  admit?: (read: Read, query: Q) => void;
  /** The list's query with its filter and order, without limit. */
  rows?: (read: Read, query: Q) => Compilable<R>;
  /** From what the database says to what the screen shows, as the list's handler does it. */
  row?: (raw: R, read: Read) => object;
};
/** The files of a list, one after the other; `passed` hears how many rows are through. */
export type Pack<Q = never> = (
  read: Read,
  query: Q,
  passed: (rows: number) => Promise<void>,
) => AsyncIterable<ZipEntry>;
type Exporter = { of: Exporting; rows: Rows<unknown> | undefined; pack: Pack | undefined };

/** What is to be exported; values as they stand in the address of the list. */
export type Asked = {
  type: string;
  params: Record<string, string>;
  query: Record<string, string>;
  columns: readonly string[];
};
export type Prepared = Exporter & {
  asked: Asked;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  columns: ExportColumn[];
};

const exporters = new Map<string, Exporter>();
export const everyExport = (): Exporting[] => [...exporters.values()].map((e) => e.of);

/** Answers a prepared export with its file or its task; given by the domain that keeps the tasks. */
type Answering = (act: Act, prepared: Prepared, usage: string) => Promise<FileReply>;
let answering: Answering | undefined;
export const answersExports = (by: Answering): void => void (answering = by);

/** What stands on every sheet that a person takes, beside the file's own words; given by the domain that keeps the choice. */
type Marking = (read: Read) => Promise<string | undefined>;
let marking: Marking | undefined;
export const marksExports = (by: Marking): void => void (marking = by);

/**
 * Serves the export of a list; one line in the noun's server file. A declared list is read through a cursor; of any
 * other the rows come from its own handler, page by page, or from the query that is named here.
 */
export const exportList = <R, Q>(call: ExportCall, rows?: Rows<R, Q>): Served =>
  exportAs(call, { of: call.exporting, rows: rows as Rows<unknown> | undefined, pack: undefined });

/** Serves the files of what a list shows, packed into one. */
export const exportPack = <Q>(call: ExportCall, pack: Pack<Q>): Served =>
  exportAs(call, { of: call.exporting, rows: undefined, pack: pack as Pack });

function exportAs(call: ExportCall, exporter: Exporter): Served {
  const { of } = exporter;
  exporters.set(of.type, exporter);
  return serve(call, async (act, given) => {
    const { columns = "", usage = "", ...query } = given.query as Record<string, unknown>;
    const asked = {
      type: of.type,
      params: written((given.params ?? {}) as Record<string, unknown>),
      query: written(query),
      columns: String(columns).split(",").filter(Boolean),
    };
    if (!answering) throw new Error("nothing answers exports");
    return answering(act, prepare(act.who, asked), String(usage));
  });
}

/** Parsed values as an address carries them. */
const written = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined || value === null || value === "" ? [] : [[key, String(value)]],
    ),
  );

/** Judges a wish on behalf of a person: 404 unknown, 403 not theirs, 400 wrong filter. Unknown columns are left out. */
export function prepare(who: Who, asked: Asked): Prepared {
  const exporter = exporters.get(asked.type);
  if (!exporter) throw notFound();
  const { needs, list } = exporter.of;
  if (!allows(who.permits, needs)) throw forbidden();
  const params = (list.params ?? z.object({})).safeParse(asked.params);
  if (!params.success) throw notFound();
  const query = (list.query ?? z.object({})).safeParse(asked.query, inChinese);
  if (!query.success) throw invalid(...wrongFields(query.error));
  const picked = idList.parse(asked.query["picked"]) ?? [];
  const known = columnsOf(list);
  const columns = asked.columns.flatMap((key) => known.find((c) => c.key === key) ?? []);
  return {
    ...exporter,
    asked,
    params: params.data as Record<string, unknown>,
    query: { ...(query.data as Record<string, unknown>), ...(picked.length && { picked }) },
    columns: columns.length ? columns : known,
  };
}

async function handlerOf(call: Call): Promise<Handler<Call>> {
  handlers ??= everyServed().then((all) => new Map(all.map((s) => [s.call, s.handle])));
  const handle = (await handlers).get(call);
  if (!handle) throw new Error(`nothing serves ${call.path}`);
  return handle;
}

/** What another read answers to the same person; nothing to who may not ask. */
async function ask(read: Read, call: Call, asked: Record<string, unknown>): Promise<unknown> {
  const query = (call.query ?? z.object({})).safeParse(asked);
  if (!query.success || !allows(read.who.permits, call.needs)) return [];
  return (await handlerOf(call))(read as never, { params: {}, query: query.data, files: [] } as never);
}

export const wordsOf = (read: Read, prepared: Pick<Prepared, "of" | "asked">): Promise<string> =>
  filterWords(read, prepared, (call, query) => ask(read, call, query));

type Answer = { list: Row[]; total: number | null; sums?: Row | null };
let handlers: Promise<Map<Call, Handler<Call>>> | undefined;

async function answer(read: Read, { of, params, query, columns }: Prepared, more: object): Promise<Answer> {
  const handle = await handlerOf(of.list);
  const also = columns.map((c) => c.key);
  const given = {
    params,
    query: { ...query, ...(extraOf(of.list.query).length && { also }), ...more },
    files: [],
  };
  return (await handle(read as never, given as never)) as unknown as Answer;
}

export async function totalsOf(
  read: Read,
  prepared: Prepared,
): Promise<{ total: number; sums: Row | undefined }> {
  const whole = await answer(read, prepared, { want: "totals", pageNo: 1, pageSize: 1 });
  const picked = pickedOf(prepared);
  // a list that counts more than was ticked knows nothing of ticks: its sums are those of other rows
  const { total, sums } =
    picked && (whole.total ?? 0) > picked.length ? { total: picked.length, sums: undefined } : whole;
  const { each } = prepared.of;
  const further = each ? (await totalsOf(read, partOf(prepared, each))).total : 0;
  return { total: (total ?? 0) + further, sums: sums ?? undefined };
}

/** What another list shows of one row, or of all. */
function partOf(prepared: Prepared, { list, by, name, ...each }: Each, row?: Row): Prepared {
  const { sort: _s, order: _o, picked: _p, ...filter } = prepared.asked.query;
  const query = { ...(each.query?.(filter) ?? filter), ...(row && { [by]: String(row["id"]) }) };
  const { each: _, ...of } = prepared.of;
  const known = columnsOf(list);
  return {
    ...prepared,
    of: { ...of, list, ...(row && { title: String(row[name]) }) },
    asked: { ...prepared.asked, query },
    rows: undefined,
    query: (list.query ?? z.object({})).parse(query) as Record<string, unknown>,
    columns: each.columns.flatMap((key) => known.find((c) => c.key === key) ?? []),
  };
}

const BATCH = 500;

/** The ids that were ticked, where some were. */
const pickedOf = ({ query }: Prepared) => query["picked"] as readonly number[] | undefined;

async function* byPage(read: Read, prepared: Prepared): AsyncGenerator<Row[]> {
  const picked = pickedOf(prepared);
  for (let pageNo = 1; ; pageNo++) {
    const { list } = await answer(read, prepared, { want: "rows", pageNo, pageSize: BATCH });
    if (list.length) yield picked ? list.filter((row) => picked.includes(row["id"] as number)) : list;
    if (list.length < BATCH) return;
  }
}

async function* byCursor<R>(read: Read, { sql, parameters }: CompiledQuery<R>): AsyncGenerator<R[]> {
  const run = (text: string, values: readonly unknown[] = []) =>
    read.tx.executeQuery<R>(CompiledQuery.raw(text, [...values]));
  // all rows are wanted, so the plan is made for all of them
  await run("set local cursor_tuple_fraction = 1");
  await run(`declare exported no scroll cursor for ${sql}`, parameters);
  for (;;) {
    const batch = (await run(`fetch forward ${BATCH} from exported`)).rows;
    if (!batch.length) break;
    yield batch;
  }
  await run("close exported");
}

async function* rowsOf(read: Read, prepared: Prepared): AsyncGenerator<Row[]> {
  const { of, rows: named, params, query, columns } = prepared;
  named?.admit?.(read, query as never);
  const list = listShownBy(of.list);
  if (list) {
    const asked = { ...params, ...query, also: columns.map((c) => c.key) } as never;
    const every = await list.every(read, asked);
    for await (const batch of byCursor(read, every.compile(read.tx)))
      yield (await list.made(batch, read, asked)) as Row[];
  } else if (named?.rows) {
    const { rows, row } = named;
    for await (const batch of byCursor(read, rows(read, query as never).compile()))
      yield (row ? batch.map((raw) => row(raw, read)) : batch) as Row[];
  } else yield* byPage(read, prepared);
}

/** The workbook of a list, or the files of its rows in one. `read.tx` is a transaction that sees one moment. `passed` hears how many rows are through. */
export async function exported(
  read: Read,
  prepared: Prepared,
  sums: Row | undefined,
  passed: (rows: number) => Promise<void> = async () => {},
): Promise<AsyncGenerator<Buffer>> {
  if (prepared.pack) return zip(prepared.pack(read, prepared.query as never, passed));
  const at = timeInZone(read.now, read.settings.TIME_ZONE);
  const mark = await marking?.(read);
  let through = 0;
  const sheetOf = async (part: Prepared, sums: Row | undefined, seen?: Row[]): Promise<Sheet> => ({
    title: part.of.title,
    columns: part.columns,
    note: `筛选：${await wordsOf(read, part)}　　导出时间：${at}　　导出人：${read.who.name}${mark ? `　　${mark}` : ""}`,
    watermark: mark ?? `${read.who.name} ${read.who.phone.slice(-4)} ${at}`,
    timeZone: read.settings.TIME_ZONE,
    rows: (async function* () {
      for await (const batch of rowsOf(read, part)) {
        seen?.push(...batch);
        yield batch;
        await passed((through += batch.length));
      }
    })(),
    sums: () => sums,
  });
  const { each } = prepared.of;
  if (!each) return workbook(await sheetOf(prepared, sums));
  return workbook(
    (async function* () {
      const rows: Row[] = [];
      yield await sheetOf(prepared, sums, rows);
      for (const row of rows) {
        const part = partOf(prepared, each, row);
        yield await sheetOf(part, (await totalsOf(read, part)).sums);
      }
    })(),
  );
}

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** What an export of that name is. */
export const exportType = (name: string): string => (name.endsWith(".zip") ? "application/zip" : XLSX);
/** 账单管理_2026-03-01_2026-03-31.xlsx by the days or the month of its filter; where none are chosen, by when it was made. */
export const exportName = (read: Read, { of, query }: Pick<Prepared, "of" | "query">): string =>
  `${of.title}_${daysOf(of.list, query) ?? timeInZone(read.now, read.settings.TIME_ZONE).replace(/[-:]/g, "").replace(" ", "_")}.${of.packed ?? "xlsx"}`;

/** What the first chosen filter of days says, as a part of a file's name. */
function daysOf({ query: schema }: Call, query: Record<string, unknown>): string | undefined {
  // days and months are texts once they are parsed
  const chosen = (key: string) => query[key] as string | undefined;
  for (const [key, field] of Object.entries(schema instanceof z.ZodObject ? schema.shape : {})) {
    const filter = filterOf(field as z.ZodType);
    const [from, to] = filter?.kind === "days" ? [chosen(filter.from), chosen(filter.to)] : [];
    if (from && to) return from === to ? from : `${from}_${to}`;
    if (from || to) return from ? `自${from}` : `至${to}`;
    if ((filter?.kind === "month" || filter?.kind === "day") && chosen(key)) return chosen(key);
  }
  return undefined;
}

/** One moment of the database, for as long as the work takes. */
export const snapshot = <T>(db: Kysely<DB>, work: (tx: Kysely<DB>) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);
