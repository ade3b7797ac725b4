import { sql } from "kysely";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { NEXT_VERSION, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope, seen } from "../../../platform/server/pipeline/scope.ts";
import { propose, withdrawExamine } from "../../approval/examine/propose.service.ts";
import {
  approves,
  money,
  type Outlook,
  type Wanted,
  words,
} from "../../approval/examine/registry.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { addPrepaid } from "../balance/balance.service.ts";
import { ownsFlows, reverseFlow } from "../flow/allocate.service.ts";
import { insertFlow, noteFlow } from "../flow/flow.service.ts";
import {
  carryOut,
  changed,
  type Ground,
  lockGround,
  type Preview,
  previewOn,
  readGround,
  type Receipt,
  refuseVoid,
} from "../flow/receive.service.ts";
import { bookingDay, post } from "../journal/journal.service.ts";
import { keyOf } from "../allocation/allocation.rules.ts";
import { checkPayer, noteParty } from "../payer/payer.service.ts";
import {
  CLAIM_MOVES,
  claimEntry,
  type ClaimState,
  CORPORATE,
  isOther,
  type Paid,
  sumOf,
} from "./claim.rules.ts";
import { changeLine, type Line, lineOf, lineUnder, lockLine, noteLine } from "./line.service.ts";

export type ClaimAsked = {
  lineId: number;
  villageId: number;
  partyId: number;
  amount: Fen;
  wants: readonly Paid[];
};
export type ClaimGiven = ClaimAsked & {
  restToPrepaid: boolean;
  reason: string;
  fileIds: readonly number[];
  previewHash: string;
};

/** A claim as acts work with it. */
export type Claim = ClaimAsked & {
  id: number;
  claimNo: string;
  partyName: string;
  restToPrepaid: boolean;
  reason: string;
  status: ClaimState;
  flowId: number | null;
  version: number;
};

async function readClaim(read: Pick<Read, "tx">, id: number, lock = false): Promise<Claim> {
  const { rows } = await sql<Claim>`
    select c.id, c.claim_no "claimNo", c.bank_line_id "lineId", c.village_id "villageId", c.party_id "partyId",
      p.name "partyName", c.amount, c.wants, c.rest_to_prepaid "restToPrepaid", c.reason, c.state status,
      c.flow_id "flowId", c.version
    from claim c join party p on p.id = c.party_id where c.id = ${id} ${lock ? sql`for update of c` : sql``}`.execute(
    read.tx,
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** The line of a claim, then the claim: the order of every act on both. */
async function lockClaim(act: Act, id: number): Promise<{ line: Line; claim: Claim }> {
  const { lineId } = await readClaim(act, id);
  const line = await lockLine(act, lineId);
  return { line, claim: await readClaim(act, id, true) };
}

const receiptOf = (line: Line, of: ClaimAsked): Receipt => ({
  villageId: of.villageId,
  partyId: of.partyId,
  amount: of.amount,
  merchantAccountId: line.accountId,
  paidAt: new Date(line.occurredAt).toISOString(),
  paidOn: line.day,
  wants: of.wants,
  usePrepaid: false,
});

export type ClaimPreview = Preview & {
  /** What of the line is free, before and after. */
  free: Fen;
  rest: Fen;
  /** Somebody else than the customer has paid: that wants a proof. */
  otherPayer: boolean;
};

const MORE_THAN_FREE = "认领金额超过流水未认领余额";

/** What a claim would pay, as of the day of the money. */
export async function previewClaim(read: Read, of: ClaimAsked): Promise<ClaimPreview> {
  inScope(read.who, of.villageId);
  await checkPayer(read, of.villageId, of.partyId);
  const line = await lineOf(read, of.lineId);
  return outcomeOf(read, line, of, await readGround(read, receiptOf(line, of)));
}

/** What claims of the same charges wait for approval, by charge. */
async function pendingOf(read: Pick<Read, "tx">, wants: readonly Paid[]): Promise<Map<string, Fen>> {
  const { rows } = await sql<Paid>`
    select w."billId", w."lineId", sum(w.amount)::bigint amount
    from claim c, jsonb_to_recordset(c.wants) w("billId" bigint, "lineId" bigint, amount bigint)
    where c.state = 'approving' and w."billId" = ${anyOf(wants.map((want) => want.billId))}
    group by 1, 2`.execute(read.tx);
  return new Map(rows.map((row) => [keyOf(row), row.amount]));
}

async function outcomeOf(read: Read, line: Line, of: ClaimAsked, ground: Ground): Promise<ClaimPreview> {
  if (of.amount > line.free) throw invalid({ field: "amount", msg: MORE_THAN_FREE });
  if (sumOf(of.wants) > of.amount) throw invalid({ field: "wants", msg: "账单合计超过认领金额" });
  refuseVoid(ground);
  const preview = await previewOn(read, receiptOf(line, of), ground, 0);
  const pending = await pendingOf(read, of.wants);
  for (const want of of.wants) {
    const owed = preview.rows.find((row) => keyOf(row) === keyOf(want))?.owed ?? 0;
    const waits = pending.get(keyOf(want)) ?? 0;
    if (want.amount > owed) throw invalid({ field: "wants", msg: "超过该费用的未收金额" });
    if (want.amount > owed - waits)
      throw invalid({ field: "wants", msg: `该费用另有 ${yuan(waits)} 元认领待审批` });
  }
  const postedOn = await bookingDay(read, {
    event: "E17",
    businessDate: read.today,
    villageIds: [of.villageId],
  });
  const party = await theRow(read, "party", ["name"], { id: of.partyId });
  const otherPayer = isOther(line.counterName, party.name);
  const hash = basisHash([preview.hash, line.id, line.version, line.free]);
  return { ...preview, hash, postedOn, free: line.free, rest: line.free - of.amount, otherPayer };
}

export type Submitted = { id: number; claimNo: string; waiting: string | null };

/**
 * Claims a part of a line for a customer. The amount is held on the line from here on; two at once: the second finds what
 * is left. Where nobody needs to approve it takes effect at once.
 */
export async function submitClaim(act: Act, given: ClaimGiven): Promise<Submitted> {
  const { villageId, partyId, amount, wants, restToPrepaid, reason, fileIds } = given;
  inScope(act.who, villageId);
  await checkPayer(act, villageId, partyId);
  const line = await lineOf(act, given.lineId, true);
  const preview = await outcomeOf(act, line, given, await lockGround(act, receiptOf(line, given)));
  if (preview.hash !== given.previewHash) throw changed(preview);
  if (preview.otherPayer && !fileIds.length)
    throw invalid({ field: "fileIds", msg: "付款人与客户不一致，请上传证明" });
  const [claimNo] = await act.numbers("RL");
  const now = act.now.toISOString();
  const by = act.who.operatorId || null;
  const { id } = await act.tx
    .insertInto("claim")
    .values({
      claimNo: claimNo!,
      bankLineId: line.id,
      villageId,
      partyId,
      amount,
      wants: JSON.stringify(wants),
      restToPrepaid,
      reason,
      state: "approving",
      createdAt: now,
      createdBy: by,
      updatedAt: now,
      updatedBy: by,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await changeLine(act, line.id, { reserved: amount });
  await attachFiles(act, fileIds, { targetKind: "claim", targetId: id, villageId, needs: "97.get" });
  const claim = await readClaim(act, id);
  await noteClaim(act, line, claim, "提交认领", reason);
  const said = reason || `认领 ${yuan(amount)} 元`;
  const proposal = { recordId: id, villageId, payload: {}, reason: said, fileIds };
  const { waiting } = await propose(act, "claim", [proposal]);
  if (!waiting.length) await approveClaim(act, id);
  return { id, claimNo: claimNo!, waiting: waiting[0]?.examineNo ?? null };
}

/** On the timelines of the claim, its line and its customer; the line is seen by stores that the claim is none of. */
async function noteClaim(act: Act, line: Line, claim: Claim, action: string, more: string): Promise<void> {
  const { claimNo, villageId, partyId } = claim;
  const said = `${claim.partyName} ${yuan(claim.amount)} 元${more ? `：${more}` : ""}`;
  await act.note({ kind: "claim", recordId: claim.id, number: claimNo, villageId, action, summary: said });
  await noteLine(act, line, action, `${yuan(claim.amount)} 元`);
  await noteParty(act, { villageId, partyId }, action, `对公流水 ${claimNo} ${yuan(claim.amount)} 元`);
}

/** What of a claim cannot be paid any more, and why. */
function whyShort(claim: Claim, preview: Preview, voided: boolean): string | undefined {
  if (preview.paid >= sumOf(claim.wants) || claim.restToPrepaid) return undefined;
  return voided ? "账单已作废，请修改认领" : "账单已收款，请修改认领";
}

const standing = (ground: Ground): Ground => ({
  ...ground,
  bills: ground.bills.filter((bill) => !bill.voidedAt),
});

/** What a claim would do now, over bills that were read or locked. */
async function planned(read: Read, line: Line, claim: Claim, ground: Ground) {
  const alive = standing(ground);
  const wants = claim.wants.filter((want) => alive.bills.some((bill) => bill.id === want.billId));
  const preview = await previewOn(read, receiptOf(line, { ...claim, wants }), alive, 0);
  const why = whyShort(claim, preview, alive.bills.length < ground.bills.length);
  if (why) throw new Refusal("notAllowed", why);
  return { preview, ground: alive };
}

/** Approved: the money is the customer's (E17) and pays what was claimed for (E08), late fees as of its own day. */
async function approveClaim(act: Act, id: number): Promise<void> {
  const { line, claim } = await lockClaim(act, id);
  const state = CLAIM_MOVES.next("approve", claim);
  const { villageId, partyId, amount } = claim;
  const receipt = receiptOf(line, claim);
  const { preview, ground } = await planned(act, line, claim, await lockGround(act, receipt));
  const flow = {
    villageId,
    partyId,
    merchantAccountId: line.accountId,
    amount,
    paidAt: receipt.paidAt,
    paidOn: line.day,
  };
  const made = await insertFlow(act, {
    ...flow,
    direction: "in",
    kind: "receipt",
    roomId: ground.bills.find((bill) => bill.roomId)?.roomId ?? null,
    channel: "corporate",
    fee: 0,
    payerName: line.counterName.slice(0, 60),
    payerAccount: line.counterAccount.slice(0, 40),
    remark: `对公认领 ${claim.claimNo}`,
    state: "confirmed",
  });
  await post(act, [
    claimEntry({ ...flow, id: made.id, accountId: line.accountId, day: line.day }, act.today),
  ]);
  await addPrepaid(act, villageId, partyId, amount);
  // the flow stands already: what it pays is paid from the day that it is known whose it is
  const stages = preview.stages.map((stage) => ({ ...stage, flowId: stage.flowId ?? made.id }));
  await carryOut(act, { villageId, partyId }, { ...preview, stages }, ground.bills, ground.around);
  await changeLine(act, line.id, { reserved: -amount, claimed: amount });
  await act.tx
    .updateTable("claim")
    .set({ state, flowId: made.id, approvedAt: act.now.toISOString(), version: NEXT_VERSION, ...stamp(act) })
    .where("id", "=", id)
    .execute();
  const rest = preview.toPrepaid ? `，转入预存款 ${yuan(preview.toPrepaid)} 元` : "";
  await noteFlow(act, { ...made, villageId }, "认领", `对公认领 ${claim.claimNo}`);
  await noteClaim(act, line, claim, "认领通过", `流水 ${made.flowNo}${rest}`);
}

/** Rejected or withdrawn: releases the amount on its line. */
async function dropClaim(act: Act, id: number, how: "reject" | "withdraw", why: string): Promise<void> {
  const { line, claim } = await lockClaim(act, id);
  await endClaim(act, claim, CLAIM_MOVES.next(how, claim), why);
  await changeLine(act, line.id, { reserved: -claim.amount });
  await noteClaim(act, line, claim, how === "reject" ? "认领驳回" : "撤回认领", why);
}

async function endClaim(act: Act, claim: Claim, state: ClaimState, why: string): Promise<void> {
  await act.tx
    .updateTable("claim")
    .set({
      state,
      endedAt: act.now.toISOString(),
      endReason: why.slice(0, 200),
      version: NEXT_VERSION,
      ...stamp(act),
    })
    .where("id", "=", claim.id)
    .execute();
}

/** The submitter withdraws it before it is approved. */
export async function withdrawClaim(act: Act, id: number, version: number): Promise<void> {
  const claim = seen(act.who, await readClaim(act, id));
  CLAIM_MOVES.next("withdraw", claim);
  asSeen(claim, version);
  await withdrawExamine(act, "claim", id, { why: "提交人撤回", anybody: false });
}

/** An approved claim was wrong: what it paid is taken back and the line has the money again (E09, E10). */
export async function undoClaim(
  act: Act,
  id: number,
  of: { version: number; reason: string },
): Promise<void> {
  seen(act.who, await readClaim(act, id));
  const { claim } = await lockClaim(act, id);
  CLAIM_MOVES.next("undo", claim);
  asSeen(claim, of.version);
  const flow = await reverseFlow(act, claim.flowId!, of.reason);
  await noteFlow(act, flow, "冲销", `撤销认领 ${claim.claimNo}：${of.reason}`);
}

const claimOfFlow = async (act: Act, flowId: number): Promise<number> =>
  (await theRow(act, "claim", ["id"], { flowId })).id;

ownsFlows("corporate", {
  lock: async (act, flowId) => void (await lockClaim(act, await claimOfFlow(act, flowId))),
  reversed: async (act, flowId, reason) => {
    const { line, claim } = await lockClaim(act, await claimOfFlow(act, flowId));
    await endClaim(act, claim, CLAIM_MOVES.next("undo", claim), reason);
    await changeLine(act, line.id, { claimed: -claim.amount });
    await noteClaim(act, line, claim, "撤销认领", reason);
  },
});

async function outlookOf(read: Read, { id }: Wanted): Promise<Outlook> {
  const claim = await readClaim(read, id);
  if (claim.status !== "approving") throw new Refusal("notAllowed", "该认领单已处理，请重新认领");
  const line = await lineUnder(read, claim.lineId);
  const { preview } = await planned(read, line, claim, await readGround(read, receiptOf(line, claim)));
  const other = isOther(line.counterName, claim.partyName);
  return {
    title: `对公认领 ${claim.claimNo}`,
    number: claim.claimNo,
    opens: { page: CORPORATE, id: line.id },
    villageId: claim.villageId,
    amount: claim.amount,
    values: { amount: claim.amount, otherPayer: other ? 1 : 0 },
    facts: [
      ["客户", claim.partyName],
      ["对方户名", line.counterName || "—"],
      ["到账日", line.day],
      ["账户", line.accountName],
      ["流水金额", `${yuan(line.amount)} 元`],
      ["转入预存款", `${yuan(preview.toPrepaid)} 元`],
    ],
    preview: [
      {
        title: "认领的账单",
        columns: [words("账单"), words("费用"), money("未收"), money("本次认领")],
        rows: preview.rows.map((row) => [row.billNo, row.subject, row.owed, row.pay]),
      },
    ],
    // what its bills owe may change while it waits: the effect judges that by what the submitter chose
    hash: basisHash([id, claim.amount, claim.wants]),
  };
}

approves({
  type: "claim",
  title: "对公认领",
  group: "财务",
  kind: "claim",
  page: CORPORATE,
  permit: "97.query",
  fields: [
    { key: "amount", title: "金额", kind: "money" },
    { key: "otherPayer", title: "付款人与客户不一致", kind: "flag" },
  ],
  outlook: outlookOf,
  effect: (act, { id }) => approveClaim(act, id),
  dropped: (act, { id }, { state, why }) =>
    dropClaim(act, id, state === "withdrawn" ? "withdraw" : "reject", why),
});
