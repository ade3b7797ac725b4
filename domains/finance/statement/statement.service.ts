import { createHash } from "node:crypto";
import { sql } from "kysely";
import { invalid, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act, Read, Upload } from "../../../platform/server/pipeline/act.ts";
import type { Of, StatementLine } from "./format.rules.ts";
import { openStatement } from "./open.service.ts";
import { type Choice, type Outcome, statementReader } from "./reader.rules.ts";
import type { StatementPreview } from "./statement.contract.ts";
import { type Proved, provedAccount, WITH_STATEMENTS } from "./statement.queries.ts";

constraintSays("statement_file", { field: "file", msg: "该文件已导入" });

/** Lines that go to the database together. */
const AT_ONCE = 5_000;
const FIRST = 20;

/** `mode`: which accounts are meant, those in claim mode or the others. */
type Asked = Choice & { merchantAccountId: number; mode?: Proved["statementMode"] };
/** Fund bills prove balances: their lines are compared with no flow. */
const PROVES: readonly string[] = ["wechatFund", "alipayFund"];

const theFile = ([upload]: readonly Upload[]): Upload => {
  if (!upload) throw invalid({ field: "file", msg: "请选择对账单文件" });
  return upload;
};
const fileHash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

async function accountFor(read: Read, asked: Asked, lock: boolean): Promise<Proved & { of: Of }> {
  const account = await provedAccount(read, asked.merchantAccountId, lock);
  const no = (msg: string) => invalid({ field: "merchantAccountId", msg });
  if (!WITH_STATEMENTS.includes(account.kind)) throw no("该账户没有对账单");
  const mode = asked.mode ?? "reconcile";
  if (account.statementMode !== mode)
    throw no(
      mode === "claim" ? "该账户为对账账户，请到对账管理导入" : "该账户为对公入账账户，请到对公流水认领导入",
    );
  const { kind, mchId, subMchId } = account;
  return {
    ...account,
    of: { kind: kind === "wechat" || kind === "alipay" ? kind : "bank", mchId, subMchId },
  };
}

/** Refuses a file of which every byte is taken already: `该文件已导入（批次 DZ20260311-000001）`. */
async function refuseKnown(read: Read, accountId: number, sha256: string): Promise<void> {
  const { rows } = await sql<{ no: string }>`
    select statement_no no from statement
    where merchant_account_id = ${accountId} and sha256 = ${sha256} and undone_at is null`.execute(read.tx);
  if (rows[0]) throw invalid({ field: "file", msg: `该文件已导入（批次 ${rows[0].no}）` });
}

/** Reads a whole file, some thousand lines at a time. */
async function through(
  upload: Upload,
  account: { of: Of },
  choice: Choice,
  each: (lines: StatementLine[]) => Promise<void>,
): Promise<Outcome & { encoding: string }> {
  const { encoding, lines } = await openStatement(upload.bytes);
  const reader = statementReader(account.of, choice);
  let ready: StatementLine[] = [];
  for await (const line of lines()) {
    for (const made of reader.take(line)) ready.push(made);
    if (ready.length < AT_ONCE) continue;
    await each(ready);
    ready = [];
  }
  if (ready.length) await each(ready);
  return { ...reader.end(), encoding };
}

/** What a file says, and how much of it is new; nothing is kept. */
export async function previewOf(
  read: Read,
  files: readonly Upload[],
  asked: Asked,
): Promise<StatementPreview> {
  const upload = theFile(files);
  const account = await accountFor(read, asked, false);
  await refuseKnown(read, account.id, fileHash(upload.bytes));
  const first: StatementLine[] = [];
  const keys = new Set<string>();
  let held = 0;
  const outcome = await through(upload, account, asked, async (lines) => {
    first.push(...lines.slice(0, FIRST - first.length));
    const fresh = lines.map((l) => l.rowKey).filter((key) => !keys.has(key) && keys.add(key));
    const { rows } = await sql<{ n: number }>`
      select count(*)::int n from statement_line
      where merchant_account_id = ${account.id} and row_key = any(${fresh}::text[])`.execute(read.tx);
    held += rows[0]!.n;
  });
  const refusal = outcome.refusal ?? (outcome.faultCount || outcome.lines ? "" : EMPTY);
  return {
    format: outcome.format,
    encoding: outcome.encoding,
    lineCount: outcome.lines,
    newCount: keys.size - held,
    sumIn: outcome.sumIn,
    sumOut: outcome.sumOut,
    sumFee: outcome.sumFee,
    dateFrom: outcome.from,
    dateTo: outcome.to,
    faults: outcome.faults,
    faultCount: outcome.faultCount,
    refusal,
    warnings: outcome.warnings,
    first: first.map((l) => ({
      lineNo: l.lineNo,
      occurredAt: l.occurredAt,
      direction: l.direction,
      amount: l.amount,
      fee: l.fee,
      number: l.outTradeNo ?? l.channelTradeNo ?? "",
      counter: l.counterName ?? l.counterAccount ?? "",
      summary: l.summary ?? "",
      raw: l.raw.join(" | ").slice(0, 500),
    })),
  };
}
const EMPTY = "文件中没有流水";

/** Takes a file whole or not at all; lines that an earlier file has told are counted and left. */
export async function takeStatement(act: Act, files: readonly Upload[], asked: Asked & { note: string }) {
  const upload = theFile(files);
  const sha256 = fileHash(upload.bytes);
  // two people with the same file: the second waits here and finds it taken
  const account = await accountFor(act, asked, true);
  await refuseKnown(act, account.id, sha256);
  const [statementNo] = await act.numbers("DZ");
  // the head is written with the days and sums of the first look, which the second must come to
  const told = await through(upload, account, asked, async () => {});
  refuseWrong(told, asked.note);
  const { lines: lineCount, from, to } = told;
  const { id } = await act.tx
    .insertInto("statement")
    .values({
      statementNo: statementNo!,
      merchantAccountId: account.id,
      format: told.format,
      fileName: upload.name.slice(0, 200) || "对账单",
      sha256,
      encoding: told.encoding,
      dateFrom: from,
      dateTo: to,
      lineCount,
      newCount: 0,
      sumIn: told.sumIn,
      sumOut: told.sumOut,
      sumFee: told.sumFee,
      note: asked.note,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  let newCount = 0;
  const proves = PROVES.includes(told.format);
  await through(upload, account, asked, async (lines) => {
    newCount += await keepLines(act, { id, accountId: account.id, proves }, lines);
  });
  await act.tx.updateTable("statement").set({ newCount }).where("id", "=", id).execute();
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

function refuseWrong(told: Outcome, note: string): void {
  const no = (msg: string) => invalid({ field: "file", msg });
  if (told.refusal) throw no(told.refusal);
  if (told.faultCount) throw no(`文件有 ${told.faultCount} 处错误，没有导入任何流水`);
  if (!told.lines) throw no(EMPTY);
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
};

/** The file as somebody saw it, locked behind its account; 404 beyond what they may prove. */
export async function lockStatement(act: Act, id: number, version: number): Promise<Kept> {
  const { rows } = await sql<Omit<Kept, "statementMode"> & { version: number; undone: boolean }>`
    select id, statement_no no, merchant_account_id "accountId", date_from "from", date_to "to", version,
      undone_at is not null undone from statement where id = ${id}`.execute(act.tx);
  const account = await provedAccount(act, rows[0]?.accountId ?? 0, true);
  const { rows: now } = await sql<{ version: number; undone: boolean }>`
    select version, undone_at is not null undone from statement where id = ${id}`.execute(act.tx);
  if (now[0]!.undone) throw new Refusal("notAllowed", "该批次已撤销");
  if (now[0]!.version !== version) throw stale();
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
