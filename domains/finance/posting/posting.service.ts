import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { lastOf, type Month } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { eachNamed, Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { entryOn, type Act, type Read } from "../../../platform/server/pipeline/act.ts";
import { whoHolds } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { dueOf } from "../accrual/accrual.service.ts";
import { VOUCHERS } from "../journal/journal.rules.ts";
import { closeBooks } from "../journal/journal.service.ts";
import { managersOf } from "../submission/submission.service.ts";
import {
  debitOf,
  isLocked,
  linesOf,
  mappingsOf,
  openBefore,
  type Place,
  placeOf,
  type PostedMonth,
} from "./books.queries.ts";
import { checkMonth } from "./check.service.ts";
import {
  BATCH_MOVES,
  type BatchState,
  mappingOf,
  type Mapping,
  OFFICE,
  type PostedSide,
} from "./posting.rules.ts";

constraintSays("voucher_batch_month", { msg: "该月已有过账单，请先作废" });
constraintSays("period_lock_key", { msg: "该月已锁账" });
constraintSays("period_lock_order", { msg: "锁账须按月份顺序" });
constraintSays("period_lock_last", { msg: "只能解锁最后一个锁账的月份" });

/** A batch as acts work with it. */
export type Batch = {
  id: number;
  batchNo: string;
  enterpriseId: number;
  villageId: number | null;
  name: string;
  month: Month;
  side: PostedSide;
  status: BatchState;
  fileVersion: number;
  debit: number;
  version: number;
};
const placeIn = ({ enterpriseId, villageId, name }: Batch): Place => ({ enterpriseId, villageId, name });
const noteOn = (act: Act, b: Batch, action: string, summary: string) =>
  act.note(entryOn("posting", b, b.batchNo, action, `${b.name} ${b.month} ${summary}`));

/** Locks a batch as somebody saw it; 404 outside the scope. */
async function lockBatch(act: Act, id: number, version: number): Promise<Batch> {
  const batch = await batchOf(act, id, true);
  asSeen(batch, version);
  return batch;
}

/** A batch in scope, or 404. */
export async function batchOf(read: Read, id: number, lock = false): Promise<Batch> {
  const { rows } = await sql<Batch>`
    select b.id, b.batch_no "batchNo", b.enterprise_id "enterpriseId", b.village_id "villageId",
      coalesce((select name from village where id = b.village_id), ${OFFICE}) name, b.month, b.side, b.state status,
      b.file_version "fileVersion", b.debit, b.version
    from voucher_batch b where b.id = ${id} ${lock ? sql`for update` : sql``}`.execute(read.tx);
  const [batch] = rows;
  if (!batch) throw notFound();
  const place = await placeOf(read, batch.villageId);
  if (place.enterpriseId !== batch.enterpriseId) throw notFound();
  return batch;
}

/** Makes the vouchers of a month of a place. Refused where the month is not ready, with what stands in the way. */
export async function generate(act: Act, posted: PostedMonth): Promise<number> {
  if (lastOf(posted.month) >= act.today) throw invalid({ field: "month", msg: "本月尚未结束" });
  const why = await whyNot(act, posted);
  if (why) throw new Refusal("notReady", why);
  return make(act, posted);
}

async function whyNot(act: Act, posted: PostedMonth): Promise<string | undefined> {
  const { place, month, side } = posted;
  const { rows } = await sql<{ batchNo: string }>`
    select batch_no "batchNo" from voucher_batch
    where enterprise_id = ${place.enterpriseId} and village_id is not distinct from ${place.villageId}::bigint
      and month = ${month} and side = ${side} and state <> 'discarded'`.execute(act.tx);
  if (rows[0]) return `该月已有过账单 ${rows[0].batchNo}，请先作废`;
  if (await isLocked(act, posted)) return "该月已锁账";
  const red = (await checkMonth(act, posted)).filter(({ level }) => level === "red");
  return red.length
    ? red.map(({ title, said }) => `未通过“${title}”${said ? `：${said}` : ""}`).join("；")
    : undefined;
}

async function make(act: Act, posted: PostedMonth): Promise<number> {
  const { place, month, side } = posted;
  const mappings = await mappingsOf(act, place.enterpriseId);
  const lines = await linesOf(act, posted);
  const kinds = [...Map.groupBy(lines, ({ kind }) => kind)];
  const sumOf = (key: "debit" | "credit") => lines.reduce((sum, line) => sum + line[key], 0);
  const [batchNo] = await act.numbers("GZ");
  const { id } = await act.tx
    .insertInto("voucherBatch")
    .values({
      batchNo: batchNo!,
      enterpriseId: place.enterpriseId,
      villageId: place.villageId,
      month,
      side,
      vouchers: kinds.length,
      debit: sumOf("debit"),
      credit: sumOf("credit"),
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const vouchers = kinds.map(([kind, of], seq) => ({
    kind,
    seq,
    memo: `${month} ${VOUCHERS[kind]}`,
    lines: of.map((line, i) => ({
      ...line,
      seq: i,
      glCode: mappingOf(mappings, { ...line, villageId: place.villageId })?.glCode ?? "",
    })),
  }));
  await sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(vouchers)}::json) r(kind text, seq int, memo text, lines json)
    ), made as (
      insert into voucher (batch_id, kind, seq, date, memo)
      select ${id}::bigint, kind, seq, ${lastOf(month)}::date, memo from given returning id, seq)
    insert into voucher_line (voucher_id, seq, account, gl_code, fee_subject_id, merchant_account_id, debit, credit)
    select m.id, l.seq, l.account, l."glCode", l."feeSubjectId", l."merchantAccountId", l.debit, l.credit
    from made m join given g on g.seq = m.seq, json_to_recordset(g.lines) l(seq int, account text, "glCode" text,
      "feeSubjectId" bigint, "merchantAccountId" bigint, debit bigint, credit bigint)`.execute(act.tx);
  await act.note(
    entryOn("posting", { id, villageId: place.villageId }, batchNo!, "生成", {
      summary: `${place.name} ${month} 生成 ${kinds.length} 张凭证，${yuan(sumOf("debit"))}`,
    }),
  );
  return id;
}

export async function discard(act: Act, id: number, version: number): Promise<void> {
  const batch = await lockBatch(act, id, version);
  await revise(
    act,
    "voucherBatch",
    { id, version },
    { state: BATCH_MOVES.next("discard", batch), ...stamp(act) },
  );
  await noteOn(act, batch, "作废", "过账单作废");
}

/** How long an export waits for those who are posting to the place just then. */
const PATIENCE_MS = 5_000;

/** Locks the months of batches, each with the figures it was made of; what came in between refuses it. */
export async function exportAndLock(
  act: Act,
  items: readonly { id: number; version: number }[],
): Promise<void> {
  const batches: Batch[] = [];
  for (const { id, version } of items.toSorted((a, b) => a.id - b.id))
    batches.push(await lockBatch(act, id, version));
  for (const batch of batches.toSorted((a, b) => (a.month < b.month ? -1 : 1)))
    await (batches.length > 1
      ? eachNamed(batch.batchNo, () => lockMonth(act, batch))
      : lockMonth(act, batch));
}

async function lockMonth(act: Act, batch: Batch): Promise<void> {
  const { id, month, side, villageId, enterpriseId, version } = batch;
  const state = BATCH_MOVES.next("export", batch);
  const patience = Date.now() + PATIENCE_MS;
  while (!(await closeBooks(act, batch))) {
    if (Date.now() > patience) throw new Refusal("busy", `${batch.name}正在记账，请稍后再导出`);
    await pause(50);
  }
  const posted = { place: placeIn(batch), month, side };
  const open = await openBefore(act, posted);
  if (open)
    throw new Refusal(
      "notAllowed",
      `${batch.name} ${open} 还没有导出锁账，${month} 不能锁账；锁账须按月份顺序`,
    );
  const changed =
    (await debitOf(act, posted)) !== batch.debit ||
    (side === "income" && villageId !== null && (await dueOf(act, villageId, month)).length > 0);
  if (changed) throw new Refusal("changed", "生成后有新凭证，请重新生成");
  await recode(act, batch);
  await act.tx
    .insertInto("periodLock")
    .values({
      villageId,
      enterpriseId: villageId === null ? enterpriseId : null,
      month,
      side,
      voucherBatchId: id,
      lockedAt: act.now.toISOString(),
      lockedBy: act.who.operatorId || null,
    })
    .execute();
  const exported = { exportedAt: act.now.toISOString(), exportedBy: act.who.operatorId || null };
  await revise(
    act,
    "voucherBatch",
    { id, version },
    {
      state,
      fileVersion: batch.fileVersion + 1,
      ...exported,
      ...stamp(act),
    },
  );
  await noteOn(act, batch, "导出锁账", `导出凭证并锁账，${yuan(batch.debit)}`);
  if (villageId !== null)
    await tell(act, {
      to: [...(await managersOf(act, villageId)), ...(await whoHolds(act, "200.query", villageId))],
      type: 2,
      title: `${batch.name} ${month} 已锁账`,
      content: `${batch.name} ${month} 的${side === "income" ? "收入" : "成本"}已由${act.who.name}导出锁账，之后的业务记入下月。`,
      bizType: "posting",
      bizId: id,
      villageId,
      once: `posting.locked.${id}`,
    });
}

/** The codes of a batch by the mapping of now; refused where an account has none. */
async function recode(act: Act, { id, enterpriseId, villageId }: Batch): Promise<void> {
  const mappings = await mappingsOf(act, enterpriseId);
  const { rows } = await sql<Mapping & { voucherId: number; seq: number }>`
    select l.voucher_id "voucherId", l.seq, l.account, l.fee_subject_id "feeSubjectId",
      l.merchant_account_id "merchantAccountId", l.gl_code "glCode"
    from voucher v join voucher_line l on l.voucher_id = v.id where v.batch_id = ${id}`.execute(act.tx);
  const coded = rows.map((line) => ({ ...line, code: mappingOf(mappings, { ...line, villageId })?.glCode }));
  const missing = [...new Set(coded.filter(({ code }) => !code).map(({ account }) => account))].toSorted();
  if (missing.length) throw new Refusal("unmapped", `科目 ${missing.join("、")} 没有总账科目，请先映射`);
  const changed = coded.filter(({ code, glCode }) => code !== glCode);
  if (changed.length)
    await sql`
      update voucher_line l set gl_code = r.code
      from json_to_recordset(${JSON.stringify(changed)}::json) r("voucherId" bigint, seq int, code text)
      where l.voucher_id = r."voucherId" and l.seq = r.seq`.execute(act.tx);
}

/** The same figures once more, with the mapping of now and the next version of the file. */
export async function exportOnceMore(
  act: Act,
  items: readonly { id: number; version: number }[],
): Promise<void> {
  for (const { id, version } of items.toSorted((a, b) => a.id - b.id)) {
    const batch = await lockBatch(act, id, version);
    BATCH_MOVES.next("again", batch);
    await recode(act, batch);
    const fileVersion = batch.fileVersion + 1;
    await revise(act, "voucherBatch", { id, version }, { fileVersion, ...stamp(act) });
    await noteOn(act, batch, "再次导出", `再次导出，文件版本 ${fileVersion}`);
  }
}

export async function book(act: Act, id: number, version: number, glVoucherNo: string): Promise<void> {
  const batch = await lockBatch(act, id, version);
  const state = BATCH_MOVES.next("book", batch);
  await revise(act, "voucherBatch", { id, version }, { state, glVoucherNo, ...stamp(act) });
  await noteOn(act, batch, "总账凭证号", `总账已入账，凭证号 ${glVoucherNo}`);
}

/**
 * Opens the last locked month of a place and side again: its batch is void, and what is booked from now on may be dated into it.
 * What came while it was locked stays where it went.
 */
export async function reopen(act: Act, id: number, version: number, reason: string): Promise<void> {
  const batch = await lockBatch(act, id, version);
  const state = BATCH_MOVES.next("reopen", batch);
  await act.tx.deleteFrom("periodLock").where("voucherBatchId", "=", id).execute();
  await revise(act, "voucherBatch", { id, version }, { state, reason, ...stamp(act) });
  await noteOn(act, batch, "解锁", `解锁${batch.side === "income" ? "收入" : "成本"}：${reason}`);
}
