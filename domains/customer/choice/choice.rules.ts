import type { Words } from "../../../platform/kernel/field.ts";

/** Who can rent: a person, a shop, a company. Order here is the order of the tabs. */
export const CHOICES = {
  renter: ["租客", "grey"],
  merchant: ["商户", "grey"],
  company: ["企业", "grey"],
} as const satisfies Words;
export type ChoiceKind = keyof typeof CHOICES;

/** Where the record of a kind opens. */
export const CHOICE_PAGE = {
  renter: "/configuration/RenterManage",
  merchant: "/configuration/MerchantManage",
  company: "/configuration/CompanyManagement",
} as const satisfies Record<ChoiceKind, string>;

/** How far somebody came as a customer; firms live in no room. */
export const stageWord = (kind: ChoiceKind, stage: "prospect" | "living" | "former"): string =>
  ({ prospect: "意向", living: kind === "renter" ? "在住" : "在租", former: "历史" })[stage];

/** A whole phone, certificate or credit code: whoever types one knows whom it belongs to. */
export const isWhole = (typed: string): boolean =>
  /^\d{11,15}$/.test(typed) || /^0\d{2,3}-?\d{7,8}$/.test(typed) || /^[A-Za-z0-9]{6,18}$/.test(typed);
