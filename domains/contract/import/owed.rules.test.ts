import { expect, test } from "vitest";
import { cellsOf } from "../../system/import/value.rules.ts";
import { againstFirst, isFurther, owedKey, readOwed } from "./owed.rules.ts";

type Typed = Parameters<typeof isFurther>[0];
const read = (typed: Typed) => {
  const { wrong, add, take } = cellsOf(typed, []);
  const owed = readOwed(typed, "2026-11-10", { add, take });
  return { owed, wrong: wrong.map(({ key, msg }) => `${key} ${msg}`) };
};

test("an open bill is read with its subject, period and what was paid of it", () => {
  expect(read({ arrears: "126.50" })).toEqual({
    owed: { amount: 12_650, paid: 0, due: "2026-11-10", subject: "", from: null, to: null },
    wrong: [],
  });
  const more = { arrearsSubject: "电费", arrearsFrom: "2026-10-01", arrearsTo: "2026/10/31" };
  expect(read({ arrears: "126.50", arrearsDue: "2026-11-05", arrearsPaid: "100", ...more }).owed).toEqual({
    ...{ amount: 12_650, paid: 10_000, due: "2026-11-05", subject: "电费" },
    ...{ from: "2026-10-01", to: "2026-10-31" },
  });
});

test("what says more about a bill stands with one alone; a period has both its days", () => {
  expect(read({ arrearsPaid: "1", arrearsSubject: "电费" }).wrong).toEqual([
    "arrearsSubject 没有欠费时不填",
    "arrearsPaid 没有欠费时不填",
  ]);
  expect(read({ arrears: "1", arrearsFrom: "2026-10-01" }).wrong).toEqual([
    "arrearsTo 欠费期起、止须同时填写",
  ]);
  const from = { arrears: "0.01", arrearsFrom: "2026-10-01" };
  expect(read({ ...from, arrearsTo: "2026-10-01" }).wrong).toEqual([]);
  expect(read({ ...from, arrearsTo: "2026-09-30" }).wrong).toEqual(["arrearsTo 欠费期止不能早于欠费期起"]);
});

test("a row of a number without a term is a further bill, and repeats nothing that is counted", () => {
  expect(isFurther({ oldNo: "LS-1", arrears: "5" })).toBe(true);
  expect(isFurther({ arrears: "5" })).toBe(false);
  for (const key of ["start", "end", "rent"]) expect(isFurther({ oldNo: "LS-1", [key]: "5" })).toBe(false);
  const first = { number: 2, text: { room: "1203", deposit: "3000" } };
  const against = (typed: Typed) => {
    const said: string[] = [];
    againstFirst(typed, first, (key, msg) => said.push(`${key} ${msg}`));
    return said;
  };
  expect(against({ room: "1203", deposit: "0" })).toEqual([]);
  expect(against({ room: "1204", deposit: "3000", paidTo: "2026-11-30" })).toEqual([
    "room 与第 2 行（同一合同）不一致，可以留空",
    "deposit 只在第 2 行（同一合同）填写",
    "paidTo 只在第 2 行（同一合同）填写",
  ]);
});

test("two bills differ by subject, period, due day or amount", () => {
  const { owed } = read({ arrears: "1" });
  const key = owedKey(owed!, 7);
  expect(owedKey({ ...owed!, paid: 5, subject: "租金" }, 7)).toBe(key);
  expect(owedKey(owed!, 8)).not.toBe(key);
  for (const other of [{ amount: 2 }, { due: "2026-11-11" }, { from: "2026-11-01" }])
    expect(owedKey({ ...owed!, ...other }, 7)).not.toBe(key);
});
