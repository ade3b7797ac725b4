import { importCalls } from "../../system/import/import.contract.ts";

export const renterImport = importCalls({
  base: "/customer/api/v3/renter/import",
  title: "租客",
  needs: "16.import",
  target: "renterImport",
});
export const {
  template: importTemplate,
  check: checkImport,
  list: listImports,
  get: getImport,
  errorFile: importErrorFile,
  commit: commitImport,
  undo: undoImport,
} = renterImport;
