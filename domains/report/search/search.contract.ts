import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { id, text } from "../../../platform/kernel/field.ts";
import { FOUND_KINDS, LEAST } from "./search.rules.ts";

/** Records of every kind that the caller may read, a few of each, in the order of KINDS. */
export const findRecords = callsAt("/report/api/v3/search").get("", "全局搜索", "login", {
  query: z.object({ keyword: z.string().trim().min(LEAST, "请至少输入2个字").max(50) }),
  reply: z.array(z.object({ kind: z.enum(FOUND_KINDS), id, title: text("名称"), note: text("说明") })),
});
