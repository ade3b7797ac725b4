import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { seesWhole } from "../../access/operator/scope.service.ts";
import {
  listContractConfigs,
  readContractConfig,
  removeContractConfig,
  writeContractConfig,
  writeLateFeeTerms,
} from "./config.contract.ts";
import {
  changedOwner,
  configOf,
  configOwner,
  dropConfig,
  enterpriseOf,
  saveConfig,
  saveLateFeeTerms,
} from "./config.service.ts";
import { configRows } from "./list.queries.ts";

export default [
  serveRead(readContractConfig, async (read, { query }) => {
    const owner = await configOwner(read, query.villageId);
    const editable = owner.villageId !== null || (await seesWhole(read, owner.enterpriseId));
    return { ...(await configOf(read, owner)), today: read.today, editable };
  }),

  serve(writeContractConfig, async (act, { query, body: { version, ...values } }) =>
    saveConfig(act, await changedOwner(act, query.villageId), values, version),
  ),

  serve(writeLateFeeTerms, async (act, { query, body: { effectiveDate, version, ...terms } }) =>
    saveLateFeeTerms(act, await changedOwner(act, query.villageId), terms, { effectiveDate, version }),
  ),

  serve(removeContractConfig, async (act, { query: { villageId } }) =>
    dropConfig(act, { enterpriseId: await enterpriseOf(act, inScope(act.who, villageId)), villageId }),
  ),

  serveRead(listContractConfigs, (read, { query }) => configRows(read, query)),
];
