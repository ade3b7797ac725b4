import { Filled } from "../../../platform/console/detail/foreign-panel.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import type { Coded } from "../../finance/pay-order/pay-order.contract.ts";
import { showReservationCode } from "./acts.contract.ts";
import type { Acted } from "./acts.form.tsx";

type Props = { of: Acted; onCounter: () => void; onClose: () => void };

/** 收款码 of the earnest money: the customer pays by phone, and the room is kept. */
export function ReservationCode({ of, onCounter, onClose }: Props) {
  const coded: Coded = {
    title: `收款码 ${of.partyName}`,
    villageId: of.villageId,
    purpose: "deposit",
    amount: of.earnest,
    what: `${of.earnestKind} ${of.number} · ${of.roomName}`,
    show: async (channel, idempotencyKey) => [
      await send(
        showReservationCode,
        { params: { id: of.id }, body: channel ? { channel } : {} },
        { idempotencyKey },
      ),
    ],
    said: (kept) =>
      kept
        ? { toast: "已收款，款项转为预存款", text: "预订已过期，款项转为客户预存款" }
        : { toast: "已收款，预订成功", text: `${of.roomName} 已保留` },
    onCounter,
  };
  return <Filled slot="pay.code" id={of.id} of={coded} onClose={onClose} />;
}
