import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, forbidden } from "../../../platform/kernel/refusal.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { type Act, entryOn } from "../../../platform/server/pipeline/act.ts";
import { makeBills } from "../../finance/bill/bill.service.ts";
import { actRecord } from "../act/act.queries.ts";
import { ACT_KIND_WORDS } from "../act/act.rules.ts";
import { contractNote, contractRecord } from "../contract/record.queries.ts";
import { unreadObstacles } from "../inspection/inspection.queries.ts";
import { type Charge, billedCharges, chargeBill, checkCharges } from "../settlement/charge.service.ts";

const no = (msg: string) => new Refusal("notAllowed", msg, 409);
const KINDS = ["changeRoom", "changeTenant"] as const;

/**
 * What the room that is left is charged for once its keys are back: what its meters ran, and what is broken. One bill on the
 * contract before, due at once; another one only where that was voided.
 */
export async function chargeLeft(
  act: Act,
  id: number,
  { version, charges }: { version: number; charges: readonly Charge[] },
): Promise<{ billNo: string; version: number }> {
  const seen = await actRecord(act, id, KINDS);
  const contract = await contractRecord(act, seen.contractId, true);
  const record = await actRecord(act, id, KINDS, true);
  const { actNo, kind, status, effectiveOn, villageId } = record;
  if (!act.who.permits.has(kind === "changeRoom" ? "#9601" : "#9602")) throw forbidden();
  const [word] = ACT_KIND_WORDS[kind];
  if (status !== "done") throw no(`${word}签署完成后才能结清原房间的水电和赔偿`);
  if (act.today < effectiveOn) throw no(`生效日 ${effectiveOn} 未到，到日抄表后再结清`);
  const before = record.billId && (await aRow(act, "bill", ["billNo", "voidedAt"], { id: record.billId }));
  if (before && !before.voidedAt) throw no(`已出账 ${before.billNo}，需要更改请先作废该账单`);
  const roomIds = contract.rooms.map((r) => r.roomId);
  const [unread] = await unreadObstacles(act, contract.id, roomIds);
  if (unread) throw no(unread.msg);
  await checkCharges(act, villageId, charges);
  const bill = chargeBill(contract, billedCharges(charges), {
    title: `${word}水电和扣款 ${actNo}`,
    dueDate: act.today,
    remark: `${word} ${actNo}`,
  })!;
  const [made] = await makeBills(act, [{ ...bill, sourceId: id }]);
  const saved = await revise(act, "contractAct", { id, version }, { billId: made!.id, ...stamp(act) });
  const sum = charges.reduce((total, c) => total + c.amount, 0);
  const text = `${actNo} 原房间水电和扣款 ${yuan(sum)} 元，账单 ${made!.billNo}`;
  await act.note([
    contractNote(contract, `${word}结清`, text),
    entryOn("changeRoom", { id, villageId }, actNo, `${word}结清`, text),
  ]);
  return { billNo: made!.billNo, version: saved.version };
}
