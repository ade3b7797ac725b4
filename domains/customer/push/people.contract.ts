import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { BASE, words } from "./push-input.contract.ts";
import { KINDS } from "./push.rules.ts";

/** Whom a push can name one by one: those that what was typed finds, or just these, each in the first of the own stores. */
export const pushPeople = call({
  method: "GET",
  path: `${BASE}/people`,
  summary: "推送对象选项",
  needs: ["18.add", "18.edit"],
  perMinute: 240,
  query: z.object({
    kind: z.enum(words(KINDS)).default("renter"),
    keyword: z.string().trim().max(50, "关键字最多50个字").default(""),
    ids: idList,
    pageSize: z.coerce.number().int().min(1).max(500).default(20),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      name: f.person("姓名"),
      phone: f.phone("手机"),
      room: f.room("房间"),
      villageId: f.id,
    }),
  ),
});

/** Buildings of the stores that a push goes to. */
export const pushBuildings = call({
  method: "GET",
  path: `${BASE}/buildings`,
  summary: "推送楼栋选项",
  needs: ["18.add", "18.edit"],
  perMinute: 240,
  query: z.object({ villageIds: idList }),
  reply: z.array(z.object({ id: f.id, name: f.text("楼栋"), villageName: f.text("门店") })),
});
