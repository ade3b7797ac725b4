import { expect, test } from "vitest";
import { figuresOf, sumOf } from "./summary.rules.ts";

const moved = (event: string, debit: number, credit = 0) => ({ event, debit, credit });

test("the company's bank of the example month: 12,800.00 + 21,781.90 − 3,879.50 − 600.00 = 30,102.40", () => {
  const bank = figuresOf(1_280_000, [
    // bank lines of 12,000.00, 6,311.90, 1,990.00 and 1,480.00
    moved("E16", 2_178_190),
    moved("E13", 0, 387_950),
    moved("E26", 0, 60_000),
  ]);
  expect(bank).toEqual({
    opening: 1_280_000,
    received: 2_178_190,
    movedIn: 0,
    refunded: 387_950,
    paid: 60_000,
    movedOut: 0,
    fee: 0,
    closing: 3_010_240,
  });
});

test("WeChat Pay of the example month: 6,350.00 − 38.10 − 6,311.90 = 0.00", () => {
  const wechat = figuresOf(0, [moved("E06", 635_000), moved("E07", 0, 3_810), moved("E18", 0, 631_190)]);
  expect(wechat).toMatchObject({ received: 635_000, fee: 3_810, movedOut: 631_190, closing: 0 });
});

test("store A of the example month owns nothing itself and has 13,481.90 with head office", () => {
  const box = figuresOf(0, [moved("E06", 150_000), moved("E19", 0, 150_000)]);
  const share = figuresOf(280_000, [
    moved("E17", 150_000),
    moved("E06", 635_000 + 200_000),
    moved("E07", 0, 3_810 + 1_000),
    moved("E20", 148_000),
    moved("E26", 0, 60_000),
  ]);
  expect(box.closing).toBe(0);
  expect(share).toMatchObject({
    opening: 280_000,
    movedIn: 148_000,
    paid: 60_000,
    fee: 4_810,
    closing: 1_348_190,
  });
  expect(sumOf([box, share]).closing).toBe(1_348_190);
});

test("a reversal counts against what it takes back; balances brought in were there before", () => {
  const account = figuresOf(1_000, [
    moved("E06", 500),
    moved("E10", 0, 200),
    moved("E26", 100, 300),
    moved("E30", 50),
  ]);
  expect(account).toMatchObject({ opening: 1_050, received: 300, paid: 200, closing: 1_150 });
});
