import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { payment } from "../../finance/flow/receive.contract.ts";
import { shownOrder } from "../../finance/pay-order/pay-order.contract.ts";
import { CODE_CHANNEL } from "../../finance/pay-order/pay-order.rules.ts";
import { PRICE_UNITS } from "../../listing/room/words.rules.ts";
import { CHOICES } from "../choice/choice.rules.ts";
import { reservationId, RESERVATIONS } from "../reservation/reservation.contract.ts";
import { CONTRACT_ADD, PAY_PLANS } from "../reservation/reservation.rules.ts";

const one = { target: "reservation", params: reservationId } as const;
const seen = z.object({ version: f.version });
const waiting = z.object({ waiting: z.string().nullable() });

/** Takes the earnest money whole. After the room lapsed it is kept as the party's prepaid money. */
export const payReservation = call({
  ...one,
  method: "POST",
  path: `${RESERVATIONS}/:id/pay`,
  summary: "收定金",
  needs: "102.add",
  money: true,
  body: z.object({ ...payment, amount: f.amount("金额") }),
  reply: z.object({ flowNo: z.string(), state: z.enum(["held", "waiting", "kept"]) }),
});

/** The code that the customer pays the earnest money by. The amount is the server's. */
export const showReservationCode = call({
  ...one,
  method: "POST",
  path: `${RESERVATIONS}/:id/payOrder`,
  summary: "出示收款码",
  needs: "102.add",
  money: true,
  body: z.object({ channel: f.choice("收款方式", CODE_CHANNEL).optional() }),
  reply: shownOrder,
});

export const extendReservation = call({
  ...one,
  method: "PUT",
  path: `${RESERVATIONS}/:id/extend`,
  summary: "预订延期",
  needs: "15.edit",
  body: seen.extend({ holdUntil: f.dayInput("保留至") }),
  reply: z.null(),
});

export const changeReservedRoom = call({
  ...one,
  method: "PUT",
  path: `${RESERVATIONS}/:id/changeRoom`,
  summary: "预订换房间",
  needs: "15.edit",
  body: seen.extend({
    roomId: f.pick("房间"),
    rent: f.amount("租金"),
    unit: f.choice("计价单位", PRICE_UNITS).default("month"),
  }),
  reply: waiting,
});

export const cancelReservation = call({
  ...one,
  method: "PUT",
  path: `${RESERVATIONS}/:id/cancel`,
  summary: "取消预订",
  needs: "15.edit",
  money: true,
  body: seen.extend({
    reason: f.reason(),
    /** Money that was received goes back. */
    refund: z.boolean().default(false).meta({ title: "退款", kind: "flag" }),
  }),
  reply: z.object({ refundNo: z.string().nullable() }),
});

export const forfeitReservation = call({
  ...one,
  method: "PUT",
  path: `${RESERVATIONS}/:id/forfeit`,
  summary: "没收定金",
  needs: "#1503",
  money: true,
  body: seen.extend({ reason: f.reason() }),
  reply: waiting,
});

/** Takes the room of a lapsed reservation again, when it is still free. */
export const restoreReservation = call({
  ...one,
  method: "PUT",
  path: `${RESERVATIONS}/:id/restore`,
  summary: "恢复预订",
  needs: "15.edit",
  money: true,
  body: seen.extend({ holdUntil: f.dayInput("保留至") }),
  reply: z.null(),
});

/** What the contract form begins with: nothing is typed twice. */
export const convertReservation = call({
  ...one,
  method: "POST",
  path: `${RESERVATIONS}/:id/convert`,
  summary: "预订转合同",
  needs: Object.values(CONTRACT_ADD),
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
  }),
});
