import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { type Words, choice, remark, token } from "../../../platform/kernel/field.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { BASES, CYCLES } from "../schedule/terms.rules.ts";
import { CONTRACT_KINDS, MOST_ROOMS, TOO_MANY_ROOMS } from "./kind.rules.ts";

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

/**
 * The shape of a contract's terms, as typed, stored and planned from. It takes unfinished drafts: what is wrong with a term is said by
 * the rules (check.rules.ts), in the browser and on the server alike, with the names of these fields.
 */
const decimal = z.string().regex(/^-?\d{1,10}(\.\d{1,6})?$/, "请输入正确的数值");
const fen = z
  .number({ error: "请输入正确的金额（最多两位小数）" })
  .int("请输入正确的金额（最多两位小数）")
  .min(0)
  .max(AMOUNT_MAX * 10);
const count = z.number({ error: "请输入整数" }).int("请输入整数").min(-1000).max(1000);

export const PRICING_WORDS = {
  month: ["按月", "grey"],
  areaDay: ["按面积", "grey"],
} as const satisfies f.Words;
export const BASIS_WORDS = {
  actual: ["按实际天数", "grey"],
  "30": ["每月30天", "grey"],
  "365": ["每年365天", "grey"],
  area: ["按面积", "grey"],
} as const satisfies f.Words;
export const ROUNDING_WORDS = {
  fen: ["分", "grey"],
  jiao: ["角", "grey"],
  yuan: ["元", "grey"],
} as const satisfies f.Words;
export const DUE_WORDS = {
  advance: ["提前", "grey"],
  fixedDay: ["固定日", "grey"],
  signing: ["签约时一次", "grey"],
} as const satisfies f.Words;
export const PENALTY_WORDS = {
  none: ["无", "grey"],
  forfeitDeposit: ["押金不退", "grey"],
  months: ["n 个月租金", "grey"],
  remainingPercent: ["剩余租金百分比", "grey"],
  noticeShort: ["通知不足天数的租金", "grey"],
} as const satisfies f.Words;
export const CLAWBACK_WORDS = {
  none: ["不追回", "grey"],
  unexpired: ["按剩余天数", "grey"],
  full: ["全部", "grey"],
} as const satisfies f.Words;
export const FEE_KIND_WORDS = {
  recurring: ["周期费用", "grey"],
  once: ["一次性", "grey"],
  depositInKind: ["实物押金", "grey"],
} as const satisfies f.Words;

const stepShape = z.object({
  roomId: f.id.nullish(),
  fromDate: f.dayInput("生效日"),
  mode: z.enum(["percentCompound", "percentBase", "amount", "table"]),
  value: decimal,
  resultRent: fen,
  source: z.enum(["rule", "manual"]),
  /** The first rent that a figure set by hand was set beside; when that changes, the figure is asked about. */
  firstRent: fen.optional(),
});
const stepRuleShape = z.object({
  every: count,
  unit: z.enum(["month", "year"]),
  from: f.dayInput("起始日").nullish(),
  mode: z.enum(["percentCompound", "percentBase", "amount"]),
  value: decimal,
});
const rentFreeShape = z.object({
  fromDate: f.dayInput("免租期"),
  toDate: f.dayInput("免租期"),
  feeIds: z.array(f.id).max(20).optional(),
});
const dueShape = z.object({
  rule: f.choice("应收日", DUE_WORDS),
  dueDays: count.optional(),
  dueDay: count.optional(),
  dueMonthOffset: z.union([z.literal(-1), z.literal(0), z.literal(1)]).optional(),
});
/** Who pays a fee of a company's contract: the company, or whoever lives in its rooms. */
export const PAYER_WORDS = {
  party: ["企业", "grey"],
  occupant: ["入住人", "grey"],
} as const satisfies f.Words;

const feeShape = z.object({
  feeId: f.pick("费用科目"),
  name: f.remark("费用名称", 20).default(""),
  kind: f.choice("收取方式", FEE_KIND_WORDS),
  amount: fen,
  /** Only shops: yuan per m² and month, which the amount follows from. */
  unitPrice: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,4})?$/, "请输入正确的单价（最多四位小数）")
    .nullish(),
  cycleMonths: z.union(CYCLES.map((c) => z.literal(c))).optional(),
  prorate: z.boolean().optional(),
  /** Of occupants: so much a month for each room, shared by who lives there. */
  payer: f.choice("付款方", PAYER_WORDS).optional(),
  fromDate: f.dayInput("起").nullish(),
  toDate: f.dayInput("止").nullish(),
});
/** An offer as it was when it was chosen, or a discount agreed by hand: then without `activityId`. */
const discountShape = z
  .object({
    activityId: f.id.nullish(),
    activityVersion: f.version.nullish(),
    /** Of what goes on by hand in the next contract: the offer that the contract before had, which counted it. */
    fromActivityId: f.id.nullish(),
    name: f.remark("优惠名称", 30).default(""),
    kind: z.enum(["firstMonths", "percent", "amount"]),
    value: decimal,
    fromMonth: count.nullish(),
    toMonth: count.nullish(),
    everyMonth: z.boolean().optional(),
    /** Order inside one kind. */
    order: count,
    feeIds: z.array(f.id).max(20).optional(),
    reason: f.remark("优惠原因", 100).default(""),
  })
  .refine((d) => d.activityId || d.kind !== "firstMonths", {
    path: ["kind"],
    error: "整单优惠只能立减或打折",
  });
const roomShape = z.object({
  roomId: f.pick("房间"),
  monthlyRent: fen,
  /** Yuan per m² and day; only when priced by area. */
  unitPrice: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?$/, "请输入正确的单价（最多六位小数）")
    .nullish(),
});
export const occupantShape = z.object({
  /** Kept over edits, so that a certificate number need not be typed again. */
  id: f.id.optional(),
  name: f.input("姓名", 1, 30),
  phone: f.remark("手机号", 20).default(""),
  certType: f.token(20).nullish(),
  /** Only sent when typed; never sent back whole. */
  certNo: f.secret(z.string().trim().max(30), "certificate").optional(),
  gender: z.enum(["male", "female"]).nullish(),
  relation: f.remark("关系", 20).default(""),
  lockAccess: z.boolean().default(true),
});

/** What comes after another contract, and which one. */
export const SUCCESSIONS = {
  renewal: ["续租", "purple"],
  changeRoom: ["换房", "purple"],
  changeTenant: ["转租", "purple"],
} as const satisfies Words;
export type Succession = keyof typeof SUCCESSIONS;

/** What the contract takes over from the one before it: the server works it out, whatever is sent. */
const takeOverShape = z.object({
  kind: z.enum(["renewal", "changeRoom", "changeTenant"]),
  previousId: f.id,
  previousNo: token(40),
  anchorDate: f.dayInput("计费起算日").nullable(),
  carriedDays: count.nullable(),
  carried: z
    .array(
      z.object({
        feeKey: z.union([z.literal("rent"), f.id]),
        roomId: f.id.nullable(),
        price: fen,
        days: count,
        cost: z
          .string()
          .regex(/^-?\d{1,40}\/\d{1,40}$/)
          .transform((text) => text as `${bigint}/${bigint}`),
        open: count.optional(),
      }),
    )
    .max(3000)
    .nullable(),
  /** Fen of the deposit that is handed over, and what is held of it now. */
  deposit: fen,
  held: fen,
  /** 对调: the contract whose tenant takes the room of the one before, and gives up the room of this one. */
  swapWith: f.id.nullish(),
});
export type TakeOver = z.output<typeof takeOverShape>;

export const termsShape = z.object({
  pricing: f.choice("计租方式", PRICING_WORDS),
  rentRounding: f.choice("租金取整", ROUNDING_WORDS),
  basis: z.enum(BASES, { error: "请选择不足整月计费方式" }),
  calendarPeriods: z.boolean(),
  cycleMonths: z.union(
    CYCLES.map((c) => z.literal(c)),
    { error: "请选择付款周期" },
  ),
  deposit: z.discriminatedUnion("mode", [
    z.object({
      mode: z.literal("months"),
      months: z.string().regex(/^\d{1,2}(\.\d{1,2})?$/, "押金须为0到12个月，以半个月为单位"),
    }),
    z.object({ mode: z.literal("amount"), amount: fen }),
  ]),
  due: dueShape.extend({ firstDueDays: count.optional() }),
  billGrouping: z.enum(["period", "fee"]),
  /** Of companies: a bill for each room instead of one for all. */
  billPerRoom: z.boolean().optional(),
  graceDays: count,
  /** Percent a day, such as "0.05". */
  lateFeeDailyRate: decimal,
  lateFeeCapPercent: count,
  /** Kept as a rule, with the rows in `steps` as its corrections by hand. Older contracts hold its rows written out instead. */
  stepRule: stepRuleShape.nullish(),
  steps: z.array(stepShape).max(300),
  rentFree: z.array(rentFreeShape).max(60),
  /** The last day as 顺延租期 made it by the free days; it holds as long as the term ends on it. */
  extendedTo: f.dayInput("结束日期").nullish(),
  noticeDays: count,
  leaveDayCharged: z.boolean(),
  penaltyRule: f.choice("违约金", PENALTY_WORDS),
  penaltyMonths: decimal,
  penaltyPercent: count,
  penaltyCapMonths: decimal,
  rentFreeClawback: f.choice("免租追回", CLAWBACK_WORDS),
  holdoverPercent: count,
  fees: z.array(feeShape).max(60),
  discounts: z.array(discountShape).max(10, "一份合同最多10项优惠").optional(),
  policyNote: f.remark("补充约定", 500).default(""),
  /** Only shops: the day they open to customers; one that is renewed opened before its term. */
  openOn: f.dayInput("开业日").nullish(),
  /** Only shops: what they pay of their turnover. */
  turnover: turnoverShape.nullish(),
  takeOver: takeOverShape.nullish(),
});
export type Terms = z.output<typeof termsShape>;

/** Everything that a person fills in. Party, rooms and dates may still be open in a draft. */
export const contractForm = termsShape.extend({
  kind: z.enum(CONTRACT_KINDS).default("renter"),
  villageId: f.pick("门店"),
  partyId: f.pick("客户").nullable(),
  start: f.dayInput("起租日").nullable(),
  end: f.dayInput("结束日期").nullable(),
  rooms: z.array(roomShape).max(MOST_ROOMS, TOO_MANY_ROOMS),
  occupants: z.array(occupantShape).max(50),
  managerId: f.pick("管家").nullish(),
  signerId: f.pick("签约人").nullish(),
  /** Where the tenant came from: a word of the dictionary, kept as it read then. */
  channel: f.remark("渠道", 30).nullish(),
  agentId: f.pick("经纪人").nullish(),
  /** To whom its invoices are made out; left out, to the customer's usual title. */
  titleId: f.pick("开票抬头").nullish(),
  remark: f.remark("备注", 500).default(""),
});
export type ContractForm = z.output<typeof contractForm>;
