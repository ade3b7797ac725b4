import type { Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { needsWhole, seesWhole } from "../../access/operator/scope.service.ts";
import {
  listContractConfigs,
  readContractConfig,
  removeContractConfig,
  writeContractConfig,
  writeLateFeeTerms,
} from "./config.contract.ts";
import { configOf, dropConfig, enterpriseOf, saveConfig, saveLateFeeTerms } from "./config.service.ts";
import { configRows } from "./list.queries.ts";

/** Whose set is meant: a village of the operator's, or without one that of the whole enterprise. */
async function ownerOf(read: Read, villageId: number | undefined) {
  if (!villageId) return { enterpriseId: read.who.enterpriseId, villageId: null };
  return { enterpriseId: await enterpriseOf(read, inScope(read.who, villageId)), villageId };
}

/** The same for a change: the enterprise's set belongs to who manages all its villages. */
async function changed(read: Read, villageId: number | undefined) {
  const owner = await ownerOf(read, villageId);
  if (owner.villageId === null) await needsWhole(read, owner.enterpriseId);
  return owner;
}

export default [
  serveRead(readContractConfig, async (read, { query }) => {
    const owner = await ownerOf(read, query.villageId);
    const editable = owner.villageId !== null || (await seesWhole(read, owner.enterpriseId));
    return { ...(await configOf(read, owner)), today: read.today, editable };
  }),

  serve(writeContractConfig, async (act, { query, body: { version, ...values } }) =>
    saveConfig(act, await changed(act, query.villageId), values, version),
  ),

  serve(writeLateFeeTerms, async (act, { query, body: { effectiveDate, version, ...terms } }) =>
    saveLateFeeTerms(act, await changed(act, query.villageId), terms, { effectiveDate, version }),
  ),

  serve(removeContractConfig, async (act, { query: { villageId } }) =>
    dropConfig(act, { enterpriseId: await enterpriseOf(act, inScope(act.who, villageId)), villageId }),
  ),

  serveRead(listContractConfigs, (read, { query }) => configRows(read, query)),
];
