import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { printed } from "../../system/paper/print.service.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { serveAct } from "../act/act.service.ts";
import { admit } from "../contract/contract.queries.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { amendActs, contractActs, getChange, supplementFile } from "./amendment.contract.ts";
import { actsOf, type ChangeKind, changeDetail } from "./amendment.queries.ts";
import { AMEND } from "./amendment.service.ts";
import { supplementOf } from "./supplement.service.ts";

export default [
  serveRead(contractActs, async (read, { params }) => {
    await admit(read, params.id, contractActs);
    return actsOf(read, params.id);
  }),
  serveRead(getChange, (read, { params }) => changeDetail(read, params.id)),
  serveRead(supplementFile, async (read, { params }) => {
    const change = await changeDetail(read, params.id);
    const contract = await contractRecord(read, change.contractId);
    const { actNo, preview, done } = change;
    const facts = { ...change, kind: change.kind as ChangeKind, open: change.state !== "done" };
    const paper = await supplementOf(read, contract, facts, preview ?? { bills: done ?? [] });
    const name = `补充协议_${actNo}`;
    const body = await printed(paper, name, await markOf(read, "pdfs"));
    return { name: `${name}.pdf`, type: "application/pdf", body, inline: true };
  }),
  ...serveAct(AMEND, amendActs),
];
