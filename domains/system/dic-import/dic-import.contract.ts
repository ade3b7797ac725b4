import { wholeImportCalls } from "../import/import.contract.ts";

export const houseDicImport = wholeImportCalls({
  base: "/system/api/v3/dic/house/import",
  title: "房源字典",
  needs: "58.import",
  target: "dicImport",
});
