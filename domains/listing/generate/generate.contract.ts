import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";
import { areaInput, wordOrNone, RENT_MODES } from "../room/words.rules.ts";
import { patternRefusal } from "./generate.rules.ts";

const path = "/room/api/v3/building/generate";
const generating = callsAt(path, "village");

export const generateBody = z
  .object({
    villageId: f.id,
    communityName: f.remark("小区", 30).default(""),
    address: f.remark("地址", 100).default(""),
    buildings: f.input("楼栋", 1, 1000),
    units: f.whole("每栋单元数", 0, 50),
    unitPattern: f.pattern("单元名规则", 0, 20).default("{unit}单元"),
    floorFrom: f.whole("起始楼层", -10, 99),
    floorTo: f.whole("结束楼层", -10, 99),
    skip: z.array(z.number().int()).max(110).default([]),
    perFloor: f.whole("每层房源数", 1, 100),
    pattern: f.pattern("门牌规则", 1, 60),
    /** What to do with flats that exist already. */
    existing: z.enum(["refuse", "skip"]).default("refuse"),
    rentMode: f.choice("出租方式", RENT_MODES),
    /** For divided flats: the same rooms in each. */
    roomNames: f.remark("房间名", 400).default(""),
    wholeToo: z.boolean().default(false),
    bedrooms: f.whole("室", 0, 10).default(0),
    halls: f.whole("厅", 0, 10).default(0),
    baths: f.whole("卫", 0, 10).default(0),
    kitchens: f.whole("厨", 0, 10).default(0),
    grossArea: areaInput("建筑面积"),
    roomArea: areaInput("房间面积").optional(),
    orientation: wordOrNone("朝向"),
    decoration: wordOrNone("装修"),
    capacity: f.whole("可住人数", 1, 50).optional(),
    listPrice: f.amount("标价").optional(),
    /** With authority 601. */
    lowestPrice: f.amount("底价").optional(),
    firstDay: f.dayInput("可出租日期").optional(),
  })
  .superRefine((form, ctx) => {
    const no = patternRefusal(form);
    if (no) ctx.addIssue({ code: "custom", path: [no.field], message: no.msg });
    if (form.lowestPrice && form.lowestPrice > (form.listPrice ?? 0))
      ctx.addIssue({ code: "custom", path: ["lowestPrice"], message: "底价不能高于标价" });
  });

const outcome = z.object({
  buildings: f.number("楼栋"),
  units: f.number("单元"),
  floors: f.number("楼层"),
  apartments: f.number("房源"),
  rooms: f.number("房间"),
  /** Flats that exist already and were left alone. */
  skipped: f.number("跳过"),
});

export const previewGenerate = generating.post("/preview", "预览批量生成房源", "6.add", {
  effect: "read",
  body: generateBody,
  reply: outcome.extend({
    /** What exists already, at most 50 of them. */
    existing: z.array(z.string()),
    sample: z.array(
      z.object({
        name: z.string(),
        isNew: z.boolean(),
        units: z.array(
          z.object({
            name: z.string().nullable(),
            floors: z.array(z.object({ name: z.string(), doors: z.array(z.string()) })),
          }),
        ),
      }),
    ),
  }),
});

export const generate = generating.post("", "批量生成房源", "6.add", {
  timeout: 120_000,
  body: generateBody,
  reply: outcome,
});
