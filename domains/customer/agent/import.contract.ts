import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import { importCalls } from "../../system/import/import.contract.ts";

const shared = importCalls({
  base: "/customer/api/v3/agent/import",
  title: "经纪人",
  needs: "115.import",
  target: "agentImport",
  village: "请选择门店",
});

/** Whoever checks a file is told at once what is in it, and need not know its version to take it. */
export const agentImport = {
  ...shared,
  check: call({
    ...shared.check,
    reply: z.object({ id: f.id, rows: z.number().int(), errors: wrongCells }),
  }),
  commit: call({
    ...shared.commit,
    body: z.object({ version: f.version.optional() }),
    reply: z.object({ made: z.number().int() }),
  }),
};
export const {
  template: agentTemplate,
  check: checkAgents,
  errorFile: agentErrorFile,
  commit: commitAgents,
} = agentImport;
