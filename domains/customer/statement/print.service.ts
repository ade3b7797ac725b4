import { timeInZone } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { printed } from "../../system/paper/print.service.ts";
import type { Mark } from "../../system/watermark/watermark.rules.ts";
import { statementBlocks } from "./paper.rules.ts";
import type { Period, statementOf } from "./statement.queries.ts";

type Statement = Awaited<ReturnType<typeof statementOf>>;

/** The operator's own legal entity, which a statement speaks for. */
export const issuerOf = async (read: Read, { firm }: Statement): Promise<string> =>
  (
    await read.tx
      .selectFrom("enterprise")
      .select("name")
      .where("id", "=", firm.enterpriseId)
      .executeTakeFirstOrThrow()
  ).name;

/** A statement as PDF; with the reader's mark where they take it with them. */
export async function printStatement(
  read: Read,
  statement: Statement,
  { from, to }: Period,
  mark?: Mark,
): Promise<{ name: string; type: string; body: Buffer }> {
  const { firm, villages, rows, sums } = statement;
  const [names, issuer] = await Promise.all([
    read.tx.selectFrom("village").select("name").where("id", "=", anyOf(villages)).orderBy("name").execute(),
    issuerOf(read, statement),
  ]);
  const shown = names.map((v) => v.name);
  const paper = statementBlocks({
    company: firm.name,
    creditCode: firm.creditCode ?? "",
    issuer,
    from,
    to,
    villages:
      shown.length > 3 ? `${shown.slice(0, 3).join("、")}等 ${shown.length} 个门店` : shown.join("、"),
    rows,
    sums,
    printedAt: timeInZone(read.now, read.settings.TIME_ZONE).slice(0, 16),
  });
  return {
    name: `对账单_${firm.name}_${from}_${to}.pdf`,
    type: "application/pdf",
    body: await printed(paper, `对账单 ${firm.name}`, mark),
  };
}
