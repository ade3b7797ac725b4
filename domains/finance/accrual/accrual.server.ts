import { serve } from "../../../platform/server/pipeline/serve.ts";
import { accrueMonth, declareMonth } from "./accrual.contract.ts";
import { runAccrual } from "./accrual.service.ts";
import { declareTax } from "./tax.service.ts";

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
  serve(declareMonth, async (act, { body }) => {
    const declared = await declareTax(act, body);
    return {
      villages: declared.length,
      lines: declared.reduce((sum, { lines }) => sum + lines, 0),
      tax: declared.reduce((sum, { tax }) => sum + tax, 0),
    };
  }),
];
