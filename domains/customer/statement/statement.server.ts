import { yuan } from "../../../platform/kernel/fen.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { exportList } from "../../../platform/server/export.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import { anyOf } from "../../../platform/server/scope.ts";
import { attachFile } from "../../system/file/file.service.ts";
import { printed } from "../../system/paper/print.service.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { noteParty } from "../party/log.service.ts";
import { statementBlocks } from "./paper.rules.ts";
import {
  confirmStatement,
  exportStatement,
  getStatement,
  listCopies,
  statementPaper,
} from "./statement.contract.ts";
import { copiesOf, statementOf } from "./statement.queries.ts";

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
    const { firm, villages, rows, sums } = await statementOf(read, params.id, query);
    const [names, issuer] = await Promise.all([
      read.tx
        .selectFrom("village")
        .select("name")
        .where("id", "=", anyOf(villages))
        .orderBy("name")
        .execute(),
      read.tx
        .selectFrom("enterprise")
        .select("name")
        .where("id", "=", firm.enterpriseId)
        .executeTakeFirstOrThrow(),
    ]);
    const shown = names.map((v) => v.name);
    const paper = statementBlocks({
      company: firm.name,
      creditCode: firm.creditCode ?? "",
      issuer: issuer.name,
      from: query.from,
      to: query.to,
      villages:
        shown.length > 3 ? `${shown.slice(0, 3).join("、")}等 ${shown.length} 个门店` : shown.join("、"),
      rows,
      sums,
      printedAt: timeInZone(read.now, read.settings.TIME_ZONE).slice(0, 16),
    });
    const name = `对账单_${firm.name}_${query.from}_${query.to}.pdf`;
    const body = await printed(paper, `对账单 ${firm.name}`, await markOf(read, "pdfs"));
    return { name, type: "application/pdf", body, inline: true };
  }),

  serveRead(listCopies, (read, { params }) => copiesOf(read, params.id)),
  serve(confirmStatement, async (act, { params, body }) => {
    const { firm, villages, sums } = await statementOf(act, params.id, body);
    if (sums.closing !== body.closing)
      throw new Refusal("changed", `对账单期末欠款现为 ${yuan(sums.closing)} 元，与盖章件不一致，请重新核对`);
    const carrier = {
      targetKind: "company",
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
