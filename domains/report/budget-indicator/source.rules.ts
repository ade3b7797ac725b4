import { plainWords } from "../../../platform/kernel/field.ts";
import { ACCOUNTS as BOOK_ACCOUNTS } from "../books/books.rules.ts";
import { codesIn, formulaText, readFormula } from "./formula.rules.ts";

export const KINDS = plainWords({
  income: "收入",
  cost: "成本",
  profit: "利润",
  ratio: "比率",
  count: "数量",
  price: "单价",
});
export type Kind = keyof typeof KINDS;

export const UNITS = plainWords({
  yuan: "元",
  percent: "%",
  room: "间",
  roomNight: "间夜",
  yuanPerRoomMonth: "元/间月",
});
export type Unit = keyof typeof UNITS;

/** The units that each kind is written in. */
export const UNITS_OF: Record<Kind, readonly Unit[]> = {
  income: ["yuan"],
  cost: ["yuan"],
  profit: ["yuan"],
  ratio: ["percent"],
  count: ["room", "roomNight"],
  price: ["yuanPerRoomMonth", "yuan"],
};

export const BASES = plainWords({ accrual: "权责", billed: "应收", cash: "实收", timeline: "时间线" });
export type Basis = keyof typeof BASES;

export const AGGS = plainWords({ sum: "合计", weighted: "加权平均", last: "期末值" });
export type Agg = keyof typeof AGGS;

export const BETTER = plainWords({ up: "越大越好", down: "越小越好" });
export type Better = keyof typeof BETTER;

export const BY = plainWords({
  money: "凭证",
  measure: "运营数据",
  formula: "公式",
  children: "下级合计",
});
export type By = keyof typeof BY;

/** Accounts that an actual is read from. Receivables stand for what was billed and what of it was paid. */
export const ACCOUNTS = {
  "1122": BOOK_ACCOUNTS["1122"],
  "6001": BOOK_ACCOUNTS["6001"],
  "6052": BOOK_ACCOUNTS["6052"],
  "6053": BOOK_ACCOUNTS["6053"],
  "6061": BOOK_ACCOUNTS["6061"],
  "6401": BOOK_ACCOUNTS["6401"],
  "6602": BOOK_ACCOUNTS["6602"],
  "6701": BOOK_ACCOUNTS["6701"],
  "6702": BOOK_ACCOUNTS["6702"],
};
export type Account = keyof typeof ACCOUNTS;
/** What is on the debit side is a cost: it counts there, income on the other. */
export const isDebit = (account: Account): boolean => ["6401", "6602", "6701", "6702"].includes(account);

export const SIGN = plainWords({ plus: "加", minus: "减" });

/** Figures that no account has. */
export const MEASURES = {
  occupancy: {
    title: "出租率",
    text: "在租间夜 ÷ 可租间夜",
    kind: "ratio",
    basis: "timeline",
    quotient: true,
  },
  averageRent: {
    title: "平均租金",
    text: "在租房间逐日月租金之和 ÷ 在租间夜",
    kind: "price",
    basis: "timeline",
    quotient: true,
  },
  collection: {
    title: "收缴率",
    text: "应收日在当月的账单截至月末已收 ÷ 应收",
    kind: "ratio",
    basis: "cash",
    quotient: true,
  },
  newRooms: {
    title: "新签套数",
    text: "当月签署的新合同的房间数，续租、换房和期初导入不计",
    kind: "count",
    basis: "timeline",
    quotient: false,
  },
  leftRooms: {
    title: "退租套数",
    text: "当月退房的房间数，续租和换房不计",
    kind: "count",
    basis: "timeline",
    quotient: false,
  },
} as const satisfies Record<
  string,
  { title: string; text: string; kind: Kind; basis: Basis; quotient: boolean }
>;
export type Measure = keyof typeof MEASURES;
export const MEASURE_WORDS = plainWords(
  Object.fromEntries(Object.entries(MEASURES).map(([key, { title }]) => [key, title])) as Record<
    Measure,
    string
  >,
);

/** Movements of one account, of some fee subjects (`except`: of all others); none named is all. */
export type Part = { sign: keyof typeof SIGN; account: Account; subjectIds: number[]; except: boolean };

export type Source =
  | { by: "money"; parts: Part[] }
  | { by: "measure"; measure: Measure }
  /** With the codes of indicators. */
  | { by: "formula"; formula: string }
  | { by: "children" };

/** An indicator as figures are worked out by it. */
export type Indicator = {
  id: number;
  code: string;
  name: string;
  parentId: number | null;
  kind: Kind;
  unit: Unit;
  basis: Basis;
  source: Source;
  agg: Agg;
  better: Better;
  must: boolean;
  enabled: boolean;
};

/** It is typed into a budget; the others follow from those. */
export const isInput = ({ source }: Pick<Indicator, "source">): boolean =>
  source.by === "money" || source.by === "measure";

/** A source as people read it. */
export function sourceText(
  source: Source,
  named: { subject: (id: number) => string; indicator: (code: string) => string },
): string {
  switch (source.by) {
    case "money":
      return source.parts
        .map(({ sign, account, subjectIds, except }, i) => {
          const lead = sign === "minus" ? "− " : i ? "+ " : "";
          const of = subjectIds.map(named.subject).join("、");
          const which = of && (except ? `（除${of}）` : `（${of}）`);
          return `${lead}${ACCOUNTS[account][0].slice(5)}${which}`;
        })
        .join(" ");
    case "measure":
      return MEASURES[source.measure].text;
    case "formula": {
      const read = readFormula(source.formula, (code) => code);
      return "formula" in read ? formulaText(read.formula, named.indicator) : source.formula;
    }
    case "children":
      return "下级指标之和";
  }
}

type Linked = Pick<Indicator, "code" | "id" | "parentId" | "source">;

/** The codes of what an indicator is worked out from. */
export function needsOf(one: Linked, all: readonly Linked[]): string[] {
  if (one.source.by === "children") return all.filter((i) => i.parentId === one.id).map((i) => i.code);
  if (one.source.by !== "formula") return [];
  const read = readFormula(one.source.formula, (code) => code);
  return "formula" in read ? codesIn(read.formula) : [];
}

/** An indicator would be worked out from itself. */
export function isCircular(one: Linked, all: readonly Linked[]): boolean {
  const at = new Map(all.map((i) => [i.code, i]));
  const seen = new Set<string>();
  const reach = (code: string): boolean => {
    if (code === one.code) return true;
    if (seen.has(code)) return false;
    seen.add(code);
    const next = at.get(code);
    return next !== undefined && needsOf(next, all).some(reach);
  };
  return needsOf(one, all).some(reach);
}

/** An indicator with the depth at which it stands, parents before their children, in their order. */
export function treeOf<T extends { id: number; parentId: number | null; orderNo: number }>(
  all: readonly T[],
): (T & { level: number })[] {
  const under = Map.groupBy(all, (one) => one.parentId);
  const walk = (parentId: number | null, level: number): (T & { level: number })[] =>
    (under.get(parentId) ?? [])
      .toSorted((a, b) => a.orderNo - b.orderNo || a.id - b.id)
      .flatMap((one) => [{ ...one, level }, ...walk(one.id, level + 1)]);
  return walk(null, 0);
}
