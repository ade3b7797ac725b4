import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { id, money, status, text } from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { PRICE_UNITS, ROOM_KINDS } from "../room/words.rules.ts";
import { payPlan } from "./product.contract.ts";

const path = "/room/api/v3/product";

/** For forms: what may be chosen for a room of this kind in this store. */
export const productOptions = call({
  method: "GET",
  path: `${path}/options`,
  summary: "产品选项",
  needs: "login",
  query: z.object({
    villageId: z.coerce.number().int().positive().optional(),
    kind: z.enum(Object.keys(ROOM_KINDS) as (keyof typeof ROOM_KINDS)[]).optional(),
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
  }),
  reply: z.array(
    z.object({
      id,
      code: text("编码"),
      name: text("名称"),
      kind: status("类型", ROOM_KINDS),
      layout: text("户型"),
      listPrice: money("标价").nullable(),
      priceUnit: status("计价单位", PRICE_UNITS),
      payPlans: z.array(payPlan),
    }),
  ),
});

/** What a product may charge beside the rent. */
export const productFees = call({
  method: "GET",
  path: `${path}/feeOptions`,
  summary: "产品可选费用",
  needs: ["4.get", "4.add", "4.edit"],
  reply: z.array(z.object({ id, name: text("费用") })),
});

/** For filters. */
export const PRODUCTS: Source = {
  call: productOptions,
  option: (p: { id: number; name: string; code: string }) => ({ value: p.id, label: p.name, note: p.code }),
};
