import { expect, test } from "vitest";
import { planBills } from "../schedule/bills.rules.ts";
import { aSchedule } from "../schedule/schedule.sample.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import { newBills, shareOf } from "./bills.rules.ts";

test.each([
  ["0.05", "0.000500"],
  ["1", "0.010000"],
  [100, "1.000000"],
  ["0", "0.000000"],
  ["0.00005", "0.000001"],
])("%s percent is %s", (percent, share) => {
  expect(shareOf(percent)).toBe(share);
});

const contract = { id: 9, villageId: 4, partyId: 3, mainRoomId: 31, terms: DEFAULT_TERMS };

test("signing makes the bills of the plan, with the contract's late fee", () => {
  const plan = planBills(
    aSchedule({ cycleMonths: 6, discounts: [{ kind: "percent", value: "10", order: 1, toMonth: 1 }] }),
  );
  const [deposit, first] = newBills(contract, plan, "2026-02-20");
  expect(deposit).toMatchObject({ roomId: 31, dueDate: "2026-02-20", source: "schedule", graceDays: 3 });
  expect([deposit!.lateFeeRate, deposit!.lateFeeCap]).toEqual(["0.000500", "1.000000"]);
  expect(first!.lines.map((line) => [line.subject, line.kind, line.amount, line.reason])).toEqual([
    ["rent", "normal", 1_800_000, undefined],
    ["rent", "adjust", -30_000, "签约优惠"],
  ]);
  expect(first!.lines[0]).not.toHaveProperty("reason");
});

test("a title is cut to the sixty characters that a bill holds", () => {
  const fees = ["水", "电", "网"].map((word, feeId) => ({
    feeId,
    name: word.repeat(20),
    kind: "recurring" as const,
    amount: 10_000,
    cycleMonths: 3 as const,
  }));
  const bills = newBills(contract, planBills(aSchedule({ fees })), "2026-02-20");
  const first = bills.find((bill) => bill.title.includes("水"));
  expect(first!.title).toHaveLength(60);
  expect(first!.title).toMatch(/^第1期水水/);
});

test("the first bills fall due so many days after signing as the terms give", () => {
  const plan = planBills(aSchedule());
  const due = (more: object) =>
    newBills(
      { ...contract, terms: { ...DEFAULT_TERMS, due: { rule: "advance", dueDays: 7, ...more } } },
      plan,
      "2026-02-20",
    )[0]!.dueDate;
  expect([due({}), due({ firstDueDays: 5 })]).toEqual(["2026-02-20", "2026-02-25"]);
});
