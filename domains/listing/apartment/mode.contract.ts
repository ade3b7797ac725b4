import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { dayInput, id, number, reason, version } from "../../../platform/kernel/field.ts";
import { divided } from "./apartment.contract.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/apartment/:id";

const change = z.object({ ...divided, from: dayInput("生效日"), version });
const outcome = z.object({
  /** Rooms that leave the stock on the day, and those that begin. */
  retire: z.array(z.object({ id, name: z.string(), kind: z.string() })),
  begin: z.array(z.object({ name: z.string(), kind: z.string(), area: number("面积") })),
});

export const previewRentMode = call({
  method: "POST",
  path: `${path}/rentMode/preview`,
  summary: "预览变更出租方式",
  needs: "6.edit",
  effect: "read",
  params: oneRecord,
  body: change,
  reply: outcome,
});

/** From a day on the flat is let in another way: old rooms leave the stock, new ones begin. History stays. */
export const changeRentMode = call({
  method: "PUT",
  path: `${path}/rentMode`,
  summary: "变更出租方式",
  needs: "6.edit",
  target: "apartment",
  params: oneRecord,
  body: change,
  reply: outcome,
});

export const retireApartment = call({
  method: "PUT",
  path: `${path}/retire`,
  summary: "注销房源",
  needs: "6.edit",
  target: "apartment",
  params: oneRecord,
  body: z.object({ day: dayInput("注销日"), reason: reason("注销原因"), version }),
  reply: z.object({ id }),
});
