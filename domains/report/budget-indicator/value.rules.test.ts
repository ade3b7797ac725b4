import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Indicator, isCircular, sourceText, treeOf } from "./source.rules.ts";
import {
  evaluator,
  figureOf,
  hundredthsOf,
  plannedLeaf,
  reachedOf,
  shownFigure,
  shownValue,
  toneOf,
  typeableValue,
  typedValue,
  wholeLeaf,
} from "./value.rules.ts";

const one = (id: number, code: string, more: Partial<Indicator> = {}): Indicator => ({
  id,
  code,
  name: code,
  parentId: null,
  kind: "income",
  unit: "yuan",
  basis: "accrual",
  source: { by: "money", parts: [] },
  agg: "sum",
  better: "up",
  must: false,
  enabled: true,
  ...more,
});

describe("figures over stores and months", () => {
  const occupancy = one(1, "occupancy", { kind: "ratio", unit: "percent", agg: "weighted" });
  test("a mean is the quotient of its sums: 90 % of 155 and 80 % of 310 are 83.33 %", () => {
    const figures = evaluator([occupancy], (_, village) =>
      village === 1 ? plannedLeaf(occupancy, 9000, 155) : plannedLeaf(occupancy, 8000, 310),
    );
    expect(figures.value(occupancy, { villages: [1], months: [3] })).toBe(9000);
    expect(figures.value(occupancy, { villages: [1, 2], months: [3] })).toBe(8333);
    expect(figures.parts(occupancy, { villages: [1, 2], months: [3] })).toEqual({ num: 387.5, den: 465 });
  });

  test("a store without rooms counts as one room night, so that its plan is seen", () => {
    const figures = evaluator([occupancy], () => plannedLeaf(occupancy, 8000, 0));
    expect(figures.value(occupancy, { villages: [1], months: [1, 2] })).toBe(8000);
  });

  test("a stock is that of the last month, a sum of what is below leaves out what is out of use", () => {
    const stock = one(1, "stock", { agg: "last" });
    const figures = evaluator([stock], (_, village, month) => wholeLeaf(village * 100 + month));
    expect(figures.value(stock, { villages: [1, 2], months: [1, 2, 3] })).toBe(306);
    const tree = [
      one(1, "all", { source: { by: "children" } }),
      one(2, "a", { parentId: 1 }),
      one(3, "b", { parentId: 1 }),
      one(4, "c", { parentId: 1, enabled: false }),
    ];
    expect(
      evaluator(tree, (id) => (id === 3 ? null : wholeLeaf(id * 10))).value(tree[0]!, {
        villages: [1],
        months: [1],
      }),
    ).toBe(20);
  });

  test("a quotient is worked out over the whole, a product month by month where it is added up", () => {
    const all = [
      one(1, "rent"),
      one(2, "rooms", { kind: "count", unit: "room" }),
      one(3, "mean", {
        kind: "price",
        unit: "yuanPerRoomMonth",
        agg: "weighted",
        source: { by: "formula", formula: "rent ÷ rooms" },
      }),
      one(4, "product", { source: { by: "formula", formula: "rooms × mean" } }),
      one(5, "share", {
        kind: "ratio",
        unit: "percent",
        agg: "weighted",
        source: { by: "formula", formula: "rent ÷ rent" },
      }),
    ];
    const at: Record<string, number> = { "1 1": 1000, "1 2": 5000, "2 1": 1, "2 2": 4 };
    const figures = evaluator(all, (id, _, month) => wholeLeaf(at[`${id} ${month}`] ?? 0));
    const span = { villages: [1], months: [1, 2] };
    expect(figures.value(all[2]!, span)).toBe(1200);
    expect(figures.value(all[3]!, span)).toBe(6000);
    expect(figures.value(all[4]!, span)).toBe(10_000);
  });

  test("law: sums over stores and months are the same whichever is added first, and over each store apart", () => {
    const all = [
      one(1, "a"),
      one(2, "b"),
      one(3, "diff", { source: { by: "formula", formula: "a − b" } }),
      one(4, "sum", { source: { by: "children" } }),
      one(5, "inner", { parentId: 4, source: { by: "formula", formula: "a + b" } }),
    ];
    const cells = fc.array(fc.option(fc.integer({ min: -1e9, max: 1e9 }), { nil: null }), {
      minLength: 24,
      maxLength: 24,
    });
    fc.assert(
      fc.property(cells, (values) => {
        const figures = evaluator(all, (id, village, month) => {
          const value = values[(id - 1) * 12 + (village - 1) * 4 + month - 1];
          return value === null || value === undefined ? null : wholeLeaf(value);
        });
        for (const i of all) {
          const whole = figures.value(i, { villages: [1, 2, 3], months: [1, 2, 3, 4] });
          const parts = [1, 2, 3].map((v) => figures.value(i, { villages: [v], months: [1, 2, 3, 4] }));
          const months = [1, 2, 3, 4].map((m) => figures.value(i, { villages: [1, 2, 3], months: [m] }));
          const sum = (some: (number | null)[]) =>
            some.every((v) => v === null) ? null : some.reduce<number>((a, b) => a + (b ?? 0), 0);
          expect(sum(parts)).toBe(whole);
          expect(sum(months)).toBe(whole);
        }
      }),
    );
  });
});

describe("completion", () => {
  test("actual ÷ budget to two decimals of a percent; without a budget nothing is said", () => {
    expect(reachedOf(760_907, 800_000)).toBe(0.9511);
    expect(reachedOf(1_875_481, 2_000_000)).toBe(0.9377);
    expect([reachedOf(1, 0), reachedOf(1, null), reachedOf(null, 1), reachedOf(1, -5)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(reachedOf(0, 100)).toBe(0);
  });
  test("colours: from 100 % and from 90 %, and the other way round where less is better", () => {
    expect([1, 0.9999, 0.9, 0.8999].map((s) => toneOf(s, "up"))).toEqual(["green", "gold", "gold", "red"]);
    expect([1, 1.0001, 1.1, 1.1001].map((s) => toneOf(s, "down"))).toEqual(["green", "gold", "gold", "red"]);
    expect(toneOf(null, "up")).toBe("grey");
  });
});

describe("what is typed", () => {
  test("by its unit, with its sentence where it is none", () => {
    expect(typedValue("yuan", " 8,000.5 ")).toEqual({ value: 800_050 });
    expect(typedValue("yuan", "-12")).toEqual({ value: -1200 });
    expect(typedValue("percent", "９６％")).toEqual({ value: 9600 });
    expect(typedValue("yuan", "")).toEqual({ value: null });
    expect(typedValue("yuan", "八千")).toEqual({ msg: "请输入数字" });
    expect(typedValue("yuan", "1.234")).toEqual({ msg: "最多两位小数" });
    expect(typedValue("yuan", "100000000")).toEqual({ msg: "金额过大" });
    expect(typedValue("percent", "96%")).toEqual({ value: 9600 });
    expect(typedValue("percent", "100.01")).toEqual({ msg: "请输入0到100之间的数" });
    expect(typedValue("room", "12")).toEqual({ value: 12 });
    expect(typedValue("room", "1.5")).toEqual({ msg: "请输入整数" });
    expect(typedValue("room", "-1")).toEqual({ msg: "请输入0或正整数" });
    expect(typedValue("roomNight", "10000000000")).toEqual({ msg: "数字过大" });
    expect(typedValue("yuan", "-0")).toEqual({ value: 0 });
  });
  test("law: what is shown to be typed is read as what it was", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("yuan", "percent", "room", "yuanPerRoomMonth"),
        fc.integer({ min: 0, max: 10_000 }),
        (unit, value) => {
          expect(typedValue(unit, typeableValue(unit, value))).toEqual({ value });
          expect(shownFigure(unit, figureOf(unit, value))).toBe(shownValue(unit, value));
        },
      ),
    );
  });
  test("two decimals whatever it counts", () => {
    expect([hundredthsOf("room", 12), hundredthsOf("percent", 9000), hundredthsOf("yuan", null)]).toEqual([
      1200,
      9000,
      null,
    ]);
  });
});

describe("indicators", () => {
  test("one that would rest on itself is found, through sums as well", () => {
    const all = [
      one(1, "a", { source: { by: "formula", formula: "b + c" } }),
      one(2, "b", { source: { by: "children" } }),
      one(3, "c"),
      one(4, "d", { parentId: 2, source: { by: "formula", formula: "a × c" } }),
    ];
    expect(all.map((i) => isCircular(i, all))).toEqual([true, true, false, true]);
  });
  test("stand below their parents in their order, and read as people say", () => {
    const rows = [
      { id: 1, parentId: null, orderNo: 1 },
      { id: 2, parentId: 3, orderNo: 0 },
      { id: 3, parentId: null, orderNo: 0 },
      { id: 4, parentId: 2, orderNo: 0 },
    ];
    expect(treeOf(rows).map((r) => [r.id, r.level])).toEqual([
      [3, 0],
      [2, 1],
      [4, 2],
      [1, 0],
    ]);
    const named = { subject: (id: number) => `费用${id}`, indicator: (code: string) => code };
    const part = { sign: "plus" as const, account: "6001" as const, subjectIds: [1, 2], except: true };
    expect(
      sourceText(
        {
          by: "money",
          parts: [part, { ...part, sign: "minus", account: "6401", subjectIds: [], except: false }],
        },
        named,
      ),
    ).toBe("业务收入（除费用1、费用2） − 营业成本");
  });
});
