import { describe, expect, test } from "vitest";
import { balanced, credit, debit, lockKey, mirrored, postingDay } from "./journal.rules.ts";

const told = (legs: ReturnType<typeof balanced>) =>
  legs.map((l) => `${l.villageId} ${l.account} ${l.amount}`);

describe("an entry balances in every village", () => {
  test("with what villages and head office then owe each other", () => {
    expect(
      told(balanced([debit("1002", null, 300), credit("2203", 1, 100), credit("2203", 2, 200)])),
    ).toEqual(["null 1002 300", "1 2203 -100", "2 2203 -200", "null 2299 -300", "1 2299 100", "2 2299 200"]);
    expect(told(balanced([debit("1122", 1, 5), credit("2204", 1, 5), debit("6401", 1, 0)]))).toEqual([
      "1 1122 5",
      "1 2204 -5",
    ]);
  });
  test("or it is refused", () => {
    expect(() => balanced([debit("1122", 1, 5), credit("2204", 1, 4)])).toThrow(": 1 fen over");
  });
  test("its mirror stands the other way round", () => {
    expect(told(mirrored([debit("1122", 1, 5), credit("2204", 1, 5)]))).toEqual(["1 1122 -5", "1 2204 5"]);
  });
});

describe("the day of posting", () => {
  const locks = new Map([
    [lockKey(1, "income"), "2026-03"],
    [lockKey(2, "income"), "2026-04"],
    [lockKey(1, "cost"), "2026-05"],
  ]);
  const day = (event: "E01" | "E07" | "E30", businessDate: string, villages: (number | null)[]) =>
    postingDay({ event, businessDate, legs: villages.map((v) => debit("1122", v, 0)) }, locks);
  test("is the business's own, or the first open one of all villages and of the event's side", () => {
    expect(day("E01", "2026-03-31", [1])).toBe("2026-04-01");
    expect(day("E01", "2026-04-01", [1])).toBe("2026-04-01");
    expect(day("E01", "2026-05-20", [1])).toBe("2026-05-20");
    expect(day("E01", "2026-02-10", [1, 2])).toBe("2026-05-01");
    expect(day("E01", "2026-02-10", [2, 1])).toBe("2026-05-01");
    expect(day("E07", "2026-04-30", [1])).toBe("2026-06-01");
    expect(day("E07", "2026-04-30", [2])).toBe("2026-04-30");
    expect(day("E30", "2026-04-30", [1]), "what is on neither side waits for both").toBe("2026-06-01");
    expect(day("E01", "2026-01-15", [null, 3])).toBe("2026-01-15");
  });
});
