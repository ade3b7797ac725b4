import { sql } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Upload } from "../../../platform/server/pipeline/act.ts";
import { worksOn } from "../statement/run.service.ts";
import {
  type Asked,
  dropLines,
  keepNone,
  type Kept,
  type Progress,
  type Taken,
  takeStatement,
} from "../statement/statement.service.ts";
import { provedAccount } from "../statement/statement.queries.ts";
import { compare, unfixFees } from "./compare.service.ts";
import { saidOfLines } from "./reconcile.rules.ts";

/** Of the whole of an import reading and keeping the lines takes most. */
const READING = 0.6;

type Asking = Asked & { note: string };
export type Following = { lines: number; told: Progress };

/** Takes a file and compares its days with the flows; `before` books what its lines bring about. */
export async function takeFile(
  act: Act,
  upload: Upload,
  asked: Asking,
  progress?: Following,
  before: (taken: Taken) => Promise<void> = async () => {},
): Promise<Taken> {
  const told = progress?.told ?? (async () => {});
  const taken = await takeStatement(
    act,
    upload,
    asked,
    progress && { lines: progress.lines, told: (part) => told(READING * part) },
  );
  await before(taken);
  const account = await provedAccount(act, taken.accountId);
  // a payment just before midnight stands in the file of the day after
  const span = { account, from: addDays(taken.from, -1), to: addDays(taken.to, 1) };
  await compare(act, span, (part) => told(READING + (1 - READING) * part));
  return taken;
}

/** Takes a file back: whatever a person has dealt with keeps it. `also` takes away what else its lines have brought about. */
export async function dropFile(
  act: Act,
  kept: Kept,
  progress: Progress = async () => {},
  also = async (): Promise<void> => {},
): Promise<void> {
  const { rows: later } = await sql<{ no: string }>`
    select statement_no no from statement where merchant_account_id = ${kept.accountId} and id > ${kept.id}
      and undone_at is null and new_count < line_count and date_from <= ${kept.to} and date_to >= ${kept.from}
    order by id limit 1`.execute(act.tx);
  if (later[0]) throw new Refusal("notAllowed", `批次 ${later[0].no} 与它有重复的流水，请先撤销该批次`);
  const ofFile = sql`i.line_id in (select id from statement_line where statement_id = ${kept.id})`;
  const { rows } = await sql<{ dealt: number }>`
    select count(*)::int dealt from reconcile_item i where ${ofFile} and (i.by_hand or i.resolution is not null
      or exists (select from refund_attempt t where t.told_line_id = i.line_id and t.state <> 'replaced')
      or exists (select from flow f where f.told_line_id = i.line_id and f.state not in ('reversed', 'rejected')))`.execute(
    act.tx,
  );
  const { dealt } = rows[0]!;
  if (dealt) throw new Refusal("notAllowed", `批次内有 ${dealt} 行已处理，不能撤销`);
  const account = await provedAccount(act, kept.accountId, true);
  await unfixFees(act, account, ofFile);
  // a flow that stands again without a line may be of a day before or after the file's
  const { rows: spans } = await sql<{ from: Day; to: Day }>`
    select least(min(f.paid_on), ${kept.from}::date) "from", greatest(max(f.paid_on), ${kept.to}::date) "to"
    from reconcile_item i join flow f on f.id = i.flow_id where ${ofFile}`.execute(act.tx);
  await progress(0.2);
  await sql`delete from reconcile_item i where ${ofFile}`.execute(act.tx);
  await progress(0.4);
  await also();
  await progress(0.6);
  await dropLines(act, kept);
  await progress(0.8);
  await compare(act, { account, ...spans[0]! });
}

worksOn("reconcile", {
  take: takeFile,
  undo: dropFile,
  none: async (act, asked, day) => {
    const account = await keepNone(act, asked, day);
    await compare(act, { account, from: addDays(day, -1), to: day });
  },
  said: saidOfLines,
});
