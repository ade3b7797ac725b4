import { importCalls } from "../../system/import/import.contract.ts";

export const leadImport = importCalls({
  base: "/customer/api/v3/lead/import",
  title: "客源",
  needs: "15.import",
  target: "leadImport",
  village: "请选择意向门店",
});
export const {
  template: leadTemplate,
  check: checkLeadImport,
  get: getLeadImport,
  errorFile: leadErrorFile,
  commit: commitLeadImport,
  undo: undoLeadImport,
} = leadImport;
