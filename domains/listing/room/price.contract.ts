import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import {
  amount,
  choice,
  day,
  dayInput,
  instant,
  money,
  person,
  status,
} from "../../../platform/kernel/field.ts";
import { PRICE_SOURCES, PRICE_UNITS } from "./words.rules.ts";

const path = "/room/api/v3/room/:id";
const one = z.object({ id: z.coerce.number().int().positive() });

/** Every price the room has had and will have, newest first. */
export const roomPrices = call({
  method: "GET",
  path: `${path}/prices`,
  summary: "房间价格历史",
  needs: "6.get",
  params: one,
  reply: z.array(
    z.object({
      effectiveDay: day("生效日"),
      listPrice: money("标价"),
      lowestPrice: money("底价").nullish(),
      unit: status("计价单位", PRICE_UNITS),
      source: status("来源", PRICE_SOURCES),
      createdAt: instant("设置时间"),
      createdName: person("操作人"),
      current: z.boolean(),
    }),
  ),
});

/** A price from a day on. Signed contracts keep theirs. */
export const setRoomPrice = call({
  method: "PUT",
  path: `${path}/price`,
  summary: "修改房间价格",
  needs: "6.edit",
  target: "room",
  params: one,
  body: z
    .object({
      listPrice: amount("标价"),
      /** With authority 601; without it the lowest price stays, never above the list price. */
      lowestPrice: amount("底价").nullish(),
      unit: choice("计价单位", PRICE_UNITS).default("month"),
      effectiveDay: dayInput("生效日"),
    })
    .refine((p) => !p.lowestPrice || p.lowestPrice <= p.listPrice, {
      path: ["lowestPrice"],
      error: "底价不能高于标价",
    }),
  reply: z.object({ effectiveDay: z.string(), listPrice: money("标价") }),
});
