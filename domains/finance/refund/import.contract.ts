import * as f from "../../../platform/kernel/field.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { bareBatch, importFamily, made } from "../../system/import/import.contract.ts";

const refunds = importFamily({
  base: "/billing/api/v3/refund/import",
  title: "退款单",
  needs: "#10801",
  target: "refundImport",
});

/** Each sees their own files alone: account numbers stand in them. What a file asked for is cancelled one by one. */
export const refundImport = {
  template: refunds.template(),
  check: refunds.check(undefined, { megabytes: 30 }),
  get: refunds.get(
    bareBatch.extend({ number: f.text("编号"), amount: f.money("金额合计"), errors: wrongCells }),
  ),
  errorFile: refunds.errorFile(),
  columns: refunds.columns(),
  commit: refunds.commit(made),
};
