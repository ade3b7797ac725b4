import { expect, test } from "vitest";
import { moneyLines, owedLines, placeOfKey, profitLines, trialLine, trialSums } from "./books.rules.ts";

const moved = (account: string, event: string, fen: number, before = 0) => ({
  account,
  event,
  before,
  moved: fen,
});
const told = (lines: { key: string; fen: number }[]) =>
  Object.fromEntries(lines.filter(({ fen }) => fen !== 0).map(({ key, fen }) => [key, fen]));

/** The example month: bank, takings, claims, refund, cost, fees and a short of 20.00. */
const MARCH = [
  moved("1002", "E06", 0, 1_280_000),
  moved("1012", "E06", 835_000),
  moved("1001", "E06", 150_000),
  moved("1002", "E16", 1_200_000 + 631_190 + 199_000),
  moved("2242", "E16", -(1_200_000 + 631_190 + 199_000)),
  moved("2242", "E17", 1_150_000),
  moved("2203", "E06", -985_000),
  moved("2203", "E17", -1_150_000),
  moved("2242", "E18", 830_190),
  moved("1012", "E18", -830_190),
  moved("6602", "E07", 4_810),
  moved("1012", "E07", -4_810),
  moved("2202", "E12", -387_950),
  moved("2202", "E13", 387_950),
  moved("1002", "E13", -387_950),
  moved("6401", "E25", 60_000),
  moved("2202", "E25", -60_000),
  moved("2202", "E26", 60_000),
  moved("1002", "E26", -60_000),
  moved("1001", "E19", -150_000),
  moved("1019", "E19", 150_000),
  moved("1019", "E20", -150_000),
  moved("1002", "E20", 148_000),
  moved("1221", "E20", 2_000),
];

test("资金收支 explains the money of the month to the fen", () => {
  const { lines, rest } = moneyLines(MARCH);
  expect(told(lines)).toEqual({
    opening: 1_280_000,
    received: 2_135_000,
    unclaimed: 50_000,
    refunded: -387_950,
    paid: -60_000,
    fees: -4_810,
    short: -2_000,
    closing: 3_010_240,
  });
  expect(rest).toBe(0);
  expect(moneyLines([...MARCH, moved("1002", "E99", 7)]).rest).toBe(7);
});

test("what was there at the take-over counts as there from the beginning", () => {
  const { lines, rest } = moneyLines([moved("1002", "E30", 500, 100), moved("3999", "E30", -500)]);
  expect([told(lines), rest]).toEqual([{ opening: 600, closing: 600 }, 0]);
});

test("profit is what was earned less what it cost; balances stand on their own side", () => {
  const sums = [
    moved("6001", "E24", -767_602),
    moved("6052", "E03", -3_036),
    moved("6053", "E27", -275_229),
    moved("6401", "E25", 60_000),
    moved("6602", "E07", 4_810),
    moved("6701", "E11", 50_000),
    moved("2203", "E06", -25_000, -1_000),
  ];
  expect(profitLines(sums).at(-1)).toMatchObject({ key: "profit", fen: 931_057 });
  expect(told(owedLines(sums))).toEqual({ "2203": 26_000 });
});

test("a balance stands on the side it is on, and both sides of a whole are equal", () => {
  const lines = [
    { before: 100, debit: 20, credit: 150 },
    { before: -100, debit: 150, credit: 20 },
  ].map(trialLine);
  expect(lines[0]).toMatchObject({ openDebit: 100, openCredit: 0, closeDebit: 0, closeCredit: 30 });
  const sums = trialSums(lines);
  expect([sums.openDebit, sums.debit, sums.closeDebit]).toEqual([
    sums.openCredit,
    sums.credit,
    sums.closeCredit,
  ]);
});

test("a break leads to the record that its key begins with", () => {
  expect(placeOfKey("ZD20260301-000001 #12 明细未收")).toEqual({
    path: "/accountManage/BillListManage",
    keyword: "ZD20260301-000001",
  });
  expect(placeOfKey("滨江店")).toBeUndefined();
});
