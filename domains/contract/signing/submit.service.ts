import { sql } from "kysely";
import { addDays, timeInZone } from "../../../platform/kernel/day.ts";
import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { release, take, type Taking } from "../../listing/occupancy/occupancy.service.ts";
import { standAgain, standAside } from "../../customer/reservation/reservation.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { propose, withdrawExamine } from "../../approval/examine/propose.service.ts";
import { type ContractRecord, contractRecord, nextOf, recordById } from "../contract/record.queries.ts";
import { followAct, giverOf } from "../succession/succession.service.ts";
import { endSignings, live, refuseSigned, awaitsSeal } from "../act/signing.service.ts";
import { configOf } from "../config/config.service.ts";
import { approvalOf } from "../preview/preview.rules.ts";
import { type Arranged, arranged } from "./arranged.service.ts";
import type { SignerRole } from "../config/sign.rules.ts";
import { lessorFor, sealsFor, type SealToSet } from "../seal/seal.service.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { roomsText } from "../contract/contract.rules.ts";
import { templateFor } from "../template/template.service.ts";
import { creditGranted } from "../preview/credit.service.ts";
import { forbidText, heldOver, snapshotOf } from "../contract/facts.queries.ts";
import { agree, heldOverText, weighDraft, type Weighed } from "../preview/preview.service.ts";

export type Moved = { id: number; state: string; version: number };
/** With the number of the approval that it waits for now. */
export type Submitted = Moved & { examineNo: string | null };

/**
 * Hands a draft in: its rooms are held, everything it rests on is copied into it. It waits for approval where a process says so, else
 * it is to be signed until the deadline. Refused when the preview has changed since the person saw it, and when a room is taken (the
 * one who has it is named).
 */
export async function submit(
  act: Act,
  id: number,
  how: Arranged & {
    previewHash: string;
    blackListReason?: string | undefined;
    creditReason?: string | undefined;
    templateVersionId?: number | undefined;
    sendsLinks?: boolean | undefined;
    note?: string | undefined;
    /** With the one that it swaps rooms with. */
    both?: boolean;
  },
): Promise<Submitted> {
  const contract = await contractRecord(act, id, true);
  await nextOf(act, "submit", contract, how);
  if (how.sendsLinks && !act.who.permits.has(permitOf(contract.kind, "sign"))) throw forbidden();
  const first = await weighDraft(act, contract);
  const { forbids, reason: listed } = blackListed(act, first, how.blackListReason);
  const [unverified] = first.preview.obstacles.filter((o) => o.code === "unverified");
  if (unverified) throw new Refusal("unverified", unverified.msg, 422);
  const [gone] = first.preview.obstacles.filter((o) => o.code === "notAllowed");
  if (gone) throw new Refusal("notAllowed", gone.msg, 409);
  const credit = await creditGranted(act, first, how.creditReason);
  const { seal, said, kept } = await arranged(act, contract, how);
  const roomIds = contract.rooms.map((r) => r.roomId);
  await standAside(act, contract, roomIds);
  await take(act, await holdsOf(act, contract));
  const [held] = await heldOver(act, roomIds, [id, contract.previousId, giverOf(contract)]);
  if (held) throw new Refusal("roomTaken", heldOverText(held));
  // a price that changed while this waited for the room counts: the rooms are ours now, so what is read now stays
  const weighed = await weighDraft(act, contract);
  agree(weighed, how.previewHash);
  const mayBelow = act.who.permits.has(permitOf(contract.kind, "belowLowest"));
  if (weighed.below && !weighed.judged && !mayBelow) throw new Refusal("belowLowest", weighed.below, 422);
  const template = await templateFor(act, contract, how.templateVersionId);
  const waits = weighed.preview.waitsAt.join(" → ");
  const sendsLinks = Boolean(waits && how.sendsLinks);
  const moved = await keep(act, weighed, how.previewHash, seal, {
    ...kept,
    sendsLinks,
    blackListReason: listed,
    blackListForbids: forbids,
    creditReason: credit,
    templateVersionId: template?.versionId ?? null,
  });
  const until = timeInZone(deadlineOf(act, weighed.config), act.settings.TIME_ZONE).slice(0, 16);
  const notes = [
    `提交签约，占用 ${roomsText(contract.roomNames)}（${contract.start} 至 ${contract.end}），${waits ? `待审批：${waits}` : `签署截止 ${until}`}`,
    weighed.below && `${weighed.below}，由${weighed.judged ? "审批人决定" : "持权限人确认"}`,
    listed && `黑名单客户签约：${listed}`,
    credit && `超授信签约：${credit}`,
    template && `合同模板 ${template.name} 第 ${template.no} 版`,
    said,
    sendsLinks && "审批通过后自动发起电子签署",
    weighed.preview.unverified,
  ];
  await noteAll(act, contract, "提交签约", notes.filter(Boolean).join("；"), {
    previewHash: how.previewHash,
  });
  const reason = how.note || `提交签约 ${contract.contractNo}`;
  const { waiting } = await propose(act, approvalOf(contract), [
    { recordId: id, villageId: contract.villageId, payload: {}, reason },
  ]);
  await followAct(act, id, "approving");
  if (waiting[0]) return { ...moved, examineNo: waiting[0].examineNo };
  return { ...(await openSigning(act, contract)), examineNo: null };
}

const deadlineOf = (act: Act, { holdDays }: { holdDays: number }) =>
  new Date(act.now.getTime() + holdDays * 86_400_000);

/** Nothing stands before the signatures any more: the deadline runs from now. */
export async function openSigning(act: Act, contract: ContractRecord): Promise<Moved> {
  await followAct(act, contract.id, "signing");
  return act.tx
    .updateTable("contract")
    .set({
      state: "signing",
      signDeadline: deadlineOf(act, await configOf(act, contract)),
      version: contract.version + 1,
      updatedAt: act.now,
      updatedBy: act.who.operatorId,
    })
    .where("id", "=", contract.id)
    .where("state", "=", "approving")
    .returning(["id", "state", "version"])
    .executeTakeFirstOrThrow();
}

/** The rooms over the term; where a lease that gives them up still keeps others out, only what comes after that lease. */
async function holdsOf(act: Act, contract: ContractRecord): Promise<Taking[]> {
  const giver = giverOf(contract);
  const previous = giver === null ? undefined : await recordById(act, giver);
  const from = previous ? addDays(previous.end!, 1) : contract.start!;
  const to = contract.end!;
  if (from > to) return [];
  return contract.rooms.map(({ roomId }) => ({
    roomId,
    from,
    to,
    kind: "reservation",
    contractId: contract.id,
  }));
}

/** A hit on the black list is signed only by who may, and only with a reason that stays on record. */
function blackListed(
  act: Act,
  { contract, listed }: Weighed,
  reason: string | undefined,
): { reason: string | null; forbids: boolean } {
  const [any] = listed;
  if (!any) return { reason: null, forbids: false };
  const worst = listed.find((hit) => hit.level === "forbid");
  if (worst && !act.who.permits.has(permitOf(contract.kind, "blackListed")))
    throw new Refusal("blackListed", forbidText(worst));
  if (!reason)
    throw invalid({
      field: "blackListReason",
      msg: `${(worst ?? any).whom}在黑名单中，请填写签约原因（2-200字）`,
    });
  return { reason, forbids: worst !== undefined };
}

/** The title of its invoices as the paper names it from now on. */
async function titleNamed(act: Act, { titleId }: ContractRecord): Promise<{ invoiceTitle?: string }> {
  const title = titleId ? await aRow(act, "invoiceTitle", ["title", "taxNo"], { id: titleId }) : undefined;
  return title ? { invoiceTitle: title.taxNo ? `${title.title}（税号 ${title.taxNo}）` : title.title } : {};
}

async function keep(
  act: Act,
  { contract, rooms, party, plan }: Weighed,
  previewHash: string,
  seal: SealToSet | undefined,
  reasons: {
    blackListReason: string | null;
    blackListForbids: boolean;
    creditReason: string | null;
    templateVersionId: number | null;
    sealId: number | null;
    linkHours: number | null;
    signOrder: SignerRole[] | null;
    sendsLinks: boolean;
  },
): Promise<Moved> {
  const { villageId, kind: contractKind } = contract;
  const lessor = await lessorFor(act, { villageId, contractKind }, seal);
  await sql`
    update contract_room cr set name = r.name, kind = r.kind, area = r.area, capacity = r.capacity,
      list_price = r."listPrice", lowest_price = r."lowestPrice", join_date = ${contract.start}
    from json_to_recordset(${JSON.stringify(rooms)}::json) r("roomId" bigint, name text, kind text, area numeric,
      capacity int, "listPrice" bigint, "lowestPrice" bigint)
    where cr.contract_id = ${contract.id} and cr.room_id = r."roomId"`.execute(act.tx);
  return act.tx
    .updateTable("contract")
    .set({
      state: "approving",
      previewHash,
      signDeadline: null,
      partySnapshot: JSON.stringify({ ...snapshotOf(party!), ...(await titleNamed(act, contract)) }),
      partyId: contract.partyId,
      partyName: party!.name,
      lessorSnapshot: lessor && JSON.stringify(lessor),
      roomNames: rooms.map((r) => r.name).join("、"),
      terms: JSON.stringify(contract.terms),
      netRent: plan.totals.netMonthlyRent,
      depositAmount: plan.totals.deposit,
      chainId: contract.id,
      submittedBy: act.who.operatorId || null,
      ...reasons,
      version: contract.version + 1,
      updatedAt: act.now,
      updatedBy: act.who.operatorId,
    })
    .where("id", "=", contract.id)
    .returning(["id", "state", "version"])
    .executeTakeFirstOrThrow();
}

/** The same line on the timelines of the contract and of its rooms. */
export async function noteAll(
  act: Act,
  contract: Pick<ContractRecord, "id" | "contractNo" | "villageId" | "rooms">,
  action: string,
  summary: string,
  after?: object,
): Promise<void> {
  const entry = { number: contract.contractNo, villageId: contract.villageId, action, summary };
  await act.note([
    { ...entry, kind: "contract", recordId: contract.id, after },
    ...contract.rooms.map((r) => ({ ...entry, kind: "room", recordId: r.roomId })),
  ]);
}

/** The signing of a contract by itself. */
export const alone = (contractId: number) => ({ contractId, actId: null });

/** Ends what is being signed of a contract; those who would have set the seal that it waits for hear that it needs none. */
export async function endPresented(
  act: Act,
  contract: ContractRecord,
  state: "cancelled" | "expired",
  why: string,
): Promise<void> {
  const sealers = await sealersOf(act, contract);
  await endSignings(act, alone(contract.id), state, why);
  await tell(act, {
    to: sealers.filter((id) => id !== act.who.operatorId),
    type: 3,
    title: `${contract.contractNo} 不再待盖章`,
    content: `${contract.partyName}的合同 ${contract.contractNo} 不需要再盖章：${why}`,
    // whoever only sets seals may not open contracts
    bizType: "waitingSeal",
    bizId: contract.id,
    villageId: contract.villageId,
  });
}

/** The operators of the seal that a signing of the contract waits for. */
async function sealersOf(act: Act, { id, villageId, kind, lessor }: ContractRecord): Promise<number[]> {
  const flow = await live(act, alone(id)).select("w.sealId").where(awaitsSeal).executeTakeFirst();
  if (!flow) return [];
  const { seals } = await sealsFor(act, { villageId, contractKind: kind, lessorId: lessor?.id });
  const seal = flow.sealId === null ? seals[0] : seals.find((one) => one.id === flow.sealId);
  return seal?.operatorIds ?? [];
}

/** Takes a contract back into a draft: by a person, or by the clock when nobody signed in time. Its rooms are free again. */
export async function backToDraft(
  act: Act,
  contract: ContractRecord,
  action: string,
  why: string,
): Promise<Moved> {
  await endPresented(act, contract, action === "签署过期" ? "expired" : "cancelled", why);
  await release(act, { contractId: contract.id });
  await standAgain(act, contract.id);
  const moved = await act.tx
    .updateTable("contract")
    .set({
      state: "draft",
      signDeadline: null,
      templateVersionId: null,
      sealId: null,
      linkHours: null,
      signOrder: null,
      sendsLinks: false,
      version: contract.version + 1,
      updatedAt: act.now,
      updatedBy: act.who.operatorId || null,
    })
    .where("id", "=", contract.id)
    .returning(["id", "state", "version"])
    .executeTakeFirstOrThrow();
  await followAct(act, contract.id, "handling");
  await noteAll(act, contract, action, why);
  return moved;
}

export async function withdraw(act: Act, id: number, reason: string): Promise<Moved> {
  const { state, kind } = await contractRecord(act, id);
  if (state === "approving") {
    const anybody = act.who.permits.has(permitOf(kind, "sign"));
    await withdrawExamine(act, "contract", id, { why: reason || "撤回签约", anybody });
    return (await recordById(act, id))!;
  }
  const contract = await contractRecord(act, id, true);
  await nextOf(act, "withdraw", contract);
  await refuseSigned(act, alone(id), "承租方已签署，等待盖章，不能撤回");
  return backToDraft(act, contract, "撤回", reason ? `撤回签约：${reason}` : "撤回签约，释放房间");
}
