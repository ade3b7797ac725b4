import { expect, test } from "vitest";
import { DEFAULT_TERMS } from "./plans.rules.ts";
import {
  boundsText,
  feeHints,
  feesOf,
  termBounds,
  termErrors,
  withFees,
  type Product,
} from "./product.rules.ts";
import type { ContractForm } from "./terms.contract.ts";

const product: Product = {
  name: "雅致一居",
  minTermMonths: 6,
  maxTermMonths: 24,
  fees: [
    { feeId: 7, name: "物业费", deposit: false, amount: 15_000, cycle: "month" },
    { feeId: 8, name: "网络费", deposit: false, amount: 5000, cycle: "period" },
    { feeId: 9, name: "保洁费", deposit: false, amount: 20_000, cycle: "once" },
  ],
};
const form = (more: Partial<ContractForm>) =>
  ({ ...DEFAULT_TERMS, start: "2026-03-15", end: "2027-03-14", ...more }) as ContractForm;

test("a term within the bounds of the product passes, to the day; the room's own minimum stands before", () => {
  const wrong = (end: string, room: object = {}) =>
    termErrors(form({ end }), { name: "1203", product, ...room }).map((e) => e.msg);
  expect(wrong("2026-09-14")).toEqual([]);
  expect(wrong("2026-09-13")).toEqual(["1203 的租期不能短于 6 个月"]);
  expect(wrong("2028-03-14")).toEqual([]);
  expect(wrong("2028-03-15")).toEqual(["1203 的租期不能超过 24 个月"]);
  expect(wrong("2026-06-14", { minTermMonths: 3 })).toEqual([]);
  expect(wrong("2026-03-14")).toEqual([]);
  expect(wrong("2026-03-15")).toEqual(["1203 的租期不能短于 6 个月"]);
  expect(termErrors(form({ end: "2026-03-16" }), { name: "1204", product: null })).toEqual([]);
  // the rest of a lease in another room or for another tenant; a renewal is a term of its own
  const after = (kind: string) =>
    termErrors(form({ end: "2026-06-14", takeOver: { kind } as never }), { name: "1203", product });
  expect(["changeRoom", "changeTenant", "renewal"].map((kind) => after(kind).length)).toEqual([0, 0, 1]);
  expect(boundsText(termBounds({ product }))).toBe("6 至 24 个月");
  expect(boundsText(termBounds({ product: { ...product, minTermMonths: null } }))).toBe("最多 24 个月");
  expect(boundsText(termBounds(undefined))).toBeUndefined();
});

test("fees of a product become lines: monthly, with the rent, once", () => {
  expect(feesOf(product).map((fee) => [fee.name, fee.kind, fee.cycleMonths, fee.amount])).toEqual([
    ["物业费", "recurring", 1, 15_000],
    ["网络费", "recurring", undefined, 5000],
    ["保洁费", "once", undefined, 20_000],
  ]);
});

test("another room takes its own fees along, and what somebody typed stays", () => {
  const first = withFees([], product, []);
  const typed = first.with(0, { ...first[0]!, amount: 12_000 });
  const next = withFees(typed, { ...product, fees: product.fees.slice(0, 2) }, feesOf(product));
  expect(next.map((fee) => [fee.name, fee.amount])).toEqual([
    ["物业费", 12_000],
    ["网络费", 5000],
  ]);
  expect(withFees(first, null, feesOf(product))).toEqual([]);
});

test("fees that fall short of the product are named", () => {
  const [property] = feesOf(product);
  expect(feeHints({ fees: [{ ...property!, amount: 12_000 }] }, product)).toEqual([
    "物业费低于雅致一居约定的 150.00",
    "没有收取雅致一居约定的网络费",
    "没有收取雅致一居约定的保洁费",
  ]);
  expect(feeHints({ fees: feesOf(product) }, product)).toEqual([]);
  const [, network, cleaning] = feesOf(product);
  // one of two rooms pays less
  const twice = [property!, { ...property!, amount: 12_000 }, network!, cleaning!];
  expect(feeHints({ fees: twice }, product)).toEqual(["物业费低于雅致一居约定的 150.00"]);
  expect(feeHints({ fees: [] }, null)).toEqual([]);
});
