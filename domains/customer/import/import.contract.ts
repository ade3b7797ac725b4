import { importCalls } from "../../system/import/import.contract.ts";

export const renterImport = importCalls({
  base: "/customer/api/v3/renter/import",
  title: "租客",
  needs: "16.import",
  target: "renterImport",
});
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
export const leadImport = importCalls({
  base: "/customer/api/v3/lead/import",
  title: "客源",
  needs: "15.import",
  target: "leadImport",
  village: "请选择意向门店",
});
