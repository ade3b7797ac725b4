import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { DOC_KINDS } from "../archive/archive.rules.ts";
import type { SignerRole } from "../config/sign.rules.ts";

/** A signing, from the first link to the closed file. */
export const FLOW_STATES = {
  created: ["待盖章后发送", "gold"],
  sending: ["发送中", "cyan"],
  signing: ["签署中", "blue"],
  done: ["已完成", "green"],
  refused: ["已拒签", "red"],
  expired: ["已过期", "orange"],
  cancelled: ["已撤销", "grey"],
  failed: ["未完成", "red"],
} as const satisfies Words;
export type FlowState = keyof typeof FLOW_STATES;
export const LIVE: readonly FlowState[] = ["created", "sending", "signing"];
export const isLive = (state: FlowState): boolean => LIVE.includes(state);

export const SIGNER_STATES = {
  waiting: ["待签署", "grey"],
  sent: ["已发送", "gold"],
  viewed: ["已查看", "cyan"],
  signed: ["已签署", "green"],
  refused: ["已拒签", "red"],
} as const satisfies Words;
export type SignerState = keyof typeof SIGNER_STATES;

/** What a signing presents: a contract, an act's supplement, or both together where the act leads to a contract. */
export const SIGNED_KINDS = [
  "renterContract",
  "companyContract",
  "merchantContract",
  "supplement",
  "changeRoom",
  "changeTenant",
] as const;
export type SignedKind = (typeof SIGNED_KINDS)[number];
const isContract = (kind: SignedKind) => kind.endsWith("Contract");

/** What a document is called where it is asked to be signed. */
export const paperName = (kind: SignedKind): string => (isContract(kind) ? "租赁合同" : DOC_KINDS[kind][0]);
/** The same as one word, and what is said of contracts as it is said of the document. */
export const nounOf = (kind: SignedKind): string => (isContract(kind) ? "合同" : "协议");
export const saidOf = (kind: SignedKind, text: string): string => text.replaceAll("合同", nounOf(kind));

/** Roles as a paper has places for them, after that of the enterprise. */
const PLACES: readonly SignerRole[] = ["previousParty", "party", "otherParty"];
/** Who signs beside the enterprise, by the places on the paper: those stay where they are, whoever signs first. */
export const inPlaces = <S extends { role: SignerRole }>(signers: readonly S[]): S[] =>
  PLACES.flatMap((role) => signers.filter((s) => s.role === role));

type Facts = {
  /** Everybody of the party has signed. */
  partySigned: boolean;
};
const texts = Object.fromEntries(Object.entries(FLOW_STATES).map(([key, [text]]) => [key, text])) as Record<
  FlowState,
  string
>;
/** The moves of a signing. */
export const flowMoves = moves<FlowState, Facts>(texts)({
  send: { label: "发送链接", from: ["created", "sending"], to: "signing" },
  resend: {
    label: "重新发送",
    from: ["sending", "signing"],
    to: "signing",
    unless: (flow) => flow.partySigned && "承租方已签署，正在等待盖章",
  },
  sign: { label: "签署", from: ["signing"], to: "signing" },
  complete: {
    label: "完成签署",
    from: ["signing"],
    to: "done",
    unless: (flow) => !flow.partySigned && "承租方尚未签署",
  },
  refuse: { label: "拒签", from: ["signing"], to: "refused" },
  expire: { label: "过期", from: ["created", "sending", "signing"], to: "expired" },
  cancel: {
    label: "撤销签署",
    from: ["created", "sending", "signing"],
    to: "cancelled",
    unless: (flow) => flow.partySigned && "承租方已签署，不能撤销",
  },
  fail: { label: "终止", from: ["created", "sending", "signing"], to: "failed" },
});

/** What the signer agrees to beside the contract; a change of the text is a new version. */
export const CONSENT = {
  version: "2026-11",
  text: "我已阅读并同意本合同及电子签署约定",
  terms: [
    "本次签署由系统内置的电子签署服务完成：签署人通过一次性链接、证件号后四位和手机短信验证码确认身份与意愿。",
    "签署的时间、IP 地址、设备信息、文件摘要（SHA-256）和短信编号记录在签署证明中，与合同正文一起加盖数字签名。",
    "内置签名证书由系统自行签发，用于证明文件未被改动，不是第三方电子认证机构颁发的证书。",
    "签署完成后，双方均可下载签署文件；文件内容的任何改动都会使数字签名失效。",
  ],
} as const;

/** What who signs is told, word for word. */
export const SAID = {
  expired: "签署链接已过期，请联系管家重新发送",
  revoked: "签署已撤销",
  changed: "合同内容已更新，请使用新链接",
  unknown: "链接无效，请核对短信中的链接",
  refused: "已拒绝签署",
  tooManyCodes: "验证码错误次数过多，请30分钟后再试",
  tooManyOpens: "验证次数过多，请30分钟后再试",
  unopened: "请先输入证件号后四位",
} as const;

/** What the last four characters are of that open a link; a guardian names those of the tenant. */
export const LAST4 = {
  certificate: "证件号",
  creditCode: "统一社会信用代码",
  ward: "承租人证件号",
  phone: "手机号",
} as const;
export type Last4Of = Exclude<keyof typeof LAST4, "phone">;
/** Who signed, and for whom where it was not for himself. */
export const signedName = (name: string, last4Of: "" | Last4Of): string =>
  last4Of === "ward" ? `${name}（监护人，代承租人签署）` : name;
export const signerText = (s: { name: string; phone: string; last4Of: "" | Last4Of }): string =>
  `签署人 ${signedName(maskName(s.name), s.last4Of)}（${maskPhone(s.phone)}）`;

/** Wrong last characters before the link is locked. */
export const OPEN_TRIES = 3;
export const LOCK_MINUTES = 30;
/** A device that named the last characters stays known as long. */
export const DEVICE_HOURS = 24;
/** The result may be looked at so long after the signing. */
export const RESULT_MINUTES = 30;
/** A picture of a signature as base64, about 300 kB. */
export const MOST_HANDWRITING = 400_000;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** Moments are milliseconds here. */
export const isLocked = (lockedUntil: number | null, now: number): boolean =>
  lockedUntil !== null && lockedUntil > now;

/** One more wrong try: how many are counted, and until when it is locked, from the last allowed one on. */
export function wrongTry(
  before: number,
  most: number,
  now: number,
): { tries: number; lockedUntil: number | null } {
  const tries = before + 1;
  return tries < most
    ? { tries, lockedUntil: null }
    : { tries: 0, lockedUntil: now + LOCK_MINUTES * MINUTE_MS };
}

/** Until when a link is good: its hours, yet never beyond the moment at which the rooms are let go. */
export const deadlineOf = (now: number, hours: number, signDeadline: number): number =>
  Math.min(now + hours * HOUR_MS, signDeadline);

/** The text message that brings a link, as it is read. */
export const linkText = (enterprise: string, paper: string, link: string, hours: number): string =>
  `【${enterprise}】请签署${paper}：${link}，`.concat(String(hours), "小时内有效");

/** 青禾****公司: an enterprise with its middle hidden. */
export function maskFirm(name: string): string {
  if (name.length < 5) return maskName(name);
  return `${name.slice(0, 2)}****${name.slice(-2)}`;
}

type Signer = { role: SignerRole; state: SignerState };
/** Everybody of the party has signed. */
export const partySigned = (signers: readonly Signer[]): boolean =>
  signers.filter((s) => s.role !== "enterprise").every((s) => s.state === "signed");

/** Whose turn it is among those that get a link; they sign in their order. */
export const nextSigner = <S extends Signer>(signers: readonly S[]): S | undefined =>
  signers.find((s) => s.role !== "enterprise" && s.state !== "signed");

/**
 * The seal can be set now: before the links where the enterprise signs first, after the party where it signs last, or where its seal
 * could not be set any more when the party had signed.
 */
export const waitsForSeal = (
  flow: { state: FlowState; signOrder: string; provider: string },
  signers: readonly Signer[],
): boolean => {
  // an outside provider sets the seal by itself
  if (flow.provider !== "embedded") return false;
  const first = flow.signOrder === "enterpriseFirst";
  const waits = signers.some((s) => s.role === "enterprise" && s.state === "waiting");
  if (flow.state === "created") return first && waits;
  return flow.state === "signing" && partySigned(signers) && (first || waits);
};

/** What the return page says of a signing. */
export const OUTCOMES = {
  signing: "待其他方签署",
  sealing: "待企业盖章",
  done: "已完成",
  refused: "已拒签",
  ended: "签署未完成",
} as const;
export type Outcome = keyof typeof OUTCOMES;

export function outcomeOf(state: FlowState, signers: readonly Signer[]): Outcome {
  if (state === "done") return "done";
  if (state === "refused") return "refused";
  if (!isLive(state)) return "ended";
  return partySigned(signers) ? "sealing" : "signing";
}
