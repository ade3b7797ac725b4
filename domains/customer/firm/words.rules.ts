import type { Words } from "../../../platform/kernel/field.ts";

export type FirmKind = "company" | "merchant";
/** What each kind is called where one sentence serves both. */
export const FIRM_TITLE = { company: "企业", merchant: "商户" } as const satisfies Record<FirmKind, string>;
export const FIRM_PAGE = {
  company: "/configuration/CompanyManagement",
  merchant: "/configuration/MerchantManage",
} as const satisfies Record<FirmKind, string>;

export const FIRM_STAGES = {
  prospect: ["意向", "gold"],
  living: ["在租", "green"],
  former: ["历史", "grey"],
} as const satisfies Words;

export const SUBJECTS = {
  company: ["公司", "grey"],
  individual: ["个人", "grey"],
} as const satisfies Words;

/** States of contracts as the page of a firm shows them. */
export const CONTRACT_STATES = {
  draft: ["草稿", "grey"],
  approving: ["审批中", "gold"],
  signing: ["待签署", "gold"],
  effective: ["生效", "green"],
  expired: ["到期未退", "red"],
  ended: ["已结束", "grey"],
  terminated: ["提前终止", "grey"],
  voided: ["作废", "grey"],
  renewed: ["已续租", "purple"],
  changedRoom: ["已换房", "purple"],
} as const satisfies Words;

/** Values that a merge may take from the record that goes; the others stay. */
export const MERGEABLE = {
  name: "名称",
  number: "信用代码或证件",
  address: "地址",
  trade: "行业或业态",
  brand: "品牌",
  legalName: "法定代表人",
  owner: "客户经理",
  remark: "备注",
} as const;
export type Mergeable = keyof typeof MERGEABLE;
/** Fields that a kind has. */
export const mergeableOf = (kind: FirmKind): Mergeable[] =>
  (Object.keys(MERGEABLE) as Mergeable[]).filter((field) =>
    kind === "company" ? !["brand", "legalName"].includes(field) : field !== "owner",
  );
