import fc from "fast-check";
import { expect, test } from "vitest";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import {
  type PriceRule,
  type PricedRoom,
  type ProductGiven,
  byProducts,
  histogram,
  lineOf,
  monthly,
  newPrice,
  priceIn,
  productLine,
  productMove,
  productText,
  roomLine,
  ruleText,
  totalsOf,
  wholeProducts,
} from "./change.rules.ts";
import { CHANGE_MOVES } from "./words.rules.ts";

const rule = (more: Partial<PriceRule> = {}): PriceRule => ({
  mode: "percent",
  value: 3.3,
  applyTo: "both",
  round: "yuan",
  ...more,
});
const room = (more: Partial<PricedRoom> = {}): PricedRoom => ({
  roomId: 1,
  roomName: "滨江店·3栋·1203",
  villageId: 1,
  area: "30.00",
  unit: "month",
  oldList: 300_000,
  oldLowest: 280_000,
  productId: null,
  followed: false,
  vacant: true,
  retired: false,
  other: null,
  laterDay: null,
  ...more,
});

test("3,000.00, 2,985.50 and 3,120.00 by +3.3 % to yuan", () => {
  expect([300_000, 298_550, 312_000].map((old) => newPrice(old, rule()))).toEqual([
    309_900, 308_400, 322_300,
  ]);
  expect(newPrice(298_550, rule({ round: "fen" }))).toBe(308_402);
  expect(newPrice(298_550, rule({ round: "jiao" }))).toBe(308_400);
  expect(newPrice(298_550, rule({ round: "tenYuan" }))).toBe(308_000);
  expect(newPrice(300_000, rule({ mode: "amount", value: -12_345 }))).toBe(287_700);
  expect(newPrice(300_000, rule({ mode: "set", value: 288_850 }))).toBe(288_900);
});

test("rounds half up and never further than half a step", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999_999 }),
      fc.integer({ min: -9000, max: 50_000 }),
      fc.constantFrom("fen", "jiao", "yuan", "tenYuan"),
      (old, bp, round) => {
        const step = { fen: 1n, jiao: 10n, yuan: 100n, tenYuan: 1000n }[round];
        const next = BigInt(newPrice(old, rule({ value: bp / 100, round })));
        const off = (next * 10_000n - BigInt(old) * BigInt(10_000 + bp)) * 2n;
        return next % step === 0n && off > -step * 10_000n && off <= step * 10_000n;
      },
    ),
  );
});

test("says what it does", () => {
  expect(ruleText(rule())).toBe("+3.3 %，取整到元");
  expect(ruleText(rule({ mode: "amount", value: -10_000, round: "fen" }))).toBe("−100.00 元");
  expect(ruleText(rule({ mode: "set", value: 300_000, round: "tenYuan" }))).toBe(
    "统一为 3,000.00 元，取整到十元",
  );
  expect(ruleText(rule({ mode: "undo", value: null }))).toBe("恢复调整前价格");
});

test("a line says why it is left out and what is worth a look", () => {
  const of = (more: Partial<PricedRoom>, r = rule(), byHand = false) =>
    lineOf(room(more), r, undefined, byHand);
  expect(of({ oldList: null, oldLowest: null, unit: null })).toMatchObject({
    skipped: true,
    why: "没有标价",
  });
  expect(of({ retired: true }).why).toBe("房间已注销");
  expect(of({ other: "TJ20261120-000001" }).why).toBe("已在调价单 TJ20261120-000001 中");
  expect(of({}, rule(), true).why).toBe("手动跳过");
  expect(of({}, rule({ mode: "set", value: 300_000, applyTo: "list" })).why).toBe("价格不变");
  expect(of({ followed: true, laterDay: "2027-01-01" }).warnings).toEqual([
    "将改为自有价格",
    "2027-01-01 起另有价格",
  ]);
  expect(of({}, rule({ value: 60 })).warnings).toEqual(["调整超过 50%"]);
  expect(of({}, rule({ value: 50 })).warnings).toEqual([]);
  expect(lineOf(room(), rule({ applyTo: "list" }), { list: 270_000 }, false)).toMatchObject({
    newList: 270_000,
    newLowest: 280_000,
    edited: true,
    warnings: ["底价高于标价"],
  });
});

test("what comes back is what that change made another: the list price, the lowest, or both with their unit", () => {
  const back = (made: { list: number; lowest: number }, unit: "month" | "day" = "month") =>
    lineOf(
      room({ undone: { list: 290_000, lowest: 270_000, unit, made } }),
      rule({ mode: "undo", value: null }),
      undefined,
      false,
    );
  const both = { list: 300_000, lowest: 280_000 };
  expect(back(both)).toMatchObject({ newList: 290_000, newLowest: 270_000, warnings: [] });
  expect(back({ ...both, lowest: 270_000 })).toMatchObject({ newList: 290_000, newLowest: 280_000 });
  expect(back({ ...both, list: 290_000 })).toMatchObject({ newList: 300_000, newLowest: 270_000 });
  expect(back({ list: 290_000, lowest: 270_000 }, "day")).toMatchObject({
    unit: "day",
    oldUnit: "month",
    newList: 290_000,
    newLowest: 270_000,
    warnings: ["调整超过 50%", "之后又改过价", "计价单位变为元/天"],
  });
});

test("totals: averages, what vacant rooms bring, and what forbids the whole", () => {
  const line = (more: Partial<PricedRoom>, r = rule()) => lineOf(room(more), r, undefined, false);
  const three = [
    line({}),
    line({ roomId: 2, oldList: 298_550, oldLowest: 250_000, vacant: false }),
    line({ roomId: 3, oldList: 312_000 }),
    line({ roomId: 4, oldList: null, oldLowest: null, unit: null }),
  ];
  expect(totalsOf(three)).toEqual({
    rooms: 3,
    skipped: 1,
    oldSum: 910_550,
    newSum: 940_600,
    oldAverage: 303_517,
    newAverage: 313_533,
    effect: 9_900 + 10_300,
    beyond: 0,
    problems: [],
  });
  expect(totalsOf([]).problems).toEqual(["没有符合条件的房间"]);
  expect(totalsOf([line({ other: "TJ1" })]).problems).toEqual(["所选房间全部跳过，没有可调整的房间"]);
  expect(totalsOf([line({}, rule({ applyTo: "lowest", value: 20 }))]).problems).toEqual([
    "调整后底价高于标价：1 间",
  ]);
  expect(totalsOf([line({}, rule({ mode: "amount", value: -300_000 }))]).problems).toEqual([
    "调整后价格须大于0：1 间",
  ]);
  expect(totalsOf([line({ oldList: 9_999_999_999 })]).problems).toEqual(["调整后金额过大：1 间"]);
  // a price per day counts 365 ÷ 12 days, one per m² and day times the area
  expect(monthly(10_000, "day", "30.00")).toBe(304_167);
  expect(monthly(300, "sqmDay", "30.50")).toBe(278_313);
});

test("the histogram lays every price into at most twelve bars and loses none", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 2_000_000 }), fc.integer({ min: 1, max: 2_000_000 }))),
      (pairs) => {
        const shown = histogram(pairs.map(([oldList, newList]) => ({ oldList, newList, skipped: false })));
        expect(shown.labels.length).toBeLessThanOrEqual(12);
        for (const bars of [shown.before, shown.after])
          expect(bars.reduce((sum, n) => sum + n, 0)).toBe(pairs.length);
      },
    ),
  );
});

test("moves: cancelled until the day before, taken back by its submitter alone", () => {
  expect(CHANGE_MOVES.refusal("cancel", { status: "scheduled", mine: false, kind: "batch" })).toBeUndefined();
  expect(CHANGE_MOVES.refusal("cancel", { status: "effective", mine: true, kind: "batch" })).toBe(
    "调价已生效，不能取消",
  );
  expect(CHANGE_MOVES.refusal("withdraw", { status: "approving", mine: false, kind: "batch" })).toBe(
    "只有提交人可以撤回",
  );
  expect(() => CHANGE_MOVES.next("submit", { status: "cancelled", mine: true, kind: "batch" })).toThrow(
    Refusal,
  );
});

test("a product of which every following room is in it gets the price itself", () => {
  const line = (roomId: number, more: Partial<PricedRoom> = {}, byHand = false) =>
    lineOf(room({ roomId, productId: 9, followed: true, ...more }), rule(), undefined, byHand);
  const priced = {
    id: 9,
    name: "雅致一居",
    unit: "month" as const,
    following: 2,
    prices: [
      { villageId: null, list: 300_000, lowest: 280_000 },
      { villageId: 5, list: 400_000, lowest: 350_000 },
    ],
  };
  const own = line(3, { followed: false });
  const lines = [line(1), line(2), own];
  const [product] = wholeProducts(lines, [priced], rule());
  expect(product).toMatchObject({
    rooms: 2,
    prices: [
      { villageId: null, list: 309_900, lowest: 289_200 },
      { villageId: 5, list: 413_200, lowest: 361_600 },
    ],
  });
  const shown = byProducts(lines, [product!]);
  expect(shown.map((l) => [l.byProduct, l.warnings])).toEqual([
    [true, []],
    [true, []],
    [false, []],
  ]);
  // one left out, one elsewhere, one at a price of its own day: then the product keeps its price
  expect(wholeProducts([line(1), line(2, {}, true)], [priced], rule())).toEqual([]);
  expect(wholeProducts(lines, [{ ...priced, following: 3 }], rule())).toEqual([]);
  expect(wholeProducts([line(1), line(2, { oldList: 310_000 })], [priced], rule())).toEqual([]);
});

const priced = room({ villageId: 7, other: "TJ1" });
const product: ProductGiven = {
  kind: "product",
  productId: 3,
  effectiveDay: "2026-12-01",
  listPrice: 315_000,
  lowestPrice: 300_000,
  villages: [{ villageId: 8, listPrice: 360_000, lowestPrice: 350_000 }],
};

test("a price of its own is compared by the month, whatever its unit", () => {
  const same = { listPrice: 300_000, lowestPrice: 280_000 };
  expect(roomLine(priced, { ...same, unit: "month" })).toMatchObject({ skipped: true, why: "价格不变" });
  const daily = roomLine(priced, { listPrice: 10_000, lowestPrice: 10_000, unit: "day" });
  expect(daily).toMatchObject({ skipped: false, unit: "day", oldUnit: "month", edited: false });
  // 100.00 a day is no fall by more than half from 3,000.00 a month
  expect(daily.warnings).toEqual(["计价单位变为元/天"]);
  // 100.00 a day for 365 / 12 days
  expect(totalsOf([daily])).toMatchObject({ oldSum: 300_000, newSum: 304_167, effect: 4_167 });
});

test("a room that follows stays with its product", () => {
  const line = productLine({ ...priced, followed: true }, "month", {
    listPrice: 315_000,
    lowestPrice: 300_000,
  });
  expect(line).toMatchObject({ byProduct: true, newList: 315_000, warnings: [] });
});

test("a product's own prices differ by store, and its largest move counts", () => {
  expect([priceIn(product, 7).listPrice, priceIn(product, 8).listPrice]).toEqual([315_000, 360_000]);
  const before = [{ villageId: null, list: 300_000, lowest: 280_000 }];
  expect(productMove(product, before)).toBe(20);
  expect(productMove({ ...product, villages: [] }, before)).toBe(5);
  expect(productMove(product, [])).toBe(0);
  expect(productText(product, "month")).toBe("标价 3,150.00 元/月，1 个门店另定");
});
