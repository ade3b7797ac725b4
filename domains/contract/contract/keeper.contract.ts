import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { id, pick, text } from "../../../platform/kernel/field.ts";
import { base } from "./contract.contract.ts";
import { ofAnyKind } from "./kind.rules.ts";

/** Each contract for itself: what stands in the way of one leaves the others. */
export const changeKeeper = call({
  method: "PUT",
  path: `${base}/manager`,
  summary: "更换合同管家",
  needs: ofAnyKind("edit"),
  target: "contract",
  body: z.object({
    ids: z.array(id).min(1, "请选择合同").max(200, "一次最多处理200份"),
    managerId: pick("管家"),
  }),
  reply: z.object({
    changed: z.number().int(),
    rows: z.array(
      z.object({
        id,
        contractNo: text("合同号"),
        partyName: text("客户"),
        before: text("原管家"),
        /** Null: done. */
        refusal: z.string().nullable(),
      }),
    ),
  }),
});
