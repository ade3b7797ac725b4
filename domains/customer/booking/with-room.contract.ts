import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { LEADS, leadTogether, leadTyped } from "../lead/lead.contract.ts";
import { EARNEST_KINDS } from "../reservation/reservation.rules.ts";

/** What is agreed at the same time, where the customer takes a room at once; it counts with the room. */
const room = {
  roomId: f.pick("房间").nullish(),
  plannedEndDay: f.dayInput("预计到期").nullish(),
  /** Left out: the list price. It counts what the price of the room counts. */
  rent: f.amount("租金").nullish(),
  holdUntil: f.dayInput("保留至").nullish(),
  earnestKind: f.choice("类别", EARNEST_KINDS).default("定金"),
  earnest: f.amount("定金金额", 0).nullish(),
};
export const leadAndRoom = leadTyped.extend(room).superRefine((lead, ctx) => {
  leadTogether(lead, ctx);
  if (lead.roomId && lead.earnest == null)
    ctx.addIssue({ code: "custom", path: ["earnest"], message: "请输入定金金额，免定金请填0" });
});

/** Registers an enquiry and, where a room is chosen, keeps it for the customer, in one transaction. */
export const addLeadWithRoom = callsAt(LEADS, "lead").post("/withRoom", "新增客源并预订房间", "15.add", {
  money: true,
  body: leadAndRoom,
  reply: z.object({ id: f.id, number: z.string(), reservationId: f.id.nullable() }),
});
