import { expect, test } from "vitest";
import { yuan } from "../../../platform/kernel/fen.ts";
import { rentClauses } from "../paper/clause.rules.ts";
import { rentLines } from "../schedule/rent.rules.ts";
import { expandSteps, rentsOver } from "../schedule/steps.rules.ts";
import { liveBills } from "../terms/live.rules.ts";
import { DEFAULT_TERMS } from "../terms/defaults.rules.ts";
import { staleSteps } from "../terms/stale.rules.ts";
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
