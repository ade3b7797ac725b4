import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { addDays, type Day } from "../../../platform/kernel/day.ts";

export const LESSOR_KINDS = {
  company: ["公司", "grey"],
  soleTrader: ["个体工商户", "grey"],
  other: ["其他", "grey"],
} as const satisfies Words;

export const VERIFY_STATES = {
  draft: ["待提交", "grey"],
  verifying: ["认证中", "blue"],
  verified: ["已认证", "green"],
  failed: ["认证失败", "red"],
} as const satisfies Words;
export type VerifyState = keyof typeof VERIFY_STATES;

export const AUTH_STATES = {
  none: ["未授权", "grey"],
  pending: ["授权中", "blue"],
  authorised: ["已授权", "green"],
  expired: ["已过期", "orange"],
  revoked: ["已撤销", "red"],
} as const satisfies Words;
export type AuthState = keyof typeof AUTH_STATES;

/**
 * How a lessor is verified: a code to the legal person's phone, an amount sent to its bank account that it types back,
 * or somebody of the platform compares the papers.
 */
export const VERIFY_WAYS = {
  sms: ["法人短信核验", "grey"],
  transfer: ["对公小额打款", "grey"],
  manual: ["人工审核", "grey"],
} as const satisfies Words;
export type VerifyWay = keyof typeof VERIFY_WAYS;

const plain = <K extends string>(words: Words<K>) =>
  Object.fromEntries(
    Object.entries<readonly [string, string]>(words).map(([k, [text]]) => [k, text]),
  ) as Record<K, string>;

export const verifyMoves = moves<VerifyState, object>(plain(VERIFY_STATES))({
  start: { label: "发起认证", from: ["draft", "failed"], to: "verifying" },
  pass: { label: "通过认证", from: ["verifying"], to: "verified" },
  fail: { label: "驳回认证", from: ["verifying"], to: "failed" },
  cancel: { label: "撤回认证", from: ["verifying"], to: "draft" },
});

/** A standing authorisation holds until the letter that replaces it is signed. */
export const authMoves = moves<AuthState, { verifyState: VerifyState; status: AuthState }>(
  plain(AUTH_STATES),
)({
  start: {
    label: "发起授权",
    from: ["none", "authorised", "expired", "revoked"],
    to: ({ status }) => (status === "authorised" ? "authorised" : "pending"),
    unless: ({ verifyState }) => (verifyState === "verified" ? undefined : "企业通过认证后才能授权"),
  },
  sign: { label: "签署授权书", from: ["pending", "authorised"], to: "authorised" },
  revoke: { label: "撤销授权", from: ["authorised"], to: "revoked" },
});

/** The longest that one letter authorises. */
export const AUTH_YEARS = 3;
/** So long before the end it is reminded of. */
export const REMIND_DAYS = 30;

/** Orange in lists: authorised, and about to end. */
export const endsSoon = (authState: string, authTo: Day | null, today: Day): boolean =>
  authState === "authorised" && authTo !== null && authTo >= today && authTo <= addDays(today, REMIND_DAYS);

/** The last day of an authorisation from a day on. */
export const latestEnd = (from: Day): Day => {
  const [year, rest] = [Number(from.slice(0, 4)) + AUTH_YEARS, from.slice(4)];
  return addDays(rest === "-02-29" ? `${year}-03-01` : `${year}${rest}`, -1);
};

type Standing = { authState: string; authFrom: Day | null; authTo: Day | null };

/** Why an authorisation may not run so; undefined when it may. One that begins later would leave none until then. */
export function periodRefusal(
  from: Day,
  to: Day,
  today: Day,
  { authState, authFrom, authTo }: Standing,
): { field: "from" | "to"; msg: string } | undefined {
  if (from < today) return { field: "from", msg: "授权开始不能早于今天" };
  const holds = authState === "authorised" && authFrom! <= today && authTo! >= today;
  if (from > today && holds)
    return { field: "from", msg: `现有授权至 ${authTo}，签署后由新授权代替，请从今天开始` };
  if (to < from) return { field: "to", msg: "授权结束不能早于授权开始" };
  if (to > latestEnd(from)) return { field: "to", msg: `授权期限最长${AUTH_YEARS}年` };
  return undefined;
}

/** Fields that stay open once a lessor is verified. */
export const OPEN_FIELDS = ["agentName", "agentPhone", "address", "bankName", "bankNo"] as const;

/** Why only those may change of a lessor: it was verified as it is, or a letter names it so. Nothing where everything may. */
export function whyFixed({ verifyState, authState }: { verifyState: string; authState: string }) {
  if (verifyState === "verified") return "已认证的企业只能修改经办人、注册地址和对公账户";
  if (authState === "authorised") return "已授权的企业只能修改经办人、注册地址和对公账户，请先撤销授权";
  if (authState === "pending") return "授权书待签署，只能修改经办人、注册地址和对公账户，请先取消授权";
  return undefined;
}

/** 青禾公寓管理有限公司 → 青禾******公司: for whoever has only the link. */
export function maskLessor(name: string): string {
  const letters = [...name];
  if (letters.length <= 4) return `${letters[0]}${"*".repeat(letters.length - 1)}`;
  return `${letters.slice(0, 2).join("")}${"*".repeat(letters.length - 4)}${letters.slice(-2).join("")}`;
}

/** What is sent to a bank account, at most, in fen, and how often a wrong amount may be typed. */
export const TRANSFER_MOST = 99;
export const TRANSFER_TRIES = 3;

/** Wrong tries until a page or a code is locked, and for how long. */
export const OPEN_TRIES = 3;
export const CODE_TRIES = 5;
export const LOCK_MINUTES = 30;
/** The link to the page where the letter is signed. */
export const LINK_HOURS = 72;
/** The key of the return page. */
export const RESULT_MINUTES = 30;
/** The codes of both acts, among the kinds of SMS codes: signing on a phone. */
export const PHONE_CODE = 6;
