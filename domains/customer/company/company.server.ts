import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import { firmDetail, standing } from "../firm/firm-detail.queries.ts";
import { servedFirm } from "../firm/acts.service.ts";
import {
  addCompany,
  companyCalls,
  companyWords,
  editCompany,
  exportCompanies,
  getCompany,
  setCredit,
} from "./company.contract.ts";
import { coded, companies } from "./company.queries.ts";
import { createCompany, updateCompany, wordsOf } from "./company.service.ts";
import { changeCredit } from "./credit.service.ts";

export default [
  serveList(companies),
  exportList(exportCompanies),
  serveRead(companyWords, (read) => wordsOf(read)),
  serveRead(getCompany, async (read, { params }) => {
    const id = await standing(read, params.id);
    const record = await firmDetail(read, "company", id);
    const frozen = (await frozenBy(read, "company", [id])).get(id) ?? null;
    return { ...record, ...coded(record), frozen };
  }),
  serve(addCompany, (act, { body }) => createCompany(act, body)),
  serve(editCompany, (act, { params, body }) => updateCompany(act, params.id, body)),
  serve(setCredit, (act, { params, body }) => changeCredit(act, params.id, body)),
  ...servedFirm(companyCalls),
];
