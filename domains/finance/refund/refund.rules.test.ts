import { expect, test } from "vitest";
import {
  askAfter,
  proposedRoute,
  REFUND_MOVES,
  whyNotBack,
  whyNotRoute,
  whyNotSplit,
  sharesOf,
  splitAs,
  type Origin,
} from "./refund.rules.ts";

const partsOf = (origins: readonly Origin[], amount: number) =>
  sharesOf(origins, amount).filter((part) => part.amount > 0);
const wechat = (more: Partial<Origin> = {}): Origin => ({
  flowId: 1,
  flowNo: "LS1",
  channel: "wechat",
  coded: true,
  paidOn: "2025-03-10",
  available: 300_000,
  wanted: 0,
  rest: 300_000,
  times: 0,
  ...more,
});

test("a deposit of 3,000.00 paid by WeChat on 2025-03-09 is 366 days old on 2026-03-10: by the bank", () => {
  const parts = partsOf([wechat({ paidOn: "2025-03-09" })], 300_000);
  expect(proposedRoute(parts, "2026-03-10")).toEqual({ route: "bank", why: "已超过微信退款期限（365 天）" });
  const young = partsOf([wechat()], 300_000);
  expect(proposedRoute(young, "2026-03-10")).toEqual({ route: "channel", why: "" });
});

test("fifty parts, a payment that is used up, and one that was booked by hand do not go back by themselves", () => {
  const why = (more: Partial<Origin>, amount = 100) => whyNotBack({ ...wechat(more), amount }, "2025-03-11");
  expect(why({ times: 49 })).toBeUndefined();
  expect(why({ times: 50 })).toBe("已达微信部分退款上限（50次）");
  expect(why({ rest: 99 })).toBe("渠道内可退金额不足");
  expect(why({ coded: false })).toBe("不是扫码收的款，渠道不能原路退回");
  expect(why({ channel: "till", paidOn: "2020-01-01" })).toBeUndefined();
});

test("the newest money goes first, flow by flow", () => {
  const old = wechat({ flowId: 1, paidOn: "2025-01-01", available: 50_000 });
  const young = wechat({ flowId: 2, paidOn: "2025-02-01", available: 60_000 });
  expect(partsOf([old, young], 80_000).map((p) => [p.flowId, p.amount])).toEqual([
    [2, 60_000],
    [1, 20_000],
  ]);
  expect(partsOf([old, young], 200_000).reduce((sum, p) => sum + p.amount, 0)).toBe(110_000);
  expect(partsOf([], 1)).toEqual([]);
  expect(partsOf([old, young], 60_000)).toHaveLength(1);
  expect(partsOf([old, young], 60_001).map((p) => p.amount)).toEqual([60_000, 1]);
  // a later entry of an earlier payment, two of one day, and money from before the take-over
  const late = wechat({ flowId: 9, paidOn: "2024-12-31" });
  const twin = wechat({ flowId: 3, paidOn: "2025-02-01" });
  const before = wechat({ flowId: null, paidOn: "2025-02-01" });
  for (const all of [
    [before, late, old, young, twin],
    [twin, young, old, late, before],
  ])
    expect(partsOf(all, 2_000_000).map((p) => p.flowId)).toEqual([3, 2, null, 1, 9]);
});

test("what another application wants of a flow is taken last", () => {
  const old = wechat({ flowId: 1, paidOn: "2025-01-01", available: 50_000 });
  const young = wechat({ flowId: 2, paidOn: "2025-02-01", available: 60_000, wanted: 45_000 });
  const taken = (amount: number) => partsOf([old, young], amount).map((p) => [p.flowId, p.amount]);
  expect(taken(65_000)).toEqual([
    [2, 15_000],
    [1, 50_000],
  ]);
  expect(taken(70_000)).toEqual([
    [2, 20_000],
    [1, 50_000],
  ]);
});

test("a split of one's own: no flow above what is free of it, all of them the whole", () => {
  const old = wechat({ flowId: 1, paidOn: "2025-01-01", available: 50_000 });
  const young = wechat({ flowId: 2, flowNo: "LS2", paidOn: "2025-02-01", available: 60_000, wanted: 45_000 });
  const why = (...amounts: [number | null, number][]) =>
    whyNotSplit(
      [old, young],
      amounts.map(([flowId, amount]) => ({ flowId, amount })),
      40_000,
    );
  expect(why([1, 40_000])).toBeUndefined();
  expect(why([1, 25_000], [2, 15_000])).toBeUndefined();
  expect(why([1, 24_999], [2, 15_001])).toBe("流水 LS2 最多可退 150.00 元");
  expect(why([1, 39_999])).toBe("各笔合计 399.99 元，须等于退款金额 400.00 元");
  expect(why([3, 40_000])).toBe("所选收款没有该款项的可退余额");
  expect(why([null, 40_000])).toBe("所选收款没有该款项的可退余额");
  const split = splitAs(sharesOf([old, young], 40_000), [{ flowId: 1, amount: 40_000 }]);
  expect(split.map((p) => [p.flowId, p.amount])).toEqual([
    [2, 0],
    [1, 40_000],
  ]);
});

test("one part that cannot go back sends all of it by the bank; nothing at all cannot go back either", () => {
  const parts = partsOf([wechat(), wechat({ flowId: 2, coded: false })], 600_000);
  expect(proposedRoute(parts, "2025-03-11").route).toBe("bank");
  expect(proposedRoute([], "2025-03-11").route).toBe("bank");
});

test("cash only up to its limit", () => {
  const of = { parts: [], today: "2026-03-10", cashLimit: 50_000 };
  expect(whyNotRoute("cash", { ...of, amount: 50_000 })).toBeUndefined();
  expect(whyNotRoute("cash", { ...of, amount: 50_001 })).toBe("现金退款不能超过 500.00 元");
  expect(whyNotRoute("channel", { ...of, amount: 1 })).toBe("没有可原路退回的款项");
});

test("moves: what is under way cannot be cancelled, what was paid in part neither", () => {
  const row = { route: "bank" as const, paid: 0, payeeTail: "4567" };
  expect(REFUND_MOVES.refusal("cancel", { ...row, status: "paying" })).toBe("当前状态为“支付中”，不能取消");
  expect(REFUND_MOVES.refusal("cancel", { ...row, status: "toPay", paid: 1 })).toBe(
    "部分款项已退出，不能取消",
  );
  expect(REFUND_MOVES.refusal("pay", { ...row, status: "toPay" })).toBe("该退款须打款后确认，不能由渠道支付");
  expect(REFUND_MOVES.refusal("confirm", { ...row, status: "toPay", payeeTail: "" })).toContain("收款账号");
  expect(REFUND_MOVES.next("returned", { ...row, status: "paid" })).toBe("failed");
  expect(REFUND_MOVES.refusal("cancel", { ...row, status: "toPay" })).toBeUndefined();
  expect(REFUND_MOVES.refusal("retry", { ...row, status: "failed" })).toBe("请更换退款方式后重新支付");
  expect(REFUND_MOVES.refusal("retry", { ...row, route: "channel", status: "failed" })).toBeUndefined();
  expect(REFUND_MOVES.refusal("file", { ...row, status: "toPay" })).toBeUndefined();
  expect(REFUND_MOVES.next("file", { ...row, status: "paying" })).toBe("paying");
  expect(REFUND_MOVES.next("fail", { ...row, status: "paying" })).toBe("failed");
  expect(REFUND_MOVES.refusal("fail", { ...row, route: "channel", status: "paying" })).toBe(
    "原路退回由渠道确认",
  );
  expect(REFUND_MOVES.refusal("file", { ...row, payeeTail: "", status: "toPay" })).toContain("收款账号");
  expect(REFUND_MOVES.refusal("file", { ...row, route: "cash", status: "toPay" })).toBe(
    "只有银行打款的退款需要付款文件",
  );
});

test("a silent channel is asked later and later, at most every half hour", () => {
  expect([1, 2, 3, 4, 5, 9].map(askAfter)).toEqual([2, 4, 8, 16, 30, 30]);
});
