import { expect, test } from "vitest";
import { arrived, dueAt, lateDays, receivedEntry, settledEntry } from "./submission.rules.ts";
import { balanced, credit, debit } from "../journal/journal.rules.ts";

test("cash is due at 18:00 of the next workday; a day that has begun counts as late", () => {
  const due = dueAt("2026-03-27", 1, new Map());
  expect(due).toBe("2026-03-30T18:00:00+08:00");
  const late = (at: string) => lateDays(Date.parse(`${at}:00+08:00`) - Date.parse(due));
  expect(["2026-03-30T18:00", "2026-03-30T18:01", "2026-03-31T18:00", "2026-03-31T18:01"].map(late)).toEqual([
    0, 1, 1, 2,
  ]);
});

test("1,480.00 of 1,500.00 is short by 20.00, which the store owes; 1,510.00 is over by 10.00, a gain", () => {
  const of = { id: 1, villageId: 7, submitted: 150_000, rounds: 1 };
  const legs = (amount: number) =>
    balanced(receivedEntry(of, debit("1002", 7, amount), "2026-03-28").legs).map((l) => [
      l.account,
      l.amount,
    ]);
  expect([148_000, 150_000, 151_000].map((fen) => arrived(150_000, fen))).toEqual([
    "short",
    "received",
    "over",
  ]);
  expect(legs(148_000)).toEqual([
    ["1002", 148_000],
    ["1221", 2_000],
    ["1019", -150_000],
  ]);
  expect(legs(151_000)).toEqual([
    ["1002", 151_000],
    ["6702", -1_000],
    ["1019", -150_000],
  ]);
  const loss = settledEntry({ ...of, rounds: 2, received: 148_000 }, undefined, "2026-03-29");
  expect(loss).toMatchObject({ event: "E21", seq: 2 });
  expect(loss.legs).toEqual([debit("6702", 7, 2_000), credit("1221", 7, 2_000)]);
});
