import type { Read } from "../../../platform/server/act.ts";
import { inScope } from "../../../platform/server/scope.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import { readContractConfig, writeContractConfig } from "./config.contract.ts";
import { configOf, enterpriseOf, saveConfig } from "./config.service.ts";

/** Whose set is meant: a village of the operator's, or without one that of the whole enterprise. */
async function ownerOf(read: Read, villageId: number | undefined) {
  if (!villageId) return { enterpriseId: read.who.enterpriseId, villageId: null };
  return { enterpriseId: await enterpriseOf(read, inScope(read.who, villageId)), villageId };
}

export default [
  serveRead(readContractConfig, async (read, { query }) =>
    configOf(read, await ownerOf(read, query.villageId)),
  ),
  serve(writeContractConfig, async (act, { query, body: { version, ...values } }) =>
    saveConfig(act, await ownerOf(act, query.villageId), values, version),
  ),
];
