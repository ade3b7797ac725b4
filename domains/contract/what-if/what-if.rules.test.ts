import { describe, expect, test } from "vitest";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Basis } from "../schedule/terms.rules.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import type { Agreed } from "../terms/terms.rules.ts";
import { type Change, changeError, compare } from "./what-if.rules.ts";

const room = { roomId: 1, monthlyRent: 350_000, unitPrice: null, area: null };
/** Example E3 of the trade: 押一付三 at 3,500.00 for a year from 15 March 2026. */
const e3 = (terms: Partial<Terms> = {}, more: Partial<Agreed> = {}): Agreed => ({
  start: "2026-03-15",
  end: "2027-03-14",
  terms: { ...DEFAULT_TERMS, cycleMonths: 3, ...terms },
  rooms: [room],
  ...more,
});
const shown = (agreed: Agreed, change: Change) =>
  compare(agreed, change)
    .bills.filter((b) => b.diff !== 0)
    .map(({ from, to, before, after, diff }) =>
      [
        from,
        to,
        ...[before, after].map((fen) => (fen === null ? "—" : yuan(fen))),
        (diff > 0 ? "+" : "") + yuan(diff),
      ].join(" "),
    );

describe("another end", () => {
  test("earlier: E8's quarter is cut, the later ones go", () => {
    expect(shown(e3(), { kind: "end", end: "2026-08-05" })).toEqual([
      "2026-06-15 2026-09-14 10,500.00 5,983.87 -4,516.13",
      "2026-09-15 2026-12-14 10,500.00 — -10,500.00",
      "2026-12-15 2027-03-14 10,500.00 — -10,500.00",
    ]);
  });
  test("later: whole quarters are added at the same rent", () => {
    const change: Change = { kind: "end", end: "2027-09-14" };
    expect(shown(e3(), change)).toEqual([
      "2027-03-15 2027-06-14 — 10,500.00 +10,500.00",
      "2027-06-15 2027-09-14 — 10,500.00 +10,500.00",
    ]);
    const { before, after } = compare(e3(), change);
    expect([before.rent, after.rent, after.deposit]).toEqual([4_200_000, 6_300_000, 350_000]);
  });
});

test.each<[Basis, string]>([
  ["actual", "10,209.68 -290.32"],
  ["30", "10,213.33 -286.67"],
  ["365", "10,211.78 -288.22"],
])("E15 another rent from 1 August, basis %s", (basis, quarter) => {
  const change: Change = { kind: "rent", roomId: 1, from: "2026-08-01", rent: 330_000 };
  expect(shown(e3({ basis }), change)).toEqual([
    `2026-06-15 2026-09-14 10,500.00 ${quarter}`,
    "2026-09-15 2026-12-14 10,500.00 9,900.00 -600.00",
    "2026-12-15 2027-03-14 10,500.00 9,900.00 -600.00",
  ]);
});

test("another rent stands in place of one that was agreed for the same day, and a rule goes on from it", () => {
  const agreed = e3(
    { stepRule: { every: 1, unit: "year", mode: "percentCompound", value: "10" } },
    { end: "2029-03-14" },
  );
  const change: Change = { kind: "rent", roomId: 1, from: "2027-03-15", rent: 400_000 };
  const rents = compare(agreed, change).bills.filter((b) => b.from.endsWith("-03-15"));
  expect(rents.map((b) => [b.before, b.after].map((fen) => yuan(fen ?? 0)))).toEqual([
    // the deposit is one month of the first rent
    ["3,500.00", "3,500.00"],
    ["10,500.00", "10,500.00"],
    ["11,550.00", "12,000.00"],
    ["12,705.00", "13,200.00"],
  ]);
});

describe("another room", () => {
  const change: Change = { kind: "room", roomId: 1, from: "2026-05-16", room: { roomId: 2, rent: 360_000 } };
  const agreed = (basis: Basis, terms: Partial<Terms> = {}) =>
    e3(
      { basis, ...terms },
      { start: "2026-03-01", end: "2027-02-28", rooms: [{ ...room, monthlyRent: 300_000 }] },
    );

  test.each<[Basis, string]>([
    ["actual", "309.67"],
    ["30", "300.00"],
    ["365", "304.11"],
  ])("E10 on 16 May, basis %s", (basis, rent) => {
    const rows = compare(agreed(basis), change).bills.filter((b) => b.diff !== 0);
    expect(rows.slice(0, 3).map((b) => [b.title, b.from, b.to, yuan(b.diff)])).toEqual([
      ["押金", "2026-03-01", "2027-02-28", "600.00"],
      ["第1期租金", "2026-03-01", "2026-05-31", rent],
      ["第2期租金", "2026-06-01", "2026-08-31", "1,800.00"],
    ]);
    expect(rows[1]!.lines.after.map((l) => [l.roomId, l.from, l.to])).toEqual([
      [1, "2026-03-01", "2026-05-15"],
      [2, "2026-05-16", "2026-05-31"],
    ]);
  });
  test("at the same rent nothing changes on any basis", () => {
    for (const basis of ["actual", "30", "365"] as const)
      expect(shown(agreed(basis), { ...change, room: { roomId: 2, rent: 300_000 } })).toEqual([]);
  });
  test("what is due once is not charged again, a rise by rule goes on from the new rent", () => {
    const once = { feeId: 9, name: "保洁费", kind: "once" as const, amount: 20_000 };
    const terms = {
      fees: [once],
      stepRule: { every: 6, unit: "month", mode: "percentCompound", value: "5" },
    };
    const { bills, before, after } = compare(agreed("actual", terms as Partial<Terms>), change);
    expect([before.fees, after.fees]).toEqual([20_000, 20_000]);
    // 3,600.00 and 5 % from 1 September
    expect(bills.find((b) => b.from === "2026-09-01")).toMatchObject({ before: 945_000, after: 1_134_000 });
  });
  test("of several rooms one is changed, the others stay", () => {
    const rooms = [room, { ...room, roomId: 3, monthlyRent: 200_000 }];
    const move: Change = { kind: "room", roomId: 3, from: "2026-06-15", room: { roomId: 4, rent: 250_000 } };
    expect(shown(e3({}, { rooms }), move)).toEqual([
      "2026-03-15 2027-03-14 5,500.00 6,000.00 +500.00",
      "2026-06-15 2026-09-14 16,500.00 18,000.00 +1,500.00",
      "2026-09-15 2026-12-14 16,500.00 18,000.00 +1,500.00",
      "2026-12-15 2027-03-14 16,500.00 18,000.00 +1,500.00",
    ]);
  });
});

test("what cannot be worked out says why", () => {
  const error = (change: Change) => changeError(e3(), change);
  expect(error({ kind: "end", end: "2026-03-14" })).toBe("到期日不能早于起租日");
  expect(error({ kind: "end", end: "2027-03-14" })).toBe("到期日没有变化");
  expect(error({ kind: "end", end: "2026-03-15" })).toBeUndefined();
  const rent = { kind: "rent" as const, roomId: 1, rent: 330_000 };
  expect(error({ ...rent, from: "2026-03-15" })).toBe("调价日须在起租日之后、到期日之前");
  expect(error({ ...rent, from: "2027-03-15" })).toBe("调价日须在起租日之后、到期日之前");
  expect(error({ ...rent, from: "2027-03-14" })).toBeUndefined();
  expect(error({ ...rent, from: "2026-08-01", rent: 0 })).toBe("请输入正确的月租金");
  const move = { kind: "room" as const, roomId: 1, from: "2026-08-01" };
  expect(error({ ...move, room: { roomId: 1, rent: 1 } })).toBe("请选择另一间房");
  expect(error({ ...move, room: { roomId: 2, rent: 1 } })).toBeUndefined();
});

test("a room is asked about on its own days: not before it joined, not once it was given back", () => {
  const gone = { ...room, joinDate: "2026-03-15", leaveDate: "2026-06-20" };
  const joined = { ...room, roomId: 2, joinDate: "2026-05-10", leaveDate: null };
  const agreed = e3({}, { rooms: [gone, joined] });
  const error = (roomId: number, from: string) => [
    changeError(agreed, { kind: "rent", roomId, from, rent: 330_000 }),
    changeError(agreed, { kind: "room", roomId, from, room: { roomId: 7, rent: 330_000 } }),
  ];
  expect(error(1, "2026-06-20")).toEqual([undefined, undefined]);
  expect(error(1, "2026-06-21")).toEqual(Array(2).fill("该房间 2026-06-20 已退，请选择其他房间"));
  expect(error(2, "2026-05-11")).toEqual([undefined, undefined]);
  expect(error(2, "2026-05-10")).toEqual(
    ["调价日", "换房日"].map((what) => `${what}须在该房间 2026-05-10 加入之后`),
  );
});

test("bills that nobody could write are not shown: below nothing, beyond the books, longer than a lease", () => {
  const end = (day: string, stepRule: object) =>
    changeError(e3({ stepRule } as Partial<Terms>), { kind: "end", end: day });
  const falls = { every: 1, unit: "year", mode: "amount", value: "-100000" };
  // 3,500.00, 2,500.00, 1,500.00 and 500.00 a month
  expect(end("2030-03-14", falls)).toBeUndefined();
  expect(end("2030-06-14", falls)).toBe("按合同的递增约定，调价后的月租金会低于0，请先变更条款");
  const grows = { every: 1, unit: "month", mode: "percentCompound", value: "50" };
  expect(end("2030-03-14", grows)).toMatch(
    /^账单“第\d+期租金”会超过一张账单的上限 99,999,999.99 元，不能试算$/,
  );
  const none = { every: 0, unit: "year", mode: "percent", value: "0" };
  expect(end("2046-03-14", none)).toBeUndefined();
  expect(end("2046-03-15", none)).toBe("租赁期限不得超过二十年");

  const rent = { kind: "rent", roomId: 1, from: "2026-06-15" } as const;
  expect(changeError(e3(), { ...rent, rent: 3_333_333_333 })).toBeUndefined();
  expect(changeError(e3(), { ...rent, rent: 3_333_333_334 })).toMatch(/^账单“第2期租金”会超过/);
  const move = { kind: "room", roomId: 1, from: "2026-06-15" } as const;
  expect(changeError(e3(), { ...move, room: { roomId: 2, rent: 3_333_333_333 } })).toBeUndefined();
  expect(changeError(e3(), { ...move, room: { roomId: 2, rent: 3_333_333_334 } })).toMatch(/会超过/);
});
