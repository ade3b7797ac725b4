import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

/** The paper as an attachment to whoever it is for; the same paper goes once a day, however often somebody presses. */
export const sendReservationPaper = call({
  method: "POST",
  path: "/customer/api/v3/reservation/:id/send",
  summary: "发送预订单",
  needs: "15.edit",
  target: "reservation",
  perMinute: 30,
  params: oneRecord,
  reply: z.object({ sent: z.boolean() }),
});
