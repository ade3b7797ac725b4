import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { printed } from "../../system/paper/print.service.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { statementLines } from "./detail.queries.ts";
import { type StatementFacts, statementPaper, sumsOf } from "./statement.rules.ts";

type Around = Pick<StatementFacts, "issuer" | "company" | "contractNo" | "store">;

/** What the bills of a contract's period ask for as PDF, in the name of the contract's lessor. */
export async function printStatement(read: Read, id: number) {
  const { rows } = await sql<Around>`
    select coalesce(c.lessor_snapshot ->> 'name', e.name) issuer, c.party_name company, c.contract_no "contractNo", v.name store
    from contract c join enterprise e on e.id = c.enterprise_id join village v on v.id = c.village_id where c.id = ${id}`.execute(
    read.tx,
  );
  const around = rows[0]!;
  const lines = await statementLines(read, id);
  const printedAt = timeInZone(read.now, read.settings.TIME_ZONE).slice(0, 16);
  const paper = statementPaper({ ...around, lines, sums: sumsOf(lines), printedAt });
  return {
    name: `本期账单明细_${around.contractNo}.pdf`,
    type: "application/pdf",
    body: await printed(paper, `本期账单明细 ${around.contractNo}`, await markOf(read, "pdfs")),
  };
}
