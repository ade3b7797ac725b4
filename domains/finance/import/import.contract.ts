import * as f from "../../../platform/kernel/field.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { bareBatch, importFamily, made } from "../../system/import/import.contract.ts";

const bills = importFamily({
  base: "/billing/api/v3/bill/import",
  title: "账单",
  needs: "#2605",
  target: "billImport",
});

/** Each sees their own files alone; there is no list of them. */
export const billImport = {
  template: bills.template(),
  check: bills.check(undefined, { megabytes: 30 }),
  get: bills.get(
    bareBatch.extend({ number: f.text("编号"), amount: f.money("金额合计"), errors: wrongCells }),
  ),
  errorFile: bills.errorFile(),
  columns: bills.columns(),
  commit: bills.commit(made),
};
