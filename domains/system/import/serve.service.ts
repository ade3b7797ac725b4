import { sql } from "kysely";
import type { Call } from "../../../platform/kernel/call.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { MappedColumns, SheetMapping } from "../../../platform/kernel/fields/sheet-mapping.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import type { Act, Read, Upload, Who } from "../../../platform/server/pipeline/act.ts";
import { openSheet } from "../../../platform/server/sheets/foreign-sheet.ts";
import { job, type Job } from "../../../platform/server/jobs/jobs.ts";
import { headingsBelow, type Mapping } from "../../../platform/server/sheets/headings.ts";
import { markedSheet, notedSheet, type RowNote } from "../../../platform/server/sheets/noted-sheet.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { serve, type Handler, type Served } from "../../../platform/server/pipeline/serve.ts";
import { xlsxReply } from "../../../platform/server/sheets/sheet-template.ts";
import { needsActive, whoActs } from "../../access/operator/scope.service.ts";
import { bytesOfFile } from "../file/file.service.ts";
import { batchRow, batchRows, seenBatch, type Batch, type Batches } from "./batch.service.ts";
import {
  checkAnew,
  checkSheet,
  checkUpload,
  commitBatch,
  committed,
  mapColumns,
  mustOf,
  takeLong,
  undoBatch,
  wholeFile,
  type Importer,
  type Place,
} from "./importer.service.ts";
import { READY_HOURS } from "./import.rules.ts";
import { templateOf } from "./template.service.ts";

/** The calls of an import; where a batch is named, its id stands in the path or in the body. */
type ImportServed = {
  template: Call;
  check: Call;
  get: Call;
  errorFile: Call;
  columns: Call;
  commit: Call;
  list?: Call;
  undo?: Call;
  recheck?: Call;
  errors?: Call;
};
type Given = { params?: object; query?: object; body?: object; files: Upload[] };
type Answers = { [K in keyof ImportServed]-?: (act: Act, given: Given) => Promise<unknown> };

const chosen = ({ params, body }: Given) => ({ ...params, ...body }) as { id: number; version?: number };

/** Handlers of all calls of an import; every answer is trimmed to what its call promises. */
export function serveImport<F, P extends object = Place>(calls: ImportServed, of: Importer<F, P>): Served[] {
  const shown = <R extends object>(row: R) => ({ ...row, ...of.shown?.(row as Record<string, unknown>) });
  const answers: Answers = {
    template: async (read, { query = {} }) => {
      const name = of.fileName?.(query as never) ?? `${of.things}导入模板.xlsx`;
      return xlsxReply(name, await templateOf(read, of, query));
    },
    check: (act, { body = {}, files: [upload] }) => {
      if (!upload) throw invalid({ field: "file", msg: "请上传xlsx文件" });
      return checkUpload(act, of, upload, body);
    },
    list: async (read, { query }) => {
      const { list, total } = await batchRows(read, of, query as Parameters<typeof batchRows>[2]);
      return { list: list.map(shown), total };
    },
    get: async (read, given) => {
      const { mapping, ...row } = await batchRow(read, of, chosen(given).id);
      return {
        ...shown(row),
        mapping: await mappingShown(read, of, { ...row, mapping: mapping as Mapping | null }),
      };
    },
    errors: async (read, given) => {
      const { errors, errorCount } = await seenBatch(read, of, chosen(given).id);
      return { list: errors, total: errorCount };
    },
    errorFile: (read, given) => fileBack(read, of, chosen(given).id),
    recheck: (act, given) => checkAnew(act, of, chosen(given).id),
    columns: (act, given) => mapColumns(act, of, chosen(given).id, given.body as MappedColumns),
    commit: (act, given) => commitBatch(act, of, chosen(given).id, chosen(given).version),
    undo: (act, given) => undoBatch(act, of, chosen(given).id, chosen(given).version),
  };
  return Object.entries(calls).map(([name, call]) =>
    serve(call, answers[name as keyof ImportServed] as Handler<Call>),
  );
}

/** Until a file with headings of its own is taken: its columns with their first values, and those of the template. */
async function mappingShown<F, P extends object>(
  read: Read,
  of: Importer<F, P>,
  { mapping, state, fileId }: Pick<Batch, "mapping" | "fileId"> & { state: string },
): Promise<SheetMapping | null> {
  if (!mapping || (state !== "failed" && state !== "ready")) return null;
  const { titles, ...kept } = mapping;
  const must = mustOf(of);
  return {
    ...kept,
    heads: headingsBelow(await openSheet(await bytesOfFile(read, fileId), of.things), mapping),
    columns: (await of.columns(read)).map((c) => ({ key: c.key, title: c.title, must: must(c) })),
  };
}

/** The file as it came, with every wrong cell marked; a long one that was taken, with what its rows have become. */
async function fileBack<F, P extends object>(read: Read, of: Importer<F, P>, id: number) {
  const batch = await seenBatch<Batch & P>(read, of, id);
  const bytes = await bytesOfFile(read, batch.fileId);
  const sheet = await openSheet(bytes, of.things);
  const head = batch.mapping?.row;
  if (!of.long)
    return xlsxReply(`标错_${batch.fileName}`, markedSheet(sheet, wrongCells.parse(batch.errors), head));
  const taken = batch.state === "done" || batch.state === "undone" ? of.long.result : undefined;
  const notes: RowNote[] = taken
    ? (await taken.of(read, id)).map((row) => ({ ...row, wrong: false }))
    : // more errors may stand in the file than are kept: all of them are marked
      (await checkSheet(read, of, bytes, batch, batch.mapping)).errors.map(
        ({ row, column, header, msg }) => ({
          row,
          column,
          text: `${column && `${column} 列 `}${header && `${header}：`}${msg}`,
          wrong: true,
        }),
      );
  const name = `${batch.fileName.replace(/\.xlsx$/i, "")}-${taken ? "结果" : "错误"}.xlsx`;
  return xlsxReply(name, notedSheet(sheet, { title: taken?.title ?? "错误说明", notes, head }));
}

/** Takes one batch in a transaction of its own, telling how far it is beside it. */
async function takeIt<F, P extends object>(house: House, of: Importer<F, P>, id: number, who: Who) {
  const { db } = house.database;
  // the row itself is locked by nobody: what is told here is seen while the work goes on
  const progress = async (percent: number) => {
    await sql`update ${sql.table(of.table)} set progress = ${percent} where id = ${id}`.execute(db);
  };
  await db.transaction().execute(async (tx) => {
    // the same batch, started twice, is taken once: the second waits here and finds it done
    await sql`select pg_advisory_xact_lock(hashtext(${`${of.table}.take`}), ${id}::int)`.execute(tx);
    const act = actOf(house, tx, who, { requestId: `${of.table} ${id}`, ip: "", userAgent: "job" });
    const batch = await seenBatch<Batch & P>(act, of, id);
    if (batch.state !== "importing") return;
    await needsActive(act);
    await takeLong(act, of, batch, progress);
  });
}

/** Nothing of it is made; what it says in place of its errors. */
const broken = (of: Batches, msg: string) =>
  sql`update ${sql.table(of.table)} set state = 'failed', errors = ${JSON.stringify([wholeFile(msg)])}, error_count = 1, progress = 0`;

/** The jobs of an import whose files may be long. */
export function importJobs<F, P extends object>(of: Importer<F, P>): Job[] {
  const anew = of.long?.anew;
  const name = of.work ?? of.table;
  const take = job({
    name: `${name}.take`,
    on: committed(of),
    transaction: false,
    work: async (_act, { id, operatorId }, house) => {
      const { db } = house.database;
      try {
        await takeIt(house, of, id, await whoActs(db, operatorId));
      } catch (error) {
        const no = error instanceof Refusal && error.code === "notAllowed" ? error.message : undefined;
        const failed = broken(of, no ?? `导入未完成，请重新${anew ? "检查" : "上传"}后再试`);
        await sql`${failed} where id = ${id} and state = 'importing'`.execute(db);
        if (!no) throw error;
      }
    },
  });
  const lapse = job({
    name: `${name}.lapse`,
    title: `过期未确认的${of.things}导入`,
    cron: "7 * * * *",
    work: async (act) => {
      const before = new Date(act.now.getTime() - READY_HOURS * 3_600_000);
      const failed = broken(of, "超过 24 小时未确认，请重新检查");
      await sql`${failed} where state = 'ready' and updated_at < ${before}`.execute(act.tx);
    },
  });
  return anew ? [take, lapse] : [take];
}
