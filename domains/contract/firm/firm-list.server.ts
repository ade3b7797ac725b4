import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { exportCompanyContracts, exportMerchantContracts } from "./firm-list.contract.ts";
import { companyContracts, merchantContracts } from "./firm-list.queries.ts";

export default [
  serveList(companyContracts),
  exportList(exportCompanyContracts),
  serveList(merchantContracts),
  exportList(exportMerchantContracts),
];
