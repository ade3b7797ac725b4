import { describe, expect, test } from "vitest";
import { allocateFlow, confirmBatch } from "./flow.contract.ts";
import {
  FLOW_MOVES,
  channelFee,
  onLines,
  paymentEntry,
  prepaidChange,
  receiptEntries,
  refundEntry,
  FLOW_STATE,
  type FlowState,
  hasReceipt,
  receiptLines,
  toPrepaid,
} from "./flow.rules.ts";
import { accountKindOf, bookOf } from "../account/channel.rules.ts";

test("what a channel keeps: the rate, half a fen up, and never more than the cap", () => {
  expect(channelFee(10_000, "0.006", null)).toBe(60);
  expect(channelFee(10_083, "0.006", null), "60.498").toBe(60);
  expect(channelFee(10_084, "0.006", null), "60.504").toBe(61);
  expect(channelFee(100_000, "0.006", 500)).toBe(500);
  expect(channelFee(10_000, "0.006", 500)).toBe(60);
  expect(channelFee(10_000, "0", 500)).toBe(0);
});

test("where the money of a channel stands", () => {
  expect([accountKindOf("bankTransfer"), accountKindOf("wechat"), accountKindOf("till")]).toEqual([
    "bank",
    "wechat",
    "till",
  ]);
  expect([bookOf("cash"), bookOf("bank"), bookOf("pos")]).toEqual(["1001", "1002", "1012"]);
});

describe("the entries of a flow", () => {
  const flow = {
    id: 7,
    villageId: 1,
    partyId: 5,
    merchantAccountId: 3,
    amount: 10_000,
    fee: 60,
    paidOn: "2026-03-01",
  };
  const legs = (entry: { legs: { account: string; villageId: number | null; amount: number }[] }) =>
    entry.legs.map((leg) => [leg.account, leg.villageId, leg.amount]);
  test("money that comes belongs to the party; the channel's fee leaves the account", () => {
    const [received, fee] = receiptEntries(flow, { kind: "wechat", holderVillageId: null });
    expect([received!.event, legs(received!)]).toEqual([
      "E06",
      [
        ["1012", null, 10_000],
        ["2203", 1, -10_000],
      ],
    ]);
    expect([fee!.event, legs(fee!)]).toEqual([
      "E07",
      [
        ["6602", 1, 60],
        ["1012", null, -60],
      ],
    ]);
    expect(receiptEntries({ ...flow, fee: 0 }, { kind: "cash", holderVillageId: 1 })).toHaveLength(1);
  });
  test("money that goes pays what was owed", () => {
    for (const [entry, event] of [
      [paymentEntry(flow, { kind: "bank", holderVillageId: 1 }), "E26"],
      [refundEntry(flow, { kind: "bank", holderVillageId: 1 }), "E13"],
    ] as const)
      expect([entry.event, legs(entry)]).toEqual([
        event,
        [
          ["2202", 1, 10_000],
          ["1002", 1, -10_000],
        ],
      ]);
  });
});

test("what may be done with a flow", () => {
  const flow = { status: "confirmed", direction: "in", refunded: 0, unallocated: 5 } as const;
  expect(FLOW_MOVES.refusal("reverse", flow)).toBeUndefined();
  expect(FLOW_MOVES.refusal("reverse", { ...flow, refunded: 1 })).toBe("该流水的款项已退款，不能冲销");
  expect(FLOW_MOVES.refusal("allocate", flow)).toBeUndefined();
  expect(FLOW_MOVES.refusal("allocate", { ...flow, direction: "out" })).toBe("支出流水不能分配");
  for (const move of ["confirm", "reject"] as const) {
    expect(FLOW_MOVES.refusal(move, { ...flow, status: "pending" })).toBeUndefined();
    expect(FLOW_MOVES.refusal(move, flow)).toBeTruthy();
  }
  for (const move of ["allocate", "reverse"] as const)
    expect(FLOW_MOVES.refusal(move, { ...flow, status: "reversed" })).toBeTruthy();
});

test("a receipt is there for nothing but money whose coming is agreed", () => {
  const states = Object.keys(FLOW_STATE) as FlowState[];
  expect(states.filter((state) => hasReceipt({ direction: "in", state }))).toEqual(["confirmed"]);
  expect(hasReceipt({ direction: "out", state: "confirmed" })).toBe(false);
});

test("no line is wanted twice in one payment: of two amounts nobody knows which is meant", () => {
  const want = (billId: number, lineId: number | null) => ({ billId, lineId, amount: 5 });
  const wants = (...list: ReturnType<typeof want>[]) =>
    allocateFlow.body.safeParse({ wants: list }).error?.issues.map((i) => i.message);
  expect(wants(want(1, 1), want(1, 2), want(1, null))).toBeUndefined();
  expect(wants(want(1, 1), want(1, 1))).toEqual(["同一费用不能重复填写"]);
  expect(confirmBatch.body.parse({ ids: [3, 3, 4] })).toEqual({ ids: [3, 4] });
});

test("new money that no line takes goes to the prepaid balance, and what was prepaid pays its share", () => {
  const stages = [
    { flowId: 4, paying: [{ amount: 300 }, { amount: 200 }] },
    { flowId: null, paying: [{ amount: 700 }] },
  ];
  expect(prepaidChange({ paid: 1200, stages }, 1000, 600)).toEqual({
    prepaidBefore: 600,
    prepaidUsed: 500,
    toPrepaid: 300,
    prepaidAfter: 400,
  });
});

test("a late fee is paid on its lines in order, each as far as it is open, and never more than was written", () => {
  const pay = { billId: 1, lineId: null, amount: 500 };
  const left = new Map([
    [7, 300],
    [8, 400],
  ]);
  expect(onLines(pay, [{ id: 7 }, { id: 8 }], left).map((p) => [p.lineId, p.amount])).toEqual([
    [7, 300],
    [8, 200],
  ]);
  expect([...left.values()]).toEqual([0, 200]);
  expect(onLines({ ...pay, amount: 200 }, [{ id: 7 }, { id: 8 }], left).map((p) => p.lineId)).toEqual([8]);
  expect(() => onLines({ ...pay, amount: 1 }, [{ id: 9 }], left)).toThrow("more planned than written");
});

test("the lines of a receipt and what of it is prepaid add up to what came", () => {
  const at = { billNo: "ZD1", periodStart: null, periodEnd: null, undoesId: null };
  const paid = { ...at, subject: "租金", amount: 300, undone: 100 };
  const undone = { ...at, subject: "物业费", amount: 50, undone: 50 };
  const sum = (flow: Parameters<typeof receiptLines>[0]) =>
    receiptLines(flow).map(({ subject, amount }) => [subject, amount]);
  expect(sum({ kind: "receipt", amount: 500, allocations: [paid, undone] })).toEqual([["租金", 200]]);
  expect(toPrepaid({ unallocated: 100, refunded: 200 })).toBe(300);
  // a partner's share pays no bill and is wholly for its sheet
  expect(sum({ kind: "thirdParty", amount: 500, allocations: [] })).toEqual([["第三方收入", 500]]);
});
