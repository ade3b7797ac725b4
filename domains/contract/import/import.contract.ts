import { z } from "zod";
import { call, type Permit } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { importFamily, longBatch, longReplies } from "../../system/import/import.contract.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { importTotals } from "./planned.rules.ts";

const chosen = z.object({ id: f.id });
const row = longBatch.extend({ takenOn: f.day("接管日") });

/** The calls of a take-over: what the drawer works with. */
function openingCalls({ base, title, needs }: { base: string; title: string; needs: Permit }) {
  const target = "contractImport";
  const one = importFamily({ base, title, needs, target });
  const act = { needs, target, money: true, timeout: 300_000 } as const;
  return {
    template: one.template(),
    check: one.check(z.object({ takenOn: f.dayInput("接管日") }), {
      path: `${base}/dryRun`,
      perMinute: 60,
      reply: longReplies.check,
    }),
    list: one.list(row, { villageIds: idList }),
    get: one.get(row.extend({ totals: importTotals.nullable(), errors: wrongCells })),
    /** The file as it came: wrong cells marked, or the contract that each row has become. */
    errorFile: one.errorFile({
      path: `${base}/:id/resultFile`,
      summary: `下载${title}导入结果`,
      timeout: 300_000,
    }),
    columns: one.columns(),
    /** All or nothing. Pressed twice it makes one batch; a long one goes on by itself and is asked for its progress. */
    commit: call({
      ...act,
      method: "POST",
      path: `${base}/commit`,
      summary: `确认导入${title}`,
      body: chosen,
      reply: longReplies.commit,
    }),
    /** Takes a batch back while nothing of it was paid or changed: contracts and bills are voided, balances mirrored. */
    undo: call({
      ...act,
      method: "POST",
      path: `${base}/undo`,
      summary: `撤销${title}导入`,
      body: chosen,
      reply: z.object({ id: f.id, contracts: z.number().int() }),
    }),
  };
}

const BASE = "/contract/api/v3/contract";
export const openingImport = openingCalls({
  base: `${BASE}/import`,
  title: "在租合同",
  needs: "9.import",
});
export const companyOpening = openingCalls({
  base: `${BASE}/company/import`,
  title: "在租企业合同",
  needs: "11.import",
});
export const merchantOpening = openingCalls({
  base: `${BASE}/merchant/import`,
  title: "在租商户合同",
  needs: "107.import",
});

/** By kind of contract, with what is taken over. */
export const OPENINGS = {
  renter: { calls: openingImport, things: "在租合同" },
  company: { calls: companyOpening, things: "在租企业合同" },
  merchant: { calls: merchantOpening, things: "在租商户合同" },
} as const satisfies Record<ContractKind, object>;

export const {
  template: contractImportTemplate,
  check: dryRunContractImport,
  list: contractImports,
  get: contractImport,
  errorFile: contractImportResult,
  columns: contractImportColumns,
  commit: commitContractImport,
  undo: undoContractImport,
} = openingImport;
