import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { importFamily, longBatch, longReplies } from "../../system/import/import.contract.ts";
import { importTotals } from "./planned.rules.ts";

const BASE = "/contract/api/v3/contract/import";
const contracts = importFamily({
  base: BASE,
  title: "在租合同",
  needs: "9.import",
  target: "contractImport",
});
const chosen = z.object({ id: f.id });
const row = longBatch.extend({ takenOn: f.day("接管日") });

export const contractImportTemplate = contracts.template();
export const dryRunContractImport = contracts.check(z.object({ takenOn: f.dayInput("接管日") }), {
  path: `${BASE}/dryRun`,
  perMinute: 60,
  reply: longReplies.check,
});
export const contractImports = contracts.list(row, { villageIds: idList });
export const contractImport = contracts.get(
  row.extend({ totals: importTotals.nullable(), errors: wrongCells }),
);
/** The file as it came: wrong cells marked, or the contract that each row has become. */
export const contractImportResult = contracts.errorFile({
  path: `${BASE}/:id/resultFile`,
  summary: "下载在租合同导入结果",
  timeout: 300_000,
});

export const contractImportColumns = contracts.columns();
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

/** What the drawer works with. */
export const openingImport = {
  template: contractImportTemplate,
  check: dryRunContractImport,
  list: contractImports,
  get: contractImport,
  errorFile: contractImportResult,
  columns: contractImportColumns,
  commit: commitContractImport,
  undo: undoContractImport,
};
