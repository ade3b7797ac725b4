import { type Day, addDays, maxDay, minDay } from "../../../platform/kernel/day.ts";
import { AHEAD_DAYS } from "../settlement/settlement.rules.ts";
import { isInForce } from "../contract/contract.rules.ts";

/** The page is good for so many days; what was asked for there is looked at on it. */
export const LINK_DAYS = 30;

/** So many days before the day that a tenant wishes for, who looks after the contract hears that his request still waits. */
export const TOLD_DAYS = [15, 7, 3, 1, 0] as const;

/** A tenant may wish for another room, or leave, from today on, no further ahead than a leaving. */
export const firstWish = (today: Day, start: Day): Day => maxDay(today, addDays(start, 1));
export const lastWish = (today: Day, end: Day): Day => minDay(addDays(today, AHEAD_DAYS), end);

/** What the tenant is told, word for word. */
export const SAID = {
  expired: "链接已过期，请联系管家重新发送",
  revoked: "链接已失效，请使用新链接或联系管家",
  over: "合同不在租期内，如有疑问请联系管家",
  busy: "您有正在办理的申请，办结后可以再次提交",
  taken: "管家已处理您的申请，不能撤回，请联系管家",
} as const;

/** The text message that brings the link, as it is read. */
export const linkText = (enterprise: string, link: string): string =>
  `【${enterprise}】查看合同和账单，办理退房、续租、换房：${link}，${LINK_DAYS}天内有效`;

/** Why no page can be sent for a contract, or nothing. */
export const sendRefusal = (state: string): string | undefined =>
  isInForce(state) ? undefined : "合同不在租，不能发送自助链接";
