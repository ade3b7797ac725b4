import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { yuan } from "../../../platform/kernel/fen.ts";
import { planBills } from "../schedule/bills.rules.ts";
import { aSchedule } from "../schedule/schedule.sample.ts";
import { activityBody } from "./activity.contract.ts";
import { anOffer } from "./activity.sample.ts";
import {
  type Content,
  type Deal,
  activityMoves,
  clash,
  discountOf,
  effectOf,
  foldText,
  offOf,
  scopeText,
  storedValue,
  typedValue,
  unfit,
  usedUp,
  valueText,
} from "./activity.rules.ts";

const content = (more: Partial<Content>): Content => ({
  kind: "percent",
  everyMonth: false,
  appliesTo: "rent",
  feeIds: [],
  monthFrom: 1,
  ...more,
});
const free = content({ kind: "firstMonths", months: 1 });
const fold = content({ percent: 5, monthTo: 6 });
const once = content({ kind: "amount", amount: 20_000 });

test("E16: three offers on 3,000.00, paid every three months", () => {
  const effect = effectOf([once, fold, free], { rent: 300_000, fee: 0, months: 12, cycleMonths: 3 });
  expect(effect.bills.map((b) => yuan(b.amount))).toEqual(["5,500.00", "8,550.00", "9,000.00", "9,000.00"]);
  expect(effect.bills.map((b) => yuan(b.before))).toEqual(Array(4).fill("9,000.00"));
  expect(yuan(effect.netMonthlyRent)).toBe("2,670.83");
  expect([yuan(effect.off), yuan(effect.before), yuan(effect.after)]).toEqual([
    "3,950.00",
    "36,000.00",
    "32,050.00",
  ]);
});

test("month by month each offer takes what it says, and fees only where it is about them", () => {
  const sample = { rent: 300_000, fee: 10_000, months: 3, cycleMonths: 1 as const };
  const months = (offer: Content) => effectOf([offer], sample).bills.map((b) => b.amount);
  expect(months(fold)).toEqual([285_000, 285_000, 285_000]);
  expect(months(once)).toEqual([280_000, 300_000, 300_000]);
  expect(months(content({ kind: "amount", amount: 20_000, everyMonth: true }))).toEqual([
    280_000, 280_000, 280_000,
  ]);
  expect(months(content({ percent: 10, monthFrom: 2, monthTo: 2 }))).toEqual([300_000, 270_000, 300_000]);
  const fees = content({ percent: 50, appliesTo: "fees", feeIds: [7] });
  expect(months(fees)).toEqual([305_000, 305_000, 305_000]);
  expect(effectOf([fees], { ...sample, fee: 0 }).off).toBe(0);
});

test("the schedule gets percent with its decimal, fen and months", () => {
  expect(discountOf(content({ percent: 12.5, monthFrom: 2, monthTo: 4 }), 3)).toEqual({
    kind: "percent",
    value: "12.5",
    fromMonth: 2,
    toMonth: 4,
    order: 3,
  });
  expect(discountOf({ ...free, monthTo: 9 }, 1)).toEqual({
    kind: "firstMonths",
    value: "1",
    fromMonth: 1,
    order: 1,
  });
  expect(discountOf({ ...once, everyMonth: true, appliesTo: "fees", feeIds: [3] }, 1)).toMatchObject({
    value: "20000",
    everyMonth: true,
    feeIds: [3],
  });
  expect(storedValue(content({ percent: 0.1 }))).toBe(1);
  expect(typedValue("percent", 125)).toEqual({ percent: 12.5, amount: null, months: null });
  expect(typedValue("amount", 125)).toEqual({ percent: null, amount: 125, months: null });
  expect(typedValue("firstMonths", 2)).toEqual({ percent: null, amount: null, months: 2 });
});

test("what an offer gives and to whom reads as people say it", () => {
  expect([5, 10, 12.5, 50, 99, 99.9, 100].map(foldText)).toEqual([
    "95 折",
    "9 折",
    "8.75 折",
    "5 折",
    "0.1 折",
    "0.01 折",
    "全免",
  ]);
  expect(valueText(fold)).toBe("95 折 第1–6月");
  expect(valueText(content({ percent: 5, monthFrom: 3, monthTo: 3 }))).toBe("95 折 第3月");
  expect(valueText(content({ percent: 5, monthFrom: 3 }))).toBe("95 折 第3月起");
  expect(valueText(free)).toBe("免首月");
  expect(valueText({ ...free, months: 2 })).toBe("首免 2 个月");
  expect(valueText({ ...free, monthFrom: 6 })).toBe("第6月起免 1 个月");
  expect(valueText(once)).toBe("立减 200.00 元");
  expect(valueText({ ...once, everyMonth: true, appliesTo: "fees" })).toBe("费用 每月减 200.00 元");
  const offer = anOffer([1, 2, 3]);
  expect(scopeText(["滨江店", "城西店", "临平店"], { ...offer, cycles: [] })).toBe(
    "滨江店、城西店 等 3 个门店，租客合同，新签",
  );
  expect(scopeText(["滨江店"], { ...offer, cycles: [] })).toBe("滨江店 等 3 个门店，租客合同，新签");
  expect(
    scopeText(["滨江店"], {
      ...anOffer([1]),
      cycles: [3],
      productIds: [1],
      roomKinds: ["bed"],
      minTermMonths: 12,
      sources: ["new", "renewal"],
    }),
  ).toBe("滨江店，租客合同，新签和续租，1 个产品，床位，季付，满 12 个月");
});

describe("an offer is for a contract", () => {
  const offer = { ...anOffer([1]), state: "enabled", cycles: [] as never[] };
  const deal: Deal = {
    villageId: 1,
    kind: "renter",
    source: "new",
    rooms: [{ kind: "room", productId: 5 }],
    start: "2026-03-01",
    end: "2027-02-28",
    cycleMonths: 3,
    day: "2026-03-01",
  };
  const says = (o: object, d: object = {}) => unfit({ ...offer, ...o }, { ...deal, ...d });

  test("that it fits in every way, or says what does not", () => {
    expect(says({})).toBeUndefined();
    expect(says({ state: "disabled" })).toBe("未启用");
    expect(says({ state: "ended" })).toBe("已结束");
    expect(says({ villageIds: [2] })).toBe("不适用于该门店");
    expect(says({}, { kind: "company" })).toBe("不适用于企业合同");
    expect(says({}, { source: "renewal" })).toBe("不适用于续租");
    expect(says({}, { source: "changeRoom" })).toBe("不适用于该签约方式");
    expect(says({ productIds: [5] })).toBeUndefined();
    expect(says({ productIds: [6] })).toBe("不适用于所选房间的产品");
    expect(says({ productIds: [5] }, { rooms: [{ kind: "room", productId: null }] })).toBe(
      "不适用于所选房间的产品",
    );
    expect(says({ roomKinds: ["room"] })).toBeUndefined();
    expect(says({ roomKinds: ["bed"] })).toBe("不适用于所选房型");
    expect(says({ cycles: [3] })).toBeUndefined();
    expect(says({ cycles: [1, 12] })).toBe("不适用于该付款方式");
  });

  test("on its days, the first and the last with them", () => {
    expect(says({}, { day: "2025-12-31" })).toBe("2026-01-01 起才能使用");
    expect(says({}, { day: "2026-01-01" })).toBeUndefined();
    expect(says({}, { day: "2026-12-31" })).toBeUndefined();
    expect(says({}, { day: "2027-01-01" })).toBe("已结束");
  });

  test("of the shortest term, to the day", () => {
    expect(says({ minTermMonths: 12 })).toBeUndefined();
    expect(says({ minTermMonths: 12 }, { end: "2027-02-27" })).toBe("租期须满 12 个月");
  });
});

test("what is left of an offer: the last place, the last contract of a party, the last fen of the budget", () => {
  const none = { quota: 0, usedCount: 9, perPartyLimit: 0, usedByParty: 9, budget: 0, usedFen: 9 };
  expect(usedUp(none, 1)).toBeUndefined();
  expect(usedUp({ ...none, quota: 10 }, 1)).toBeUndefined();
  expect(usedUp({ ...none, quota: 9 }, 1)).toBe("活动名额已用完");
  expect(usedUp({ ...none, perPartyLimit: 10 }, 1)).toBeUndefined();
  expect(usedUp({ ...none, perPartyLimit: 9 }, 1)).toBe("已达每人上限");
  expect(usedUp({ ...none, budget: 10 }, 1)).toBeUndefined();
  expect(usedUp({ ...none, budget: 10 }, 2)).toBe("活动预算已用完");
});

test("offers of one group exclude each other, and one that stands alone excludes all", () => {
  const offer = (id: number, stackGroup = "", stackable = true) => ({
    id,
    name: `活动${id}`,
    stackGroup,
    stackable,
  });
  expect(clash(offer(1), [offer(1), offer(2)])).toBeUndefined();
  expect(clash(offer(1, "春"), [offer(2, "春")])).toBe("与“活动2”互斥（春）");
  expect(clash(offer(1, "春"), [offer(2, "夏"), offer(1, "春")])).toBeUndefined();
  expect(clash(offer(1, "", false), [offer(1, "", false)])).toBeUndefined();
  expect(clash(offer(1, "", false), [offer(2)])).toBe("不能与其他优惠叠加");
  expect(clash(offer(1), [offer(2, "", false)])).toBe("“活动2”不能与其他优惠叠加");
});

test("the moves of an offer", () => {
  const says = (
    move: Parameters<typeof activityMoves.refusal>[0],
    status: string,
    signTo = "2026-12-31",
    uses = { quota: 0, usedCount: 5 },
  ) => activityMoves.refusal(move, { status: status as "draft", today: "2026-12-31", signTo, ...uses });
  expect(says("edit", "draft")).toBeUndefined();
  for (const state of ["enabled", "disabled", "ended"])
    expect(says("edit", state)).toBe("已启用的活动不能修改优惠内容，请复制新建");
  for (const move of ["edit", "enable", "remove"] as const)
    expect(says(move, "approving")).toBe("审批中，不能修改");
  expect(says("enable", "draft")).toBeUndefined();
  expect(says("enable", "disabled", "2026-12-30")).toBe("签约截止日 2026-12-30 已过，请先延长");
  // its last place was taken by a contract that was being signed as it was switched off
  expect(says("enable", "disabled", undefined, { quota: 5, usedCount: 5 })).toBe(
    "名额 5 份已用完，请先增加名额",
  );
  expect(says("enable", "disabled", undefined, { quota: 6, usedCount: 5 })).toBeUndefined();
  expect(says("enable", "ended")).toBe("当前状态为“已结束”，不能启用");
  expect(says("disable", "draft")).toBe("当前状态为“草稿”，不能停用");
  expect(says("remove", "disabled")).toBe("当前状态为“已停用”，不能删除");
  expect(says("adjust", "ended")).toBeUndefined();
  expect(says("adjust", "draft")).toBe("当前状态为“草稿”，不能调整");
});

test("the form says what is missing, at the bound and beside it", () => {
  const wrong = (more: object) =>
    activityBody
      .safeParse({ ...anOffer([1]), ...more })
      .error?.issues.map((i) => `${i.path.join(".")} ${i.message}`);
  const PERCENT = "percent 请输入 0.1 到 100";
  for (const percent of [0.1, 12.5, 100]) expect(wrong({ percent })).toBeUndefined();
  for (const percent of [0, 0.05, 100.1, 5.55, null]) expect(wrong({ percent })?.[0]).toBe(PERCENT);
  expect(wrong({ kind: "amount" })).toEqual(["amount 请输入立减金额"]);
  expect(wrong({ kind: "amount", amount: 10_000_000_000 })).toEqual(["amount 金额过大"]);
  expect(wrong({ kind: "firstMonths", months: 12 })).toBeUndefined();
  expect(wrong({ kind: "firstMonths" })?.[0]).toMatch(/^months /);
  expect(wrong({ kind: "firstMonths", months: 13 })?.[0]).toMatch(/^months /);
  expect(wrong({ appliesTo: "fees" })).toEqual(["feeIds 请选择费用"]);
  expect(wrong({ monthFrom: 3, monthTo: 3 })).toBeUndefined();
  expect(wrong({ monthFrom: 3, monthTo: 2 })).toEqual(["monthTo 结束月份不能早于开始月份"]);
  expect(wrong({ signTo: "2026-01-01" })).toBeUndefined();
  expect(wrong({ signTo: "2025-12-31" })).toEqual(["signTo 结束日期不能早于开始日期"]);
  expect(wrong({ villageIds: [] })).toEqual(["villageIds 请选择门店"]);
  expect(wrong({ quota: 100_001 })?.[0]).toMatch(/^quota /);
});

const anyContent: fc.Arbitrary<Content> = fc
  .record({
    kind: fc.constantFrom("percent" as const, "amount" as const, "firstMonths" as const),
    percent: fc.integer({ min: 1, max: 1000 }).map((n) => n / 10),
    amount: fc.integer({ min: 1, max: 900_000 }),
    months: fc.integer({ min: 1, max: 12 }),
    everyMonth: fc.boolean(),
    monthFrom: fc.integer({ min: 1, max: 14 }),
    length: fc.option(fc.nat(12)),
  })
  .map(({ length, ...c }) => ({
    ...c,
    appliesTo: "rent",
    feeIds: [],
    monthTo: length === null ? null : c.monthFrom + length,
  }));

test("offers never bring a month below 0, and what they take off one by one is what the plan takes off", () => {
  fc.assert(
    fc.property(
      fc.array(anyContent, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 900_000 }),
      fc.constantFrom(1 as const, 3 as const, 0 as const),
      (offers, rent, cycleMonths) => {
        const plan = planBills(
          aSchedule({
            cycleMonths,
            discounts: offers.map((o, i) => discountOf(o, i)),
            rooms: [{ roomId: 1, monthlyRent: rent, joinDate: "2026-03-01" }],
          }),
        );
        const months = new Map<string, number>();
        for (const line of plan.bills.flatMap((b) => b.lines))
          if (line.kind !== "deposit")
            for (const { from, amount } of line.slices) months.set(from, (months.get(from) ?? 0) + amount);
        expect(Math.min(...months.values())).toBeGreaterThanOrEqual(0);
        const off = offOf(plan, offers.length);
        expect(Math.min(...off)).toBeGreaterThanOrEqual(0);
        expect(off.reduce((a, b) => a + b, 0)).toBe(0 - plan.totals.discounts);
      },
    ),
  );
});
