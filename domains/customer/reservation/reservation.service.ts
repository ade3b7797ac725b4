import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { freeEarnest, payFreed } from "../../finance/earnest/earnest.service.ts";
import { release } from "../../listing/occupancy/occupancy.service.ts";
import { leadSigned } from "../lead/step.service.ts";
import { lapse, move, noteReservation, takeRoom } from "./hold.service.ts";
import { readReservation, type Reservation } from "./record.queries.ts";
import { RESERVATION_MOVES } from "./reservation.rules.ts";

type Contract = { id: number; contractNo: string; villageId: number; partyId: number | null };

/**
 * A contract that is handed in takes the place of what its party reserved of its rooms: call it before the rooms are
 * taken, in the same transaction, so that nobody can slip between.
 */
export async function standAside(act: Act, contract: Contract, roomIds: readonly number[]): Promise<void> {
  if (contract.partyId === null) return;
  const rows = await act.tx
    .selectFrom("reservation")
    .select("id")
    .where("partyId", "=", contract.partyId)
    .where("roomId", "=", anyOf(roomIds))
    .where("state", "=", "held")
    .where("contractId", "is", null)
    .orderBy("id")
    .execute();
  for (const { id } of rows) {
    const r = (await readReservation(act, id, true))!;
    // another contract was quicker, or it has ended meanwhile: the timeline says who has the room
    if (r.status !== "held" || r.contractId !== null) continue;
    await refuseFrozen(act, "reservation", [id]);
    await release(act, { reservationId: id });
    await move(act, r, "held", { contractId: contract.id });
    await noteReservation(act, r, "转合同", `合同 ${contract.contractNo} 已提交，代替预订占用 ${r.roomName}`);
  }
}

async function ofContract(act: Act, contractId: number): Promise<Reservation[]> {
  const rows = await act.tx
    .selectFrom("reservation")
    .select("id")
    .where("contractId", "=", contractId)
    .where("state", "=", "held")
    .orderBy("id")
    .execute();
  const found = [];
  for (const { id } of rows) found.push((await readReservation(act, id, true))!);
  return found;
}

/** The contract fell back: what was reserved has its room again, or lapses when its day is over. */
export async function standAgain(act: Act, contractId: number): Promise<void> {
  for (const r of await ofContract(act, contractId)) await backOnTimeline(act, r);
}

async function backOnTimeline(act: Act, before: Reservation): Promise<void> {
  await move(act, before, "held", { contractId: null });
  const r = (await readReservation(act, before.id))!;
  if (r.holdUntil < act.today) return lapse(act, r, `合同未签署，保留期已于 ${r.holdUntil} 结束`);
  try {
    await takeRoom(act, r);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "roomTaken") throw error;
    return lapse(act, r, error.message);
  }
  await noteReservation(act, r, "恢复占用", `合同退回草稿，预订继续保留 ${r.roomName} 至 ${r.holdUntil}`);
}

/** The contract is signed and its bills stand: the earnest money becomes its first receipt. */
export async function becomeContract(act: Act, contract: Contract): Promise<void> {
  for (const r of await ofContract(act, contract.id)) await turnInto(act, r, contract);
}

async function turnInto(act: Act, r: Reservation, contract: Contract): Promise<void> {
  const state = RESERVATION_MOVES.next("sign", r);
  let used = "";
  if (r.held > 0) {
    const freed = await freeEarnest(act, r.billId!, `预订 ${r.number} 转合同 ${contract.contractNo}`);
    const paid = await payFreed(
      act,
      { villageId: r.villageId, partyId: r.partyId, contractId: contract.id },
      freed,
    );
    used = `，${r.earnestKind} ${yuan(paid)} 元抵作首期款`;
  }
  await move(act, r, state);
  await leadSigned(act, r.leadId);
  await noteReservation(act, r, "已转合同", `签订合同 ${contract.contractNo}${used}`);
}

/** Earnest money that the signing of a contract will use: of what its party reserved of its rooms. */
export async function earnestFor(
  read: Read,
  contract: Pick<Contract, "id" | "partyId">,
  roomIds: readonly number[],
): Promise<{ number: string; earnestKind: string; held: number }[]> {
  if (contract.partyId === null) return [];
  return read.tx
    .selectFrom("reservation as r")
    .innerJoin("earnestBalance as e", "e.billId", "r.billId")
    .select(["r.number", "r.earnestKind", "e.held"])
    .where("r.state", "=", "held")
    .where("e.held", ">", 0)
    .where((eb) =>
      eb.or([
        eb("r.contractId", "=", contract.id),
        eb.and([
          eb("r.contractId", "is", null),
          eb("r.partyId", "=", contract.partyId!),
          eb("r.roomId", "=", anyOf(roomIds)),
        ]),
      ]),
    )
    .orderBy("r.id")
    .execute();
}
