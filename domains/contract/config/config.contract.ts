import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { choice, id, instant, person, status, whole } from "../../../platform/kernel/field.ts";
import { termsShape } from "../terms/terms.contract.ts";
import { CONFIG_SOURCES, FREE_ROOM_AT, MOVE_IN_RULES } from "./config.rules.ts";

const values = z.object({
  holdDays: whole("提交后占房", 1, 30, { unit: "天" }),
  backdateDays: whole("可倒签", 0, 365, { unit: "天" }),
  renewalWindowDays: whole("可续租期", 15, 180, { unit: "天" }),
  moveInRule: choice("入住条件", MOVE_IN_RULES),
  freeRoomAt: choice("退房释放房间", FREE_ROOM_AT),
  maxDepositMonths: whole("押金上限", 0, 12, { unit: "个月", help: "0 表示不限" }),
  maxPrepayMonths: whole("预付租金上限", 0, 24, { unit: "个月", help: "0 表示不限" }),
  /** What the form starts from; a field left out takes the product's. */
  defaultTerms: termsShape.partial(),
});

const path = "/contract/api/v3/contractConfig";

export const readContractConfig = call({
  method: "GET",
  path,
  summary: "合同参数",
  needs: ["95.query", "95.get", "9.get"],
  /** Without a village: the enterprise's own. */
  query: z.object({ villageId: z.coerce.number().int().positive().optional() }),
  reply: values.extend({
    villageId: id.nullable(),
    source: status("来源", CONFIG_SOURCES),
    /** 0 = this village, or the enterprise, has no set of its own yet. */
    version: z.number().int(),
    updatedAt: instant("更新时间").nullable(),
    updatedBy: person("更新人").nullable(),
  }),
});

export const writeContractConfig = call({
  method: "PUT",
  path,
  summary: "修改合同参数",
  needs: "95.edit",
  target: "contractConfig",
  query: z.object({ villageId: z.coerce.number().int().positive().optional() }),
  body: values.extend({ version: z.number().int().min(0) }),
  reply: z.object({ id, version: z.number().int() }),
});
