import { expect, test } from "vitest";
import { yuan } from "../../../platform/kernel/fen.ts";
import { rentClauses } from "../paper/clause.rules.ts";
import { rentLines } from "../schedule/discounts.rules.ts";
import { expandSteps, rentsOver } from "../schedule/steps.rules.ts";
import { liveBills, staleSteps } from "../terms/check.rules.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { blankForm } from "./drafting.rules.ts";
import {
  byHand,
  inputOf,
  keptSteps,
  looseSteps,
  outdatedRows,
  recomputedSteps,
  riseRows,
} from "./rise.rules.ts";

const rule = { every: 12, unit: "month", mode: "percentCompound", value: "5" } as const;
const formOf = (more: Partial<ContractForm> = {}): ContractForm => ({
  ...blankForm({ start: "2026-03-15", end: "2029-03-14", rooms: [{ roomId: 1, monthlyRent: 300_000 }] }),
  ...DEFAULT_TERMS,
  stepRule: rule,
  ...more,
});
const input = (form: ContractForm) => inputOf(form, () => null)!;
const shown = (form: ContractForm) =>
  riseRows(form, input(form)).map((r) => `${r.fromDate} ${r.roomId ?? "all"} ${yuan(r.rent)} ${r.source}`);
const billed = (form: ContractForm) => [
  ...new Set(rentLines({ ...input(form), cycleMonths: 12 }).map((l) => yuan(l.amount / 12))),
];

test("a rule follows the rent", () => {
  const rooms = [{ roomId: 1, monthlyRent: 400_000 }];
  expect(shown(formOf({ rooms }))).toEqual(["2027-03-15 all 4,200.00 rule", "2028-03-15 all 4,410.00 rule"]);
  expect(billed(formOf({ rooms }))).toEqual(["4,000.00", "4,200.00", "4,410.00"]);
});

test("a rent that is being typed, or absurd, breaks nothing", () => {
  const typing = formOf({ rooms: [{ roomId: 1, monthlyRent: undefined as unknown as number }] });
  expect(inputOf(typing, () => null)).toBeUndefined();
  const limits = {
    today: "2026-03-01",
    backdateDays: 90,
    maxDepositMonths: 0,
    maxPrepayMonths: 0,
    mayBackdate: false,
  };
  expect(liveBills(typing, { ...limits, rooms: [], party: undefined }).plan).toBeUndefined();
  const second = { ...typing.rooms[0]!, roomId: 2 };
  expect(inputOf(formOf({ rooms: [...formOf().rooms, second] }), () => null)).toBeUndefined();
  expect(inputOf(formOf({ rooms: [] }), () => null)).toBeUndefined();
  expect(inputOf(formOf({ start: null }), () => null)).toBeUndefined();
  expect(inputOf(formOf({ end: null }), () => null)).toBeUndefined();
  expect(inputOf(formOf({ end: "2026-03-14" }), () => null)).toBeUndefined();
  expect(inputOf(formOf({ end: "2026-03-15" }), () => null)?.end).toBe("2026-03-15");
  const absurd = formOf({ stepRule: { ...rule, every: 1, value: "9999999999" } });
  const fields = liveBills(absurd, { ...limits, rooms: [], party: undefined }).errors.map((e) => e.field);
  expect(fields).toContain("stepRule.value");
});

test("a rent corrected by hand is marked, the rule goes on from it, and a changed rent asks about it", () => {
  const form = formOf();
  const corrected = formOf({ steps: [byHand(input(form), "2027-03-15", null, 314_000)] });
  expect(shown(corrected)).toEqual(["2027-03-15 all 3,140.00 manual", "2028-03-15 all 3,297.00 rule"]);
  expect(billed(corrected)).toEqual(["3,000.00", "3,140.00", "3,297.00"]);
  expect(staleSteps(corrected.steps, input(corrected))).toEqual([]);

  const dearer = { ...corrected, rooms: [{ roomId: 1, monthlyRent: 400_000 }] };
  expect(staleSteps(dearer.steps, input(dearer))).toEqual([0]);
  const kept = { ...dearer, ...keptSteps(dearer, input(dearer)) };
  expect([billed(kept), staleSteps(kept.steps, input(kept))]).toEqual([
    ["4,000.00", "3,140.00", "3,297.00"],
    [],
  ]);
  const anew = { ...dearer, ...recomputedSteps(dearer, input(dearer)) };
  expect([billed(anew), anew.steps]).toEqual([["4,000.00", "4,200.00", "4,410.00"], []]);
});

test("a rent of one's own between the rule's days moves in proportion when it is reckoned anew", () => {
  const form = formOf();
  const own = formOf({ stepRule: null, steps: [byHand(input(form), "2026-09-15", null, 315_000)] });
  const dearer = { ...own, rooms: [{ roomId: 1, monthlyRent: 400_000 }] };
  expect(shown({ ...dearer, ...recomputedSteps(dearer, input(dearer)) })).toEqual([
    "2026-09-15 all 4,200.00 manual",
  ]);
});

test("with parking, the correction of one room is that room's: table, paper and bills say the same", () => {
  const rooms = [
    { roomId: 1, monthlyRent: 350_000 },
    { roomId: 2, monthlyRent: 50_000 },
  ];
  const form = formOf({ rooms });
  const corrected = { ...form, steps: [byHand(input(form), "2027-03-15", 1, 370_000)] };
  expect(shown(corrected)).toEqual([
    "2027-03-15 all 4,225.00 rule",
    "2027-03-15 1 3,700.00 manual",
    "2028-03-15 all 4,436.25 rule",
  ]);
  const paper = rentClauses(corrected, rentsOver(input(corrected)), ["1203", "B1-07"]);
  expect(paper.find((text) => text.startsWith("自 2027-03-15"))).toBe(
    "自 2027-03-15 起，月租金合计调整为人民币 4,225.00 元（大写：肆仟贰佰贰拾伍元整），其中1203 3,700.00 元、B1-07 525.00 元。",
  );
  expect(billed(corrected)).toEqual(["3,500.00", "3,700.00", "3,885.00", "500.00", "525.00", "551.25"]);
});

test("each row says the rent before it and after, and whether it is the form's own", () => {
  const form = formOf();
  const corrected = formOf({ steps: [byHand(input(form), "2027-03-15", null, 314_000)] });
  expect(riseRows(corrected, input(corrected)).map((r) => [r.at, r.before, r.rent])).toEqual([
    [0, 300_000, 314_000],
    [undefined, 314_000, 329_700],
  ]);
  expect(riseRows(form, input(form)).map((r) => [r.at, r.before])).toEqual([
    [undefined, 300_000],
    [undefined, 315_000],
  ]);
});

test("rows stand by day; on one day that of all rooms comes before those of single rooms", () => {
  const rooms = [1, 2].map((roomId) => ({ roomId, monthlyRent: 300_000 }));
  const form = formOf({ rooms, stepRule: null });
  const own = (day: string, roomId: number) => byHand(input(form), day, roomId, 310_000);
  const steps = [own("2028-01-01", 1), own("2027-01-01", 2), own("2027-01-01", 1), own("2026-07-01", 2)];
  const all = {
    fromDate: "2027-01-01",
    mode: "amount",
    value: "5000",
    resultRent: 0,
    source: "manual",
  } as const;
  const shownAt = (form: ContractForm) => shown(form).map((row) => row.split(" ").slice(0, 2).join(" "));
  expect(shownAt({ ...form, steps: [...steps, all] })).toEqual([
    "2026-07-01 2",
    "2027-01-01 all",
    "2027-01-01 2",
    "2027-01-01 1",
    "2028-01-01 1",
  ]);
});

test("a contract from before rules were kept bills the rows that were written out, and says when they no longer fit", () => {
  const form = formOf();
  const old = formOf({ steps: expandSteps(input(form), rule) });
  expect(billed(old)).toEqual(["3,000.00", "3,150.00", "3,307.50"]);
  expect(outdatedRows(old, input(old))).toBe(false);
  const dearer = { ...old, rooms: [{ roomId: 1, monthlyRent: 400_000 }] };
  expect(billed(dearer)).toEqual(["4,000.00", "3,150.00", "3,307.50"]);
  expect(outdatedRows(dearer, input(dearer))).toBe(true);
  const anew = { ...dearer, ...recomputedSteps(dearer, input(dearer)) };
  expect(billed(anew)).toEqual(["4,000.00", "4,200.00", "4,410.00"]);
  const kept = { ...dearer, ...keptSteps(dearer, input(dearer)) };
  expect([billed(kept), outdatedRows(kept, input(kept))]).toEqual([
    ["4,000.00", "3,150.00", "3,307.50"],
    false,
  ]);
  // corrected by hand: what was written out went on from the correction, or from the rule's own row
  const hand = byHand(input(form), "2027-03-15", null, 314_000);
  const [, second] = old.steps;
  for (const resultRent of [329_700, 330_750]) {
    const mixed = formOf({ steps: [hand, { ...second!, resultRent }] });
    expect(outdatedRows(mixed, input(mixed))).toBe(false);
  }
  const neither = formOf({ steps: [hand, { ...second!, resultRent: 329_701 }] });
  expect(outdatedRows(neither, input(neither))).toBe(true);
});

test("of several rooms, the rule's row of a day goes where a row of all was set by hand, and stays beside one room's", () => {
  const rooms = [1, 2].map((roomId) => ({ roomId, monthlyRent: 300_000 }));
  const form = formOf({ rooms });
  const all = {
    fromDate: "2027-03-15",
    mode: "amount",
    value: "5000",
    resultRent: 0,
    source: "manual",
  } as const;
  const loose = (steps: ContractForm["steps"]) => {
    const set = { ...form, steps };
    return looseSteps(input(set)).steps!.map((s) => `${s.fromDate} ${s.roomId ?? "all"} ${s.mode}`);
  };
  expect(loose([all])).toEqual(["2027-03-15 all amount", "2028-03-15 all percentCompound"]);
  expect(loose([byHand(input(form), "2027-03-15", 1, 310_000)])).toEqual([
    "2027-03-15 1 table",
    "2027-03-15 all percentCompound",
    "2028-03-15 all percentCompound",
  ]);
});

test("a rule turned into rows of one's own costs the same", () => {
  const rooms = [
    { roomId: 1, monthlyRent: 350_000 },
    { roomId: 2, monthlyRent: 50_000 },
  ];
  for (const form of [formOf(), formOf({ rooms })]) {
    const loose = { ...form, ...looseSteps(input(form)) };
    expect(billed(loose)).toEqual(billed(form));
    expect(loose.steps.every((s) => s.source === "manual")).toBe(true);
  }
});
