import { serveList } from "../../../platform/server/lists/list.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { explainBill, getBill } from "./bill.contract.ts";
import { countBills, exportBills } from "./bills.contract.ts";
import { readBills } from "./bills.queries.ts";
import { billDetailOf, linesShown } from "./detail.queries.ts";
import { explainLine } from "./explain.service.ts";
import { billCounts, bills } from "./list.queries.ts";

export default [
  serveList(bills),
  exportList(exportBills),
  serveRead(countBills, (read, { query }) => billCounts(read, query)),

  serveRead(getBill, (read, { params }) => billDetailOf(read, params.id)),

  serveRead(explainBill, async (read, { params }) => {
    const [bill] = await readBills(read, [params.id]);
    seen(read.who, bill);
    const lines = await linesShown(read, params.id);
    return {
      at: read.now.toISOString(),
      lines: lines.map((line) => {
        const { rows, amount } = explainLine(line);
        return {
          id: line.id,
          said: rows.map((r): [string, string] => [...r]),
          amount: line.amount,
          again: amount,
          diff: amount === null ? 0 : amount - line.amount,
        };
      }),
    };
  }),
];
