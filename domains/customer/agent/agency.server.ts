import { Refusal } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { countReveal } from "../record/reveal.service.ts";
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
import { createAgency, removeAgency, turnAgency, updateAgency } from "./agency.service.ts";
import { noteRecord } from "./agent.service.ts";

const TITLES = { phone: "电话", bankNo: "银行账号" };

export default [
  serveList(agencies),
  exportList(exportAgencies),
  serveRead(getAgency, (read, { params }) => agencyDetail(read, params.id)),
  serve(addAgency, (act, { body }) => createAgency(act, body)),
  serve(editAgency, async (act, { params, body }) => {
    await updateAgency(act, params.id, body);
    return null;
  }),
  serve(enableAgency, async (act, { params, body }) => {
    await turnAgency(act, params.id, body.version, "enabled");
    return null;
  }),
  serve(disableAgency, async (act, { params, body }) => {
    await turnAgency(act, params.id, body.version, "disabled");
    return null;
  }),
  serve(deleteAgency, async (act, { params, query }) => {
    await removeAgency(act, params.id, query.version);
    return null;
  }),
  serve(revealAgency, async (act, { params, body: { field, reason } }) => {
    const agency = await seenAgency(act, params.id);
    const value =
      field === "phone" ? agency.phone : agency.bankNoCipher && act.cipher.open(agency.bankNoCipher);
    if (!value) throw new Refusal("empty", `该机构没有登记${TITLES[field]}`);
    await countReveal(act);
    await noteRecord(act, "agency", agency, {
      action: "查看",
      summary: `查看完整${TITLES[field]}：${reason}`,
    });
    return { value };
  }),
];
