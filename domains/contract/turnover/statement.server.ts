import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveImport } from "../../system/import/serve.service.ts";
import { admit } from "../contract/contract.queries.ts";
import { SALES_SHEETS } from "./sales-import.service.ts";
import { salesMatrixOf } from "./matrix.queries.ts";
import { sales } from "./sales-list.queries.ts";
import { confirm, previewConfirm } from "./confirm.service.ts";
import { monthsOf, shopOfContract, shopsOf } from "./statement.queries.ts";
import {
  confirmSales,
  correctSales,
  declareSales,
  editSales,
  exportSales,
  previewSales,
  removeSales,
  salesImport,
  salesMatrix,
  submitSales,
  turnoverMonths,
} from "./statement.contract.ts";
import { correct, declare, edit, remove, submitOne } from "./statement.service.ts";

export default [
  ...serveImport(salesImport, SALES_SHEETS),
  serveList(sales),
  exportList(exportSales),
  serveRead(salesMatrix, (read, { query }) => salesMatrixOf(read, query)),
  serveRead(turnoverMonths, async (read, { query: { merchantId, contractId } }) => {
    if (contractId === undefined) return monthsOf(read, await shopsOf(read, merchantId!));
    await admit(read, contractId, turnoverMonths);
    return monthsOf(read, await shopOfContract(read, contractId));
  }),
  serve(declareSales, async (act, { body }) => ({ id: await declare(act, body) })),
  serve(editSales, async (act, { params, body }) => {
    await edit(act, params.id, body);
    return { id: params.id };
  }),
  serve(submitSales, async (act, { params, body }) => {
    await submitOne(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(removeSales, async (act, { params, query }) => {
    await remove(act, params.id, query.version);
    return null;
  }),
  serveRead(previewSales, (read, { params, body }) => previewConfirm(read, params.id, body.audited)),
  serve(confirmSales, (act, { params, body }) => confirm(act, params.id, body)),
  serve(correctSales, async (act, { params, body }) => ({
    id: await correct(act, params.id, body.reason, body.version),
  })),
];
