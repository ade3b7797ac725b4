import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import { firmDetail, standing } from "../firm/firm-detail.queries.ts";
import { shown, type FirmShown } from "../firm/firm-row.queries.ts";
import { everyFirm, firmList } from "../firm/firm.queries.ts";
import { servedFirm } from "../firm/acts.service.ts";
import {
  addCompany,
  companyCalls,
  companyWords,
  editCompany,
  exportCompanies,
  getCompany,
  listCompanies,
  setCredit,
} from "./company.contract.ts";
import { createCompany, updateCompany, wordsOf } from "./company.service.ts";
import { changeCredit } from "./credit.service.ts";

/** A company always has its code; a row without one would be a merchant's. */
const coded = (row: FirmShown) => ({ ...row, creditCode: row.creditCode ?? "" });

export default [
  serveRead(listCompanies, async (read, { query }) => {
    const { list, ...totals } = await firmList(read, "company", query);
    return { ...totals, list: list.map(coded) };
  }),
  exportList(exportCompanies, {
    rows: (read, query: Parameters<typeof firmList>[2]) => everyFirm(read, "company", query),
    row: shown,
  }),
  serveRead(companyWords, (read) => wordsOf(read)),
  serveRead(getCompany, async (read, { params }) => {
    const id = await standing(read, params.id);
    const record = await firmDetail(read, "company", id);
    const waits = (await frozenBy(read, "company", [id])).get(id);
    const frozen = waits ? { ...waits, mine: waits.submitterId === read.who.operatorId } : null;
    return { ...record, ...coded(record), frozen };
  }),
  serve(addCompany, (act, { body }) => createCompany(act, body)),
  serve(editCompany, (act, { params, body }) => updateCompany(act, params.id, body)),
  serve(setCredit, (act, { params, body }) => changeCredit(act, params.id, body)),
  ...servedFirm(companyCalls),
];
