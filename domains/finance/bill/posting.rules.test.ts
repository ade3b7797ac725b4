import { describe, expect, test } from "vitest";
import type { Entry } from "../journal/journal.rules.ts";
import type { SubjectKind } from "../subject/subject.rules.ts";
import {
  allocationEntry,
  freedEntry,
  issueEntries,
  lineEntry,
  setOffEntry,
  writeOffEntry,
} from "./posting.rules.ts";

const bill = {
  id: 1,
  villageId: 2,
  partyId: 3,
  contractId: 4,
  direction: "receivable" as const,
  source: "manual" as const,
};
const line = (id: number, feeSubjectId: number, amount: number, tax = 0) => ({
  id,
  feeSubjectId,
  amount,
  tax,
  kind: "normal" as const,
});
const KINDS: Record<number, SubjectKind> = {
  1: "income",
  2: "deposit",
  3: "lateFee",
  4: "agency",
  5: "earnest",
};
const kindOf = (id: number) => KINDS[id]!;
const told = (entry: Entry | undefined) =>
  entry && [entry.event, ...entry.legs.map((l) => `${l.account} ${l.amount}`)].join(", ");
const DAY = "2026-03-01";

describe("what a bill posts when it enters the ledger", () => {
  test("charges, deposits and late fees each by their own event", () => {
    const lines = [line(1, 1, 1000), line(2, 2, 2000), line(3, 3, 106, 6), line(4, 4, 50), line(5, 5, 70)];
    expect(issueEntries(bill, lines, kindOf, DAY).map(told)).toEqual([
      "E01, 1122 1000, 2204 -1000, 1122 50, 2243 -50",
      "E02, 1122 2000, 2205 -2000, 1122 70, 2205 -70",
      "E03, 1122 106, 6052 -100, 2222 -6",
    ]);
    expect(issueEntries(bill, [line(2, 2, 5)], kindOf, DAY).map((e) => e.event)).toEqual(["E02"]);
  });
  test("what we owe, and what was owed before the take-over", () => {
    const lines = [line(1, 1, 1000), line(4, 4, 50)];
    expect(issueEntries({ ...bill, direction: "payable" }, lines, kindOf, DAY).map(told)).toEqual([
      "E25, 6401 1000, 2202 -1000, 2243 50, 2202 -50",
    ]);
    expect(issueEntries({ ...bill, source: "opening" }, lines, kindOf, DAY).map(told)).toEqual([
      "E30, 1122 1000, 3999 -1000, 1122 50, 3999 -50",
    ]);
  });
  test("corrections follow the side of their bill", () => {
    expect(told(lineEntry("E04", bill, line(9, 1, -300), "income", DAY))).toBe("E04, 1122 -300, 2204 300");
    expect(told(lineEntry("E04", { ...bill, direction: "payable" }, line(9, 1, -300), "income", DAY))).toBe(
      "E25, 6401 -300, 2202 300",
    );
    expect(told(lineEntry("E03", bill, line(9, 3, 106, 6), "lateFee", DAY))).toBe(
      "E03, 1122 106, 6052 -100, 2222 -6",
    );
  });
});

test("payment, loss, earnest money freed and forfeited", () => {
  const money = { id: 8, flowId: 7, amount: 500 };
  expect(told(allocationEntry(bill, money, line(1, 1, 0), "income", DAY))).toBe("E08, 2203 500, 1122 -500");
  const held = allocationEntry(bill, money, line(2, 2, 0), "deposit", DAY);
  expect(told(held)).toBe("E08, 2203 500, 1122 -500, 2205 500, 2241 -500");
  expect(held.legs[0]).toMatchObject({ flowId: 7, billId: 1, billLineId: 2, partyId: 3, contractId: 4 });
  expect(told(freedEntry(held, 8, DAY))).toBe("E15, 2203 -500, 2241 500");
  expect(told(writeOffEntry(bill, 8, line(1, 1, 0), "income", 500, DAY))).toBe("E11, 6701 500, 1122 -500");
  expect(told(writeOffEntry(bill, 8, line(2, 2, 0), "deposit", 500, DAY))).toBe("E11, 2205 500, 1122 -500");
  expect(told(writeOffEntry(bill, 8, line(2, 2, 0), "agency", 500, DAY))).toBe("E11, 2243 500, 1122 -500");
  const earnest = { ...bill, lines: [{ id: 11, feeSubjectId: 5 }] };
  const penalty = { ...bill, id: 6, lines: [{ id: 12, feeSubjectId: 1 }] };
  expect(told(setOffEntry(earnest, penalty, 8, 500, DAY))).toBe("E14, 2241 500, 1122 -500");
});
