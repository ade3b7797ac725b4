import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  addAgency,
  deleteAgency,
  disableAgency,
  editAgency,
  enableAgency,
  exportAgencies,
  getAgency,
  revealAgency,
} from "./agency.contract.ts";
import { agencies, agencyDetail, seenAgency } from "./agency.queries.ts";
import { createAgency, removeAgency, updateAgency } from "./agency.service.ts";
import { revealNumber, turn } from "./agent.service.ts";

export default [
  serveList(agencies),
  exportList(exportAgencies),
  serveRead(getAgency, (read, { params }) => agencyDetail(read, params.id)),
  serve(addAgency, (act, { body }) => createAgency(act, body)),
  serveDone(editAgency, (act, { params, body }) => updateAgency(act, params.id, body)),
  serve(enableAgency, (act, { params, body }) => turn(act, "agency", params.id, body.version, "enabled")),
  serve(disableAgency, (act, { params, body }) => turn(act, "agency", params.id, body.version, "disabled")),
  serveDone(deleteAgency, (act, { params, query }) => removeAgency(act, params.id, query.version)),
  serve(revealAgency, async (act, { params, body }) => {
    const agency = await seenAgency(act, params.id);
    return revealNumber(act, "agency", agency, body, { phone: agency.phone, bankNo: agency.bankNoCipher });
  }),
];
