import { chineseYuan, yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { RentFrom } from "../schedule/steps.rules.ts";
import { turnoverClauses } from "../terms/turnover-share.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";

const sum = (fen: Fen) => `人民币 ${yuan(fen)} 元（大写：${chineseYuan(fen)}）`;
const CYCLE: Record<number, string> = { 0: "租期内租金一次性付清", 1: "每月", 6: "每半年", 12: "每年" };
const cycleWord = (months: number) => CYCLE[months] ?? `每${months}个月`;
const BASIS: Record<Terms["basis"], string> = {
  actual: "按当月实际天数折算",
  "30": "按每月30天折算，满月按一个月",
  "365": "按每年365天折算，满月按一个月",
  area: "按单价、面积和天数计算，满月按一个月",
};

/** Above this many rooms the bill table says what each of them costs. */
const EACH_ROOM = 20;

function stepClause({ fromDate, rent, rooms }: RentFrom, names: readonly string[]): string {
  if (names.length === 1) return `自 ${fromDate} 起，月租金调整为${sum(rent)}。`;
  const each =
    names.length > EACH_ROOM
      ? "各房间的租金见附件《账单明细》"
      : `其中${names.map((name, i) => `${name} ${yuan(rooms[i]!)} 元`).join("、")}`;
  return `自 ${fromDate} 起，月租金合计调整为${sum(rent)}，${each}。`;
}

/**
 * 租金: how much, how often, how part of a month is counted, when it rises, which days are free. The rents are those that
 * the bills charge, `names` the rooms in the same order.
 */
export function rentClauses(
  terms: Terms,
  [first, ...later]: readonly RentFrom[],
  names: readonly string[],
): string[] {
  const clauses = [
    `月租金为${sum(first?.rent ?? 0)}。${
      terms.cycleMonths === 0 ? CYCLE[0] : `租金${cycleWord(terms.cycleMonths)}支付一次`
    }，先付后住。不足一个月的租金${BASIS[terms.basis]}，四舍五入到分。`,
    dueClause(terms),
    ...turnoverClauses(terms.turnover),
  ];
  for (const step of later) clauses.push(stepClause(step, names));
  for (const free of terms.rentFree) {
    const fees = terms.fees.filter((f) => free.feeIds?.includes(f.feeId)).map((f) => f.name);
    clauses.push(
      `${free.fromDate} 至 ${free.toDate} 为免租期，免收租金${fees.length ? `及${fees.join("、")}` : ""}。`,
    );
  }
  return clauses;
}

type Discount = NonNullable<Terms["discounts"]>[number];

function discountClause(d: Discount, terms: Terms): string {
  const fees = terms.fees.filter((f) => d.feeIds?.includes(f.feeId)).map((f) => f.name);
  const what = fees.length ? [...new Set(fees)].join("、") : "租金";
  const from = d.fromMonth ?? 1;
  const last = d.kind === "firstMonths" ? from + Number(d.value) - 1 : d.toMonth;
  const months =
    last === from ? `第 ${from} 个月` : last ? `第 ${from} 至 ${last} 个月` : `第 ${from} 个月起`;
  if (d.kind === "firstMonths") return `${months}免收${what}`;
  const when = d.fromMonth || d.toMonth ? (last || from > 1 ? months : "") : "";
  if (d.kind === "percent") return `${when}${what}减免 ${d.value}%`;
  return d.everyMonth
    ? `${when}每月${what}减免 ${yuan(Number(d.value))} 元`
    : `${when}${what}共减免 ${yuan(Number(d.value))} 元`;
}

/** 优惠: what offers and agreements by hand take off; the bill table says how much in each period. */
export const discountClauses = (terms: Terms): string[] =>
  (terms.discounts ?? []).map(
    (d) => `优惠“${d.name}”：${discountClause(d, terms)}，各期优惠金额见附件《账单明细》。`,
  );

function dueClause({ due }: Terms): string {
  const first = due.firstDueDays ? `签署后 ${due.firstDueDays} 日内` : "签署当日";
  const head = `首期租金和押金于${first}支付`;
  if (due.rule === "signing") return `租金于${first}一次支付。`;
  if (due.rule === "advance") return `${head}，以后各期于该期开始前 ${due.dueDays ?? 0} 日支付。`;
  const month = due.dueMonthOffset === -1 ? "上月" : due.dueMonthOffset === 1 ? "次月" : "当月";
  return `${head}，以后各期于该期开始月份的${month} ${due.dueDay ?? 1} 日支付。`;
}

/** 押金 and what is kept of it. */
export const depositClause = (deposit: Fen): string =>
  deposit
    ? `乙方向甲方支付押金${sum(deposit)}。租赁关系终止、乙方结清费用并交还房屋后，甲方扣除乙方应承担的款项，余额无息退还。`
    : "双方约定不收取押金。";

const FEE_KIND = { recurring: "每月", once: "一次性收取", depositInKind: "实物押金，退还实物时返还，" };

export const feeClauses = (terms: Terms): string[] =>
  terms.fees.map((fee) => {
    const span =
      fee.fromDate || fee.toDate ? `（${fee.fromDate ?? "起租日"} 至 ${fee.toDate ?? "到期日"}）` : "";
    const cycle =
      fee.kind === "recurring" && fee.cycleMonths !== undefined ? `，${cycleWord(fee.cycleMonths)}支付` : "";
    if (fee.payer === "occupant")
      return `${fee.name}：每间房每月 ${yuan(fee.amount)} 元${span}，由实际入住人按入住天数分摊，直接支付给甲方。`;
    const byArea = fee.unitPrice ? `（铺位面积每平方米每月 ${fee.unitPrice} 元）` : "";
    return `${fee.name}：${FEE_KIND[fee.kind]} ${yuan(fee.amount)} 元${byArea}${cycle}${span}。`;
  });

/** 逾期、通知、违约、超期: what happens when something goes otherwise than agreed. */
export function breachClauses(terms: Terms): string[] {
  const clauses: string[] = [];
  if (Number(terms.lateFeeDailyRate) > 0)
    clauses.push(
      `乙方逾期付款超过 ${terms.graceDays} 日的，自第 ${terms.graceDays + 1} 日起每日按逾期未付金额的 ${terms.lateFeeDailyRate}% 支付滞纳金，总额不超过该笔未付金额的 ${terms.lateFeeCapPercent}%。`,
    );
  clauses.push(`任何一方提前解除合同，应提前 ${terms.noticeDays} 日书面通知对方。`);
  const penalty = penaltyWord(terms);
  if (penalty) clauses.push(`乙方提前退租的，${penalty}。`);
  if (terms.rentFreeClawback === "full") clauses.push("乙方提前退租的，应补交已享受的全部免租金额。");
  if (terms.rentFreeClawback === "unexpired")
    clauses.push("乙方提前退租的，应按未履行天数占租期的比例补交已享受的免租金额。");
  clauses.push(`退房当日${terms.leaveDayCharged ? "计收" : "不计"}租金。`);
  if (terms.holdoverPercent > 100)
    clauses.push(`租期届满未续租又未退房的，超期期间按原租金的 ${terms.holdoverPercent}% 支付占用费。`);
  else clauses.push("租期届满未续租又未退房的，超期期间按原租金标准支付占用费。");
  return clauses;
}

function penaltyWord(terms: Terms): string | undefined {
  switch (terms.penaltyRule) {
    case "none":
      return undefined;
    case "forfeitDeposit":
      return "押金不予退还，作为违约金";
    case "months":
      return `应支付相当于 ${terms.penaltyMonths} 个月租金的违约金`;
    case "remainingPercent":
      return `应支付剩余租期租金 ${terms.penaltyPercent}% 的违约金${
        Number(terms.penaltyCapMonths) ? `，最高不超过 ${terms.penaltyCapMonths} 个月租金` : ""
      }`;
    case "noticeShort":
      return "应就不足通知期的天数按日支付租金作为违约金";
  }
}
