import { AMOUNT_MAX, parseYuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../system/import/value.rules.ts";
import type { CycleMonths, DueRule } from "../schedule/terms.rules.ts";

const ok = <T>(value: T): Read<T> => ({ value });
const no = (msg: string): Read<never> => ({ msg });

/** 500, 1,200.50, ¥0: at most two decimals, 0 allowed. In fen. */
export function moneyOrNone(typed: string): Read<number> {
  const text = typed.replace(/^[¥￥]/, "").replace(/[,，]/g, "");
  if (!/^-?\d+(\.\d+)?$/.test(text) || /\.\d{3,}$/.test(text)) return no("金额格式不正确，最多两位小数");
  const fen = parseYuan(text);
  if (fen < 0) return no("金额不能小于0");
  return fen > AMOUNT_MAX ? no("金额过大") : ok(fen);
}

const COUNTS = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];
const NUMBER = "(?:[零一二三四五六七八九十两]{1,2}|\\d{1,2}(?:\\.5)?)";

/** 一, 两, 十二, 3, 1.5; −1 for what is no number of months. */
const countOf = (text: string): number =>
  /^\d/.test(text) ? Number(text) : COUNTS.indexOf(text.replaceAll("两", "二"));

export type PayPlan = { cycleMonths: CycleMonths; depositMonths: string };
const CYCLE: Record<string, CycleMonths> = { 1: 1, 2: 2, 3: 3, 6: 6, 12: 12 };
const PERIODS: Record<string, CycleMonths> = {
  月付: 1,
  两月付: 2,
  双月付: 2,
  季付: 3,
  半年付: 6,
  年付: 12,
  一次性付清: 0,
};

/** 押一付三, 押2付1, 押一半年付, 押半付一, 免押付一, 季付 (one month of deposit). */
export function payPlanOf(typed: string): Read<PayPlan> {
  const wrong = no("付款方式应为押X付Y，如 押一付三；付款周期为 1、2、3、6、12 个月或一次性付清");
  const text = typed.replace(/[\s个月+、]/g, (c) => (c === "月" ? "月" : "")).replace(/^免押/, "押零");
  const m = new RegExp(
    `^(?:押(半|${NUMBER}?半??)月?)?(?:付(${NUMBER})月?|(${Object.keys(PERIODS).join("|")}))$`,
  ).exec(text);
  if (!m) return wrong;
  const [, held, months, word] = m;
  if (held === "") return wrong;
  const half = held?.endsWith("半") ? 0.5 : 0;
  const whole = held === undefined ? 1 : held === "半" ? 0 : countOf(held.replace(/半$/, ""));
  const cycleMonths = word === undefined ? CYCLE[countOf(months!)] : PERIODS[word];
  const depositMonths = whole + half;
  return cycleMonths === undefined || depositMonths < 0 || depositMonths > 12
    ? wrong
    : ok({ cycleMonths, depositMonths: String(depositMonths) });
}

/** 提前7天, 每月5日, 上月25日, 下月5号, 签约时一次. */
export function dueRuleOf(typed: string): Read<DueRule> {
  const wrong = no("应收日规则应为 提前N天、每月N日、上月N日 或 下月N日");
  const text = typed.replace(/\s/g, "");
  const ahead = /^(?:计费期前|提前)(\d{1,2})[天日]$/.exec(text);
  if (ahead) return Number(ahead[1]) <= 60 ? ok({ rule: "advance", dueDays: Number(ahead[1]) }) : wrong;
  if (text === "计费期首日" || text === "当日") return ok({ rule: "advance", dueDays: 0 });
  const fixed = /^(每月|当月|上月|下月)(\d{1,2})[日号]$/.exec(text);
  if (fixed) {
    const day = Number(fixed[2]);
    const dueMonthOffset = fixed[1] === "上月" ? -1 : fixed[1] === "下月" ? 1 : 0;
    return day >= 1 && day <= 31 ? ok({ rule: "fixedDay", dueDay: day, dueMonthOffset }) : wrong;
  }
  return wrong;
}

/** A room's name without what separates its parts, so that 3栋-1单元-1203 and 3栋·1单元·1203 are the same. */
export const placeKey = (text: string): string => text.replace(/[\s·・.\-—_/、,，]/g, "").toUpperCase();
