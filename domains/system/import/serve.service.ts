import { serve, serveRead, type Served } from "../../../platform/server/pipeline/serve.ts";
import { sheetTemplate, xlsxReply } from "../../../platform/server/sheets/sheet-template.ts";
import { batchRow, batchRows, rowsWithoutStore, rowWithoutStore } from "./batch.queries.ts";
import { errorFile, sheetIn, type Batches } from "./batch.service.ts";
import { MOST_ROWS } from "./columns.rules.ts";
import type { ImportCalls, WholeImportCalls } from "./import.contract.ts";
import type { WholePlace } from "./rows.service.ts";
import { checkUpload, checkWhole, commitBatch, undoBatch, type Importer } from "./importer.service.ts";

type Sheets = Pick<ImportCalls, "template" | "errorFile" | "undo">;
type Commit = Pick<ImportCalls, "commit">;

const serveSheets = <R>(calls: Sheets, of: Importer<R>): Served[] => [
  serveRead(calls.template, async (read) => {
    const columns = (await of.columns(read)).map(({ title, must, note, words }) => ({
      title,
      must,
      note,
      choices: words && Object.values(words).map(([word]) => word),
    }));
    const { things, example } = of;
    const sheet = { sheet: things, columns, rows: MOST_ROWS, megabytes: 10, example };
    return xlsxReply(`${things}导入模板.xlsx`, await sheetTemplate(sheet));
  }),
  serveRead(calls.errorFile, (read, { params }) => errorFile(read, of, params.id, of.things)),
  serve(calls.undo, async (act, { params, body }) => ({
    id: params.id,
    removed: await undoBatch(act, of, params.id, body.version),
  })),
];

/** Handlers of what is kept of an import: its template, its batches, the way back. */
export const serveBatches = <R>(calls: Omit<ImportCalls, "check" | "commit">, of: Importer<R>): Served[] => [
  ...serveSheets(calls, of),
  serveRead(calls.list, (read, { query }) => batchRows(read, of, query)),
  serveRead(calls.get, (read, { params }) => batchRow(read, of, params.id)),
];

const serveCommit = <R>({ commit }: Commit, of: Importer<R>): Served =>
  serve(commit, async (act, { params, body }) => ({
    id: params.id,
    made: await commitBatch(act, of, params.id, body.version),
  }));

/** Handlers of a whole import. */
export const serveImport = <R>(calls: ImportCalls, of: Importer<R>): Served[] => [
  ...serveBatches(calls, of),
  serve(calls.check, (act, { body, files }) => checkUpload(act, of, sheetIn(files), body.villageId)),
  serveCommit(calls, of),
];

/** The list of an importer's batches that belong to no store. */
export const serveList = (list: WholeImportCalls["list"], of: Batches): Served =>
  serveRead(list, (read, { query }) => rowsWithoutStore(read, of, query));

/** The same for records that belong to the enterprise and no store. */
export const serveWholeImport = <R>(calls: WholeImportCalls, of: Importer<R, WholePlace>): Served[] => [
  ...serveSheets(calls, of),
  serveList(calls.list, of),
  serveRead(calls.get, (read, { params }) => rowWithoutStore(read, of, params.id)),
  serve(calls.check, async (act, { files }) => ({ id: await checkWhole(act, of, sheetIn(files)) })),
  serveCommit(calls, of),
];
