import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { payment } from "../../finance/flow/receive.contract.ts";
import { shownOrder } from "../../finance/pay-order/pay-order.contract.ts";
import { CODE_CHANNEL } from "../../finance/pay-order/pay-order.rules.ts";
import { PRICE_UNITS } from "../../listing/room/words.rules.ts";
import { CHOICES } from "../choice/choice.rules.ts";
import { reservationId, RESERVATIONS } from "../reservation/reservation.contract.ts";
import { CONTRACT_ADD, PAY_PLANS } from "../reservation/reservation.rules.ts";

const reservations = callsAt(RESERVATIONS);

const one = { target: "reservation", params: reservationId } as const;
const seen = z.object({ version: f.version });
const waiting = z.object({ waiting: z.string().nullable() });

/** Takes the earnest money whole. After the room lapsed it is kept as the party's prepaid money. */
export const payReservation = reservations.post("/:id/pay", "收定金", "102.add", {
  ...one,
  money: true,
  body: z.object({ ...payment, amount: f.amount("金额") }),
  reply: z.object({ flowNo: z.string(), state: z.enum(["held", "waiting", "kept"]) }),
});

/** The code that the customer pays the earnest money by. The amount is the server's. */
export const showReservationCode = reservations.post("/:id/payOrder", "出示收款码", "102.add", {
  ...one,
  money: true,
  body: z.object({ channel: f.choice("收款方式", CODE_CHANNEL).optional() }),
  reply: shownOrder,
});

export const extendReservation = reservations.put("/:id/extend", "预订延期", "15.edit", {
  ...one,
  body: seen.extend({ holdUntil: f.dayInput("保留至") }),
  reply: z.null(),
});

export const changeReservedRoom = reservations.put("/:id/changeRoom", "预订换房间", "15.edit", {
  ...one,
  body: seen.extend({
    roomId: f.pick("房间"),
    rent: f.amount("租金"),
    unit: f.choice("计价单位", PRICE_UNITS).default("month"),
  }),
  reply: waiting,
});

export const cancelReservation = reservations.put("/:id/cancel", "取消预订", "15.edit", {
  ...one,
  money: true,
  body: seen.extend({
    reason: f.reason(),
    /** Money that was received goes back. */
    refund: z.boolean().default(false).meta({ title: "退款", kind: "flag" }),
  }),
  reply: z.object({ refundNo: z.string().nullable() }),
});

export const forfeitReservation = reservations.put("/:id/forfeit", "没收定金", "#1503", {
  ...one,
  money: true,
  body: seen.extend({ reason: f.reason() }),
  reply: waiting,
});

/** Takes the room of a lapsed reservation again, when it is still free. */
export const restoreReservation = reservations.put("/:id/restore", "恢复预订", "15.edit", {
  ...one,
  money: true,
  body: seen.extend({ holdUntil: f.dayInput("保留至") }),
  reply: z.null(),
});

/** What the contract form begins with: nothing is typed twice. */
export const convertReservation = reservations.post(
  "/:id/convert",
  "预订转合同",
  Object.values(CONTRACT_ADD),
  {
    ...one,
    body: seen,
    reply: z.object({
      /** Of the contract that begins, as its customer's. */
      kind: f.status("客户类型", CHOICES),
      villageId: f.id,
      partyId: f.id,
      roomId: f.id,
      start: z.string(),
      end: z.string().nullable(),
      /** A month's; beside it the yuan of a square metre and day, where the rent was agreed by area. */
      rent: f.money("租金"),
      unitPrice: z.string().nullable(),
      payPlan: f.status("付款方式", PAY_PLANS).nullable(),
      channel: f.text("渠道"),
      agentId: f.id.nullable(),
    }),
  },
);
