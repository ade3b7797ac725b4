import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { firmDetail } from "../firm/firm-detail.queries.ts";
import { shown } from "../firm/firm-row.queries.ts";
import { areaByCategory, everyFirm, firmList } from "../firm/firm.queries.ts";
import { servedFirm } from "../firm/acts.service.ts";
import type { CERT_TYPES } from "../renter/words.rules.ts";
import {
  addMerchant,
  editMerchant,
  exportMerchants,
  getMerchant,
  listMerchants,
  merchantCalls,
  merchantStrip,
  merchantWords,
} from "./merchant.contract.ts";
import { createMerchant, updateMerchant, wordsOf } from "./merchant.service.ts";

export default [
  serveRead(listMerchants, (read, { query }) => firmList(read, "merchant", query)),
  exportList(exportMerchants, {
    rows: (read, query: Parameters<typeof firmList>[2]) => everyFirm(read, "merchant", query),
    row: shown,
  }),
  serveRead(merchantWords, (read) => wordsOf(read)),
  serveRead(merchantStrip, (read, { query }) => areaByCategory(read, query.villageIds)),
  serveRead(getMerchant, async (read, { params }) => {
    const record = await firmDetail(read, "merchant", params.id);
    return { ...record, certType: record.certType as keyof typeof CERT_TYPES | null };
  }),
  serve(addMerchant, (act, { body }) => createMerchant(act, body)),
  serve(editMerchant, (act, { params, body }) => updateMerchant(act, params.id, body)),
  ...servedFirm(merchantCalls),
];
