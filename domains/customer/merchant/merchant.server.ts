import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { firmDetail } from "../firm/firm-detail.queries.ts";
import { areaByCategory } from "../firm/firm.queries.ts";
import { servedFirm } from "../firm/acts.service.ts";
import type { CERT_TYPES } from "../renter/words.rules.ts";
import {
  addMerchant,
  editMerchant,
  exportMerchants,
  getMerchant,
  merchantCalls,
  merchantStrip,
  merchantWords,
} from "./merchant.contract.ts";
import { merchants } from "./merchant.queries.ts";
import { createMerchant, updateMerchant, wordsOf } from "./merchant.service.ts";

export default [
  serveList(merchants),
  exportList(exportMerchants),
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
