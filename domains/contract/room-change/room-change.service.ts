import { addDays } from "../../../platform/kernel/day.ts";
import { TOO_LARGE, isAmount, yuan } from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { takeBack } from "../../finance/refund/refund.service.ts";
import { dueAfter } from "../../finance/setoff/recut.service.ts";
import type { Standing } from "../../finance/setoff/setoff.service.ts";
import type { ActRecord } from "../act/act.queries.ts";
import { type Outcome, type Part } from "../act/act.service.ts";
import { type ContractRecord } from "../contract/record.queries.ts";
import { unreadObstacles } from "../inspection/inspection.queries.ts";
import { type WorkedChange, changeTables, previewOf } from "../recut/preview.service.ts";
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
import { billedCharges, chargeBill, checkCharges } from "../settlement/charge.service.ts";
import type { AddDraft, ReturnDraft } from "./room-change.contract.ts";
import { left, returnErrors } from "./room-change.rules.ts";
import {
  DONE,
  checkJoining,
  depositMade,
  factsOf,
  heldOf,
  holdsOf,
  joinChange,
  joiningObstacles,
  type Leaving,
  leavingDeposit,
  letJoining,
  letLeave,
  letReturn,
  namesOf,
  refundLeft,
  refuseChanged,
  refuseOther,
  removeJoined,
  shared,
  type Stays,
} from "./rooms.service.ts";

async function checkAdd(read: Read, contract: ContractRecord, draft: AddDraft): Promise<void> {
  await refuseOther(read, contract, "addRooms");
  const { start, end } = heldOf(contract);
  if (draft.effectiveOn < start)
    throw invalid({ field: "effectiveOn", msg: `加房日不能早于起租日 ${start}` });
  if (draft.effectiveOn > end) throw invalid({ field: "effectiveOn", msg: `加房日不能晚于到期日 ${end}` });
  await checkJoining(read, contract, draft);
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
  const obstacles = await joiningObstacles(read, contract, change, worked.dueNow);
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
  await letJoining(act, contract, record, change);
  const booked = await carryRecut(act, contract, record, change, worked, standing, {
    reason: `加房 ${record.actNo}`,
    depositChange: depositMade(worked),
    roomNames: namesOf(change.next.rooms),
  });
  return { ...DONE, net: weighed.net, trace: { ...booked.trace, bills: weighed.bills } };
}

async function undoAdd(act: Act, contract: ContractRecord, record: ActRecord<AddDraft>): Promise<void> {
  await undoRecut(act, contract, record, "加房");
  await removeJoined(act, contract, record.payload);
}

/** What was asked for before there were charges has none. */
const chargesOf = ({ charges }: Partial<Pick<ReturnDraft, "charges">>) => charges ?? [];

async function checkReturn(read: Read, contract: ContractRecord, draft: ReturnDraft): Promise<void> {
  await refuseOther(read, contract, "returnRooms");
  const wrong = returnErrors(heldOf(contract), draft);
  if (wrong) throw invalid(wrong);
  await checkCharges(read, contract.villageId, chargesOf(draft));
}

async function weighReturn(
  read: Read,
  contract: ContractRecord,
  draft: ReturnDraft,
  locked?: Standing,
): Promise<WorkedChange & { part: Leaving }> {
  const standing = locked ?? (await standingFor(read, contract));
  const last = lastChargedDay(draft.effectiveOn, contract.terms.leaveDayCharged);
  const next = left(heldOf(contract), draft.roomIds, last);
  const change = { next, from: draft.effectiveOn };
  const worked = await weighRecut(read, contract, change, standing);
  const part = await leavingDeposit(read, contract, draft.roomIds, standing);
  worked.recutting.cuts.push(...part.cuts);
  const deposit = Math.min(draft.deposit ?? part.paid, standing.deposit);
  const charges = chargesOf(draft);
  const charged = charges.reduce((sum, c) => sum + c.amount, 0);
  const due =
    dueAfter(standing, worked.recutting, read.today) + dueOfMade(worked, change, read.today) + charged;
  const obstacles: { code: string; msg: string }[] = await unreadObstacles(read, contract.id, draft.roomIds);
  const refuse = (msg: string) => obstacles.push({ code: "notAllowed", msg });
  if (draft.effectiveOn > read.today) refuse(`退房日 ${draft.effectiveOn} 未到，到日后才能确认`);
  if ((draft.deposit ?? 0) > standing.deposit)
    refuse(`退还押金不能超过在管押金 ${yuan(standing.deposit)} 元`);
  const refund = Math.max(0, deposit - due);
  if (charged && !isAmount(charged)) refuse(TOO_LARGE);
  const owed = Math.min(charged, Math.max(0, due - deposit));
  const shown = { worked, change, standing, today: read.today, deposit, refund, owed, obstacles };
  return { ...previewOf("returnRooms", contract, draft, { ...shown, charges }), part };
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
  const last = lastChargedDay(day, contract.terms.leaveDayCharged);
  const booked = await carryRecut(act, contract, record, change, worked, standing, {
    reason: `退部分房 ${record.actNo}`,
    deposit: weighed.deposit,
    depositChange: -part.agreed,
    rentOn: addDays(day, 1),
    roomNames: namesOf(change.next.rooms.filter((r) => !r.leaveDate)),
    charge: chargeBill(contract, billedCharges(chargesOf(record.payload)), {
      title: `退部分房扣款 ${record.actNo}`,
      dueDate: day,
      remark: reason,
      roomId: roomIds[0]!,
    }),
  });
  const refundId = await refundLeft(act, contract, record, booked.deposit, weighed.refund);
  const occupants = await letLeave(act, contract, roomIds, { day, last, actId: record.id, refundId });
  return {
    ...DONE,
    net: weighed.net,
    trace: { ...booked.trace, occupants, bills: weighed.bills },
    refundId,
  };
}

async function undoReturn(act: Act, contract: ContractRecord, record: ActRecord<ReturnDraft>): Promise<void> {
  if (record.refundId) await takeBack(act, record.refundId, `撤销退部分房 ${record.actNo}`);
  const trace = (await undoRecut(act, contract, record, "退部分房")) as RecutTrace & { occupants: Stays };
  const { roomIds, effectiveOn } = record.payload;
  await letReturn(act, contract, roomIds, effectiveOn, trace.occupants);
}

/** 加房. */
export const ADD_ROOMS: Part<AddDraft, WorkedChange> = {
  ...shared,
  kind: "addRooms",
  title: "加房",
  check: checkAdd,
  weigh: (read, contract, draft) => weighAdd(read, contract, draft),
  carryOut: carryAdd,
  undo: undoAdd,
  holds: holdsOf,
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
