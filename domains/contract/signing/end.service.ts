import { sql } from "kysely";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import { heldSays } from "../../../platform/server/database/constraints.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { changed, lockRooms, release } from "../../listing/occupancy/occupancy.service.ts";
import { standAgain } from "../../customer/reservation/reservation.service.ts";
import { returnUses } from "../activity/use.service.ts";
import { voidBills } from "../../finance/bill/bill.service.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import { type ContractRecord, contractNote, contractRecord, nextOf } from "../contract/record.queries.ts";
import { refuseOpenAct } from "../act/act.queries.ts";
import { HANDOVER_AHEAD_DAYS, moveInRefusal } from "../contract/contract.rules.ts";
import { giveBack } from "../lease-application/review.service.ts";
import { followAct, goBack } from "../succession/succession.service.ts";
import { endPresented, noteAll, type Moved, type Submitted } from "./submit.service.ts";
import { contractVoided } from "../../customer/commission/commission.contract.ts";
import { contractHandedOver, contractHandoverUndone } from "./signing.contract.ts";

// a bill by hand, a customer that came of it: whatever names a draft that is removed
heldSays("contract", { code: "notAllowed", msg: "该合同已有账单等业务记录，不能删除，请作废" });

/** Voids a contract, or proposes it where a process says so; from then on nobody signs it. */
export async function voidContract(
  act: Act,
  id: number,
  { reason, version }: { reason: string; version: number },
): Promise<Submitted> {
  const contract = await contractRecord(act, id, true);
  await nextOf(act, "void", contract);
  asSeen(contract, version);
  await refuseOpenAct(act, id);
  if (contract.nextId !== null) throw new Refusal("notAllowed", "该合同已有后续合同，请先作废后续合同", 409);
  const { waiting } = await propose(act, "contractVoid", [
    { recordId: id, villageId: contract.villageId, payload: {}, reason },
  ]);
  if (!waiting[0]) return { ...(await voidNow(act, contract, reason)), examineNo: null };
  await endPresented(act, contract, "cancelled", `合同作废审批中：${reason}`);
  return { id, state: contract.state, version, examineNo: waiting[0].examineNo };
}

/** Undoes a contract before any money has come in: its bills are voided, its rooms free again. */
export async function voidNow(act: Act, contract: ContractRecord, reason: string): Promise<Moved> {
  const { id } = contract;
  if (contract.state === "effective") await goBack(act, contract, reason);
  else await followAct(act, id, "cancelled", reason);
  const bills = await billsToVoid(act, id);
  await voidBills(
    act,
    bills.map((b) => b.id),
    `合同作废：${reason}`,
  );
  await endPresented(act, contract, "cancelled", `合同作废：${reason}`);
  await release(act, { contractId: id });
  await standAgain(act, id);
  await returnUses(act, id);
  const moved = await move(act, contract, { state: "voided", voidReason: reason, signDeadline: null });
  const undone = bills.length ? `，作废账单 ${bills.length} 张` : "";
  await noteAll(act, contract, "作废", `合同作废：${reason}${undone}`);
  await act.emit(contractVoided, { contractId: id, villageId: contract.villageId });
  return moved;
}

/** The bills that go with it. */
export const billsToVoid = (read: Pick<Read, "tx">, contractId: number) =>
  read.tx
    .selectFrom("bill")
    .select(["id", "title", "dueDate", sql<number>`amount + adjusted`.as("amount")])
    .where("contractId", "=", contractId)
    .where("voidedAt", "is", null)
    .orderBy("id")
    .execute();

/** Removes a draft that was never handed in, with all that hangs on it. */
export async function removeDraft(act: Act, id: number, how: { both?: boolean } = {}): Promise<void> {
  const contract = await contractRecord(act, id, true);
  await nextOf(act, "remove", contract, how);
  await giveBack(act, id);
  await followAct(act, id, "cancelled", "已删除草稿");
  await act.tx.deleteFrom("contract").where("id", "=", id).execute();
  await act.note(contractNote(contract, "删除", `删除草稿 ${contract.contractNo}`));
}

/** The tenant gets the keys. What must be paid before is a setting of the village; who may set it aside says why. */
export async function handOver(
  act: Act,
  id: number,
  how: { handoverOn: Day; overrideReason?: string | undefined; version: number },
): Promise<Moved> {
  const contract = await contractRecord(act, id, true);
  await lockRooms(
    act,
    contract.rooms.map((r) => r.roomId),
  );
  const facts = await nextOf(act, "handover", contract);
  asSeen(contract, how.version);
  if (how.handoverOn > act.today) throw invalid({ field: "handoverOn", msg: "入住日期不能晚于今天" });
  if (how.handoverOn < contract.signedOn!)
    throw invalid({ field: "handoverOn", msg: `入住日期不能早于签署日 ${contract.signedOn}` });
  const earliest = addDays(contract.start!, -HANDOVER_AHEAD_DAYS);
  if (how.handoverOn < earliest)
    throw invalid({
      field: "handoverOn",
      msg: `入住日期不能早于 ${earliest}（起租日前 ${HANDOVER_AHEAD_DAYS} 天）`,
    });
  const left = await lastLeft(act, contract);
  if (left && how.handoverOn < left)
    throw invalid({ field: "handoverOn", msg: `上一租客 ${left} 退房，入住日期不能早于这一天` });
  const owed = moveInRefusal(facts);
  if (owed && !how.overrideReason)
    throw new Refusal("moveInUnpaid", owed, 400, {
      fields: [{ field: "overrideReason", msg: "请填写原因（2-200字）" }],
    });
  const moved = await move(act, contract, {
    handoverOn: how.handoverOn,
    handedOverAt: act.now.toISOString(),
  });
  await changed(
    act,
    contract.rooms.map(({ roomId }) => ({ roomId, villageId: contract.villageId })),
  );
  const why = owed ? `（未付清首款，${how.overrideReason}）` : "";
  await noteAll(act, contract, "办理入住", `${contract.partyName} 于 ${how.handoverOn} 入住${why}`);
  await act.emit(contractHandedOver, { contractId: id, villageId: contract.villageId, on: how.handoverOn });
  return moved;
}

/** The day on which the last tenant before left a room of the contract; who goes on living there by a renewal has not left. */
async function lastLeft(read: Pick<Read, "tx">, { id }: ContractRecord): Promise<Day | null> {
  const { rows } = await sql<{ day: Day | null }>`
    select max(coalesce(k.leave_date, old.leave_date)) as day
    from occupancy_row mine join occupancy_row o on o.room_id = mine.room_id and o.kind = 'lease'
    join contract old on old.id = o.contract_id
    left join contract_room k on k.contract_id = old.id and k.room_id = o.let_room_id
    where mine.contract_id = ${id} and old.id <> ${id} and old.handover_on is not null and is_over(old.state)
      and upper(o.period) <= lower(mine.period)`.execute(read.tx);
  return rows[0]?.day ?? null;
}

const DAY_MS = 24 * 3_600_000;

/** The keys are taken back within a day of the handover, as long as nobody leaves and no room was looked over again. */
export async function undoHandover(
  act: Act,
  id: number,
  how: { reason: string; version: number },
): Promise<Moved> {
  const contract = await contractRecord(act, id, true);
  asSeen(contract, how.version);
  const { handedOverAt } = await theRow(act, "contract", ["handedOverAt"], { id });
  if (contract.state !== "effective" || !contract.handoverOn)
    throw new Refusal("notAllowed", "合同没有可撤销的入住", 409);
  if (!handedOverAt || act.now.getTime() - new Date(handedOverAt).getTime() > DAY_MS)
    throw new Refusal("notAllowed", "办理入住已超过 24 小时，不能撤销", 409);
  await refuseOpenAct(act, id);
  if (await aRow(act, "handoverSheet", ["id"], { contractId: id, kind: "out" }))
    throw new Refusal("notAllowed", "已登记退房验房单，不能撤销入住", 409);
  const moved = await move(act, contract, { handoverOn: null, handedOverAt: null });
  await changed(
    act,
    contract.rooms.map(({ roomId }) => ({ roomId, villageId: contract.villageId })),
  );
  await noteAll(act, contract, "撤销入住", `撤销 ${contract.handoverOn} 的入住：${how.reason}`);
  await act.emit(contractHandoverUndone, { contractId: id, villageId: contract.villageId });
  return moved;
}

async function move(
  act: Act,
  contract: ContractRecord,
  set: {
    state?: "voided";
    voidReason?: string;
    signDeadline?: null;
    handoverOn?: Day | null;
    handedOverAt?: string | null;
  },
): Promise<Moved> {
  return act.tx
    .updateTable("contract")
    .set({ ...set, version: contract.version + 1, updatedAt: act.now, updatedBy: act.who.operatorId })
    .where("id", "=", contract.id)
    .returning(["id", "state", "version"])
    .executeTakeFirstOrThrow();
}
