import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import { whoHolds } from "../../access/operator/scope.service.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import { type Outlook, type Wanted, approves } from "../../approval/examine/registry.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { accountsOf } from "../account/account.service.ts";
import { unclaimedLeg } from "../corporate/line.rules.ts";
import { giveBackToLine, takeFromLine } from "../corporate/line.service.ts";
import { type Leg, debit } from "../journal/journal.rules.ts";
import { post } from "../journal/journal.service.ts";
import { villageOf } from "../setting/setting.service.ts";
import { heldIn, readSubmission, takenOn, type Submission } from "./submission.queries.ts";
import {
  type SettleWay,
  SETTLE_WAY,
  SUBMISSION_KIND,
  SUBMISSION_MOVES,
  SUBMISSIONS,
  arrived,
  receivedEntry,
  roundSeq,
  settledEntry,
} from "./submission.rules.ts";
import { actedOn, managersOf, mirrorEntry, moved, noteSubmission } from "./submission.service.ts";

const CHANGED = { received: null, receivedOn: null, receivedAt: null, receivedBy: null, bankLineId: null };
const UNSETTLED = { settleWay: null, repaidAccountId: null, settledOn: null, settleReason: "" };

async function takeIn(
  act: Act,
  s: Submission,
  { into, day, lineId, how }: { into: Leg; day: Day; lineId: number | null; how: string },
) {
  const state = arrived(s.submitted, into.amount);
  const rounds = s.rounds + 1;
  await moved(act, s, {
    state,
    received: into.amount,
    receivedOn: day,
    receivedAt: act.now.toISOString(),
    receivedBy: act.who.operatorId || null,
    bankLineId: lineId,
    rounds,
  });
  await post(act, [receivedEntry({ ...s, rounds }, into, day)]);
  const diff = into.amount - s.submitted;
  const said = diff < 0 ? `，短款 ${yuan(-diff)} 元` : diff > 0 ? `，长款 ${yuan(diff)} 元` : "";
  await noteSubmission(act, s, "到账", `${how}到账 ${yuan(into.amount)} 元${said}`);
  if (diff < 0) await tellShort(act, s, -diff);
  return { id: s.id, state };
}

/** The money stands in a line of a claim-mode account (E20 out of 2242). */
export async function match(
  act: Act,
  id: number,
  { version, lineId, amount }: { version: number; lineId: number; amount: Fen },
) {
  const s = await actedOn(act, id, version);
  SUBMISSION_MOVES.next("match", s);
  const line = await takeFromLine(act, { lineId, amount, by: { type: "submission", id } });
  if (line.accountId !== s.toAccountId)
    throw invalid({ field: "lineId", msg: "该银行流水不是转入账户的流水" });
  return takeIn(act, s, {
    into: unclaimedLeg(line, amount),
    day: line.day,
    lineId,
    how: `${line.day} 银行流水`,
  });
}

/** Somebody has seen the money in an account whose lines are reconciled, not claimed. */
export async function receive(
  act: Act,
  id: number,
  { version, amount, receivedOn, remark }: { version: number; amount: Fen; receivedOn: Day; remark?: string },
) {
  const s = await actedOn(act, id, version);
  SUBMISSION_MOVES.next("receive", s);
  const to = await theRow(act, "merchantAccount", ["holderVillageId", "statementMode"], {
    id: s.toAccountId,
  });
  // money of a claim-mode account arrives by its line only: by hand there is only a whole short
  if (to.statementMode === "claim" && amount > 0)
    throw new Refusal("notAllowed", "转入账户为对公入账账户，请匹配银行流水");
  if (receivedOn > act.today) throw invalid({ field: "receivedOn", msg: "到账日不能晚于今天" });
  if (receivedOn < s.bankDay) throw invalid({ field: "receivedOn", msg: "到账日不能早于归属日" });
  const into = debit("1002", to.holderVillageId, amount, { merchantAccountId: s.toAccountId });
  return takeIn(act, s, { into, day: receivedOn, lineId: null, how: remark ? `${remark}，` : "" });
}

/** Takes an arrival back, together with the settlement of its short. */
export async function unreceive(
  act: Act,
  id: number,
  { version, reason }: { version: number; reason: string },
) {
  const s = await actedOn(act, id, version);
  const state = SUBMISSION_MOVES.next("unreceive", s);
  if (s.status === "settled") {
    if (s.repaidAccountId) {
      const later = await takenOn(act, { id, what: "repaid" });
      if (later) throw new Refusal("notAllowed", `补缴款已在缴款单 ${later} 中，请先取消该缴款单`);
      if ((await heldIn(act, s.repaidAccountId)) < s.submitted - s.received!)
        throw new Refusal("cashShort", "现金余额不足");
    }
    await mirrorEntry(act, s, "E21", roundSeq(s.rounds), reason);
  }
  await mirrorEntry(act, s, "E20", roundSeq(s.rounds), reason);
  if (s.bankLineId) await giveBackToLine(act, { type: "submission", id });
  await moved(act, s, { state, ...CHANGED, ...UNSETTLED });
  await noteSubmission(act, s, "取消到账", reason);
  return { id, state };
}

export type Settling = { way: SettleWay; merchantAccountId?: number | undefined; reason: string };

/** A short is paid by the store, or borne as a loss once that is approved. */
export async function settleShort(act: Act, id: number, { version, ...how }: Settling & { version: number }) {
  const s = await actedOn(act, id, version);
  SUBMISSION_MOVES.next("settle", s);
  if (how.way === "loss") {
    const { waiting } = await propose(act, "shortLoss", [
      { recordId: id, villageId: s.villageId, payload: {}, reason: how.reason },
    ]);
    // a new version: acts on what was seen before the approval began are refused
    if (waiting[0]) {
      await moved(act, s, {});
      return { id, state: s.status, waiting: waiting[0].examineNo };
    }
  }
  return { id, state: await settle(act, s, how), waiting: null };
}

async function settle(
  act: Act,
  s: Submission,
  { way, merchantAccountId, reason }: Settling,
): Promise<string> {
  const state = SUBMISSION_MOVES.next("settle", s);
  const box =
    way === "repay"
      ? (await accountsOf(act, s.villageId)).find((a) => a.id === merchantAccountId && a.kind === "cash")
      : undefined;
  if (way === "repay" && !box) throw invalid({ field: "merchantAccountId", msg: "请选择补入现金箱" });
  if (box && !box.enabled) throw invalid({ field: "merchantAccountId", msg: "该账户已停用" });
  await moved(act, s, {
    state,
    settleWay: way,
    repaidAccountId: box?.id ?? null,
    settledOn: act.today,
    settleReason: reason,
  });
  await post(act, [settledEntry({ ...s, received: s.received! }, box, act.today)]);
  const short = s.submitted - s.received!;
  await noteSubmission(act, s, "短款处理", `${SETTLE_WAY[way][0]} ${yuan(short)} 元：${reason}`);
  return state;
}

async function outlookOf(read: Read, { id }: Wanted): Promise<Outlook> {
  const s = await readSubmission(read, id);
  if (!s) throw notFound();
  if (s.status !== "short") throw new Refusal("notAllowed", "该短款已处理");
  const short = s.submitted - s.received!;
  const village = await villageOf(read, s.villageId);
  return {
    title: `短款核损 ${s.submissionNo}`,
    number: s.submissionNo,
    villageId: s.villageId,
    amount: short,
    values: { amount: short },
    facts: [
      ["门店", village.name],
      ["归属日", s.bankDay],
      ["类型", SUBMISSION_KIND[s.kind][0]],
      ["实缴", `${yuan(s.submitted)} 元`],
      ["到账", `${yuan(s.received!)} 元`],
      ["短款", `${yuan(short)} 元`],
    ],
    preview: [],
    hash: basisHash([id, short]),
  };
}

approves({
  type: "shortLoss",
  title: "短款核损",
  group: "财务",
  kind: "submission",
  page: SUBMISSIONS,
  permit: "112.query",
  fields: [{ key: "amount", title: "金额", kind: "money" }],
  outlook: outlookOf,
  effect: async (act, { id, reason }) => {
    const s = await readSubmission(act, id, true);
    if (!s) throw notFound();
    await settle(act, s, { way: "loss", reason });
  },
});

/** Notifies the manager of a store and those who settle shorts there. */
async function tellShort(act: Act, s: Submission, short: Fen): Promise<void> {
  const { name } = await villageOf(act, s.villageId);
  await tell(act, {
    to: [...(await managersOf(act, s.villageId)), ...(await whoHolds(act, "#11202", s.villageId))],
    type: 2,
    title: `缴款短款：${name} ${yuan(short)} 元`,
    content: `缴款单 ${s.submissionNo}（${s.bankDay} ${SUBMISSION_KIND[s.kind][0]}）实缴 ${yuan(s.submitted)} 元，到账少 ${yuan(short)} 元，请补缴或申请核损。`,
    bizType: "submission",
    bizId: s.id,
    villageId: s.villageId,
    once: `submission.short.${s.id}.${s.rounds}`,
  });
}
