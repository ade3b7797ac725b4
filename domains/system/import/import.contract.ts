import { z } from "zod";
import { call, type Permit } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { IMPORT_STATES, LONG_STATES } from "./import.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

export const importId = oneRecord;

/** A batch without the store that it belongs to. */
export const bareBatch = z.object({
  id: f.id,
  number: f.link("编号"),
  fileName: f.text("文件"),
  rowCount: f.number("行数"),
  errorCount: f.number("错误数"),
  state: f.status("状态", IMPORT_STATES),
  version: f.version,
});
/** The same as a list shows it. */
export const listedBatch = bareBatch.extend({
  createdName: f.person("操作人"),
  createdAt: f.instant("时间"),
});
const batch = listedBatch.extend({ villageName: f.text("门店") });

/** A batch of a file that may be so long that a job takes it, with how far that is, 0 to 100. */
export const longBatch = batch.omit({ version: true }).extend({
  state: f.status("状态", LONG_STATES),
  progress: f.number("进度", { unit: "%" }),
});
/** What its calls answer: the state that it is in now. */
export const longReplies = {
  check: longBatch.pick({ id: true, state: true, errorCount: true }),
  commit: longBatch.pick({ id: true, state: true }),
};

/** A file of at most 10M, which may take minutes to read. */
export const sheetUpload = {
  upload: { maxBytes: 10 * 1024 * 1024, maxFiles: 1 },
  timeout: 300_000,
  perMinute: 30,
} as const;

type Of = { base: string; title: string; needs: Permit; target: string; village?: string };

/** The batches of an importer whose files belong to no store. */
export const batchesWithoutStore = ({ base, title, needs }: Pick<Of, "base" | "title" | "needs">) =>
  call({
    method: "GET",
    path: base,
    summary: `${title}导入批次`,
    needs,
    query: pageQuery("createdAt"),
    reply: pageReply(listedBatch),
  });

/** What every importer has, whatever its files belong to. */
function sharedCalls({ base, title, needs, target }: Of) {
  const one = { needs, target, params: importId };
  return {
    template: call({ method: "GET", path: `${base}/template`, summary: `${title}导入模板`, needs }),
    /** The file as it came, with every wrong cell marked. */
    errorFile: call({
      ...one,
      method: "GET",
      path: `${base}/:id/errorFile`,
      summary: `下载${title}标错文件`,
    }),
    commit: call({
      ...one,
      method: "POST",
      path: `${base}/:id/commit`,
      summary: `确认导入${title}`,
      timeout: 300_000,
      body: z.object({ version: f.version }),
      reply: z.object({ id: f.id, made: z.number().int() }),
    }),
    undo: call({
      ...one,
      method: "POST",
      path: `${base}/:id/undo`,
      summary: `撤销${title}导入`,
      timeout: 300_000,
      body: z.object({ version: f.version }),
      reply: z.object({ id: f.id, removed: z.number().int() }),
    }),
  };
}

const summaries = (title: string) => ({ check: `检查${title}导入文件`, get: `${title}导入批次详情` });

/** The calls of an importer of one store's records; `village` is the sentence while no store is chosen. */
export function importCalls(of: Of) {
  const { base, title, needs, target, village = "请选择登记门店" } = of;
  const summary = summaries(title);
  return {
    ...sharedCalls(of),
    /** A dry run: the whole file is checked and kept, nothing is made yet. */
    check: call({
      ...sheetUpload,
      method: "POST",
      path: base,
      summary: summary.check,
      needs,
      target,
      body: z.object({ villageId: z.coerce.number({ error: village }).pipe(f.id) }),
      reply: z.object({ id: f.id }),
    }),
    list: call({
      method: "GET",
      path: base,
      summary: `${title}导入批次`,
      needs,
      query: pageQuery("createdAt").extend({ villageIds: idList }),
      reply: pageReply(batch),
    }),
    get: call({
      method: "GET",
      path: `${base}/:id`,
      summary: summary.get,
      needs,
      target,
      params: importId,
      reply: batch.extend({ errors: wrongCells }),
    }),
  };
}
export type ImportCalls = ReturnType<typeof importCalls>;

/** The calls of an importer whose records belong to the enterprise and no store. */
export function wholeImportCalls(of: Of) {
  const { base, title, needs, target } = of;
  const summary = summaries(title);
  return {
    ...sharedCalls(of),
    check: call({
      ...sheetUpload,
      method: "POST",
      path: base,
      summary: summary.check,
      needs,
      target,
      reply: z.object({ id: f.id }),
    }),
    list: batchesWithoutStore(of),
    get: call({
      method: "GET",
      path: `${base}/:id`,
      summary: summary.get,
      needs,
      target,
      params: importId,
      reply: listedBatch.extend({ errors: wrongCells }),
    }),
  };
}
export type WholeImportCalls = ReturnType<typeof wholeImportCalls>;
