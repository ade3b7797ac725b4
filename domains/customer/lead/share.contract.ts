import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { PRICE_UNITS, ROOM_KINDS } from "../../listing/room/words.rules.ts";
import { leadId, LEADS } from "./lead.contract.ts";

/** What a customer may be shown of a room: neither its door nor its lowest price is read for it. */
export const shareRoom = call({
  method: "GET",
  path: `${LEADS}/:id/share`,
  summary: "房源分享卡片",
  needs: "15.get",
  params: leadId,
  query: z.object({ roomId: z.coerce.number().pipe(f.id) }),
  reply: z.object({
    storeName: f.text("门店"),
    address: f.text("地址"),
    kind: f.status("类型", ROOM_KINDS),
    layout: f.text("户型"),
    area: f.text("面积"),
    orientation: f.text("朝向"),
    listPrice: f.money("标价").nullable(),
    unit: f.status("计价单位", PRICE_UNITS).nullable(),
    freeFrom: f.day("可入住"),
    /** Files, the cover first. */
    pictures: z.array(f.id),
    consultantName: f.person("顾问"),
    consultantPhone: f.phone("顾问电话"),
  }),
});
