import { sql } from "kysely";
import { type Day } from "../../../platform/kernel/day.ts";
import { type Fen } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { applyRefund } from "../../finance/refund/refund.service.ts";
import type { LineCut } from "../../finance/setoff/setoff.rules.ts";
import type { Standing } from "../../finance/setoff/setoff.service.ts";
import {
  closeLeaving,
  comeBack,
  freeRooms,
  leaseHeld,
  release,
  shorten,
  startLeaving,
  take,
  withdrawLeaving,
} from "../../listing/occupancy/occupancy.service.ts";
import { cleanAfterLeaving, withdrawCleaning } from "../../listing/turnover/turnover.service.ts";
import { overCreditText } from "../../customer/company/credit.rules.ts";
import { creditUse } from "../../customer/company/credit.service.ts";
import type { ActRecord } from "../act/act.queries.ts";
import { ACT_KIND_WORDS } from "../act/act.rules.ts";
import { changedPreview } from "../act/act.service.ts";
import { type Draft, mayAgreeOnPaper } from "../act/part.service.ts";
import { configOf } from "../config/config.service.ts";
import { contractMoves } from "../contract/contract.rules.ts";
import type { RoomHeld } from "../contract/contract.rules.ts";
import { heldOver, joiningHeld, roomFacts, takenBetween } from "../contract/facts.queries.ts";
import { type ContractRecord, contractFacts } from "../contract/record.queries.ts";
import { belowLowest } from "../preview/preview.rules.ts";
import { type WorkedChange, changeFacts, shownChange } from "../recut/preview.service.ts";
import type { Change } from "../recut/joining.rules.ts";
import { scheduleErrors } from "../terms/check.rules.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import type { AddDraft } from "./room-change.contract.ts";
import { type DepositOf, depositOf, joined, tooMany } from "./room-change.rules.ts";

export const heldOf = (contract: ContractRecord) => ({
  ...contract,
  start: contract.start!,
  end: contract.end!,
});

export async function refuseOther(
  read: Read,
  contract: ContractRecord,
  move: "addRooms" | "returnRooms" | "exchangeRooms",
): Promise<void> {
  if (contract.kind !== "company")
    throw new Refusal("notAllowed", "只有企业合同可以加房、退部分房或调换房间", 409);
  contractMoves.next(move, await contractFacts(read, contract));
}

/** The contract with the rooms that join; `from` is what it is without those that leave. */
export async function joinChange(
  read: Read,
  contract: ContractRecord,
  draft: AddDraft,
  from = heldOf(contract),
): Promise<Change> {
  const facts = await roomFacts(
    read,
    draft.rooms.map((r) => r.roomId),
    draft.effectiveOn,
  );
  const strange = draft.rooms.findIndex((_, i) => facts[i]?.villageId !== contract.villageId);
  if (strange >= 0) throw invalid({ field: `rooms.${strange}.roomId`, msg: "请选择该门店的房间" });
  const next = joined(from, draft, facts);
  const deposits = draft.rooms.map(({ roomId, deposit }) => ({ roomId, amount: deposit ?? 0 }));
  return { next, from: draft.effectiveOn, joining: draft.rooms.map((r) => r.roomId), deposits };
}

/** What is wrong with rooms that are to join. A rent below the lowest price is for who may sign below it. */
export async function checkJoining(
  read: Read,
  contract: ContractRecord,
  draft: AddDraft & { roomIds?: readonly number[] },
): Promise<void> {
  const { rooms } = contract;
  for (const [at, { roomId }] of draft.rooms.entries()) {
    const own = rooms.find((room) => room.roomId === roomId);
    if (!own) continue;
    const msg = own.leaveDate
      ? `该房间已于 ${own.leaveDate} 退出本合同，再次承租请另签合同`
      : "该房间已在合同内";
    throw invalid({ field: `rooms.${at}.roomId`, msg });
  }
  if (tooMany(rooms, draft.rooms.length, draft.roomIds))
    throw invalid({ field: "rooms", msg: "一份合同最多2000间房" });
  const { next } = await joinChange(read, contract, draft);
  const input = scheduleOf({ ...heldOf(contract), ...next });
  const [wrong] = scheduleErrors(next.terms, input);
  if (wrong) {
    const at = Number(/^rooms\.(\d+)\./.exec(wrong.field)?.[1] ?? -1) - rooms.length;
    throw invalid({ field: at >= 0 ? `rooms.${at}.monthlyRent` : "rooms", msg: wrong.msg });
  }
  const lowest = next.rooms.map((r, i) => (i < rooms.length ? null : r.lowestPrice));
  const below = belowLowest(input, lowest);
  if (below && !read.who.permits.has("#1104")) throw new Refusal("belowLowest", below, 422);
}

const joiningText = {
  lived: "原租客尚未退房",
  leaving: "上一租约未结束",
  dirty: "待保洁，请先完成保洁",
} as const satisfies Record<RoomHeld["why"], string>;

/** Who has the rooms that are to join, and whether the company's credit is enough. */
export async function joiningObstacles(
  read: Read,
  contract: ContractRecord,
  { next, joining = [], from }: Change,
  dueNow: Fen,
): Promise<{ code: string; msg: string }[]> {
  const names = new Map(next.rooms.map((r) => [r.roomId, r.name]));
  const taken = await takenBetween(read, joining, from, contract.end!, contract.id);
  const obstacles = taken.slice(0, 5).map((t) => ({
    code: "roomTaken",
    msg: `${names.get(t.roomId)} 在 ${t.from} 至 ${t.to ?? "未定"} 已被 ${t.label} 占用`,
  }));
  for (const h of (await heldOver(read, joining, contract.id)).slice(0, 5))
    obstacles.push({ code: "roomTaken", msg: `${h.room} 原租客 ${h.contractNo} 到期未退` });
  // who lives in the others has moved into these as they join
  const moved = contract.handoverOn !== null && from <= read.today;
  for (const h of moved ? await joiningHeld(read, contract.id, joining) : [])
    obstacles.push({ code: "roomTaken", msg: `${h.room} ${joiningText[h.why]}` });
  const use = await creditUse(read, contract.partyId!, false);
  const over = use && overCreditText(use, dueNow);
  if (over) obstacles.push({ code: "overCredit", msg: over });
  return obstacles;
}

/** The rooms as they are held while the supplement waits for its signatures. */
export const holdsOf = (contract: ContractRecord, { rooms, effectiveOn: from }: AddDraft) =>
  rooms.map(({ roomId }) => ({ roomId, from, to: contract.end! }));

/** The deposit that rooms which join are billed for. */
export const depositMade = ({ recutting }: WorkedChange["worked"]): Fen =>
  recutting.made.reduce((sum, m) => sum + (m.bill.kind === "deposit" ? m.bill.amount : 0), 0);

/** Rooms join: what was held of them is let. One that was handed in before rooms were held takes them now. */
export async function letJoining(
  act: Act,
  contract: ContractRecord,
  { payload: draft, held }: ActRecord<AddDraft>,
  change: Change,
): Promise<void> {
  if (held) await leaseHeld(act, contract.id);
  else
    await take(
      act,
      holdsOf(contract, draft).map((hold) => ({
        ...hold,
        kind: "lease" as const,
        contractId: contract.id,
      })),
    );
  const added = change.next.rooms.slice(contract.rooms.length);
  await sql`
    insert into contract_room (contract_id, room_id, seq, name, kind, role, join_date, monthly_rent, area, capacity,
      list_price, lowest_price, deposit_amount)
    select ${contract.id}, r."roomId", r.seq, r.name, r.kind, 'main', ${draft.effectiveOn}::date, r."monthlyRent", r.area,
      r.capacity, r."listPrice", r."lowestPrice", coalesce(r.deposit, 0)
    from json_to_recordset(${JSON.stringify(
      added.map((room, i) => ({
        ...room,
        seq: contract.rooms.length + i,
        deposit: draft.rooms[i]!.deposit ?? null,
      })),
    )}::json) r("roomId" bigint, seq int, name text, kind text, "monthlyRent" bigint, area numeric, capacity int,
      "listPrice" bigint, "lowestPrice" bigint, deposit bigint)`.execute(act.tx);
}

/** The rooms that had joined are free again. */
export async function removeJoined(act: Act, contract: ContractRecord, { rooms }: AddDraft): Promise<void> {
  const ids = rooms.map((r) => r.roomId);
  const { rows } = await sql<{ name: string }>`
    select r.name from contract_occupant o join contract_room r on r.contract_id = o.contract_id and r.room_id = o.room_id
    where o.contract_id = ${contract.id} and o.room_id = any(${ids}::bigint[]) limit 1`.execute(act.tx);
  if (rows[0]) throw new Refusal("notAllowed", `${rows[0].name} 已有入住人，不能撤销`, 409);
  await release(act, { contractId: contract.id, letRoomIds: ids });
  await act.tx
    .deleteFrom("contractRoom")
    .where("contractId", "=", contract.id)
    .where("roomId", "in", ids)
    .execute();
}

export type Leaving = DepositOf & { cuts: LineCut[] };

/** What rooms that leave have of the deposit; what was never paid of it is not asked for any more. */
export async function leavingDeposit(
  read: Read,
  contract: ContractRecord,
  roomIds: readonly number[],
  { around: { subjects }, bills, deposit: held }: Standing,
): Promise<Leaving> {
  const { depositAmount } = await read.tx
    .selectFrom("contract")
    .select("depositAmount")
    .where("id", "=", contract.id)
    .executeTakeFirstOrThrow();
  const isDeposit = (id: number) => subjects.of(id).kind === "deposit";
  const { rooms, terms } = contract;
  const of = { rooms, deposit: terms.deposit, roomIds, bills, isDeposit };
  const part = depositOf(of, { held, agreed: depositAmount ?? 0 });
  const cuts = part.open.map((line) => ({
    lineId: line.id,
    back: line.outstanding,
    explain: { rule: "recut", before: line.amount + line.adjusted, amount: -line.outstanding },
  }));
  return { ...part, cuts };
}

/** What of the deposit nothing was set off against goes back. Answers the refund. */
export async function refundLeft(
  act: Act,
  contract: ContractRecord,
  { actNo, kind, payload }: ActRecord<Draft>,
  amount: Fen,
  shown: Fen,
): Promise<number | null> {
  if (amount !== shown) throw new Error(`act ${actNo} shows a refund of ${shown} and books ${amount}`);
  if (!amount) return null;
  const { id } = await applyRefund(act, {
    source: "deposit",
    sourceId: contract.id,
    villageId: contract.villageId,
    amount,
    reason: `${ACT_KIND_WORDS[kind][0]} ${actNo}：${payload.reason}`.slice(0, 200),
    later: true,
  });
  return id;
}

/** People who lived in rooms that left, and until when that was to be. */
export type Stays = { id: number; toDate: Day | null }[];

/** The money of rooms that left is not through: the refund of act a is not over, or what it charges is not paid. */
const OPEN_MONEY = sql`(exists (select from bill b where b.contract_id = a.contract_id and b.source = 'settlement'
    and b.source_id = a.id and b.outstanding > 0)
  or exists (select from refund r where r.id = a.refund_id and r.state not in ('paid', 'cancelled', 'rejected')))`;

type Of = { contractId: number; letRoomIds: readonly number[] };

async function freeLeft(act: Act, of: Of, day: Day): Promise<void> {
  await freeRooms(act, of, day);
  await cleanAfterLeaving(act, of, day);
  await closeLeaving(act, of, day);
}

/** Rooms that some contracts, or any, gave back and that waited for their money, which is through. */
export async function freeThrough(act: Act, contractIds?: readonly number[]): Promise<void> {
  const { rows } = await sql<Of & { actNo: string }>`
    select a.act_no "actNo", a.contract_id "contractId", a.payload->'roomIds' "letRoomIds" from contract_act a
    where a.contract_id = ${contractIds ? anyOf(contractIds) : sql`any(array(select contract_id from room_leaving where ended_on is null))`}
      and a.kind in ('returnRooms', 'exchangeRooms') and a.state = 'done'
      and exists (select from room_leaving l where l.contract_id = a.contract_id and l.ended_on is null
        and a.payload->'roomIds' @> to_jsonb(l.let_room_id))
      and not ${OPEN_MONEY}
    order by a.id for no key update of a`.execute(act.tx);
  await eachByItself(
    act,
    rows,
    ({ actNo }) => actNo,
    (of) => freeLeft(act, of, act.today),
  );
}

/**
 * Rooms leave: let and lived in up to `day`, charged up to `last`. They are free at once, or with the money of the act where the
 * store's settings wait for it. Answers who lived there.
 */
export async function letLeave(
  act: Act,
  contract: ContractRecord,
  roomIds: readonly number[],
  { day, last, actId, refundId }: { day: Day; last: Day; actId: number; refundId: number | null },
): Promise<Stays> {
  const { id } = contract;
  await act.tx
    .updateTable("contractRoom")
    .set({ leaveDate: last })
    .where("contractId", "=", id)
    .where("roomId", "in", roomIds)
    .execute();
  const of = { contractId: id, letRoomIds: roomIds };
  const { rows: occupants } = await sql<{ id: number; toDate: Day | null }>`
    with before as (select id, to_date from contract_occupant where contract_id = ${id} and room_id = any(${roomIds}::bigint[])
      and (to_date is null or to_date > ${day}::date) for update),
    gone as (update contract_occupant o set to_date = greatest(o.from_date, ${day}::date) from before b where o.id = b.id)
    select id, to_date "toDate" from before`.execute(act.tx);
  await startLeaving(act, of, day);
  await shorten(act, of, day);
  const { rows: open } = await sql`
    select from (select ${id}::bigint contract_id, ${actId}::bigint id, ${refundId}::bigint refund_id) a where ${OPEN_MONEY}`.execute(
    act.tx,
  );
  if (!open.length || (await configOf(act, contract)).freeRoomAt === "confirmed")
    await freeLeft(act, of, day);
  return occupants;
}

/** Rooms that had left after a day are let on as before. */
export async function letReturn(
  act: Act,
  contract: ContractRecord,
  roomIds: readonly number[],
  leaveDate: Day,
  occupants: Stays,
): Promise<void> {
  await act.tx
    .updateTable("contractRoom")
    .set({ leaveDate: null })
    .where("contractId", "=", contract.id)
    .where("roomId", "in", roomIds)
    .execute();
  const of = { contractId: contract.id, letRoomIds: roomIds };
  await comeBack(act, { ...of, leaveDate, lastDay: contract.end! });
  await withdrawLeaving(act, of);
  await withdrawCleaning(act, of);
  await sql`
    update contract_occupant o set to_date = r."toDate"
    from json_to_recordset(${JSON.stringify(occupants)}::json) r(id bigint, "toDate" date) where o.id = r.id`.execute(
    act.tx,
  );
}

export const DONE = { state: "done", refundId: null, billId: null } as const;

export const namesOf = (rooms: readonly { name: string }[]) => rooms.map((r) => r.name).join("、");

export function refuseChanged(weighed: WorkedChange, previewHash: string): void {
  if (weighed.previewHash !== previewHash) throw changedPreview(shownChange(weighed));
  const [obstacle] = weighed.obstacles;
  if (obstacle) throw new Refusal(obstacle.code, obstacle.msg, 409);
}

const nothing = () => Promise.resolve();

export const shared = {
  target: "amendment",
  approvalTitle: "合同变更",
  page: "/contract/CompanyContractPage?of=change",
  permit: "11.query",
  sheet: "补充协议",
  files: "11.get",
  byKind: false,
  mayAgree: mayAgreeOnPaper,
  begun: nothing,
  dropped: nothing,
} as const;

export const factsOf = (
  contract: ContractRecord,
  day: readonly [string, Day],
  rooms: number,
  weighed: WorkedChange,
) => [
  ["合同", contract.contractNo] as const,
  ["客户", contract.partyName] as const,
  day,
  ["房间数", `${rooms} 间`] as const,
  ...changeFacts(weighed),
];
