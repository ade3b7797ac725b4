import { forbidden } from "../../../platform/kernel/refusal.ts";
import { type FigureKey, figureOf, CODES, type Code, INDICATORS } from "./figure.rules.ts";

/** A figure that a role sees or does not: of the dashboard, of the workbench, or of both. */
export type ShownCode = Code | FigureKey;

export type Place = "workbench" | "dashboard";

export type Group = "rooms" | "leases" | "money";

export const PLACES: Record<Place, string> = { workbench: "工作台", dashboard: "数据看板" };

export const GROUPS: Record<Group, string> = { rooms: "房源", leases: "租赁", money: "收款" };

/** Where each figure stands, in the order that a list of one's own begins with. */
const STANDS: Record<ShownCode, readonly [Group, ...Place[]]> = {
  occupancyRate: ["rooms", "workbench", "dashboard"],
  vacant: ["rooms", "workbench", "dashboard"],
  avgRent: ["leases", "dashboard"],
  newContracts: ["leases", "workbench"],
  newLeads: ["leases", "workbench"],
  movedIn: ["leases", "workbench"],
  renewalRate: ["leases", "dashboard"],
  incomeAccrued: ["money", "dashboard"],
  billed: ["money", "dashboard"],
  collected: ["money", "workbench", "dashboard"],
  collectionRate: ["money", "dashboard"],
  arrears: ["money", "workbench", "dashboard"],
};

export const SHOWN_CODES = Object.keys(STANDS) as [ShownCode, ...ShownCode[]];

export const groupOf = (code: ShownCode): Group => STANDS[code][0];

export const placesOf = (code: ShownCode): Place[] => STANDS[code].slice(1) as Place[];

const isCode = (code: ShownCode): code is Code => (CODES as readonly string[]).includes(code);

/** What a figure is called where it is chosen, and how it is worked out. */
export const named = (code: ShownCode): { title: string; formula: string } =>
  isCode(code)
    ? { title: INDICATORS[code].title, formula: INDICATORS[code].formula }
    : { title: figureOf(code).title, formula: figureOf(code).help };

/** Figures in the order of whoever looks; null: nobody has chosen, so every place keeps its own order. */
export type Shown = readonly ShownCode[] | null;

/**
 * What somebody with several roles sees: all that any of them sees, in the order of the first that has it. A role for
 * which nobody has chosen sees everything, so that a further role never takes a figure away.
 */
export function unionOf(lists: readonly Shown[]): Shown {
  const own = lists.filter((list) => list !== null);
  if (!own.length) return null;
  const all = own.length < lists.length ? [...own, SHOWN_CODES] : own;
  return [...new Set(all.flat())];
}

/** Those of a place's figures that may be seen, in the order they were put in. */
export const ofThem = <K extends ShownCode>(shown: Shown, keys: readonly K[]): K[] =>
  shown === null ? [...keys] : shown.filter((code): code is K => (keys as readonly string[]).includes(code));

/** The figures asked for, else all that may be seen; one that may not is refused. */
export function wanted<K extends ShownCode>(shown: Shown, keys: readonly K[], asked: readonly K[] = []): K[] {
  const mine = ofThem(shown, keys);
  if (asked.some((code) => !mine.includes(code))) throw forbidden();
  return asked.length ? [...asked] : mine;
}

/** How a figure is judged. Limits are percents of the target, the target fen or a share of one. */
export type Rule = {
  better: "more" | "less";
  greenFrom: number;
  amberFrom: number;
  defaultTarget: number | null;
  /** Of 100 and nothing else among a store's completion: how much it counts there. */
  weight: number;
};

export type Rules = Readonly<Record<Code, Rule>>;

/** What holds until a company chooses otherwise. */
export const givenRule = (code: Code): Rule => ({
  better: INDICATORS[code].better,
  greenFrom: 98,
  amberFrom: 95,
  defaultTarget: null,
  weight: code === "occupancyRate" ? 100 : 0,
});

export const GIVEN_RULES = Object.fromEntries(CODES.map((code) => [code, givenRule(code)])) as Record<
  Code,
  Rule
>;

/** How much of a target is reached: 0.9895. Of what should be little, how far it stays below. */
export function reached(better: Rule["better"], value: number | null, target: number | null): number | null {
  if (value === null || target === null || target === 0) return null;
  if (better === "more") return value / target;
  return value <= target ? 1 : target / value;
}

export const toneOf = (
  share: number | null,
  { greenFrom, amberFrom }: Pick<Rule, "greenFrom" | "amberFrom">,
): "green" | "gold" | "red" | "grey" => {
  if (share === null) return "grey";
  // as it is written: 98.00 % is not below 98
  const percent = Math.round(share * 10_000) / 100;
  return percent >= greenFrom ? "green" : percent >= amberFrom ? "gold" : "red";
};

/** 目标完成 of a store: the completions of its figures by their weights; those without a target do not count. */
export function weighted(parts: readonly { share: number | null; weight: number }[]): number | null {
  const known = parts.filter((p) => p.share !== null && p.weight > 0);
  const whole = known.reduce((sum, p) => sum + p.weight, 0);
  return whole ? known.reduce((sum, p) => sum + p.share! * p.weight, 0) / whole : null;
}

/** The colours of a store's completion as a whole: those of the figures that make it, by their weights. */
export function limitsOf(rules: readonly Rule[]): Pick<Rule, "greenFrom" | "amberFrom"> {
  const whole = rules.reduce((sum, r) => sum + r.weight, 0);
  if (!whole) return { greenFrom: 98, amberFrom: 95 };
  const mean = (of: (rule: Rule) => number) => rules.reduce((sum, r) => sum + of(r) * r.weight, 0) / whole;
  return { greenFrom: mean((r) => r.greenFrom), amberFrom: mean((r) => r.amberFrom) };
}
