import { expect, test } from "vitest";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { breachClauses, depositClause, discountClauses, feeClauses, rentClauses } from "./clause.rules.ts";

const terms = (more: Partial<Terms> = {}): Terms => ({ ...DEFAULT_TERMS, ...more });
const FIRST = { fromDate: "2026-03-15", rent: 300_000, rooms: [300_000] };
const rent = (more: Partial<Terms> = {}) => rentClauses(terms(more), [FIRST], ["1203"]);
const due = (more: Terms["due"]) => rent({ due: more })[1];

test("the rent, how often it is paid and how part of a month is counted", () => {
  expect(rent()[0]).toBe(
    "月租金为人民币 3,000.00 元（大写：叁仟元整）。租金每3个月支付一次，先付后住。不足一个月的租金按当月实际天数折算，四舍五入到分。",
  );
  const paid = (cycleMonths: Terms["cycleMonths"]) =>
    rent({ cycleMonths })[0]!.split("。")[1]!.split("，")[0];
  expect(([1, 2, 6, 12, 0] as const).map(paid)).toEqual([
    "租金每月支付一次",
    "租金每2个月支付一次",
    "租金每半年支付一次",
    "租金每年支付一次",
    "租期内租金一次性付清",
  ]);
});

test("when the first and the later periods are due", () => {
  expect(due({ rule: "advance", dueDays: 7 })).toBe(
    "首期租金和押金于签署当日支付，以后各期于该期开始前 7 日支付。",
  );
  expect(due({ rule: "advance", firstDueDays: 1 })).toBe(
    "首期租金和押金于签署后 1 日内支付，以后各期于该期开始前 0 日支付。",
  );
  expect(due({ rule: "signing", firstDueDays: 3 })).toBe("租金于签署后 3 日内一次支付。");
  const fixed = ([-1, 0, 1] as const).map(
    (dueMonthOffset) => due({ rule: "fixedDay", dueDay: 5, dueMonthOffset })!.split("该期")[1],
  );
  expect(fixed).toEqual([
    "开始月份的上月 5 日支付。",
    "开始月份的当月 5 日支付。",
    "开始月份的次月 5 日支付。",
  ]);
  // contracts that keep no day are billed on the first
  expect(due({ rule: "fixedDay" })).toContain("开始月份的当月 1 日支付。");
});

test("up to 20 rooms are named with their new rents, more are left to the bill table", () => {
  const step = (count: number) => {
    const names = Array.from({ length: count }, (_, i) => `${i + 1}`);
    const rooms = names.map(() => 310_000);
    const first = { ...FIRST, rooms: names.map(() => 300_000) };
    return rentClauses(terms(), [first, { fromDate: "2027-03-15", rent: 310_000 * count, rooms }], names).at(
      -1,
    )!;
  };
  expect(step(1)).toBe("自 2027-03-15 起，月租金调整为人民币 3,100.00 元（大写：叁仟壹佰元整）。");
  expect(step(2)).toBe(
    "自 2027-03-15 起，月租金合计调整为人民币 6,200.00 元（大写：陆仟贰佰元整），其中1 3,100.00 元、2 3,100.00 元。",
  );
  expect(step(20)).toContain("、20 3,100.00 元。");
  expect(step(21)).toContain("，各房间的租金见附件《账单明细》。");
});

test("free days, of the rent or of fees too", () => {
  const fee = { feeId: 7, name: "物业费", kind: "recurring", amount: 15_000 } as const;
  const free = (feeIds?: number[]) => {
    const days = { fromDate: "2026-03-15", toDate: "2026-03-31", ...(feeIds && { feeIds }) };
    return rent({ rentFree: [days], fees: [fee, { ...fee, feeId: 8, name: "网络费" }] })[2];
  };
  expect(free()).toBe("2026-03-15 至 2026-03-31 为免租期，免收租金。");
  expect(free([7])).toBe("2026-03-15 至 2026-03-31 为免租期，免收租金及物业费。");
  expect(free([7, 8])).toBe("2026-03-15 至 2026-03-31 为免租期，免收租金及物业费、网络费。");
});

test("the deposit, or that there is none", () => {
  expect(depositClause(300_000)).toMatch(/^乙方向甲方支付押金人民币 3,000.00 元（大写：叁仟元整）。/);
  expect(depositClause(0)).toBe("双方约定不收取押金。");
});

test("each fee with its cycle and its days, as far as they are agreed", () => {
  const fee = { feeId: 7, name: "物业费", kind: "recurring", amount: 15_000 } as const;
  const said = (more: Partial<Terms["fees"][number]>) =>
    feeClauses(terms({ fees: [{ ...fee, ...more }] }))[0];
  expect(said({})).toBe("物业费：每月 150.00 元。");
  expect(said({ cycleMonths: 3 })).toBe("物业费：每月 150.00 元，每3个月支付。");
  expect(said({ kind: "once", cycleMonths: 3 })).toBe("物业费：一次性收取 150.00 元。");
  expect(said({ fromDate: "2026-04-01" })).toBe("物业费：每月 150.00 元（2026-04-01 至 到期日）。");
  expect(said({ toDate: "2026-04-30" })).toBe("物业费：每月 150.00 元（起租日 至 2026-04-30）。");
});

test("late fee, notice, leaving early and staying on", () => {
  expect(breachClauses(terms())).toEqual([
    "乙方逾期付款超过 3 日的，自第 4 日起每日按逾期未付金额的 0.05% 支付滞纳金，总额不超过该笔未付金额的 100%。",
    "任何一方提前解除合同，应提前 30 日书面通知对方。",
    "乙方提前退租的，应支付相当于 1 个月租金的违约金。",
    "退房当日计收租金。",
    "租期届满未续租又未退房的，超期期间按原租金标准支付占用费。",
  ]);
  const mild = terms({
    lateFeeDailyRate: "0",
    penaltyRule: "none",
    leaveDayCharged: false,
    holdoverPercent: 101,
  });
  expect(breachClauses(mild)).toEqual([
    "任何一方提前解除合同，应提前 30 日书面通知对方。",
    "退房当日不计租金。",
    "租期届满未续租又未退房的，超期期间按原租金的 101% 支付占用费。",
  ]);
  expect(breachClauses(terms({ lateFeeDailyRate: "1" }))[0]).toContain("的 1% 支付滞纳金");
  const clawback = (rentFreeClawback: Terms["rentFreeClawback"]) =>
    breachClauses(terms({ rentFreeClawback })).filter((text) => text.includes("免租"));
  expect([clawback("none"), clawback("full"), clawback("unexpired")]).toEqual([
    [],
    ["乙方提前退租的，应补交已享受的全部免租金额。"],
    ["乙方提前退租的，应按未履行天数占租期的比例补交已享受的免租金额。"],
  ]);
  const penalty = (more: Partial<Terms>) => breachClauses(terms(more))[2];
  expect(penalty({ penaltyRule: "remainingPercent" })).toBe(
    "乙方提前退租的，应支付剩余租期租金 20% 的违约金，最高不超过 2 个月租金。",
  );
  expect(penalty({ penaltyRule: "remainingPercent", penaltyCapMonths: "0" })).toBe(
    "乙方提前退租的，应支付剩余租期租金 20% 的违约金。",
  );
});

test("each discount says what it takes off, of what and when", () => {
  const said = (more: Partial<NonNullable<Terms["discounts"]>[number]>, fees: Terms["fees"] = []) =>
    discountClauses(
      terms({
        fees,
        discounts: [{ name: "活动", kind: "percent", value: "5", order: 1, reason: "", ...more }],
      }),
    ).map((text) => text.replace("，各期优惠金额见附件《账单明细》。", ""));
  expect(discountClauses(terms())).toEqual([]);
  expect(said({})).toEqual(["优惠“活动”：租金减免 5%"]);
  expect(said({ fromMonth: 1 })).toEqual(["优惠“活动”：租金减免 5%"]);
  expect(said({ fromMonth: 2 })).toEqual(["优惠“活动”：第 2 个月起租金减免 5%"]);
  expect(said({ fromMonth: 1, toMonth: 6 })).toEqual(["优惠“活动”：第 1 至 6 个月租金减免 5%"]);
  expect(said({ fromMonth: 3, toMonth: 3 })).toEqual(["优惠“活动”：第 3 个月租金减免 5%"]);
  expect(said({ kind: "firstMonths", value: "1" })).toEqual(["优惠“活动”：第 1 个月免收租金"]);
  expect(said({ kind: "firstMonths", value: "2", fromMonth: 6 })).toEqual([
    "优惠“活动”：第 6 至 7 个月免收租金",
  ]);
  expect(said({ kind: "amount", value: "20000" })).toEqual(["优惠“活动”：租金共减免 200.00 元"]);
  expect(said({ kind: "amount", value: "20000", everyMonth: true, toMonth: 3 })).toEqual([
    "优惠“活动”：第 1 至 3 个月每月租金减免 200.00 元",
  ]);
  const fee = { feeId: 7, name: "物业费", kind: "recurring" as const, amount: 10_000 };
  expect(said({ feeIds: [7] }, [fee])).toEqual(["优惠“活动”：物业费减免 5%"]);
});
