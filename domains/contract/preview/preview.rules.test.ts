import { expect, test } from "vitest";
import { planBills } from "../schedule/bills.rules.ts";
import { aSchedule, type SampleTerms } from "../schedule/schedule.sample.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import {
  approvalValues,
  belowLowest,
  breachOf,
  hashText,
  shownBill,
  subjectOf,
  type Hashed,
} from "./preview.rules.ts";

const fees = [{ feeId: 7, name: "物业费", kind: "recurring" as const, amount: 15_000 }];
const hashed = (more: Partial<Hashed> = {}): Hashed => ({
  contractId: 1,
  villageId: 2,
  partyId: 3,
  terms: DEFAULT_TERMS,
  input: aSchedule(),
  lowest: [280_000],
  taken: [],
  plan: planBills(aSchedule()),
  ...more,
});

test("a line is called by its subject", () => {
  expect(subjectOf({ feeKey: "rent", item: null }, fees)).toBe("租金");
  expect(subjectOf({ feeKey: "deposit", item: null }, fees)).toBe("押金");
  expect(subjectOf({ feeKey: 7, item: null }, [{ ...fees[0]!, feeId: 6, name: "网络费" }, ...fees])).toBe(
    "物业费",
  );
  expect(subjectOf({ feeKey: 8, item: null }, fees)).toBe("费用");
});

test("a bill whose due day has passed, or that has none, is due on signing", () => {
  const [deposit, first, second] = planBills(aSchedule({ cycleMonths: 3 })).bills;
  const dueOn = (bill: typeof first, today: string) => shownBill(bill!, { fees: [] }, today).dueOn;
  // from 1 June on, seven days ahead
  expect(dueOn(second, "2026-05-24")).toBe("2026-05-25");
  expect(dueOn(second, "2026-05-25")).toBe("2026-05-25");
  expect(dueOn(second, "2026-05-26")).toBeNull();
  expect([dueOn(deposit, "2026-01-01"), dueOn(first, "2026-01-01")]).toEqual([null, null]);
  expect(dueOn({ ...second!, onSigning: false, dueRuleDate: null }, "2026-01-01")).toBeNull();
  expect(dueOn({ ...second!, onSigning: true }, "2026-01-01")).toBeNull();
});

test("the hash stays while nothing about the money changes", () => {
  const text = hashText(hashed());
  expect(hashText(hashed({ input: aSchedule(), plan: planBills(aSchedule()) }))).toBe(text);
  expect(hashText(hashed({ lowest: [] }))).not.toBe(text);
  const dearer = aSchedule({ rent: 300_001 });
  expect(hashText(hashed({ plan: planBills(dearer) }))).not.toBe(text);
  const taken = [{ roomId: 1, from: "2027-03-01", to: null, label: "HT-2" }];
  expect(hashText(hashed({ taken }))).not.toBe(text);
});

test("a rule counts while it makes the rows, and for nothing once they are written out", () => {
  const stepRule = { every: 1, unit: "year", mode: "percentCompound", value: "5" } as const;
  const row = { fromDate: "2026-09-01", mode: "table", value: "310000", resultRent: 310_000 } as const;
  const text = (rule: typeof stepRule | null, source: "rule" | "manual") =>
    hashText(hashed({ terms: { ...DEFAULT_TERMS, stepRule: rule, steps: [{ ...row, source }] } }));
  expect(text(stepRule, "rule")).toBe(text(null, "rule"));
  expect(text(stepRule, "manual")).not.toBe(text(null, "manual"));
});

test("a rent after discounts below the lowest price is told, of the room it is about", () => {
  const below = (
    terms: SampleTerms,
    lowest: (number | null)[],
    turnover?: Parameters<typeof belowLowest>[2],
  ) => belowLowest(aSchedule(terms), lowest, turnover);
  expect(below({}, [300_000])).toBeUndefined();
  expect(below({}, [300_001])).toBe("折后月租 3,000.00 低于底价 3,000.01，需要“低于底价签约”权限或审批");
  expect(below({}, [null])).toBeUndefined();
  expect(below({}, [])).toBeUndefined();
  const rooms = [1, 2].map((roomId) => ({ roomId, monthlyRent: roomId * 100_000 }));
  expect(below({ rooms }, [100_000, 200_001])).toContain("2,000.00 低于底价 2,000.01");
  expect(below({ rooms }, [100_000, 200_000])).toBeUndefined();
  const turnover = { rentKind: "turnover" } as NonNullable<Parameters<typeof belowLowest>[2]>;
  expect(below({}, [300_001], turnover)).toBeUndefined();
  expect(below({}, [300_001], { ...turnover, rentKind: "higherOf" } as typeof turnover)).toBeDefined();
});

test("an approval is chosen by total, rent, term, discount, deposit and the breach of the lowest price", () => {
  const contract = { monthlyRent: 300_000, start: "2026-03-01", end: "2027-02-28", terms: DEFAULT_TERMS };
  const plan = planBills(aSchedule());
  const of = { contract, plan, input: aSchedule(), lists: [400_000] };
  const below = "折后月租 2,600.00 低于底价 2,700.00，需要“低于底价签约”权限或审批";
  const values = { amount: plan.totals.contractTotal, rent: 300_000, yearRent: 3_600_000, days: 365 };
  Object.assign(values, { discount: 25, months: 12, depositMonths: 1, freeDays: 0 });
  expect(approvalValues({ ...of, below: undefined })).toEqual({ ...values, belowLowest: 0 });
  expect(approvalValues({ ...of, below })).toEqual({ ...values, belowLowest: 1 });
  expect(breachOf(below)).toBe("折后月租 2,600.00 低于底价 2,700.00");
});
