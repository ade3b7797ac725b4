import { z } from "zod";
import { type Words, choice, remark, token } from "../../../platform/kernel/field.ts";

export const RENT_KINDS = {
  fixed: ["固定租金", "grey"],
  turnover: ["扣点", "grey"],
  higherOf: ["保底与扣点取高", "grey"],
} as const satisfies Words;
export const BAND_MODES = {
  marginal: ["超额累进", "grey"],
  whole: ["全额", "grey"],
} as const satisfies Words;
export const BAND_BASES = { month: ["按月", "grey"], year: ["按年累计", "grey"] } as const satisfies Words;
export const SETTLE_BASES = {
  month: ["按月结算", "grey"],
  year: ["按年结算", "grey"],
} as const satisfies Words;
export const MISSING = { base: ["按保底", "grey"], avg3: ["近三月均值", "grey"] } as const satisfies Words;

/**
 * What a shop's turnover costs; part of the terms of its contract. Unfinished rules are taken, what is wrong with them is
 * said by the rules. A rate is percent as decimal text, the last band has no upper end.
 */
export const turnoverShape = z.object({
  rentKind: choice("租金方式", RENT_KINDS),
  bandMode: choice("计算方式", BAND_MODES),
  bandBasis: choice("分档累计", BAND_BASES),
  bands: z
    .array(z.object({ upTo: z.number().int().min(0).max(999_999_999_999).nullish(), rate: token(10) }))
    .max(10, "分档最多10档"),
  netOfTax: z.boolean(),
  settleBasis: choice("结算", SETTLE_BASES),
  declareDay: z.number({ error: "申报日为 1 至 28" }).int("申报日为 1 至 28"),
  missing: choice("未申报", MISSING),
  excludedCategories: remark("不计入类别", 200).default(""),
});
export type TurnoverRule = z.output<typeof turnoverShape>;

/** What a rule starts from: 10 % of everything. */
export const USUAL_RULE: TurnoverRule = {
  rentKind: "higherOf",
  bandMode: "marginal",
  bandBasis: "month",
  bands: [{ upTo: null, rate: "10" }],
  netOfTax: false,
  settleBasis: "month",
  declareDay: 5,
  missing: "base",
  excludedCategories: "",
};
