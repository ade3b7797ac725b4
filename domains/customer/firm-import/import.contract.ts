import { importCalls } from "../../system/import/import.contract.ts";

export const companyImport = importCalls({
  base: "/customer/api/v3/company/import",
  title: "企业客户",
  needs: "113.import",
  target: "firmImport",
});
export const merchantImport = importCalls({
  base: "/customer/api/v3/merchant/import",
  title: "商户",
  needs: "106.import",
  target: "firmImport",
});
