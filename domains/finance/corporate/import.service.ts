import { type SqlBool, sql } from "kysely";
import type { Act, Upload } from "../../../platform/server/pipeline/act.ts";
import { dropFile, type Following, takeFile } from "../reconcile/file.service.ts";
import { bring, worksOn } from "../statement/run.service.ts";
import { type Asked as OfFile, LONG_LINES } from "../statement/statement.service.ts";
import { handedLines } from "./handed.queries.ts";
import { saidOfImport } from "./line.rules.ts";
import { bookLines, unbookLines } from "./line.service.ts";
import { recognisedIn } from "./suggest.queries.ts";

type Asked = OfFile & { note: string };

/** Takes a file of an account in claim mode: what came in is booked, what went out is compared with the flows. */
export async function importLines(act: Act, upload: Upload, asked: Asked, progress?: Following) {
  let booked = { count: 0, amount: 0 };
  const {
    accountId: _,
    from: __,
    to: ___,
    ...taken
  } = await takeFile(act, upload, { ...asked, mode: "claim" }, progress, async ({ id, lineCount }) => {
    booked = await bookLines(act, id, lineCount > LONG_LINES);
  });
  const ofFile = sql<SqlBool>`l.statement_line_id in (select id from statement_line where statement_id = ${taken.id})`;
  const recognised = (await recognisedIn(act, taken.id)) + (await handedLines(act, ofFile)).size;
  return { ...taken, booked: booked.count, amount: booked.amount, recognised };
}
worksOn("claim", {
  take: importLines,
  undo: (act, kept, progress) => dropFile(act, kept, progress, () => unbookLines(act, kept.id)),
  said: saidOfImport,
});

/** The same for a file that somebody brings: a long one is left to a job. */
export const bringLines = (act: Act, files: readonly Upload[], asked: Asked) =>
  bring<Awaited<ReturnType<typeof importLines>>>(act, files, { ...asked, mode: "claim" });
