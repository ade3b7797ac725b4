import { z } from "zod";
import { call, type Permit } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";

/** How far an uploaded spreadsheet is: checked, taken, taken back. */
export const IMPORT_STATES = {
  failed: ["有错误", "red"],
  ready: ["待确认", "gold"],
  done: ["已导入", "green"],
  undone: ["已撤销", "grey"],
} as const satisfies f.Words;

export const importId = z.object({ id: z.coerce.number().pipe(f.id) });

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
const batch = bareBatch.extend({
  villageName: f.text("门店"),
  createdName: f.person("操作人"),
  createdAt: f.instant("时间"),
});

/** A file of at most 10M, which may take minutes to read. */
export const sheetUpload = {
  upload: { maxBytes: 10 * 1024 * 1024, maxFiles: 1 },
  timeout: 300_000,
  perMinute: 30,
} as const;

type Of = { base: string; title: string; needs: Permit; target: string; village?: string };

/** The calls of an importer of one store's records; `village` is the sentence while no store is chosen. */
export function importCalls({ base, title, needs, target, village = "请选择登记门店" }: Of) {
  const one = { needs, target, params: importId };
  return {
    template: call({ method: "GET", path: `${base}/template`, summary: `${title}导入模板`, needs }),
    /** A dry run: the whole file is checked and kept, nothing is made yet. */
    check: call({
      ...sheetUpload,
      method: "POST",
      path: base,
      summary: `检查${title}导入文件`,
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
      ...one,
      method: "GET",
      path: `${base}/:id`,
      summary: `${title}导入批次详情`,
      reply: batch.extend({ errors: wrongCells }),
    }),
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
export type ImportCalls = ReturnType<typeof importCalls>;
