import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";

const BASE = "/report/api/v3/owing/:partyId/follow";
const params = z.object({ partyId: z.coerce.number().pipe(f.id) });

export const listFollows = call({
  method: "GET",
  path: BASE,
  summary: "欠费跟进记录",
  needs: "114.query",
  params,
  reply: z.array(
    z.object({
      id: f.id,
      at: f.instant("时间"),
      operatorName: f.person("经办人"),
      villageName: f.text("门店"),
      promiseDay: f.day("承诺付款日").nullable(),
      note: f.text("备注"),
    }),
  ),
});

export const addFollow = call({
  method: "POST",
  path: BASE,
  summary: "登记欠费跟进",
  needs: "114.edit",
  params,
  body: z.object({
    promiseDay: f.dayInput("承诺付款日").nullish(),
    note: f.input("备注", 2, 200, "请填写备注（2-200字）"),
  }),
  reply: z.object({ id: f.id }),
  target: "party",
});
