import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { id } from "../../../platform/kernel/field.ts";

/** Most codes of one file. */
export const MOST_CODES = 500;

const body = z.object({
  ids: z.array(id).min(1, "请选择要打印的位置").max(MOST_CODES, `一次最多打印${MOST_CODES}个二维码`),
  /** Where the browser reaches the product; used while no address is set for it. */
  origin: z
    .string()
    .regex(/^https?:\/\/[A-Za-z0-9.:[\]-]{1,200}$/, "访问地址格式不正确")
    .optional(),
});
const shared = {
  method: "POST",
  needs: "6.query",
  effect: "read",
  timeout: 120_000,
  perMinute: 30,
  body,
} as const;

/** A sheet to cut apart: each code opens its room, for whoever reports a repair or reads a meter there. */
export const roomCodes = call({ ...shared, path: "/room/api/v3/room/qrcode", summary: "打印房间二维码" });
export const areaCodes = call({
  ...shared,
  path: "/room/api/v3/publicArea/qrcode",
  summary: "打印公共区域二维码",
});
