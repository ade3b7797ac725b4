import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act, Read, Upload } from "../../../platform/server/pipeline/act.ts";
import type { Format, Of, StatementLine } from "./format.rules.ts";
import { openStatement } from "./open.service.ts";
import { type Choice, type FileLine, type Outcome, statementReader } from "./reader.rules.ts";
import { type Proved, provedAccount, WITH_STATEMENTS } from "./statement.queries.ts";
import { templateOf } from "./template.service.ts";

constraintSays("statement_file", { field: "file", msg: "该文件已导入" });

/** Lines that go to the database together. */
const AT_ONCE = 2_000;
/** A file with more lines is left to a job, which tells how far it is. */
export const LONG_LINES = 5_000;

/** `mode`: which accounts are meant, those in claim mode, the others, or whichever it is. */
export type Asked = {
  merchantAccountId: number;
  mode?: Proved["statementMode"] | "any" | undefined;
  format?: Choice["format"];
  templateId?: number | undefined;
  draft?: string | undefined;
  /** The days that who brings the file says it is about, where it does not say so itself. */
  dateFrom?: Day | undefined;
  dateTo?: Day | undefined;
};
/** Fund bills prove balances: their lines are compared with no flow. */
const PROVES: readonly string[] = ["wechatFund", "alipayFund"];

export const theFile = ([upload]: readonly Upload[]): Upload => {
  if (!upload) throw invalid({ field: "file", msg: "请选择对账单文件" });
  return upload;
};
const fileHash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** An account with how its files are read. */
export type Reads = Proved & { of: Of; choice: Choice & { template?: { id?: number } | undefined } };

export async function accountFor(read: Read, asked: Asked, lock: boolean): Promise<Reads> {
  const account = await provedAccount(read, asked.merchantAccountId, lock);
  const no = (msg: string) => invalid({ field: "merchantAccountId", msg });
  if (!WITH_STATEMENTS.includes(account.kind)) throw no("该账户没有对账单");
  const mode = asked.mode ?? "reconcile";
  if (mode !== "any" && account.statementMode !== mode)
    throw no(
      mode === "claim" ? "该账户为对账账户，请到对账管理导入" : "该账户为对公入账账户，请到对公流水认领导入",
    );
  const { kind, mchId, subMchId } = account;
  const of = kind === "wechat" || kind === "alipay" || kind === "till" ? kind : "bank";
  const template = of === "bank" ? await templateOf(read, account, asked) : undefined;
  return {
    ...account,
    of: { kind: of, mchId, subMchId },
    choice: { format: asked.format, template, today: read.today },
  };
}

/** Refuses a file of which every byte is taken already: `该文件已导入（批次 DZ20260311-000001）`. */
export async function refuseKnown(read: Read, accountId: number, { bytes }: Upload): Promise<void> {
  const { rows } = await sql<{ no: string }>`
    select statement_no no from statement
    where merchant_account_id = ${accountId} and sha256 = ${fileHash(bytes)} and undone_at is null`.execute(
    read.tx,
  );
  if (rows[0]) throw invalid({ field: "file", msg: `该文件已导入（批次 ${rows[0].no}）` });
}

type Each = (lines: StatementLine[], format: Format, lineNo: number) => Promise<void>;

/**
 * Reads a whole file, some thousand lines at a time; the next are read while `each` is at work. Nothing is handed on any
 * more once something is wrong. `seen` looks at every line as it stands in the file.
 */
export async function through(
  upload: Upload,
  { of, choice }: Reads,
  each: Each,
  seen: (line: FileLine) => void = () => {},
): Promise<Outcome & { encoding: string }> {
  const { encoding, lines } = await openStatement(upload.bytes);
  const reader = statementReader(of, choice);
  let ready: StatementLine[] = [];
  let busy = Promise.resolve();
  const handOn = async (lineNo: number) => {
    await busy;
    const these = ready;
    ready = [];
    if (reader.isWrong()) return;
    busy = each(these, reader.format()!, lineNo);
    // it is waited for below; until then a failure is nobody's
    busy.catch(() => {});
  };
  let last = 0;
  for await (const line of lines()) {
    last = line.no;
    seen(line);
    for (const made of reader.take(line)) ready.push(made);
    if (ready.length >= AT_ONCE) await handOn(last);
  }
  if (ready.length) await handOn(last);
  await busy;
  return { ...reader.end(), encoding };
}

export const EMPTY = "文件中没有流水";
/** How much of the work is done, 0 to 1. */
export type Progress = (part: number) => Promise<void>;
export type Taken = {
  id: number;
  statementNo: string;
  accountId: number;
  lineCount: number;
  newCount: number;
  from: string;
  to: string;
};

/** Takes a file whole or not at all; lines that an earlier file has told are counted and left. */
export async function takeStatement(
  act: Act,
  upload: Upload,
  asked: Asked & { note: string },
  progress?: { lines: number; told: Progress },
): Promise<Taken> {
  // two people with the same file: the second waits here and finds it taken
  const account = await accountFor(act, asked, true);
  await refuseKnown(act, account.id, upload);
  const [statementNo] = await act.numbers("DZ");
  let id: number | undefined;
  let newCount = 0;
  // some lines are written while the next are read
  let writing: Promise<unknown> = Promise.resolve();
  const outcome = await through(upload, account, async (lines, format, lineNo) => {
    await writing;
    id ??= await beginStatement(act, account, {
      upload,
      statementNo: statementNo!,
      day: lines[0]!.occurredAt.slice(0, 10),
      note: asked.note,
    });
    const of = { id, accountId: account.id, proves: PROVES.includes(format) };
    writing = keepLines(act, of, lines).then((kept) => (newCount += kept));
    // who waits for it next hears of it
    writing.catch(() => {});
    await progress?.told(Math.min(1, lineNo / progress.lines));
  });
  await writing;
  refuseWrong(outcome, asked.note);
  const { lines: lineCount } = outcome;
  const { from, to } = daysTold(act, outcome, asked);
  id ??= await beginStatement(act, account, {
    upload,
    statementNo: statementNo!,
    day: from,
    note: asked.note,
  });
  await act.tx
    .updateTable("statement")
    .set({
      format: outcome.format,
      encoding: outcome.encoding,
      dateFrom: from,
      dateTo: to,
      lineCount,
      newCount,
      sumIn: outcome.sumIn,
      sumOut: outcome.sumOut,
      sumFee: outcome.sumFee,
    })
    .where("id", "=", id)
    .execute();
  await act.note({
    kind: "statement",
    recordId: id,
    number: statementNo!,
    villageId: account.holderVillageId,
    action: "导入",
    summary: `${account.name} 对账单 ${from} 至 ${to}，共 ${lineCount} 行，新增 ${newCount}，重复 ${lineCount - newCount}`,
  });
  return { id, statementNo: statementNo!, accountId: account.id, lineCount, newCount, from, to };
}

/** A day on which a channel says that nothing moved: a statement without lines. */
export async function keepNone(act: Act, asked: Asked, day: string): Promise<Proved> {
  const account = await accountFor(act, asked, true);
  const [statementNo] = await act.numbers("DZ");
  await act.tx
    .insertInto("statement")
    .values({
      merchantAccountId: account.id,
      statementNo: statementNo!,
      fileName: "当日没有账单",
      sha256: `none ${day}`,
      createdAt: act.now.toISOString(),
      format: "wechatAll",
      encoding: "",
      dateFrom: day,
      dateTo: day,
      lineCount: 0,
      newCount: 0,
      sumIn: 0,
      sumOut: 0,
      sumFee: 0,
    })
    .execute();
  return account;
}

type Begun = { upload: Upload; statementNo: string; day: Day; note: string };

/** The head that its lines belong to; what they come to is written once the last of them is known. */
async function beginStatement(
  act: Act,
  account: Reads,
  { upload, statementNo, day, note }: Begun,
): Promise<number> {
  const { id } = await act.tx
    .insertInto("statement")
    .values({
      merchantAccountId: account.id,
      statementNo,
      templateId: account.choice.template?.id ?? null,
      fileName: upload.name.slice(0, 200) || "对账单",
      sha256: fileHash(upload.bytes),
      note,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
      format: "bank",
      encoding: "",
      dateFrom: day,
      dateTo: day,
      lineCount: 1,
      newCount: 0,
      sumIn: 0,
      sumOut: 0,
      sumFee: 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** A file without lines counts where it says which days had none. */
export const isEmpty = ({ lines, stated }: Outcome): boolean => !lines && !stated;

/** The days that a file is about: at least those of its lines, and more where it or who brings it says so. */
function daysTold({ today }: Act, { from, to, stated }: Outcome, { dateFrom, dateTo }: Asked) {
  const no = (field: string, msg: string) => invalid({ field, msg });
  if (stated && ((dateFrom && dateFrom !== from) || (dateTo && dateTo !== to)))
    throw no("dateFrom", `文件已写明起止日：${from} 至 ${to}`);
  if (dateFrom && dateFrom > from) throw no("dateFrom", `文件中有 ${from} 的流水，起始日不能更晚`);
  if (dateTo && dateTo < to) throw no("dateTo", `文件中有 ${to} 的流水，终止日不能更早`);
  if (dateTo && dateTo > to && dateTo > today) throw no("dateTo", "终止日不能晚于今天");
  return { from: dateFrom ?? from, to: dateTo ?? to };
}

function refuseWrong(told: Outcome, note: string): void {
  const no = (msg: string) => invalid({ field: "file", msg });
  if (told.refusal) throw no(told.refusal);
  if (told.faultCount) throw no(`文件有 ${told.faultCount} 处错误，没有导入任何流水`);
  if (isEmpty(told)) throw no(EMPTY);
  if (told.warnings.length && note.length < 2)
    throw invalid({ field: "note", msg: "余额不连续，仍要导入请填写说明" });
}

/** Writes lines that the account does not have; how many these are. */
async function keepLines(
  act: Act,
  of: { id: number; accountId: number; proves: boolean },
  lines: readonly StatementLine[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into statement_line (statement_id, merchant_account_id, proves, line_no, row_key, occurred_at, day, direction,
      amount, fee, settle_amount, balance, out_trade_no, channel_trade_no, channel_refund_no, counter_name,
      counter_account, summary, raw)
    select ${of.id}, ${of.accountId}, ${of.proves}, r."lineNo", r."rowKey", (r."occurredAt" || '+08')::timestamptz,
      left(r."occurredAt", 10)::date, r.direction, r.amount, r.fee, r."settleAmount", r.balance, r."outTradeNo",
      r."channelTradeNo", r."channelRefundNo", coalesce(r."counterName", ''), coalesce(r."counterAccount", ''),
      coalesce(r.summary, ''), r.raw
    from json_to_recordset(${JSON.stringify(lines)}::json) r("lineNo" int, "rowKey" text, "occurredAt" text,
      direction text, amount bigint, fee bigint, "settleAmount" bigint, balance bigint, "outTradeNo" text,
      "channelTradeNo" text, "channelRefundNo" text, "counterName" text, "counterAccount" text, summary text, raw jsonb)
    on conflict (merchant_account_id, row_key) do nothing`.execute(act.tx);
  return Number(numAffectedRows ?? 0);
}

export type Kept = {
  id: number;
  no: string;
  accountId: number;
  statementMode: Proved["statementMode"];
  from: string;
  to: string;
  fileName: string;
  lineCount: number;
};

/** The file as somebody saw it, locked behind its account; 404 beyond what they may prove. */
export async function lockStatement(act: Act, id: number, version?: number): Promise<Kept> {
  const { rows } = await sql<Omit<Kept, "statementMode"> & { version: number; undone: boolean }>`
    select id, statement_no no, merchant_account_id "accountId", date_from "from", date_to "to", version,
      file_name "fileName", line_count "lineCount", undone_at is not null undone from statement where id = ${id}`.execute(
    act.tx,
  );
  const account = await provedAccount(act, rows[0]?.accountId ?? 0, true);
  const { rows: now } = await sql<{ version: number; undone: boolean }>`
    select version, undone_at is not null undone from statement where id = ${id}`.execute(act.tx);
  if (now[0]!.undone) throw new Refusal("notAllowed", "该批次已撤销");
  if (version !== undefined) asSeen(now[0]!, version);
  return { ...rows[0]!, accountId: account.id, statementMode: account.statementMode };
}

/** Takes the lines of a file away again; what was compared with them is the caller's. */
export async function dropLines(act: Act, kept: Kept): Promise<void> {
  await act.tx.deleteFrom("statementLine").where("statementId", "=", kept.id).execute();
  await sql`update statement set undone_at = ${act.now.toISOString()}, undone_by = ${act.who.operatorId || null},
    version = version + 1 where id = ${kept.id}`.execute(act.tx);
  await act.note({
    kind: "statement",
    recordId: kept.id,
    number: kept.no,
    action: "撤销导入",
    summary: `撤销 ${kept.from} 至 ${kept.to} 的对账单`,
  });
}
