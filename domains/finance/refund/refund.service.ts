import { sql } from "kysely";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { dropExamines, propose } from "../../approval/examine/propose.service.ts";
import {
  type Outlook,
  type Wanted,
  approves,
  money,
  words,
} from "../../approval/examine/registry.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import {
  addEarnest,
  addHeld,
  addPrepaid,
  earnestHeld,
  keepContractMoney,
} from "../balance/balance.service.ts";
import { lockBills } from "../bill/bills.queries.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { moveRefund, noteRefund, paperOf } from "./move.service.ts";
import { isOfPayee, payeeOutlook, takeProposed } from "./payee.service.ts";
import { type HeldSource, type Holding, holdingOf, lockHolding, balancesOf, sumOf } from "./held.queries.ts";
import { type PayeeGiven, type Plan, payeeOf, planOf, planParts } from "./plan.service.ts";
import { type Refund, isHeld, readRefund } from "./refund.queries.ts";
import {
  type RefundState,
  type Route,
  REFUND_MOVES,
  REFUND_SOURCE,
  REFUND_STATE,
  ROUTES,
  type Split,
  owedBackEntry,
} from "./refund.rules.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

/**
 * Whoever holds earnest money hears what becomes of its refund, in the same transaction. Refusing in `begun` refuses the
 * application.
 */
export type EarnestOwner = {
  begun: (
    act: Act,
    of: { billId: number; refundId: number; refundNo: string; reason: string; amount: number },
  ) => Promise<void>;
  paid: (act: Act, refundId: number) => Promise<void>;
  /** The bank has sent it back: it is owed again. */
  returned: (act: Act, refundId: number, reason: string) => Promise<void>;
  /** It was rejected or cancelled: the money is held again. */
  dropped: (act: Act, refundId: number, reason: string) => Promise<void>;
};

let owner: EarnestOwner | undefined;

/** Registers who holds earnest money; called once, by the domain that does. */
export const ownsEarnest = (by: EarnestOwner): void => void (owner = by);

export function earnestOwner(): EarnestOwner {
  if (!owner) throw new Error("nobody owns earnest money");
  return owner;
}

/** Whose line a transfer by mistake came by: it hears that it will not be paid back. */
type TransferOwner = (act: Act, refundId: number, reason: string) => Promise<void>;
let keepTransfer: TransferOwner | undefined;

/** Registers who keeps the money of transfers that are not paid back; called once, by the noun that does. */
export const ownsTransfers = (by: TransferOwner): void => void (keepTransfer = by);

/** Pays an approved refund whose money has left already, where a line of its channel says so. */
type Settling = (act: Act, r: Refund) => Promise<void>;
let settleTold: Settling | undefined;

/** Registers who pays refunds that a channel has told of; called once, by the file that does. */
export const settlesTold = (by: Settling): void => void (settleTold = by);

constraintSays("refund_earnest", { code: "notAllowed", msg: "该定金已申请退款" });

export type Application = PayeeGiven & {
  source: HeldSource;
  sourceId: number;
  villageId: number;
  amount: Fen;
  reason: string;
  /** Left out: the way that is proposed. */
  route?: Route | undefined;
  fileIds?: readonly number[];
  /** How much of each flow; left out: the newest money first. */
  parts?: Split | undefined;
  /** What the applicant was shown; left out where the whole is asked for. */
  previewHash?: string | undefined;
  /** The channel has paid it already: what is kept of that, before it waits for approval or is owed. */
  told?: ((refundId: number, refundNo: string) => Promise<void>) | undefined;
};
export type Applied = { id: number; refundNo: string; amount: Fen; waiting: string | null };

const changed = (plan: Plan) =>
  new Refusal("previewChanged", "可退余额已变化，请核对后重新确认", 409, { data: plan });

/** Money is asked back, under the lock of what holds it; it is owed at once where nobody needs to approve. */
export async function applyRefund(act: Act, given: Application): Promise<Applied> {
  inScope(act.who, given.villageId);
  const of = await holdingOf(act, given);
  await lockHolding(act, of);
  const plan = await planOf(act, of, given.amount, given.parts);
  if (given.previewHash !== undefined && given.previewHash !== plan.hash) throw changed(plan);
  if (!plan.available) throw new Refusal("notAllowed", "可退余额不足");
  if (given.amount > plan.available) throw invalid({ field: "amount", msg: "退款金额超过可退余额" });
  if (of.source === "earnest" && given.amount < plan.held)
    throw invalid({ field: "amount", msg: "定金须全额退还" });
  if (plan.splitWhy) throw invalid({ field: "parts", msg: plan.splitWhy });
  const route = given.told ? "channel" : (given.route ?? plan.route);
  const why = given.told ? "" : plan.routes.find((r) => r.route === route)?.why;
  if (why) throw invalid({ field: "route", msg: why });
  const payee = await payeeOf(act, of.partyId, route, given);
  const routeNote = given.told ? "渠道已退款" : route === "channel" ? "" : plan.why;
  const r = await enterRefund(act, of, { ...given, route, routeNote, payee });
  if (given.parts) await keepParts(act, r.id, plan.parts);
  await given.told?.(r.id, r.refundNo);
  if (of.source === "earnest")
    await earnestOwner().begun(act, {
      billId: of.sourceId,
      refundId: r.id,
      refundNo: r.refundNo,
      reason: given.reason,
      amount: given.amount,
    });
  return { id: r.id, refundNo: r.refundNo, amount: given.amount, waiting: await submitRefund(act, r) };
}

type Entered = {
  amount: Fen;
  reason: string;
  route: Route;
  routeNote: string;
  payee: Awaited<ReturnType<typeof payeeOf>>;
  fileIds?: readonly number[];
};

/** Writes an application down. */
export async function enterRefund(
  act: Act,
  of: Pick<Refund, "source" | "sourceId" | "villageId" | "partyId" | "roomId" | "contractId">,
  given: Entered,
): Promise<Refund> {
  const [refundNo] = await act.numbers("TK");
  const by = act.who.operatorId || null;
  const now = act.now.toISOString();
  const { id } = await act.tx
    .insertInto("refund")
    .values({
      refundNo: refundNo!,
      source: of.source,
      sourceId: of.sourceId,
      villageId: of.villageId,
      partyId: of.partyId,
      roomId: of.roomId,
      contractId: of.contractId,
      amount: given.amount,
      reason: given.reason,
      state: "applied",
      route: given.route,
      routeNote: given.routeNote,
      ...given.payee,
      createdAt: now,
      createdBy: by,
      updatedAt: now,
      updatedBy: by,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await attachFiles(act, given.fileIds ?? [], paperOf({ id, villageId: of.villageId }));
  const r = (await readRefund(act, id))!;
  await noteRefund(act, r, "申请退款", `${yuan(r.amount)} 元：${given.reason}`);
  return r;
}

/** It waits for approval, by the number that is answered, or is owed at once. */
export async function submitRefund(act: Act, r: Refund): Promise<string | null> {
  const waiting = await proposeRefund(act, r);
  if (waiting) await moveRefund(act, r, REFUND_MOVES.next("submit", r));
  else await approveNow(act, r);
  return waiting;
}

async function outlookOf(read: Read, { id, payload }: Wanted): Promise<Outlook> {
  const r = await readRefund(read, id);
  if (!r) throw notFound();
  if (isOfPayee(payload)) return payeeOutlook(read, r);
  if (r.status !== "applied" && r.status !== "approving") throw new Refusal("notAllowed", "该退款已处理");
  const balances = isHeld(r) ? await balancesOf(read, r, r.id) : undefined;
  const held = balances ? sumOf(balances, r.source as HeldSource, "held") : r.amount;
  const doing = { except: r.id, split: held < r.amount ? undefined : await splitOf(read, r.id) };
  const parts =
    balances && isHeld(r) ? await planParts(read, r, balances, Math.min(r.amount, held), doing) : [];
  const other = r.payeeName !== r.partyName;
  return {
    title: `退款 ${r.refundNo}`,
    number: r.refundNo,
    villageId: r.villageId,
    amount: r.amount,
    values: { amount: r.amount, otherPayee: other ? 1 : 0 },
    facts: [
      ["客户", r.partyName],
      ["来源", REFUND_SOURCE[r.source][0]],
      ["在管余额", `${yuan(held)} 元`],
      ["方式", ROUTES[r.route][0]],
      ["收款人", other ? `${r.payeeName}（${r.relation}）` : r.payeeName],
      ["原因", r.reason],
    ],
    preview: [
      {
        title: "退回的款项",
        columns: [words("原流水"), words("支付日"), money("退款金额")],
        rows: parts.map((part) => [part.flowNo || "期初余额", part.paidOn ?? "", part.amount]),
      },
    ],
    hash: basisHash([id, r.amount, held >= r.amount, r.payeeName]),
  };
}

approves({
  type: "refund",
  title: "退款",
  group: "财务",
  kind: "refund",
  page: "/accountManage/RefundManage",
  permit: "108.query",
  fields: [
    { key: "amount", title: "金额", kind: "money" },
    { key: "otherPayee", title: "收款人与客户不一致", kind: "flag" },
  ],
  outlook: outlookOf,
  effect: async (act: Act, { id, payload }) => {
    const r = await readRefund(act, id, true);
    if (!r) throw notFound();
    await (isOfPayee(payload) ? takeProposed(act, r) : approveNow(act, r));
  },
});

/** A refund waits where a process says so: answers the number of the approval, or null. */
export async function proposeRefund(act: Act, r: Refund): Promise<string | null> {
  const { waiting } = await propose(act, "refund", [
    { recordId: r.id, villageId: r.villageId, payload: {}, reason: r.reason },
  ]);
  return waiting[0]?.examineNo ?? null;
}

type Taken = { source: string; flowId: number | null; amount: Fen };

/** Approved: the money leaves what is held and is owed back (E12). Two at once: the second finds too little left. */
export async function approveNow(act: Act, r: Refund): Promise<void> {
  const state = REFUND_MOVES.next("approve", r);
  if (isHeld(r)) await takeHeld(act, r);
  await moveRefund(act, r, state, { approvedAt: act.now.toISOString() });
  await noteRefund(act, r, "退款审批通过", `${yuan(r.amount)} 元待支付`);
  await settleTold?.(act, r);
}

async function takeHeld(act: Act, r: Refund & Holding): Promise<void> {
  await lockHolding(act, r);
  const balances = await balancesOf(act, r, r.id);
  if (sumOf(balances, r.source, "held") < r.amount) throw new Refusal("notAllowed", "可退余额不足");
  const split = await splitOf(act, r.id);
  const parts = await planParts(act, r, balances, r.amount, { lock: true, except: r.id, split });
  await keepParts(act, r.id, parts);
  await post(act, [owedBackEntry(r, parts, act.today)]);
  await changeHeld(act, r, parts, -1);
}

/** What the money is taken from: of an application as its applicant wants it, from the approval on for good. */
async function keepParts(act: Act, refundId: number, parts: readonly Taken[]): Promise<void> {
  await act.tx.deleteFrom("refundPart").where("refundId", "=", refundId).execute();
  await act.tx
    .insertInto("refundPart")
    .values(parts.map(({ source, flowId, amount }, seq) => ({ refundId, seq, source, flowId, amount })))
    .execute();
}

/** How the applicant of a refund that is not approved wants it to be taken; undefined: the newest money first. */
async function splitOf(read: Pick<Read, "tx">, refundId: number): Promise<Split | undefined> {
  const parts = await read.tx
    .selectFrom("refundPart")
    .select(["flowId", "amount"])
    .where("refundId", "=", refundId)
    .execute();
  return parts.length ? parts : undefined;
}

/** Takes the money out of its balance, or gives it back there. */
async function changeHeld(act: Act, r: Refund, parts: readonly Taken[], sign: 1 | -1): Promise<void> {
  const { villageId, contractId } = r;
  if (r.source === "earnest")
    return addEarnest(act, [{ billId: r.sourceId, villageId, amount: sign * r.amount }]);
  const sum = (of: readonly Taken[]) => sign * of.reduce((total, p) => total + p.amount, 0);
  const deposit = sum(parts.filter((p) => p.source === "deposit"));
  if (deposit) {
    await addHeld(act, [{ contractId: contractId!, kind: "deposit", villageId, amount: deposit }]);
    await keepContractMoney(act, [contractId]);
  }
  const prepaid = parts.filter((p) => p.source === "prepaid");
  await addPrepaid(act, villageId, r.partyId, sum(prepaid), sum(prepaid.filter((p) => p.flowId === null)));
  for (const { flowId, amount } of prepaid)
    if (flowId !== null)
      await sql`update flow set refunded = refunded - ${sign * amount}, updated_at = ${act.now.toISOString()},
        version = version + 1 where id = ${flowId}`.execute(act.tx);
}

/** It will not be paid: what was taken goes back to where it was held, by the mirror of its entry. */
export async function dropRefund(
  act: Act,
  r: Refund,
  to: Extract<RefundState, "rejected" | "cancelled">,
  reason: string,
): Promise<void> {
  const owed = r.status === "toPay" || r.status === "failed";
  const state = REFUND_MOVES.next(to === "rejected" ? "reject" : "cancel", r);
  if (owed && isHeld(r)) {
    await lockHolding(act, r);
    const parts = await act.tx
      .selectFrom("refundPart")
      .select(["source", "flowId", "amount"])
      .where("refundId", "=", r.id)
      .execute();
    const [posted] = await entriesOf(act, { sourceType: "refund", sourceIds: [r.id], events: ["E12"] });
    const as = {
      event: "E12",
      sourceType: "refund",
      sourceId: r.id,
      seq: 1,
      businessDate: act.today,
    } as const;
    await post(act, [mirrorOf(posted!, { ...as, memo: reason })]);
    await changeHeld(act, r, parts, 1);
  }
  // a line of a channel that it was to pay can be registered anew, under the number that the channel gave
  await sql`update refund_attempt set state = 'replaced', channel_refund_no = channel_refund_no || '#' || id
    where refund_id = ${r.id} and told_line_id is not null and state = 'requested'`.execute(act.tx);
  await moveRefund(act, r, state, { endReason: reason });
  await noteRefund(act, r, `退款${REFUND_STATE[to][0].slice(1)}`, reason);
  if (r.source === "earnest") await earnestOwner().dropped(act, r.id, reason);
  if (r.source === "transfer") await keepTransfer!(act, r.id, reason);
}

/** Whoever asked for it takes it back with the act that it came of; refused once it is on its way. */
export async function takeBack(act: Act, id: number, reason: string): Promise<void> {
  // an approval is locked before its record, as a decision does it
  await dropExamines(act, "refund", [id], reason);
  const refund = await readRefund(act, id, true);
  if (!refund) throw notFound();
  if (refund.status === "cancelled" || refund.status === "rejected") return;
  if (refund.paid > 0 || refund.status === "paying")
    throw new Refusal("notAllowed", `退款 ${refund.refundNo} 已支付或支付中，不能撤销`);
  await dropRefund(act, refund, "cancelled", reason);
}

/** Earnest money goes back whole, by the way that is proposed; its account can follow before it is paid. */
export async function refundEarnest(act: Act, billId: number, reason: string): Promise<Applied> {
  const [bill] = await lockBills(act, [billId]);
  if (!bill) throw notFound();
  const amount = await earnestHeld(act, billId);
  if (!amount) throw new Refusal("notAllowed", "可退余额不足");
  return applyRefund(act, {
    source: "earnest",
    sourceId: billId,
    villageId: bill.villageId,
    amount,
    reason,
    later: true,
  });
}
