import { expect, test } from "vitest";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import { configChanges, configErrors, configLines } from "./config-check.rules.ts";
import { CONFIG_DEFAULTS } from "./config.rules.ts";

type Values = Parameters<typeof configLines>[0];
const set = (more: Partial<Values> = {}): Values => ({ ...CONFIG_DEFAULTS, defaultTerms: {}, ...more });
const kept = (more: Partial<Values & { coming: object[] }> = {}) =>
  ({ ...set(more), coming: more.coming ?? [] }) as Parameters<typeof configChanges>[0];
const messages = (values: Values) => configErrors(values).map((e) => `${e.field} ${e.msg}`);
const deposit = (months: string) => ({ mode: "months" as const, months });

test("default terms may reach the limits and not go beyond; a limit of 0 is none", () => {
  expect(messages(set())).toEqual([]);
  const two = (months: string) =>
    messages(set({ maxDepositMonths: 2, defaultTerms: { deposit: deposit(months) } }));
  expect(two("2")).toEqual([]);
  expect(two("2.5")).toEqual(["defaultTerms.deposit.months 押金不得超过 2 个月租金"]);
  const year = (maxPrepayMonths: number) =>
    messages(set({ maxPrepayMonths, defaultTerms: { cycleMonths: 6 } }));
  expect(year(6)).toEqual([]);
  expect(year(5)).toEqual(["defaultTerms.cycleMonths 预付租金不得超过 5 个月"]);
  expect(year(0)).toEqual([]);
  expect(messages(set({ defaultTerms: { deposit: deposit("12") } }))).toEqual([]);
  // an amount is no number of months
  const amount = { mode: "amount" as const, amount: 900_000 };
  expect(messages(set({ maxDepositMonths: 1, defaultTerms: { deposit: amount } }))).toEqual([]);
});

test("days are counted by area only where the rent is by area: no contract could be typed in with the other", () => {
  const pair = (pricing: "month" | "areaDay") => messages(set({ defaultTerms: { pricing, basis: "area" } }));
  expect(pair("areaDay")).toEqual([]);
  expect(pair("month")).toEqual(["defaultTerms.basis 按面积计费须按面积计租，请选择其他方式"]);
});

test("a term out of range is told once, in the words of its own field", () => {
  expect(messages(set({ defaultTerms: { graceDays: 61 } }))).toHaveLength(1);
  expect(messages(set({ defaultTerms: { noticeDays: 181 } }))).toEqual([
    "defaultTerms.noticeDays 通知期为 0 至 180 天",
  ]);
});

test("a set reads line by line", () => {
  expect(Object.fromEntries(configLines(set()))).toEqual({
    提交后占房: "7 天",
    可倒签: "90 天",
    结算单未答复视为同意: "3 天",
    入住条件: "付清首期账单",
    可续租期: "60 天",
    续租须结清欠费: "否",
    企业超授信: "拒绝签约",
    押金上限: "不限",
    预付租金上限: "不限",
    计租方式: "按月",
    付款方式: "押一付三",
    租金取整: "分",
    不足整月计费: "按实际天数",
    未核验租客: "提示后可签",
    计费期: "按起租日",
    应收日: "提前 7 天，首期签约后 0 天",
    宽限天数: "3 天",
    滞纳金日利率: "0.05%",
    滞纳金上限: "100%",
    通知期: "30 天",
    退房当日计租: "是",
    违约金: "1 个月租金",
    免租追回: "不追回",
    到期占用费: "100%",
    补充约定: "空",
  });
});

test("each choice has its own words", () => {
  const line = (title: string, terms: Values["defaultTerms"], more: Partial<Values> = {}) =>
    configLines(set({ ...more, defaultTerms: terms })).find(([at]) => at === title)?.[1];
  expect(line("押金上限", {}, { maxDepositMonths: 3 })).toBe("3 个月");
  expect(line("付款方式", { deposit: { mode: "amount", amount: 250_000 } })).toBe("押定额付三 2,500.00");
  expect(line("计费期", { calendarPeriods: true })).toBe("自然月");
  expect(line("退房当日计租", { leaveDayCharged: false })).toBe("否");
  expect(line("补充约定", { policyNote: "不得饲养宠物" })).toBe("不得饲养宠物");
  expect(line("应收日", { due: { rule: "signing", firstDueDays: 3 } })).toBe("签约时一次，首期签约后 3 天");
  const fixed = (dueMonthOffset?: -1 | 0 | 1) =>
    line("应收日", {
      due: { rule: "fixedDay", dueDay: 5, ...(dueMonthOffset !== undefined && { dueMonthOffset }) },
    });
  expect([fixed(-1), fixed(0), fixed(1), fixed()]).toEqual([
    "计费期开始上月 5 日，首期签约后 0 天",
    "计费期开始当月 5 日，首期签约后 0 天",
    "计费期开始次月 5 日，首期签约后 0 天",
    "计费期开始当月 5 日，首期签约后 0 天",
  ]);
  const penalty = (penaltyRule: "none" | "remainingPercent" | "forfeitDeposit") =>
    line("违约金", { penaltyRule });
  expect([penalty("remainingPercent"), penalty("forfeitDeposit"), penalty("none")]).toEqual([
    "剩余租金 20%，封顶 2 个月",
    "押金不退",
    "无",
  ]);
});

test("the log says what changed, from what to what; what is ahead is named when it is new", () => {
  const coming = [{ from: "2027-01-01", terms: { graceDays: 5, lateFeeCapPercent: 20 } }];
  expect(configChanges(kept(), kept())).toEqual(["没有变化"]);
  expect(configChanges(kept(), kept({ holdDays: 5, freeRoomAt: "paid" }))).toEqual([
    "提交后占房：7 天 → 5 天",
    "退房释放房间：结算确认后 → 结清款项后",
  ]);
  const ahead = "2027-01-01 起 宽限天数 5 天，上限 20% 本金";
  expect(configChanges(kept(), kept({ coming }))).toEqual([ahead]);
  expect(configChanges(kept({ coming }), kept({ coming }))).toEqual(["没有变化"]);
  // the first own set takes all of it over, and says so
  expect(configChanges(kept({ coming }), kept({ coming }), "首次设置")).toEqual(["首次设置", ahead]);
  expect(configChanges(kept(), kept({ defaultTerms: { ...DEFAULT_TERMS, graceDays: 4 } }))).toEqual([
    "宽限天数：3 天 → 4 天",
  ]);
});
