import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";

/** The paper as an attachment to whoever it is for; the same paper goes once a day, however often somebody presses. */
export const sendReservationPaper = call({
  method: "POST",
  path: "/customer/api/v3/reservation/:id/send",
  summary: "发送预订单",
  needs: "15.edit",
  target: "reservation",
  perMinute: 30,
  params: z.object({ id: z.coerce.number().pipe(f.id) }),
  reply: z.object({ sent: z.boolean() }),
});
