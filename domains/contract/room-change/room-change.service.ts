import { sql } from "kysely";
import { type Day, addDays } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { applyRefund, takeBack } from "../../finance/refund/refund.service.ts";
import { dueAfter } from "../../finance/setoff/recut.service.ts";
import type { Standing } from "../../finance/setoff/setoff.service.ts";
import {
  closeLeaving,
  comeBack,
  freeRooms,
  release,
  shorten,
  startLeaving,
  take,
  withdrawLeaving,
} from "../../listing/occupancy/occupancy.service.ts";
import { overCreditText } from "../../customer/company/credit.rules.ts";
import { creditUse } from "../../customer/company/credit.service.ts";
import type { ActRecord } from "../act/act.queries.ts";
import { type Outcome, type Part, changedPreview } from "../act/act.service.ts";
import { mayAgreeOnPaper } from "../act/part.service.ts";
import { contractMoves } from "../contract/contract.rules.ts";
import { heldOver, roomFacts, takenBetween } from "../contract/facts.queries.ts";
import { type ContractRecord, contractFacts } from "../contract/record.queries.ts";
import { belowLowest } from "../preview/preview.rules.ts";
import {
  type WorkedChange,
  changeFacts,
  changeTables,
  previewOf,
  shownChange,
} from "../recut/preview.service.ts";
import type { Change } from "../recut/joining.rules.ts";
import {
  type RecutTrace,
  carryRecut,
  dueOfMade,
  lockFor,
  standingFor,
  undoRecut,
  weighRecut,
} from "../recut/recut.service.ts";
import { lastChargedDay } from "../schedule/carry.rules.ts";
import { scheduleErrors } from "../terms/check.rules.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import type { AddDraft, ReturnDraft } from "./room-change.contract.ts";
import { type DepositOf, depositOf, joined, left, returnErrors } from "./room-change.rules.ts";

const heldOf = (contract: ContractRecord) => ({ ...contract, start: contract.start!, end: contract.end! });

async function refuseOther(
  read: Read,
  contract: ContractRecord,
  move: "addRooms" | "returnRooms",
): Promise<void> {
  if (contract.kind !== "company") throw new Refusal("notAllowed", "只有企业合同可以加房或退部分房", 409);
  contractMoves.next(move, await contractFacts(read, contract));
}

async function joinChange(read: Read, contract: ContractRecord, draft: AddDraft): Promise<Change> {
  const facts = await roomFacts(
    read,
    draft.rooms.map((r) => r.roomId),
    draft.effectiveOn,
  );
  const strange = draft.rooms.findIndex((_, i) => facts[i]?.villageId !== contract.villageId);
  if (strange >= 0) throw invalid({ field: `rooms.${strange}.roomId`, msg: "请选择该门店的房间" });
  const next = joined(heldOf(contract), draft, facts);
  const deposits = draft.rooms.map(({ roomId, deposit }) => ({ roomId, amount: deposit ?? 0 }));
  return { next, from: draft.effectiveOn, joining: draft.rooms.map((r) => r.roomId), deposits };
}

async function checkAdd(read: Read, contract: ContractRecord, draft: AddDraft): Promise<void> {
  await refuseOther(read, contract, "addRooms");
  const { start, end, rooms } = heldOf(contract);
  if (draft.effectiveOn < start)
    throw invalid({ field: "effectiveOn", msg: `加房日不能早于起租日 ${start}` });
  if (draft.effectiveOn > end) throw invalid({ field: "effectiveOn", msg: `加房日不能晚于到期日 ${end}` });
  const twice = draft.rooms.findIndex((r) => rooms.some((own) => own.roomId === r.roomId));
  if (twice >= 0) throw invalid({ field: `rooms.${twice}.roomId`, msg: "该房间已在合同内" });
  if (rooms.length + draft.rooms.length > 2000)
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

async function weighAdd(
  read: Read,
  contract: ContractRecord,
  draft: AddDraft,
  locked?: Standing,
): Promise<WorkedChange> {
  const change = await joinChange(read, contract, draft);
  const standing = locked ?? (await standingFor(read, contract));
  const worked = await weighRecut(read, contract, change, standing);
  const names = new Map(change.next.rooms.map((r) => [r.roomId, r.name]));
  const ids = draft.rooms.map((r) => r.roomId);
  const taken = await takenBetween(read, ids, draft.effectiveOn, contract.end!, null);
  const obstacles = taken.slice(0, 5).map((t) => ({
    code: "roomTaken",
    msg: `${names.get(t.roomId)} 在 ${t.from} 至 ${t.to ?? "未定"} 已被 ${t.label} 占用`,
  }));
  for (const h of (await heldOver(read, ids, contract.id)).slice(0, 5))
    obstacles.push({ code: "roomTaken", msg: `${h.room} 原租客 ${h.contractNo} 到期未退` });
  const use = await creditUse(read, contract.partyId!, false);
  const over = use && overCreditText(use, worked.dueNow);
  if (over) obstacles.push({ code: "overCredit", msg: over });
  return previewOf("addRooms", contract, draft, { worked, change, standing, today: read.today, obstacles });
}

async function carryAdd(
  act: Act,
  contract: ContractRecord,
  record: ActRecord<AddDraft>,
  previewHash: string,
): Promise<Outcome> {
  await refuseOther(act, contract, "addRooms");
  const draft = record.payload;
  const standing = await lockFor(act, contract);
  const weighed = await weighAdd(act, contract, draft, standing);
  refuseChanged(weighed, previewHash);
  const { change, worked } = weighed;
  const ids = draft.rooms.map((r) => r.roomId);
  await take(
    act,
    ids.map((roomId) => ({
      roomId,
      from: draft.effectiveOn,
      to: contract.end!,
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
  const booked = await carryRecut(act, contract, record, change, worked, standing, {
    reason: `加房 ${record.actNo}`,
    depositChange: worked.recutting.made.reduce(
      (sum, m) => sum + (m.bill.kind === "deposit" ? m.bill.amount : 0),
      0,
    ),
    roomNames: namesOf(change.next.rooms),
  });
  return { ...DONE, net: weighed.net, trace: { ...booked.trace, bills: weighed.bills } };
}

async function undoAdd(act: Act, contract: ContractRecord, record: ActRecord<AddDraft>): Promise<void> {
  await undoRecut(act, contract, record, "加房");
  const ids = record.payload.rooms.map((r) => r.roomId);
  const { rows } = await sql<{ name: string }>`
    select r.name from contract_occupant o join contract_room r on r.contract_id = o.contract_id and r.room_id = o.room_id
    where o.contract_id = ${contract.id} and o.room_id = any(${ids}::bigint[]) limit 1`.execute(act.tx);
  if (rows[0]) throw new Refusal("notAllowed", `${rows[0].name} 已有入住人，不能撤销加房`, 409);
  await release(act, { contractId: contract.id, letRoomIds: ids });
  await act.tx
    .deleteFrom("contractRoom")
    .where("contractId", "=", contract.id)
    .where("roomId", "in", ids)
    .execute();
}

async function checkReturn(read: Read, contract: ContractRecord, draft: ReturnDraft): Promise<void> {
  await refuseOther(read, contract, "returnRooms");
  const wrong = returnErrors(heldOf(contract), draft);
  if (wrong) throw invalid(wrong);
}

async function weighReturn(
  read: Read,
  contract: ContractRecord,
  draft: ReturnDraft,
  locked?: Standing,
): Promise<WorkedChange & { part: DepositOf }> {
  const standing = locked ?? (await standingFor(read, contract));
  const last = lastChargedDay(draft.effectiveOn, contract.terms.leaveDayCharged);
  const next = left(heldOf(contract), draft.roomIds, last);
  const change = { next, from: draft.effectiveOn };
  const worked = await weighRecut(read, contract, change, standing);
  const { subjects } = standing.around;
  const isDeposit = (id: number) => subjects.of(id).kind === "deposit";
  const part = depositOf(contract.rooms, draft.roomIds, standing.bills, isDeposit);
  // a deposit that was never paid is not asked for any more
  for (const line of part.open)
    worked.recutting.cuts.push({
      lineId: line.id,
      back: line.outstanding,
      explain: { rule: "recut", before: line.amount + line.adjusted, amount: -line.outstanding },
    });
  const deposit = Math.min(draft.deposit ?? part.paid, standing.deposit);
  const due = dueAfter(standing.bills, worked.recutting, read.today) + dueOfMade(worked, change, read.today);
  const obstacles: { code: string; msg: string }[] = [];
  const refuse = (msg: string) => obstacles.push({ code: "notAllowed", msg });
  if (draft.effectiveOn > read.today) refuse(`退房日 ${draft.effectiveOn} 未到，到日后才能确认`);
  if ((draft.deposit ?? 0) > standing.deposit)
    refuse(`退还押金不能超过在管押金 ${yuan(standing.deposit)} 元`);
  const refund = Math.max(0, deposit - due);
  const shown = { worked, change, standing, today: read.today, deposit, refund, obstacles };
  return { ...previewOf("returnRooms", contract, draft, shown), part };
}

async function carryReturn(
  act: Act,
  contract: ContractRecord,
  record: ActRecord<ReturnDraft>,
  previewHash: string,
): Promise<Outcome> {
  await checkReturn(act, contract, record.payload);
  const { roomIds, effectiveOn: day, reason } = record.payload;
  const standing = await lockFor(act, contract);
  const { part, ...weighed } = await weighReturn(act, contract, record.payload, standing);
  refuseChanged(weighed, previewHash);
  const { change, worked } = weighed;
  const { id } = contract;
  const of = { contractId: id, letRoomIds: roomIds };
  const last = lastChargedDay(day, contract.terms.leaveDayCharged);
  await act.tx
    .updateTable("contractRoom")
    .set({ leaveDate: last })
    .where("contractId", "=", id)
    .where("roomId", "in", roomIds)
    .execute();
  const booked = await carryRecut(act, contract, record, change, worked, standing, {
    reason: `退部分房 ${record.actNo}`,
    deposit: weighed.deposit,
    depositChange: -part.agreed,
    rentOn: addDays(day, 1),
    roomNames: namesOf(change.next.rooms.filter((r) => !r.leaveDate)),
  });
  if (booked.deposit !== weighed.refund)
    throw new Error(`act ${record.actNo} shows a refund of ${weighed.refund} and books ${booked.deposit}`);
  const refund = booked.deposit
    ? await applyRefund(act, {
        source: "deposit",
        sourceId: id,
        villageId: contract.villageId,
        amount: booked.deposit,
        reason: `退部分房 ${record.actNo}：${reason}`.slice(0, 200),
        later: true,
      })
    : null;
  const { rows: occupants } = await sql<{ id: number; toDate: Day | null }>`
    with before as (select id, to_date from contract_occupant where contract_id = ${id} and room_id = any(${roomIds}::bigint[])
      and (to_date is null or to_date > ${day}::date) for update),
    gone as (update contract_occupant o set to_date = greatest(o.from_date, ${day}::date) from before b where o.id = b.id)
    select id, to_date "toDate" from before`.execute(act.tx);
  await startLeaving(act, of, day);
  await shorten(act, of, day);
  await freeRooms(act, of, day);
  await closeLeaving(act, of, day);
  return {
    ...DONE,
    net: weighed.net,
    trace: { ...booked.trace, occupants, bills: weighed.bills },
    refundId: refund?.id ?? null,
  };
}

async function undoReturn(act: Act, contract: ContractRecord, record: ActRecord<ReturnDraft>): Promise<void> {
  if (record.refundId) await takeBack(act, record.refundId, `撤销退部分房 ${record.actNo}`);
  const trace = (await undoRecut(act, contract, record, "退部分房")) as RecutTrace & {
    occupants: { id: number; toDate: Day | null }[];
  };
  const { roomIds, effectiveOn } = record.payload;
  await act.tx
    .updateTable("contractRoom")
    .set({ leaveDate: null })
    .where("contractId", "=", contract.id)
    .where("roomId", "in", roomIds)
    .execute();
  const of = { contractId: contract.id, letRoomIds: roomIds };
  await comeBack(act, { ...of, leaveDate: effectiveOn, lastDay: contract.end! });
  await withdrawLeaving(act, of);
  await sql`
    update contract_occupant o set to_date = r."toDate"
    from json_to_recordset(${JSON.stringify(trace.occupants)}::json) r(id bigint, "toDate" date) where o.id = r.id`.execute(
    act.tx,
  );
}

const DONE = { state: "done", refundId: null, billId: null } as const;
const namesOf = (rooms: readonly { name: string }[]) => rooms.map((r) => r.name).join("、");

function refuseChanged(weighed: WorkedChange, previewHash: string): void {
  if (weighed.previewHash !== previewHash) throw changedPreview(shownChange(weighed));
  const [obstacle] = weighed.obstacles;
  if (obstacle) throw new Refusal(obstacle.code, obstacle.msg, 409);
}

const nothing = () => Promise.resolve();
const shared = {
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

const factsOf = (
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

/** 加房. */
export const ADD_ROOMS: Part<AddDraft, WorkedChange> = {
  ...shared,
  kind: "addRooms",
  title: "加房",
  check: checkAdd,
  weigh: (read, contract, draft) => weighAdd(read, contract, draft),
  carryOut: carryAdd,
  undo: undoAdd,
  facts: (contract, draft, weighed) =>
    factsOf(contract, ["加房日", draft.effectiveOn], draft.rooms.length, weighed),
  tables: changeTables,
};

/** 退部分房. */
export const RETURN_ROOMS: Part<ReturnDraft, WorkedChange> = {
  ...shared,
  kind: "returnRooms",
  title: "退部分房",
  check: checkReturn,
  weigh: (read, contract, draft) => weighReturn(read, contract, draft),
  carryOut: carryReturn,
  undo: undoReturn,
  facts: (contract, draft, weighed) =>
    factsOf(contract, ["退房日", draft.effectiveOn], draft.roomIds.length, weighed),
  tables: changeTables,
};
