import { addDays } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { takeBack } from "../../finance/refund/refund.service.ts";
import { dueAfter } from "../../finance/setoff/recut.service.ts";
import type { Standing } from "../../finance/setoff/setoff.service.ts";
import type { ActRecord } from "../act/act.queries.ts";
import type { Outcome, Part } from "../act/act.service.ts";
import type { ContractRecord } from "../contract/record.queries.ts";
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
import type { ExchangeDraft } from "./room-change.contract.ts";
import { left, leavingErrors } from "./room-change.rules.ts";
import {
  DONE,
  type Leaving,
  type Stays,
  checkJoining,
  depositMade,
  factsOf,
  heldOf,
  holdsOf,
  joinChange,
  joiningObstacles,
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
} from "./rooms.service.ts";

/** The last day of rooms that others take the place of, let and charged alike. */
const lastOf = ({ effectiveOn }: ExchangeDraft) => addDays(effectiveOn, -1);

/** It may be done to the contract as it stands; a price below the lowest was for who asked, not for who sets the seal. */
async function fits(read: Read, contract: ContractRecord, draft: ExchangeDraft): Promise<void> {
  await refuseOther(read, contract, "exchangeRooms");
  const held = heldOf(contract);
  const { effectiveOn, roomIds } = draft;
  if (effectiveOn <= held.start)
    throw invalid({ field: "effectiveOn", msg: `调换日须晚于起租日 ${held.start}` });
  if (effectiveOn > held.end)
    throw invalid({ field: "effectiveOn", msg: `调换日不能晚于到期日 ${held.end}` });
  const wrong = leavingErrors(held, roomIds, lastOf(draft));
  if (wrong) throw invalid(wrong);
}

async function check(read: Read, contract: ContractRecord, draft: ExchangeDraft): Promise<void> {
  await fits(read, contract, draft);
  await checkJoining(read, contract, draft);
}

type Weighed = WorkedChange & {
  leavers: Leaving;
  /** The deposit of the rooms that join. */
  asked: Fen;
};

/** Rooms that leave and rooms that join, in one recut: the deposit of the first is that of the others as far as it goes. */
async function weigh(
  read: Read,
  contract: ContractRecord,
  draft: ExchangeDraft,
  locked?: Standing,
): Promise<Weighed> {
  const { roomIds, effectiveOn } = draft;
  const standing = locked ?? (await standingFor(read, contract));
  const held = heldOf(contract);
  const leaving = left(held, roomIds, lastOf(draft));
  const whole = await joinChange(read, contract, draft, { ...held, ...leaving });
  const asked = depositMade(await weighRecut(read, contract, whole, standing));
  const leavers = await leavingDeposit(read, contract, roomIds, standing);
  const freed = Math.min(leavers.paid, standing.deposit);
  const change = { ...whole, carried: Math.min(freed, asked) };
  const worked = await weighRecut(read, contract, change, standing);
  worked.recutting.cuts.push(...leavers.cuts);
  const deposit = freed - change.carried;
  const due = dueAfter(standing, worked.recutting, read.today) + dueOfMade(worked, change, read.today);
  const obstacles = await joiningObstacles(read, contract, change, worked.dueNow);
  obstacles.push(...(await unreadObstacles(read, contract.id, roomIds)));
  if (effectiveOn > read.today)
    obstacles.push({ code: "notAllowed", msg: `调换日 ${effectiveOn} 未到，到日后才能确认` });
  const refund = Math.max(0, deposit - due);
  const shown = { worked, change, standing, today: read.today, deposit, refund, obstacles };
  return { ...previewOf("exchangeRooms", contract, draft, shown), leavers, asked };
}

async function carryOut(
  act: Act,
  contract: ContractRecord,
  record: ActRecord<ExchangeDraft>,
  previewHash: string,
): Promise<Outcome> {
  const { payload: draft, actNo } = record;
  await fits(act, contract, draft);
  const standing = await lockFor(act, contract);
  const { leavers, asked, ...weighed } = await weigh(act, contract, draft, standing);
  refuseChanged(weighed, previewHash);
  const { change, worked } = weighed;
  await letJoining(act, contract, record, change);
  const booked = await carryRecut(act, contract, record, change, worked, standing, {
    reason: `调换房间 ${actNo}`,
    deposit: weighed.deposit,
    depositChange: asked - leavers.agreed,
    roomNames: namesOf(change.next.rooms.filter((r) => !r.leaveDate)),
  });
  const refundId = await refundLeft(act, contract, record, booked.deposit, weighed.refund);
  const last = lastOf(draft);
  const occupants = await letLeave(act, contract, draft.roomIds, {
    day: last,
    last,
    actId: record.id,
    refundId,
  });
  const trace = { ...booked.trace, occupants, bills: weighed.bills };
  return { ...DONE, net: weighed.net, trace, refundId };
}

async function undo(act: Act, contract: ContractRecord, record: ActRecord<ExchangeDraft>): Promise<void> {
  const { payload: draft, actNo, refundId } = record;
  if (refundId) await takeBack(act, refundId, `撤销调换房间 ${actNo}`);
  const trace = (await undoRecut(act, contract, record, "调换房间")) as RecutTrace & { occupants: Stays };
  await removeJoined(act, contract, draft);
  await letReturn(act, contract, draft.roomIds, lastOf(draft), trace.occupants);
}

/** 调换房间: some rooms are given back and others take their place, in one act. */
export const EXCHANGE_ROOMS: Part<ExchangeDraft, WorkedChange> = {
  ...shared,
  kind: "exchangeRooms",
  title: "调换房间",
  check,
  weigh: (read, contract, draft) => weigh(read, contract, draft),
  carryOut,
  undo,
  holds: holdsOf,
  facts: (contract, draft, weighed) =>
    factsOf(contract, ["调换日", draft.effectiveOn], draft.rooms.length, weighed),
  tables: changeTables,
};
