import { eachNamed, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { aConf } from "../einvoice/conf.queries.ts";
import { applyRate, previewRate } from "../einvoice/einvoice.contract.ts";
import { shownFile } from "../../system/file/file.service.ts";
import {
  applyBatch,
  applyInvoice,
  cancelInvoice,
  editInvoice,
  issueInvoice,
  issueInvoices,
  previewApply,
  previewBatch,
  previewRed,
  redInvoice,
  registerInvoice,
  rejectInvoice,
  retryInvoice,
  sendInvoice,
  startApply,
} from "./acts.contract.ts";
import { applyAll, applyBy, batchOf, previewOf, started } from "./apply.service.ts";
import { send } from "./deliver.service.ts";
import {
  countInvoices,
  exportInvoices,
  exportLines,
  exportToRed,
  getInvoice,
  invoiceFile,
  invoiceNotify,
  invoicesOf,
} from "./invoice.contract.ts";
import { invoiceDetail, invoices, invoicesAround, readInvoice, tabCounts } from "./invoice.queries.ts";
import { applyRed, changeBuyer, dropSeen, issueSeen, redPreview, register, retry } from "./issue.service.ts";
import { lines, linesOfBills, toRed } from "./lines.queries.ts";
import { ratePreview, takeRate } from "./planned.service.ts";
import { hear } from "./tend.service.ts";

const idsIn = (list: string | undefined): number[] => list?.split(",").map(Number) ?? [];
const FILE_TYPES = { pdf: "application/pdf", ofd: "application/ofd", xml: "application/xml" };

export default [
  serveList(lines),
  exportList(exportLines),
  exportList(exportToRed),
  serveList(toRed),
  serveList(invoices),
  exportList(exportInvoices),
  serveRead(countInvoices, (read, { query }) => tabCounts(read, query)),
  serveRead(invoicesOf, (read, { query }) => invoicesAround(read, query)),
  serveRead(getInvoice, (read, { params }) => invoiceDetail(read, params.id)),
  serveRead(invoiceFile, async (read, { params, query }) => {
    seen(read.who, await readInvoice(read, params.id));
    const file = await read.tx
      .selectFrom("storedFile")
      .select("id")
      .where("targetKind", "=", "invoice")
      .where("targetId", "=", params.id)
      .where("type", "=", FILE_TYPES[query.kind])
      .orderBy("id", "desc")
      .executeTakeFirst();
    if (!file) throw new Refusal("notFound", "没有该格式的发票文件", 404);
    return shownFile(read, file.id);
  }),

  serveRead(startApply, async (read, { query }) =>
    started(read, [...idsIn(query.lineIds), ...(await linesOfBills(read, idsIn(query.billIds)))]),
  ),
  serveRead(previewApply, (read, { body }) => previewOf(read, body.lines)),
  serve(applyInvoice, (act, { body }) => applyBy(act, body)),
  serveRead(previewBatch, async (read, { body }) => (await batchOf(read, body.lineIds)).preview),
  serve(applyBatch, (act, { body }) => applyAll(act, body.lineIds, body.previewHash)),

  serveDone(editInvoice, (act, { params, body }) => changeBuyer(act, params.id, body)),
  serveDone(issueInvoice, (act, { params, body }) => issueSeen(act, params.id, body)),
  serve(issueInvoices, async (act, { body }) => {
    for (const { id, version } of body.items.toSorted((a, b) => a.id - b.id)) {
      const { applyNo } = seen(act.who, await readInvoice(act, id));
      await eachNamed(applyNo, () => issueSeen(act, id, { version }));
    }
    return { count: body.items.length };
  }),
  serveDone(retryInvoice, (act, { params, body }) => retry(act, params.id, body)),
  serveDone(rejectInvoice, (act, { params, body }) => dropSeen(act, params.id, body, "rejected")),
  serveDone(cancelInvoice, (act, { params, body }) => dropSeen(act, params.id, body, "cancelled")),
  serveDone(registerInvoice, (act, { params, body }) => register(act, params.id, body)),
  serveRead(previewRed, async (read, { params, body }) =>
    redPreview(read, seen(read.who, await readInvoice(read, params.id)), body.lines),
  ),
  serve(redInvoice, (act, { params, body }) => applyRed(act, params.id, body)),
  serveDone(sendInvoice, (act, { params, body }) => send(act, params.id, body)),

  serveRead(previewRate, (read, { params, query }) => ratePreview(read, params.id, query)),
  serve(applyRate, (act, { params, body }) => takeRate(act, params.id, body)),

  serve(invoiceNotify, async (act, { params, query, raw }) => {
    const conf = await aConf(act, params.config);
    // the answer does not reveal which configurations exist
    if (!conf || conf.driver === "manual") throw notFound();
    await hear(act, conf, { ...raw, query });
    return null;
  }),
];
