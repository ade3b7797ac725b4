import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { constraintSays, isPassing, refusalOf } from "../../../platform/server/database/constraints.ts";
import type { Act, Read, Upload } from "../../../platform/server/pipeline/act.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { needsActive, whoActs } from "../../access/operator/scope.service.ts";
import { bytesOfFile, keepFile } from "../../system/file/file.service.ts";
import { linesIn } from "./open.service.ts";
import { type Run, runAsked } from "./statement.contract.ts";
import { proving } from "./statement.queries.ts";
import {
  accountFor,
  type Asked,
  type Kept,
  lockStatement,
  LONG_LINES,
  type Progress,
  refuseKnown,
  theFile,
} from "./statement.service.ts";

constraintSays("statement_run_one", {
  code: "notAllowed",
  msg: "该账户有对账单正在处理，请等处理完成后再试",
});

const LOST_HOURS = 12;
/** Tries at a run that another transaction got into the way of. */
const TRIES = 4;

type Asking = Asked & { note: string };
/** What becomes of the file of an account: taken with all that follows from it, or taken back. */
type Works<R extends object> = {
  take: (act: Act, upload: Upload, asked: Asking, progress?: { lines: number; told: Progress }) => Promise<R>;
  undo: (act: Act, kept: Kept, progress?: Progress) => Promise<void>;
  /** A day on which the channel says that nothing moved. */
  none?: (act: Act, asked: Asking, day: Day) => Promise<void>;
  /** What is said of a file that was taken. */
  said: (taken: R) => string;
};
type Mode = Kept["statementMode"];
const known = new Map<Mode, Works<never>>();
/** Registers who takes the files of accounts in a mode; called once by each. */
export const worksOn = <R extends object>(mode: Mode, works: Works<R>): void =>
  void known.set(mode, works as never);
export const worksOf = (mode: Mode) => known.get(mode)! as unknown as Works<object>;

/** Takes a file, or leaves a long one to a job, whose run is answered. */
export async function bring<R extends object>(
  act: Act,
  files: readonly Upload[],
  asked: Asking & { mode: Mode },
): Promise<{ runId: number | null; taken?: R }> {
  const upload = theFile(files);
  if ((await linesIn(upload.bytes, LONG_LINES)) <= LONG_LINES)
    return { runId: null, taken: (await worksOf(asked.mode).take(act, upload, asked)) as R };
  // what is refused at once need not wait for the job
  const account = await accountFor(act, asked, false);
  await refuseKnown(act, account.id, upload);
  const file = await keepFile(act, { name: upload.name, type: upload.type, bytes: upload.bytes }, {});
  const runId = await startRun(act, {
    merchantAccountId: account.id,
    kind: "import",
    fileName: upload.name.slice(0, 200) || "对账单",
    fileId: file.id,
    asked: JSON.stringify(asked),
  });
  return { runId };
}

/** Takes a file back, or leaves a long one to a job, whose number is answered. */
export async function takeBack(
  act: Act,
  id: number,
  version: number,
  mode: Mode,
): Promise<{ runId: number | null }> {
  const kept = await lockStatement(act, id, version);
  if (kept.statementMode !== mode)
    throw new Refusal(
      "notAllowed",
      mode === "claim"
        ? "该批次由对账管理导入，请到对账管理撤销"
        : "该批次由对公流水认领导入，请到对公流水认领撤销",
    );
  if (kept.lineCount > LONG_LINES) {
    const of = { merchantAccountId: kept.accountId, kind: "undo" as const, fileName: kept.fileName };
    return { runId: await startRun(act, { ...of, statementId: id }) };
  }
  await worksOf(mode).undo(act, kept);
  return { runId: null };
}

type Started = {
  merchantAccountId: number;
  kind: Run["kind"];
  fileName: string;
  fileId?: number;
  asked?: string;
  statementId?: number;
};
async function startRun(act: Act, of: Started): Promise<number> {
  // a job that its servers have lost again and again would keep the account for ever
  await sql`update statement_run set state = 'failed', told = '处理中断，请重新导入', file_id = null, ended_at = ${act.now.toISOString()}
    where merchant_account_id = ${of.merchantAccountId} and state = 'running'
      and created_at < ${act.now.toISOString()}::timestamptz - make_interval(hours => ${LOST_HOURS})`.execute(
    act.tx,
  );
  const { id } = await act.tx
    .insertInto("statementRun")
    .values({ ...of, createdAt: act.now.toISOString(), createdBy: act.who.operatorId })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.emit(runAsked, { id });
  return id;
}

type Standing = Omit<Started, "asked"> & {
  id: number;
  asked: Asking;
  createdBy: number;
  mode: Mode;
};

async function standing(read: Pick<Read, "tx">, id: number): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`
    select r.id, r.merchant_account_id "merchantAccountId", r.kind, r.file_name "fileName", r.file_id "fileId", r.asked,
      r.statement_id "statementId", r.created_by "createdBy", a.statement_mode mode
    from statement_run r join merchant_account a on a.id = r.merchant_account_id
    where r.id = ${id} and r.state = 'running'`.execute(read.tx);
  return rows[0];
}

/** Does one run, telling how far it is beside it; whoever starts it twice does it once. */
export async function perform(house: House, id: number): Promise<void> {
  const { db } = house.database;
  const run = await standing({ tx: db }, id);
  if (!run) return;
  const who = await whoActs(db, run.createdBy);
  const acting = (tx: Act["tx"]) =>
    actOf(house, tx, who, { requestId: `statement ${id}`, ip: "", userAgent: "job" });
  let shown = 0;
  const progress: Progress = async (part) => {
    const percent = Math.min(99, Math.floor(100 * part));
    if (percent < shown + 2) return;
    shown = percent;
    await sql`update statement_run set progress = ${percent} where id = ${id}`.execute(db);
  };
  for (let tries = 1; ; tries++)
    try {
      return await db.transaction().execute((tx) => work(acting(tx), id, progress));
    } catch (error) {
      if (isPassing(error) && tries < TRIES) continue;
      const refusal = error instanceof Refusal ? error : refusalOf(error);
      await endRun(acting(db), id, { state: "failed", told: told(refusal) });
      if (refusal) return;
      throw error;
    }
}
/** The sentence about a field says more than the one about the whole. */
const told = (refusal: Refusal | undefined): string =>
  (refusal?.fields[0]?.msg ?? refusal?.message ?? "处理未完成，请重新导入后再试").slice(0, 200);

/** All of a run in one transaction: it is done whole or not at all. */
async function work(act: Act, id: number, progress: Progress): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('statement_run'), ${id}::int)`.execute(act.tx);
  const run = await standing(act, id);
  if (!run) return;
  await needsActive(act);
  const works = worksOf(run.mode);
  if (run.kind === "undo") {
    await works.undo(act, await lockStatement(act, run.statementId!), progress);
    return endRun(act, id, { state: "done", told: "已撤销导入" });
  }
  const bytes = await bytesOfFile(act, run.fileId!);
  const upload = { field: "file", name: run.fileName, type: "", bytes };
  const taken = await works.take(act, upload, run.asked, { lines: await linesIn(bytes), told: progress });
  const { id: statementId } = taken as { id: number };
  await endRun(act, id, { state: "done", told: works.said(taken), statementId });
}

/** Once it has ended nothing holds its file any more. */
const endRun = (act: Act, id: number, as: { state: "done" | "failed"; told: string; statementId?: number }) =>
  sql`update statement_run set state = ${as.state}, told = ${as.told}, file_id = null, ended_at = ${act.now.toISOString()},
      progress = case when ${as.state} = 'done' then 100 else progress end,
      statement_id = coalesce(${as.statementId ?? null}, statement_id)
    where id = ${id} and state = 'running'`
    .execute(act.tx)
    .then(() => {});

/** What goes on with the files of accounts that one may prove, the latest first; one that is asked for by name also when it is done. */
export async function runsOf(read: Read, of: { mode: Mode; id?: number | undefined }): Promise<Run[]> {
  const { rows } = await sql<Run>`
    select r.id, r.kind, a.name "accountName", r.file_name "fileName", r.state, r.progress, r.told
    from statement_run r join merchant_account a on a.id = r.merchant_account_id
    where a.statement_mode = ${of.mode} and ${proving(read.who)}
      and (r.id = ${of.id ?? null} or (${of.id ?? null}::bigint is null and (r.state = 'running'
        or (r.state = 'failed' and r.ended_at > ${read.now.toISOString()}::timestamptz - interval '1 day'))))
    order by r.id desc limit 20`.execute(read.tx);
  return rows;
}
