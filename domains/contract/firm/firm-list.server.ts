import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  exportCompanyContracts,
  exportMerchantContracts,
  listCompanyContracts,
  listMerchantContracts,
} from "./firm-list.contract.ts";
import { companyContracts, merchantContracts } from "./firm-list.queries.ts";

export default [
  serveRead(listCompanyContracts, (read, { query }) => companyContracts(read, query)),
  exportList(exportCompanyContracts),
  serveRead(listMerchantContracts, (read, { query }) => merchantContracts(read, query)),
  exportList(exportMerchantContracts),
];
