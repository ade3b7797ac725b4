import { serve } from "../../../platform/server/pipeline/serve.ts";
import { accrueMonth } from "./accrual.contract.ts";
import { runAccrual } from "./accrual.service.ts";

export default [
  serve(accrueMonth, async (act, { body }) => {
    const accrued = await runAccrual(act, body);
    const total = { villages: accrued.length, rows: 0, gross: 0, net: 0, tax: 0 };
    for (const { rows, gross, net, tax } of accrued) {
      total.rows += rows;
      total.gross += gross;
      total.net += net;
      total.tax += tax;
    }
    return total;
  }),
];
