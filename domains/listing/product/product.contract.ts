import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import * as f from "../../../platform/kernel/field.ts";
import { nameOf } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { all, lengthBetween, serialNumber } from "../../../platform/kernel/validators.ts";
import { areaInput, areaOf, facilityWords, PRICE_UNITS, ROOM_KINDS } from "../room/words.rules.ts";
import { lowestFits, newPrice } from "./price.contract.ts";
import { FEE_CYCLES, FEE_WAYS, PAY_MONTHS, plansWrong, PRODUCT_STATES } from "./product.rules.ts";
import { recordCalls, callsAt } from "../../../platform/kernel/records.ts";

const path = "/room/api/v3/product";
const at = callsAt(path);

export const payPlan = z.object({
  depositMonths: f.whole("押金月数", 0, 3),
  payMonths: z.number().refine((n) => (PAY_MONTHS as readonly number[]).includes(n), "请选择付款周期"),
  adjustPercent: z
    .number({ error: "租金调整为 -50 到 50 之间的百分数" })
    .min(-50, "租金调整为 -50 到 50 之间的百分数")
    .max(50, "租金调整为 -50 到 50 之间的百分数")
    .refine((n) => Math.abs(n * 100 - Math.round(n * 100)) < 1e-6, "租金调整最多两位小数"),
  default: z.boolean(),
});

export const productFee = z
  .object({
    subjectId: z.number({ error: "请选择费用" }).int().positive("请选择费用"),
    way: f.choice("计费方式", FEE_WAYS),
    amount: z.number().int().min(1).max(9_999_999_999).nullish(),
    unitPrice: z
      .string()
      .regex(/^\d{1,8}(\.\d{1,6})?$/, "单价最多六位小数")
      .nullish(),
    cycle: f.choice("周期", FEE_CYCLES),
  })
  .refine((fee) => (fee.way === "amount" ? fee.amount : fee.unitPrice), {
    path: ["amount"],
    error: "请输入金额或单价",
  });

const fields = z.object({
  code: f.checked("产品编码", all(lengthBetween(2, 20, "产品编码长度为2到20位"), serialNumber), {
    max: 20,
  }),
  name: f.checked("产品名称", nameOf("产品名称"), { max: 30 }),
  kind: f.choice("类型", ROOM_KINDS),
  villageIds: z
    .array(f.id, { error: "请选择适用门店" })
    .min(1, "请选择适用门店")
    .max(1000, "适用门店过多")
    .meta({ title: "适用门店", kind: "text" }),
  bedrooms: f.whole("室", 0, 10).default(0),
  halls: f.whole("厅", 0, 10).default(0),
  baths: f.whole("卫", 0, 10).default(0),
  kitchens: f.whole("厨", 0, 10).default(0),
  areaFrom: areaInput("面积从").nullish(),
  areaTo: areaInput("面积到").nullish(),
  capacity: f.whole("可住人数", 1, 50, { unit: "人" }),
  minTermMonths: f.whole("最短租期", 1, 60, { unit: "个月" }).nullish(),
  maxTermMonths: f.whole("最长租期", 1, 60, { unit: "个月" }).nullish(),
  priceUnit: f.choice("计价单位", PRICE_UNITS).default("month"),
  payPlans: z
    .array(payPlan)
    .min(1, "请至少设置一种付款方式")
    .max(8, "付款方式最多8种")
    .superRefine((plans, ctx) => {
      const wrong = plans.length ? plansWrong(plans) : undefined;
      if (wrong) ctx.addIssue({ code: "custom", message: wrong });
    })
    .meta({ title: "付款方式", kind: "text" }),
  fees: z.array(productFee).max(20, "费用最多20项").default([]).meta({ title: "费用", kind: "text" }),
  facilities: facilityWords.default([]),
  description: f.remark("描述", 1000).default(""),
  pictures: f.pictures(20).default([]),
});
export const productShape = fields.shape;

const inOrder = (a?: number | null, b?: number | null) => a == null || b == null || a <= b;
const body = fields
  .refine((p) => inOrder(p.areaFrom, p.areaTo), { path: ["areaTo"], error: "面积上限不能小于下限" })
  .refine((p) => inOrder(p.minTermMonths, p.maxTermMonths), {
    path: ["maxTermMonths"],
    error: "最长租期不能短于最短租期",
  });

export const productRow = z.object({
  id: f.id,
  code: f.text("编码"),
  name: f.link("名称"),
  kind: f.status("类型", ROOM_KINDS),
  layout: f.text("户型"),
  area: f.text("面积"),
  listPrice: f.money("标价").nullable(),
  lowestPrice: f.money("底价").nullish(),
  priceUnit: f.status("计价单位", PRICE_UNITS),
  payPlan: f.text("默认付款"),
  villages: f.number("适用门店"),
  rooms: f.number("房间数"),
  vacant: f.number("空置"),
  dealAverage: f.money("平均成交", { help: "近 12 个月签约的平均月租金" }).nullable(),
  state: f.status("状态", PRODUCT_STATES),
  cover: f.id.nullable(),
  version: f.version,
});

export const products = at.get("", "产品列表", "4.query", {
  query: pageQuery("name", "code", "listPrice", "rooms", "state").extend({
    villageIds: filter.villages(),
    ids: idList,
    kind: filter.choice("类型", ROOM_KINDS),
    state: filter.choice("状态", PRODUCT_STATES),
    ...filter.between("priceFrom", "priceTo", z.coerce.number().int().min(0).optional(), {
      kind: "money",
      title: "标价",
    }),
    keyword: filter.keyword("编码、名称"),
  }),
  reply: pageReply(productRow, z.object({ rooms: f.number("房间数"), vacant: f.number("空置") })),
});

export const exportProducts = exportOf({
  type: "product",
  title: "产品",
  needs: "4.export",
  list: products,
  filters: { ids: "产品" },
});

const family = recordCalls({ path, code: 4, title: "产品", target: "product" });

export const product = family.get(
  productRow.omit({ cover: true, villages: true }).extend({
    villageIds: z.array(f.id),
    villageNames: f.text("适用门店"),
    bedrooms: z.number(),
    halls: z.number(),
    baths: z.number(),
    kitchens: z.number(),
    areaFrom: z.coerce.number().nullable(),
    areaTo: z.coerce.number().nullable(),
    capacity: f.number("可住人数"),
    minTermMonths: f.number("最短租期").nullable(),
    maxTermMonths: f.number("最长租期").nullable(),
    payPlans: z.array(payPlan),
    fees: z.array(productFee.safeExtend({ name: f.text("费用") })),
    facilities: z.array(z.string()),
    description: f.text("描述"),
    pictures: z.array(f.id),
    /** All that ever were, also those out of stock: what a delete looks at. */
    everRooms: z.number(),
    averageArea: areaOf("平均面积").nullable(),
  }),
);

export const addProduct = family.add(
  body.safeExtend(newPrice.shape).refine(lowestFits, { path: ["lowestPrice"], error: "底价不能高于标价" }),
);

export const editProduct = family.edit(body);
export const enableProduct = family.enable();
export const disableProduct = family.disable();
export const deleteProduct = family.delete();

/** For forms: what may be chosen for a room of this kind in this store. */
export const productOptions = at.get("/options", "产品选项", "login", {
  query: z.object({
    villageId: z.coerce.number().int().positive().optional(),
    kind: z.enum(Object.keys(ROOM_KINDS) as (keyof typeof ROOM_KINDS)[]).optional(),
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
  }),
  reply: z.array(
    z.object({
      id: f.id,
      code: f.text("编码"),
      name: f.text("名称"),
      kind: f.status("类型", ROOM_KINDS),
      layout: f.text("户型"),
      listPrice: f.money("标价").nullable(),
      priceUnit: f.status("计价单位", PRICE_UNITS),
      payPlans: z.array(payPlan),
    }),
  ),
});

/** What a product may charge beside the rent. */
export const productFees = at.get("/feeOptions", "产品可选费用", ["4.get", "4.add", "4.edit"], {
  reply: z.array(z.object({ id: f.id, name: f.text("费用") })),
});

/** For filters. */
export const PRODUCTS: Source = {
  call: productOptions,
  option: (p: { id: number; name: string; code: string }) => ({ value: p.id, label: p.name, note: p.code }),
};
