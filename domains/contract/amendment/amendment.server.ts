import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { serveAct } from "../act/act.service.ts";
import { admit } from "../contract/contract.queries.ts";
import { documentFile } from "../template/document.service.ts";
import { amendActs, contractActs, getChange, supplementFile } from "./amendment.contract.ts";
import { actsOf, changeDetail } from "./amendment.queries.ts";
import { AMEND } from "./amendment.service.ts";
import { supplementContent } from "./sheet.rules.ts";
import { supplementOf } from "./sheet.service.ts";

export default [
  serveRead(contractActs, async (read, { params }) => {
    await admit(read, params.id, contractActs);
    return actsOf(read, params.id);
  }),
  serveRead(getChange, (read, { params }) => changeDetail(read, params.id)),
  serveRead(supplementFile, async (read, { params }) => {
    const { facts, name, document } = await supplementOf(read, params.id);
    return documentFile(read, document, { ...supplementContent(facts), name });
  }),
  ...serveAct(AMEND, amendActs),
];
