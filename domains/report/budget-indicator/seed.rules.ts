import type { Account, Agg, Basis, Better, Kind, Part, Source, Unit } from "./source.rules.ts";

type SeedPart = Omit<Part, "subjectIds"> & { subjects: readonly string[] };
type Seed = {
  code: string;
  name: string;
  /** Code of the indicator above it. */
  parent?: string;
  kind: Kind;
  unit: Unit;
  basis: Basis;
  source: Exclude<Source, { by: "money" }> | { by: "money"; parts: readonly SeedPart[] };
  agg: Agg;
  better: Better;
  must: boolean;
};

const of = (account: Account, ...subjects: string[]): SeedPart => ({
  sign: "plus",
  account,
  subjects,
  except: false,
});
const money = (code: string, name: string, parts: SeedPart[], more: Partial<Seed> = {}): Seed => ({
  code,
  name,
  kind: "income",
  unit: "yuan",
  basis: "accrual",
  source: { by: "money", parts },
  agg: "sum",
  better: "up",
  must: false,
  ...more,
});
const cost = { kind: "cost", better: "down" } as const;
const income = { parent: "income" };

/** Income of these is shown apart; 水电收入 has no subject of its own while utilities are collected for others. */
const APART = ["rent", "property", "coldWater", "hotWater", "electric"];

/**
 * Every enterprise starts with these and may change all but their codes. Together they are what the profit report is made
 * of: no account of income or cost is left out, none stands in two of them.
 */
export const SEED: readonly Seed[] = [
  {
    ...money("income", "收入", []),
    source: { by: "children" },
  },
  money("rentIncome", "租金收入", [of("6001", "rent")], { ...income, must: true }),
  money("propertyIncome", "物业费收入", [of("6001", "property")], income),
  money("utilityIncome", "水电收入", [of("6001", "electric", "coldWater", "hotWater")], income),
  money(
    "otherIncome",
    "其他收入",
    [{ ...of("6001", ...APART), except: true }, of("6052"), of("6061")],
    income,
  ),
  money("thirdPartyIncome", "第三方收入", [of("6053")], income),
  money("operatingCost", "营业成本", [of("6401")], { ...cost, must: true }),
  money("channelFee", "手续费", [of("6602")], cost),
  money("badDebt", "坏账", [of("6701"), of("6702")], cost),
  {
    ...money("profit", "利润", []),
    kind: "profit",
    source: { by: "formula", formula: "income − operatingCost − channelFee − badDebt" },
  },
  {
    code: "occupancy",
    name: "出租率",
    kind: "ratio",
    unit: "percent",
    basis: "timeline",
    source: { by: "measure", measure: "occupancy" },
    agg: "weighted",
    better: "up",
    must: true,
  },
  {
    code: "averageRent",
    name: "平均租金",
    kind: "price",
    unit: "yuanPerRoomMonth",
    basis: "timeline",
    source: { by: "measure", measure: "averageRent" },
    agg: "weighted",
    better: "up",
    must: false,
  },
  {
    code: "collectionRate",
    name: "收缴率",
    kind: "ratio",
    unit: "percent",
    basis: "cash",
    source: { by: "measure", measure: "collection" },
    agg: "weighted",
    better: "up",
    must: false,
  },
  {
    code: "newRooms",
    name: "新签套数",
    kind: "count",
    unit: "room",
    basis: "timeline",
    source: { by: "measure", measure: "newRooms" },
    agg: "sum",
    better: "up",
    must: false,
  },
  {
    code: "leftRooms",
    name: "退租套数",
    kind: "count",
    unit: "room",
    basis: "timeline",
    source: { by: "measure", measure: "leftRooms" },
    agg: "sum",
    better: "down",
    must: false,
  },
];
