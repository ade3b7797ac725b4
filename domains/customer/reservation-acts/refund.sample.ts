import { randomUUID } from "node:crypto";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { payTill } from "../../finance/pay-order/pay-order.contract.ts";
import { aTill, notify, paidUntold } from "../../finance/pay-order/pay-order.sample.ts";
import { APPLYING, PAYING } from "../../finance/refund/refund.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { cancelReservation, showReservationCode } from "./acts.contract.ts";
import { aDesk, aReservation, reservationOf } from "../reservation/reservation.sample.ts";

/** A store with a till, whose people apply for refunds and pay them. */
export async function aRefundDesk(house: TestHouse) {
  const desk = await aDesk(house, { permits: [...APPLYING, ...PAYING] });
  const { clerk, villageId } = desk;
  const till = await aTill(house, villageId);
  const { pool } = house.database;

  const shown = async (room: string) => {
    const { id } = await aReservation(house, desk, { roomId: await desk.room(room) });
    const how = { as: clerk, key: randomUUID() };
    const order = await house.did(showReservationCode, how, { params: { id }, body: {} });
    return { ...order, reservationId: id };
  };
  /** One that was paid at the till and is held. */
  const heldByCode = async (room: string) => {
    const { reservationId, token, orderNo } = await shown(room);
    await house.did(payTill, {}, { params: { token } });
    return { id: reservationId, orderNo };
  };
  /** Money at a customer's disposal, come through the till after the reservation had ended. */
  const prepaidByCode = async (room: string) => {
    const { reservationId: id, orderNo } = await shown(room);
    const { body, headers } = await paidUntold(house, till, orderNo);
    await pool.query("update reservation set state = 'cancelled', ended_at = now() where id = $1", [id]);
    await pool.query("delete from occupancy_row where reservation_id = $1", [id]);
    const answer = await notify(house, till, body, headers);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    const { partyId } = await reservationOf(house, desk, id);
    return { source: "prepaid" as const, sourceId: partyId, villageId, partyId };
  };
  /** 取消并退款, as the reservation stands now. */
  const cancelling = async (id: number) => {
    const { version } = await reservationOf(house, desk, id);
    const body = { version, reason: "客户改变计划", refund: true };
    return house.did(cancelReservation, { as: clerk, key: randomUUID() }, { params: { id }, body });
  };
  const prepaid = async (partyId: number) => {
    const { rows } = await pool.query<{ fen: string }>(
      "select coalesce(sum(balance), 0) fen from party_balance where party_id = $1",
      [partyId],
    );
    return Number(rows[0]!.fen);
  };
  const paperOf = async (as: Person) => {
    const paper = { name: "凭证.pdf", bytes: aPdf(), type: "application/pdf" };
    return (await sendFile(house, as, paper, "paper10M")).body.data.id;
  };
  return { desk, till, heldByCode, prepaidByCode, cancelling, prepaid, paperOf };
}
