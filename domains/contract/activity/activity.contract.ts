import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { CYCLES } from "../schedule/terms.rules.ts";
import { CONTRACT_KINDS, KIND_WORDS, ofAnyKind } from "../terms/kind.rules.ts";
import {
  ACTIVITY_KINDS,
  ACTIVITY_STATES,
  type ActivityKind,
  APPLIES_TO,
  OFFER_CYCLES,
  OFFER_SOURCES,
  ROOM_KINDS,
} from "./activity.rules.ts";

const base = "/contract/api/v3/activity";
const family = recordCalls({ path: base, code: 13, title: "优惠活动", target: "activity" });
const activities = callsAt(base, "activity");

const PERCENT = "请输入 0.1 到 100";
const percent = z
  .number({ error: PERCENT })
  .min(0.1, PERCENT)
  .max(100, PERCENT)
  .refine((n) => Math.abs(n * 10 - Math.round(n * 10)) < 1e-6, PERCENT)
  .meta({ title: "优惠比例", kind: "number", unit: "%", help: "减去的比例：填 5 就是 95 折" });
const month = (title: string) => f.whole(title, 1, 240, { unit: "月" });
const words = <K extends string>(title: string, of: f.Words<K>) =>
  f.some(Object.keys(of) as [K, ...K[]]).meta({ title, kind: "tags", words: of });

/** What an offer gives; the live box of the form and the server work its effect out of the same. */
const content = {
  kind: f.choice("类型", ACTIVITY_KINDS),
  percent: percent.nullish(),
  amount: f.amount("立减金额").nullish(),
  months: f.whole("免租月数", 1, 12, { unit: "个月" }).nullish(),
  everyMonth: f.flag("每月都减", { help: "否则只减一次，从最早的月份减起" }).default(false),
  appliesTo: f.choice("作用于", APPLIES_TO),
  feeIds: f.ids().max(20, "最多选择20项费用").meta({ title: "费用", kind: "text" }).default([]),
  monthFrom: month("从第几月").default(1),
  monthTo: month("到第几月").nullish(),
};

type Typed = {
  kind?: ActivityKind | undefined;
  percent?: number | null | undefined;
  amount?: number | null | undefined;
  months?: number | null | undefined;
  appliesTo?: string | undefined;
  feeIds?: readonly number[] | undefined;
  monthFrom?: number | undefined;
  monthTo?: number | null | undefined;
  signFrom?: string | undefined;
  signTo?: string | undefined;
};
const VALUES = {
  percent: ["percent", PERCENT],
  amount: ["amount", "请输入立减金额"],
  firstMonths: ["months", "请输入 1 到 12 之间的整数"],
} as const;
const WRONG: readonly (readonly [path: string, error: string, wrong: (a: Typed) => boolean])[] = [
  ...Object.entries(VALUES).map(
    ([kind, [path, error]]) => [path, error, (a: Typed) => a.kind === kind && a[path] == null] as const,
  ),
  ["feeIds", "请选择费用", (a) => a.appliesTo === "fees" && !a.feeIds?.length],
  [
    "monthTo",
    "结束月份不能早于开始月份",
    (a) => a.kind !== "firstMonths" && a.monthTo != null && a.monthTo < (a.monthFrom ?? 1),
  ],
  ["signTo", "结束日期不能早于开始日期", (a) => Boolean(a.signFrom && a.signTo && a.signTo < a.signFrom)],
];
/** Also while other fields are wrong: a form shows everything at once. */
const fitting = <S extends z.ZodType>(schema: S): S =>
  WRONG.reduce<S>(
    (made, [path, error, wrong]) =>
      made.refine((a) => !wrong(a as Typed), {
        path: [path],
        error,
        when: ({ value }) => typeof value === "object" && value !== null,
      }),
    schema,
  );

/** What an offer gives, apart from whom: enough to work out its effect. */
export const offerContent = fitting(z.object(content));

const fields = z.object({
  name: f.input("名称", 2, 30),
  ...content,
  contractKinds: words("合同类型", KIND_WORDS).min(1, "请选择合同类型"),
  sources: words("新签/续租", OFFER_SOURCES).min(1, "请选择新签或续租"),
  villageIds: f.ids().min(1, "请选择门店").max(500, "门店过多").meta({ title: "门店", kind: "text" }),
  productIds: f.ids().max(100, "最多选择100个产品").meta({ title: "产品", kind: "text" }).default([]),
  roomKinds: words("房型", ROOM_KINDS).default([]),
  cycles: words("付款方式", OFFER_CYCLES).default([]),
  minTermMonths: f.whole("最短租期", 0, 60, { unit: "个月" }).default(0),
  signFrom: f.dayInput("签约日从"),
  signTo: f.dayInput("签约日至"),
  quota: f.whole("名额", 0, 100_000, { unit: "份", help: "0 表示不限" }).default(0),
  perPartyLimit: f.whole("每人上限", 0, 99, { unit: "份", help: "0 表示不限" }).default(0),
  budget: f.amount("预算", 0).default(0),
  stackGroup: f.remark("互斥组", 20).default(""),
  stackable: f.flag("可叠加").default(true),
  priority: f.whole("优先级", 1, 99, { help: "同类优惠按从小到大的顺序计算" }).default(50),
  clawbackOnEarlyLeave: f.flag("提前退租追回").default(false),
  description: f.remark("说明", 500).default(""),
});
export const activityBody = fitting(fields);
export type ActivityBody = z.output<typeof activityBody>;

export const activityRow = z.object({
  id: f.id,
  name: f.link("名称"),
  kind: f.status("类型", ACTIVITY_KINDS),
  valueText: f.text("优惠"),
  scopeText: f.text("适用"),
  signFrom: f.day("签约日从"),
  signTo: f.day("签约日至"),
  stackGroup: f.text("互斥组"),
  stackable: f.flag("可叠加"),
  quota: f.number("名额", { help: "0 表示不限" }),
  usedCount: f.number("使用次数", { help: "只计您可管理的门店" }),
  budget: f.money("预算", { help: "0.00 表示不限" }),
  usedFen: f.money("已优惠", { help: "您可管理的门店中用了该活动、现在仍有效的合同，全部租期优惠的合计" }),
  status: f.status("状态", ACTIVITY_STATES),
  createdName: f.person("创建人"),
  updatedAt: f.instant("更新时间"),
  /** Whether every store of it is in the reader's hands: who sees a part of it may not change it. */
  editable: f.flag("可修改"),
  today: f.day("今天"),
  version: f.version,
});

export const activityFilter = z.object({
  villageIds: filter.villages(),
  keyword: filter.keyword("名称"),
  kind: filter.choice("类型", ACTIVITY_KINDS),
  status: filter.choices("状态", ACTIVITY_STATES),
  contractKind: filter.choice("合同类型", KIND_WORDS),
  ...filter.between("dayFrom", "dayTo", f.dayInput("有效期").optional(), { kind: "days", title: "有效期" }),
});
export type ActivityFilter = z.output<typeof activityFilter>;

export const listActivities = family.list(
  pageQuery("signTo", "signFrom", "usedCount", "usedFen", "updatedAt").extend(activityFilter.shape),
  activityRow,
  { sums: z.object({ usedCount: f.number("使用次数"), usedFen: f.money("已优惠") }) },
);
export const exportActivities = family.export(listActivities);

export const getActivity = family.get(
  fields.extend({
    ...activityRow.shape,
    percent: f.number("优惠比例", { unit: "%" }).nullable(),
    amount: f.money("立减金额").nullable(),
    months: f.number("免租月数").nullable(),
    villageNames: f.text("门店"),
    productNames: f.text("产品"),
    feeNames: f.text("费用"),
    createdAt: f.instant("创建时间"),
    contentVersion: f.number("优惠版本"),
    /** The approval it waits for. */
    waiting: z.object({ examineNo: z.string(), node: z.string(), waitingFor: z.string() }).nullable(),
  }),
);
export const addActivity = family.add(activityBody);
export const editActivity = family.edit(activityBody);
export const deleteActivity = family.delete();
const switched = z.object({ id: f.id, examineNo: z.string().nullable() });
export const enableActivity = family.enable({ reply: switched });
export const disableActivity = family.disable();

/** What may still be changed once it runs: a later last day, and with 1301 more contracts. */
export const adjustActivity = activities.put("/:id/adjust", "调整活动期限和名额", ["13.edit", "#1301"], {
  body: z.object({
    signTo: fields.shape.signTo,
    quota: f.whole("名额", 0, 100_000, { unit: "份", help: "0 表示不限" }),
    version: f.version,
  }),
  reply: z.object({ id: f.id }),
});

export const USE_STATES = {
  standing: ["有效", "green"],
  returned: ["已退回", "grey"],
} as const satisfies f.Words;
/** The contracts that used it. */
export const activityUses = activities.get("/:id/uses", "使用活动的合同", "13.get", {
  query: pageQuery("usedOn", "totalFen").extend({ villageIds: filter.villages() }),
  reply: pageReply(
    z.object({
      id: f.id,
      contractId: f.id,
      kind: z.enum(CONTRACT_KINDS),
      contractNo: f.link("合同号"),
      villageName: f.text("门店"),
      partyName: f.person("客户"),
      roomNames: f.room("房间"),
      startDate: f.day("起租日").nullable(),
      endDate: f.day("到期日").nullable(),
      usedOn: f.day("签约日"),
      totalFen: f.money("优惠金额"),
      state: f.status("使用状态", USE_STATES),
    }),
    z.object({ totalFen: f.money("优惠金额") }),
  ),
});

export const activityChart = activities.get("/chart", "活动使用图表", "13.query", {
  query: activityFilter,
  reply: z.object({
    daily: z.array(z.object({ day: f.day("日期"), count: f.number("使用"), fen: f.money("优惠") })),
    villages: z.array(z.object({ villageId: f.id, name: f.text("门店"), fen: f.money("已优惠") })),
  }),
});

export const activityOptions = activities.get(
  "/options",
  "优惠活动选项",
  ["13.query", ...ofAnyKind("query")],
  {
    query: z.object({ keyword: z.string().trim().max(50).optional(), ids: idList }),
    reply: z.array(z.object({ id: f.id, name: f.text("名称"), valueText: f.text("优惠") })),
  },
);
export const ACTIVITIES: filter.Source = {
  call: activityOptions,
  option: (a: { id: number; name: string; valueText: string }) => ({
    value: a.id,
    label: a.name,
    note: a.valueText,
  }),
};

/** The offers that fit a contract as it is being drawn up, each as its terms would name it. */
export const usableActivities = activities.get("/usable", "可用优惠活动", ofAnyKind("add", "edit"), {
  query: z.object({
    kind: z.enum(CONTRACT_KINDS).default("renter"),
    villageId: z.coerce.number().int().positive(),
    roomIds: idList,
    partyId: z.coerce.number().int().positive().optional(),
    start: f.dayInput("起租日"),
    end: f.dayInput("结束日期"),
    cycleMonths: z.coerce.number().pipe(z.union(CYCLES.map((c) => z.literal(c)))),
    /** The draft itself: a renewal takes offers for renewals. */
    contractId: z.coerce.number().int().positive().optional(),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      name: f.text("名称"),
      valueText: f.text("优惠"),
      signTo: f.day("签约日至"),
      contentVersion: f.version,
      stackGroup: z.string(),
      stackable: z.boolean(),
      discount: z.object({
        kind: z.enum(["firstMonths", "percent", "amount"]),
        value: z.string(),
        fromMonth: z.number().int(),
        toMonth: z.number().int().nullable(),
        everyMonth: z.boolean(),
        feeIds: z.array(f.id),
        order: z.number().int(),
      }),
      /** How many and how much of it is left; null without a limit. */
      left: z.number().int().nullable(),
      budgetLeft: f.money("剩余预算").nullable(),
      /** Why it cannot be taken, apart from the others that are chosen. */
      why: z.string().nullable(),
    }),
  ),
});

/** What offers do to a sample contract; nothing is stored. */
export const effectOfActivity = activities.post(
  "/effect",
  "优惠活动试算",
  ["13.query", "13.add", "13.edit"],
  {
    effect: "read",
    body: z.object({
      offers: z.array(offerContent).min(1, "请填写优惠").max(10, "最多10项优惠"),
      rent: f.amount("月租金"),
      fee: z.number().int().min(0).max(AMOUNT_MAX).default(0),
      months: f.whole("租期", 1, 60, { unit: "个月" }),
      cycleMonths: z.union(CYCLES.map((c) => z.literal(c))).default(1),
    }),
    reply: z.object({
      bills: z.array(
        z.object({
          title: f.text("账单"),
          periodStart: f.day("起"),
          periodEnd: f.day("止"),
          before: f.money("优惠前"),
          amount: f.money("优惠后"),
        }),
      ),
      off: f.money("优惠合计"),
      before: f.money("优惠前"),
      after: f.money("优惠后"),
      netMonthlyRent: f.money("折后月租"),
    }),
  },
);
