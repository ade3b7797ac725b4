import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { printed } from "../../system/paper/print.service.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { ACT_KIND_WORDS } from "../act/act.rules.ts";
import { serveAct } from "../act/act.service.ts";
import { admit } from "../contract/contract.queries.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { amendActs, contractActs, getChange, supplementFile } from "./amendment.contract.ts";
import { actsOf, changeDetail } from "./amendment.queries.ts";
import { AMEND } from "./amendment.service.ts";
import { supplement } from "./sheet.rules.ts";

export default [
  serveRead(contractActs, async (read, { params }) => {
    await admit(read, params.id, contractActs);
    return actsOf(read, params.id);
  }),
  serveRead(getChange, (read, { params }) => changeDetail(read, params.id)),
  serveRead(supplementFile, async (read, { params }) => {
    const change = await changeDetail(read, params.id);
    const contract = await contractRecord(read, change.contractId);
    const { name: lessor } = await read.tx
      .selectFrom("enterprise")
      .select("name")
      .where("id", "=", contract.enterpriseId)
      .executeTakeFirstOrThrow();
    const { actNo, effectiveOn, clauses, preview, done } = change;
    const paper = supplement({
      actNo,
      title: ACT_KIND_WORDS[change.kind][0],
      contractNo: contract.contractNo,
      lessor,
      partyName: contract.partyName,
      roomNames: contract.roomNames,
      start: contract.start!,
      end: contract.end!,
      effectiveOn,
      clauses,
      bills: preview?.bills ?? done ?? [],
      credit: preview?.credit ?? 0,
      dueNow: preview?.dueNow ?? 0,
      refund: preview?.refund ?? 0,
      open: change.state !== "done",
      today: read.today,
    });
    const name = `补充协议_${actNo}`;
    const body = await printed(paper, name, await markOf(read, "pdfs"));
    return { name: `${name}.pdf`, type: "application/pdf", body, inline: true };
  }),
  ...serveAct(AMEND, amendActs),
];
