import { z } from "zod";
import { call, type Permit } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { FIRM_TITLE, type FirmKind } from "../firm/words.rules.ts";
import { IMPORT_STATES } from "../import/import.contract.ts";

const importId = z.object({ id: z.coerce.number().pipe(f.id) });

const row = z.object({
  id: f.id,
  number: f.link("编号"),
  fileName: f.text("文件"),
  villageName: f.text("门店"),
  rowCount: f.number("行数"),
  errorCount: f.number("错误数"),
  state: f.status("状态", IMPORT_STATES),
  createdName: f.person("操作人"),
  createdAt: f.instant("时间"),
  version: f.version,
});

/** The calls of one kind's import; `code` is the page whose permit they need. */
export function firmImportCalls<K extends FirmKind>(kind: K, code: number) {
  const base = `/customer/api/v3/${kind}/import`;
  const needs: Permit = `${code}.import`;
  const title = FIRM_TITLE[kind];
  const target = "firmImport";
  return {
    kind,
    needs,
    template: call({ method: "GET", path: `${base}/template`, summary: `${title}导入模板`, needs }),
    /** A dry run: the whole file is checked and kept, nothing is made yet. */
    check: call({
      method: "POST",
      path: base,
      summary: `检查${title}导入文件`,
      needs,
      target,
      upload: { maxBytes: 10 * 1024 * 1024, maxFiles: 1 },
      timeout: 300_000,
      perMinute: 30,
      body: z.object({ villageId: z.coerce.number({ error: "请选择登记门店" }).pipe(f.id) }),
      reply: z.object({ id: f.id }),
    }),
    list: call({
      method: "GET",
      path: base,
      summary: `${title}导入批次`,
      needs,
      query: pageQuery("createdAt").extend({ villageIds: idList }),
      reply: pageReply(row),
    }),
    get: call({
      method: "GET",
      path: `${base}/:id`,
      summary: `${title}导入批次详情`,
      needs,
      target,
      params: importId,
      reply: row.extend({ errors: wrongCells }),
    }),
    /** The file as it came, with every wrong cell marked. */
    errorFile: call({
      method: "GET",
      path: `${base}/:id/errorFile`,
      summary: "下载标错文件",
      needs,
      target,
      params: importId,
    }),
    commit: call({
      method: "POST",
      path: `${base}/:id/commit`,
      summary: `确认导入${title}`,
      needs,
      target,
      timeout: 300_000,
      params: importId,
      body: z.object({ version: f.version }),
      reply: z.object({ id: f.id, made: z.number().int() }),
    }),
    undo: call({
      method: "POST",
      path: `${base}/:id/undo`,
      summary: `撤销${title}导入`,
      needs,
      target,
      timeout: 300_000,
      params: importId,
      body: z.object({ version: f.version }),
      reply: z.object({ id: f.id, removed: z.number().int() }),
    }),
  };
}
export type FirmImportCalls = ReturnType<typeof firmImportCalls>;

export const companyImport = firmImportCalls("company", 113);
export const merchantImport = firmImportCalls("merchant", 106);
