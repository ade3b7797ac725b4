import { plainWords } from "../../../platform/kernel/field.ts";
import type { Provider } from "../provider/provider.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";

/** Who signs first. */
export const SIGN_ORDERS = {
  partyFirst: ["客户先签，企业后盖章", "grey"],
  enterpriseFirst: ["企业先盖章，客户后签", "grey"],
} as const;
export type SignOrder = keyof typeof SIGN_ORDERS;

export const ROLES = plainWords({
  party: "承租方",
  previousParty: "原承租方",
  otherParty: "对调方",
  occupantGuarantor: "担保人",
  enterprise: "出租方",
});
export type SignerRole = keyof typeof ROLES;

/** The parties that sign a contract, in their usual order: of 转租 the tenant until then before the one that comes. */
export const partiesOf = ({ takeOver }: Pick<Terms, "takeOver">): SignerRole[] =>
  takeOver?.kind === "changeTenant" ? ["previousParty", "party"] : ["party"];

/** Who signs before whom where nothing else was chosen. */
export const usualOrder = (parties: readonly SignerRole[], signOrder: SignOrder): SignerRole[] =>
  signOrder === "enterpriseFirst" ? ["enterprise", ...parties] : [...parties, "enterprise"];

/** Why those who sign cannot sign in this order: everybody signs once, and the seal is set before all others or after them. */
export function wrongOrder(order: readonly SignerRole[], signers: readonly SignerRole[]): string | undefined {
  const said = (role: SignerRole) => ROLES[role][0];
  for (const [i, role] of order.entries()) {
    if (!signers.includes(role)) return `${said(role)}不是本合同的签署人`;
    if (order.indexOf(role) !== i) return `${said(role)}在签署顺序中重复`;
  }
  const missing = signers.find((role) => !order.includes(role));
  if (missing) return `签署顺序缺少${said(missing)}`;
  const at = order.indexOf("enterprise");
  return at > 0 && at < order.length - 1 ? "出租方须最先或最后盖章" : undefined;
}

export const SECRET_STATES = plainWords({ missing: "未设置", set: "已设置" });

/** What holds where nobody has set anything. */
export const SIGN_DEFAULTS = {
  provider: "embedded" as Provider,
  signOrder: "partyFirst" as SignOrder,
  linkHours: 72,
  smsMinutes: 5,
  smsTries: 5,
  handwriting: true,
  readSeconds: 10,
  offlineAllowed: true,
  offlineNeedsApproval: false,
  timestampUrl: "",
};
export type SignSettings = typeof SIGN_DEFAULTS;
export const SIGN_KEYS = Object.keys(SIGN_DEFAULTS) as (keyof SignSettings)[];
