import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { noteParty } from "../../party/party/party.service.ts";
import { attachFile, shownFile } from "../../system/file/file.service.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { printStatement, sendStatement } from "./send.service.ts";
import { billContacts, copiesOf, statementOf } from "./statement.queries.ts";
import {
  confirmStatement,
  exportStatement,
  getStatement,
  listCopies,
  sendStatementMail,
  statementCopyFile,
  statementPaper,
  statementReceivers,
} from "./statement.contract.ts";

export default [
  serveRead(getStatement, async (read, { params, query }) => {
    const { rows, sums } = await statementOf(read, params.id, query);
    const at = (query.pageNo - 1) * query.pageSize;
    return {
      list: query.want === "totals" ? [] : rows.slice(at, at + query.pageSize),
      total: query.want === "rows" ? null : rows.length,
      sums: query.want === "rows" ? null : sums,
    };
  }),
  exportList(exportStatement),

  serveRead(statementPaper, async (read, { params, query }) => {
    const statement = await statementOf(read, params.id, query);
    return { ...(await printStatement(read, statement, query, await markOf(read, "pdfs"))), inline: true };
  }),

  serveRead(statementReceivers, async (read, { params }) => ({
    receivers: await billContacts(read, params.id),
    kept: read.settings.MAIL_DRIVER === "outbox",
  })),
  serve(sendStatementMail, (act, { params, body }) => sendStatement(act, params.id, body)),

  serveRead(listCopies, (read, { params }) => copiesOf(read, params.id)),
  serveRead(statementCopyFile, async (read, { params }) => {
    const copy = (await copiesOf(read, params.id)).find(({ id }) => id === params.copyId);
    if (!copy) throw notFound();
    return shownFile(read, copy.fileId);
  }),
  serve(confirmStatement, async (act, { params, body }) => {
    const { firm, villages, sums } = await statementOf(act, params.id, body);
    if (sums.closing !== body.closing)
      throw new Refusal("changed", `对账单期末欠款现为 ${yuan(sums.closing)} 元，与盖章件不一致，请重新核对`);
    const carrier = {
      targetKind: "statement",
      targetId: firm.id,
      villageId: firm.homeVillageId,
      needs: "113.get" as const,
    };
    await attachFile(act, body.fileId, carrier);
    const made = await act.tx
      .insertInto("statementCopy")
      .values({
        partyId: firm.id,
        fromDay: body.from,
        toDay: body.to,
        villageIds: [...villages],
        closing: sums.closing,
        fileId: body.fileId,
        createdBy: act.who.operatorId,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await noteParty(
      act,
      { id: firm.id, kind: "company", homeVillageId: firm.homeVillageId },
      {
        action: "对账",
        summary: `${body.from} 至 ${body.to} 对账单已盖章确认，期末欠款 ${yuan(sums.closing)} 元`,
      },
    );
    return made;
  }),
];
