import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { bringBudgets, budgetsToBring } from "../target/target.contract.ts";
import * as calls from "./budget.contract.ts";
import { budgetDetail, budgetList, comparison, gridOf, indicatorDetail, monthsOf } from "./budget.queries.ts";
import { submit, withdraw } from "./approval.service.ts";
import { addDrafts, remove, renew } from "./budget.service.ts";
import { spread, writeCells } from "./cells.service.ts";
import { bringIn, fittingOf } from "./targets.service.ts";

export default [
  serveRead(calls.listBudgets, (read, { query }) => budgetList(read, query)),
  exportList(calls.exportBudgets),
  serveRead(calls.getBudget, (read, { params }) => budgetDetail(read, params.id)),
  serveRead(calls.budgetMonths, (read, { query }) => monthsOf(read, query.villageId, query.year)),

  serve(calls.addBudgets, async (act, { body }) => ({ ids: await addDrafts(act, body) })),
  serve(calls.renewBudget, (act, { params, body }) => renew(act, params.id, body)),
  serve(calls.submitBudget, async (act, { params, body }) => ({
    waiting: await submit(act, params.id, body.version),
  })),
  serve(calls.withdrawBudget, async (act, { params, body }) => {
    await withdraw(act, params.id, body.version);
    return null;
  }),
  serve(calls.deleteBudget, async (act, { params, query }) => {
    await remove(act, params.id, query.version);
    return null;
  }),
  serveRead(calls.compareBudgets, (read, { params, query }) => comparison(read, params.id, query.with)),

  serveRead(calls.budgetCells, (read, { params }) => gridOf(read, params.id)),
  serve(calls.saveCells, (act, { params, body }) => writeCells(act, params.id, body.cells)),
  serveRead(calls.spreadYear, async (read, { params, body }) => ({
    values: await spread(read, params.id, body),
  })),

  serveRead(calls.indicatorBudgets, (read, { params, query }) =>
    indicatorDetail(read, params.indicatorId, query),
  ),
  exportList(calls.exportIndicatorBudgets),

  serveRead(budgetsToBring, async (read, { query: { code, keyword = "", ids } }) =>
    (await fittingOf(read, code)).filter((one) => (ids ? ids.includes(one.id) : one.name.includes(keyword))),
  ),
  serve(bringBudgets, (act, { body }) => bringIn(act, body)),
];
