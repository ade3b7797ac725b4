import { plainWords } from "../../../platform/kernel/field.ts";

export type SubjectKind = "income" | "deposit" | "earnest" | "agency" | "lateFee" | "cost";
/**
 * What a bill to a customer may carry. Costs are what the house itself pays, and a late fee follows from dates; what of
 * these a contract may charge as a fee says the view fee_choice.
 */
export const CHARGED = ["income", "agency", "deposit", "earnest"] as const satisfies readonly SubjectKind[];
export const isCharged = (kind: SubjectKind): boolean => (CHARGED as readonly SubjectKind[]).includes(kind);

export type TaxMode = "rate" | "reduced15" | "none";
export type Recognise = "period" | "onIssue";
export type Utility = "electric" | "coldWater" | "hotWater" | "none";

export type SubjectSeed = {
  code: string;
  name: string;
  kind: SubjectKind;
  taxMode: TaxMode;
  /** Decimal text: "0.06". */
  taxRate: string;
  recognise: Recognise;
  utility: Utility;
  priority: number;
};

export type Subject = SubjectSeed & { id: number; enterpriseId: number; enabled: boolean };

const subject = (
  code: string,
  name: string,
  priority: number,
  kind: SubjectKind = "income",
  tax: [TaxMode, string] = ["none", "0"],
  more: Partial<Pick<SubjectSeed, "recognise" | "utility">> = {},
): SubjectSeed => ({
  code,
  name,
  kind,
  taxMode: tax[0],
  taxRate: tax[1],
  recognise: "period",
  utility: "none",
  priority,
  ...more,
});

const RENT: [TaxMode, string] = ["reduced15", "0.015"];
const SERVICE: [TaxMode, string] = ["rate", "0.06"];
const ONCE = { recognise: "onIssue" } as const;

/**
 * Every enterprise starts with these; code and kind are fixed, name, tax and priority can be edited. Rates are data:
 * the law decides. A lower priority is paid first.
 */
export const BUILT_IN: readonly SubjectSeed[] = [
  subject("deposit", "押金", 10, "deposit"),
  subject("key", "钥匙押金", 11, "deposit"),
  subject("earnest", "定金", 12, "earnest"),
  subject("rent", "租金", 20, "income", RENT),
  subject("property", "物业费", 30, "income", SERVICE),
  subject("service", "服务费", 32, "income", SERVICE),
  subject("cleaning", "保洁费", 34, "income", SERVICE),
  subject("network", "网费", 36, "income", SERVICE),
  subject("electric", "电费", 40, "agency", ["none", "0"], { utility: "electric", ...ONCE }),
  subject("coldWater", "水费", 41, "agency", ["none", "0"], { utility: "coldWater", ...ONCE }),
  subject("hotWater", "热水费", 42, "agency", ["none", "0"], { utility: "hotWater", ...ONCE }),
  subject("penalty", "违约金", 50, "income", RENT, ONCE),
  subject("damage", "赔偿", 52, "income", ["none", "0"], ONCE),
  subject("other", "其他收入", 60, "income", SERVICE, ONCE),
  subject("lateFee", "滞纳金", 90, "lateFee", RENT, ONCE),
  subject("repairCost", "维修支出", 95, "cost", ["none", "0"], ONCE),
  subject("cleaningCost", "保洁支出", 96, "cost", ["none", "0"], ONCE),
  subject("officeCost", "办公支出", 97, "cost", ["none", "0"], ONCE),
  subject("commission", "佣金支出", 98, "cost", ["none", "0"], ONCE),
];

export type Taxed = { taxMode: TaxMode; taxRate: string };

/** The rate as people read it: 减按1.5% or 6%. */
export function taxWord({ taxMode, taxRate }: Taxed): string {
  if (taxMode === "none") return "不征税";
  const percent = String(Math.round(Number(taxRate) * 1e6) / 1e4);
  return taxMode === "reduced15" ? `减按${percent}%` : `${percent}%`;
}

export const TAX_MODE = plainWords({ rate: "按税率", reduced15: "减按1.5%", none: "不征税" });
export const RECOGNISE = plainWords({ period: "按计费期", onIssue: "一次确认" });
export const UTILITY = plainWords({ none: "无", electric: "电", coldWater: "冷水", hotWater: "热水" });

/** Why a mode does not go with a rate in percent, or nothing. */
export function rateRefusal({
  taxMode,
  taxRate,
}: {
  taxMode?: TaxMode | undefined;
  taxRate?: string | undefined;
}): string | undefined {
  if (taxRate === undefined) return undefined;
  if (taxMode === "rate" && !Number(taxRate)) return "请输入税率";
  if (taxMode === "reduced15" && Number(taxRate) !== 1.5) return "减按征收的税率为1.5";
  if (taxMode === "none" && Number(taxRate)) return "不征税的费用税率为0";
  return undefined;
}
