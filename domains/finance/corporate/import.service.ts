import { addDays } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Upload } from "../../../platform/server/pipeline/act.ts";
import { compare } from "../reconcile/compare.service.ts";
import { dropFile } from "../reconcile/resolve.service.ts";
import { provedAccount } from "../statement/statement.queries.ts";
import { lockStatement, takeStatement } from "../statement/statement.service.ts";
import { bookLines, unbookLines } from "./line.service.ts";
import { settlingLines } from "./suggest.queries.ts";

/** Takes a file of an account in claim mode: what came in is booked line by line, what went out is compared with the flows. */
export async function importLines(
  act: Act,
  files: readonly Upload[],
  asked: { merchantAccountId: number; note: string },
) {
  const { id, statementNo, accountId, lineCount, newCount, from, to } = await takeStatement(act, files, {
    ...asked,
    mode: "claim",
  });
  const { ids, amount } = await bookLines(act, id);
  const account = await provedAccount(act, accountId);
  await compare(act, { account, from: addDays(from, -1), to: addDays(to, 1) });
  const recognised = (await settlingLines(act, ids)).size;
  return { id, statementNo, lineCount, newCount, booked: ids.length, amount, recognised };
}

/** Takes a file back with the entries of its lines, while nobody has dealt with any of them. */
export async function undoImport(act: Act, id: number, version: number): Promise<void> {
  const kept = await lockStatement(act, id, version);
  if (kept.statementMode !== "claim")
    throw new Refusal("notAllowed", "该批次由对账管理导入，请到对账管理撤销");
  await dropFile(act, kept, () => unbookLines(act, id));
}
