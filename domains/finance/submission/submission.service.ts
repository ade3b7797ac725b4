import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope, seen } from "../../../platform/server/pipeline/scope.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { attachPictures } from "../../system/file/file.service.ts";
import type { EventCode } from "../journal/journal.rules.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { villageOf } from "../setting/setting.service.ts";
import {
  destinationsOf,
  dueOf,
  heldIn,
  readSubmission,
  sourcesOf,
  submissionOf,
  takenOn,
  type Source,
  type Submission,
} from "./submission.queries.ts";
import {
  type ItemKind,
  SUBMISSION_KIND,
  SUBMISSION_MOVES,
  type SubmissionKind,
  submittedEntry,
} from "./submission.rules.ts";

constraintSays("submission_item_flow", { code: "conflict", msg: "流水已在其他缴款单中，请刷新后重试" });
constraintSays("submission_item_of", { code: "conflict", msg: "该款项已在其他缴款单中，请刷新后重试" });
constraintSays("flow_submitted", { code: "notAllowed", msg: "已缴款到账，请先处理缴款单" });

type Noted = Pick<Submission, "id" | "submissionNo" | "villageId">;
/** The same line on the submission and on each of its flows. */
export async function noteSubmission(act: Act, of: Noted, action: string, summary: string): Promise<void> {
  const entry = { number: of.submissionNo, villageId: of.villageId, action };
  const { rows } = await sql<{ id: number }>`
    select flow_id id from submission_item where submission_id = ${of.id} and flow_id is not null order by 1`.execute(
    act.tx,
  );
  await act.note([
    { ...entry, kind: "submission", recordId: of.id, summary },
    ...rows.map(({ id }) => ({
      ...entry,
      kind: "flow",
      recordId: id,
      summary: `缴款单 ${of.submissionNo} ${summary}`,
    })),
  ]);
}

/** Serialises acts on the takings of an account; lock order: the account before its submissions. */
async function lockAccount(act: Act, id: number): Promise<void> {
  await sql`select from merchant_account where id = ${id} for no key update`.execute(act.tx);
}

/** The submission in scope, as the person saw it, its accounts and itself locked. */
export async function actedOn(act: Act, id: number, version: number): Promise<Submission> {
  const first = seen(act.who, await readSubmission(act, id));
  for (const account of [first.fromAccountId, first.repaidAccountId]
    .filter((a) => a !== null)
    .toSorted((a, b) => a - b))
    await lockAccount(act, account);
  const s = (await readSubmission(act, id, true))!;
  asSeen(s, version);
  await refuseFrozen(act, "submission", [id]);
  return s;
}

export type NewSubmission = {
  villageId: number;
  kind: SubmissionKind;
  bankDay: Day;
  fromAccountId: number;
  toAccountId: number;
  flowIds: readonly number[];
  keptIds: readonly number[];
  repaidIds: readonly number[];
  /** As it was shown; left out, whatever they come to. */
  expected?: Fen | undefined;
  /** Left out: all of it, as far as the box holds it. */
  submitted?: Fen | undefined;
  keptReason?: string | undefined;
  pictures?: readonly number[] | undefined;
  slipNo?: string | undefined;
  remark?: string | undefined;
};

async function sourceFor(read: Read, { villageId, kind, fromAccountId }: NewSubmission): Promise<Source> {
  const account = (await sourcesOf(read, villageId)).find((a) => a.id === fromAccountId);
  if (!account || (account.kind === "cash") !== (kind === "cash"))
    throw invalid({ field: "fromAccountId", msg: "该账户不能用于此门店缴款" });
  return account;
}

async function checkDestination(read: Read, { villageId, toAccountId }: NewSubmission): Promise<void> {
  const account = (await destinationsOf(read, villageId)).find((a) => a.id === toAccountId);
  if (!account) throw invalid({ field: "toAccountId", msg: "该账户不能用于此门店" });
  if (!account.enabled) throw invalid({ field: "toAccountId", msg: "该账户已停用" });
}

type Taken = { what: ItemKind; ref: number; amount: Fen; bankDay: Day };

/** What is asked for, as it stands open; what somebody else has handed over meanwhile is named. */
async function takenBy(act: Act, given: NewSubmission): Promise<Taken[]> {
  const { flowIds, keptIds, repaidIds, villageId, fromAccountId, bankDay } = given;
  await sql`select from flow where id = ${anyOf(flowIds)} order by id for no key update`.execute(act.tx);
  const { rows } = await sql<Taken>`
    select t.what, t.ref, t.amount, t.bank_day "bankDay" from takings_open t
    where t.village_id = ${villageId} and t.merchant_account_id = ${fromAccountId} and t.bank_day <= ${bankDay}
      and ((t.what = 'flow' and t.ref = ${anyOf(flowIds)}) or (t.what = 'kept' and t.ref = ${anyOf(keptIds)})
        or (t.what = 'repaid' and t.ref = ${anyOf(repaidIds)}))
    order by t.bank_day, t.what, t.ref`.execute(act.tx);
  if (rows.length === new Set(flowIds).size + new Set(keptIds).size + new Set(repaidIds).size) return rows;
  const no =
    (await submissionOf(act, flowIds)) ??
    (await firstOf(keptIds, (id) => takenOn(act, { id, what: "kept" }))) ??
    (await firstOf(repaidIds, (id) => takenOn(act, { id, what: "repaid" })));
  if (no) throw new Refusal("notAllowed", `流水已在缴款单 ${no} 中`, 409);
  throw new Refusal("previewChanged", "未缴款项已变化，请核对后重新确认", 409);
}

async function firstOf<T>(ids: readonly number[], of: (id: number) => Promise<T | undefined>) {
  for (const id of ids) {
    const found = await of(id);
    if (found) return found;
  }
  return undefined;
}

/** Hands takings over (E19): they leave the cash box, or the POS account, and are on their way to the bank. */
export async function submit(act: Act, given: NewSubmission): Promise<{ id: number; submissionNo: string }> {
  inScope(act.who, given.villageId);
  if (given.bankDay > act.today) throw invalid({ field: "bankDay", msg: "归属日不能晚于今天" });
  if (!given.flowIds.length && !given.keptIds.length && !given.repaidIds.length)
    throw invalid({ field: "flowIds", msg: "请选择要缴的款项" });
  const from = await sourceFor(act, given);
  await checkDestination(act, given);
  await lockAccount(act, from.id);
  const items = await takenBy(act, given);
  const expected = items.reduce((sum, item) => sum + item.amount, 0);
  if (given.expected !== undefined && given.expected !== expected)
    throw new Refusal("previewChanged", "未缴款项已变化，请核对后重新确认", 409);
  const held = await heldIn(act, from.id);
  const submitted = given.submitted ?? Math.min(expected, held);
  if (submitted > expected) throw invalid({ field: "submitted", msg: "实缴不能大于应缴" });
  const keptReason = submitted < expected ? (given.keptReason ?? "") : "";
  if (submitted < expected && keptReason.length < 2)
    throw invalid({ field: "keptReason", msg: "请填写原因（2-200字）" });
  if (given.kind === "cash" && given.pictures !== undefined && !given.pictures.length)
    throw invalid({ field: "pictures", msg: "请上传图片" });
  if (given.kind === "cash" && held < submitted) throw new Refusal("cashShort", "现金余额不足");
  const [submissionNo] = await act.numbers("JK");
  const by = act.who.operatorId || null;
  const now = act.now.toISOString();
  const { id } = await act.tx
    .insertInto("submission")
    .values({
      submissionNo: submissionNo!,
      villageId: given.villageId,
      kind: given.kind,
      bankDay: given.bankDay,
      fromAccountId: from.id,
      toAccountId: given.toAccountId,
      expected,
      submitted,
      keptReason,
      slipNo: given.slipNo ?? "",
      remark: given.remark ?? "",
      dueAt: await dueAtOf(act, given, items),
      createdAt: now,
      createdBy: by,
      updatedAt: now,
      updatedBy: by,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await sql`
    insert into submission_item (submission_id, what, flow_id, of_id, amount)
    select ${id}, r.what, case r.what when 'flow' then r.ref end, case when r.what <> 'flow' then r.ref end, r.amount
    from json_to_recordset(${JSON.stringify(items)}::json) r(what text, ref bigint, amount bigint)`.execute(
    act.tx,
  );
  await sql`update flow set submission_id = ${id} where id = ${anyOf(given.flowIds)}`.execute(act.tx);
  await attachPictures(act, given.pictures ?? [], {
    targetKind: "submission",
    targetId: id,
    villageId: given.villageId,
    needs: "112.get",
  });
  const of = { id, submissionNo: submissionNo!, villageId: given.villageId };
  await post(act, [submittedEntry({ ...of, submitted }, from, act.today)]);
  const rest = submitted < expected ? `，留存 ${yuan(expected - submitted)} 元：${keptReason}` : "";
  await noteSubmission(
    act,
    of,
    "缴款",
    `${given.bankDay} ${SUBMISSION_KIND[given.kind][0]} ${items.length} 笔，实缴 ${yuan(submitted)} 元${rest}`,
  );
  return { id, submissionNo: submissionNo! };
}

/** Cash is due by its oldest day; what was kept before for a reason is not asked for. */
async function dueAtOf(act: Act, given: NewSubmission, items: readonly Taken[]): Promise<string | null> {
  const oldest = items.find((item) => item.what !== "kept");
  if (given.kind !== "cash" || !oldest) return null;
  const { enterpriseId } = await villageOf(act, given.villageId);
  const due = await dueOf(act, [{ id: given.villageId, enterpriseId }]);
  return due(given.villageId, oldest.bankDay);
}

export const moved = (act: Act, s: Submission, to: Parameters<typeof revise<"submission">>[3]) =>
  revise(act, "submission", { id: s.id, version: s.version }, { ...to, ...stamp(act) });

export async function mirrorEntry(
  act: Act,
  s: Submission,
  event: EventCode,
  seq: number,
  memo: string,
): Promise<void> {
  const posted = await entriesOf(act, { sourceType: "submission", sourceIds: [s.id], events: [event] });
  const entry = posted.find((e) => e.seq === seq);
  // every arrival has its entry: an amount, a short, or both
  if (!entry) throw new Error(`submission ${s.id} has no ${event} #${seq}`);
  const as = { event, sourceType: "submission", sourceId: s.id, seq: seq + 1, businessDate: act.today, memo };
  await post(act, [mirrorOf(entry, as)]);
}

/** Cancels a submission: releases its items and mirrors E19. */
export async function cancel(act: Act, id: number, { version, reason }: { version: number; reason: string }) {
  const s = await actedOn(act, id, version);
  const state = SUBMISSION_MOVES.next("cancel", s);
  if (s.createdBy !== act.who.operatorId && !act.who.permits.has("#11201"))
    throw new Refusal("notAllowed", "只有缴款人或可确认到账的人可以取消", 403);
  const later = s.kept ? await takenOn(act, { id, what: "kept" }) : undefined;
  if (later) throw new Refusal("notAllowed", `留存款已在缴款单 ${later} 中，请先取消该缴款单`);
  await mirrorEntry(act, s, "E19", 0, reason);
  await noteSubmission(act, s, "取消缴款", reason);
  await sql`update submission_item set live = false where submission_id = ${id}`.execute(act.tx);
  await sql`update flow set submission_id = null where submission_id = ${id}`.execute(act.tx);
  await moved(act, s, { state, endReason: reason });
  return { id, state };
}

export async function managersOf(read: Pick<Read, "tx">, villageId: number): Promise<number[]> {
  const { managerId } = await theRow(read, "village", ["managerId"], { id: villageId });
  return managerId === null ? [] : [managerId];
}
