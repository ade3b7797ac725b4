import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";

export const LINK_STATES = {
  sent: ["已发送", "gold"],
  viewed: ["已查看", "cyan"],
  agreed: ["已确认", "green"],
  objected: ["有异议", "red"],
  revoked: ["已失效", "grey"],
} as const satisfies Words;
export type LinkState = keyof typeof LINK_STATES;

/** How the sheet came to the tenant. */
export const PRESENTED = {
  sms: ["短信链接", "grey"],
  hand: ["当面交付", "grey"],
} as const satisfies Words;

/** The link is good for so many days. */
export const LINK_DAYS = 7;

/** What the tenant agrees to beside the sheet; a change of the text is a new version. */
export const CONSENT = {
  version: "2026-11",
  text: "我已核对结算单的每一项，同意按此结算",
  terms: [
    "本次确认通过一次性链接、证件号后四位和手机短信验证码核实您的身份与意愿。",
    "确认的时间、IP 地址、设备信息、文件摘要（SHA-256）和短信编号与结算单一起保存。",
    "如对任何一项有异议，请提出异议并写明原因，管家会与您核对后重新发送。",
  ],
} as const;

/** What the tenant is told, word for word. */
export const SAID = {
  unknown: "链接无效，请核对短信中的链接",
  expired: "链接已过期，请联系管家重新发送",
  revoked: "结算单已更新或已处理，请使用新链接或联系管家",
  agreed: "您已确认这份结算单，无需重复确认",
  objected: "您已提出异议，管家会与您联系",
} as const;

/** The text message that brings a link, as it is read. */
export const linkText = (enterprise: string, link: string): string =>
  `【${enterprise}】请核对并确认退房结算单：${link}，${LINK_DAYS}天内有效`;

/** What the tenant reads once he has agreed. */
export const agreedText = (net: Fen): string =>
  `您已确认结算单，${net ? `${net < 0 ? "应补付" : "应退还"} ${yuan(Math.abs(net))} 元` : "双方互不相欠"}`;
