import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { longBatch, longReplies } from "../../system/import/import.contract.ts";
import { importTotals } from "./planned.rules.ts";

const BASE = "/contract/api/v3/contract/import";
const chosen = z.object({ id: f.id });

const row = longBatch.extend({ takenOn: f.day("接管日") });

export const contractImportTemplate = call({
  method: "GET",
  path: `${BASE}/template`,
  summary: "在租合同导入模板",
  needs: "9.import",
});

/** Keeps the file and checks all of it; nothing is made yet. */
export const dryRunContractImport = call({
  method: "POST",
  path: `${BASE}/dryRun`,
  summary: "检查在租合同导入文件",
  needs: "9.import",
  target: "contractImport",
  upload: { maxBytes: 10 * 1024 * 1024, maxFiles: 1 },
  timeout: 300_000,
  perMinute: 60,
  body: z.object({ takenOn: f.dayInput("接管日") }),
  reply: longReplies.check,
});

/** All or nothing. Pressed twice it makes one batch; a long one goes on by itself and is asked for its progress. */
export const commitContractImport = call({
  method: "POST",
  path: `${BASE}/commit`,
  summary: "确认导入在租合同",
  needs: "9.import",
  target: "contractImport",
  money: true,
  timeout: 300_000,
  body: chosen,
  reply: longReplies.commit,
});

/** Takes a batch back while nothing of it was paid or changed: contracts and bills are voided, balances mirrored. */
export const undoContractImport = call({
  method: "POST",
  path: `${BASE}/undo`,
  summary: "撤销在租合同导入",
  needs: "9.import",
  target: "contractImport",
  money: true,
  timeout: 300_000,
  body: chosen,
  reply: z.object({ id: f.id, contracts: z.number().int() }),
});

export const contractImports = call({
  method: "GET",
  path: BASE,
  summary: "在租合同导入批次",
  needs: "9.import",
  query: pageQuery("createdAt").extend({ villageIds: idList }),
  reply: pageReply(row),
});

export const contractImport = call({
  method: "GET",
  path: `${BASE}/:id`,
  summary: "在租合同导入批次详情",
  needs: "9.import",
  target: "contractImport",
  params: oneRecord,
  reply: row.extend({ totals: importTotals.nullable(), errors: wrongCells }),
});

/** The file as it came: wrong cells marked, or the contract that each row has become. */
export const contractImportResult = call({
  method: "GET",
  path: `${BASE}/:id/resultFile`,
  summary: "下载在租合同导入结果",
  needs: "9.import",
  target: "contractImport",
  timeout: 300_000,
  params: oneRecord,
});

/** What the drawer works with. */
export const openingImport = {
  template: contractImportTemplate,
  check: dryRunContractImport,
  list: contractImports,
  get: contractImport,
  errorFile: contractImportResult,
  commit: commitContractImport,
  undo: undoContractImport,
};
