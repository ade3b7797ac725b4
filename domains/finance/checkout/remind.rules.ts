import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { quietMinutes } from "../../system/message/message.rules.ts";

/** Why nobody is asked for a bill that the customer disputes, by message or letter. */
export const DISPUTED = "账单有争议，已暂停催缴";

/** Hours in which customers are not written to. */
const QUIET = { from: "21:00", to: "08:30" };
/** So many minutes have to pass until customers may be written to; 0 where they may be now. */
export const minutesToWait = (clock: string): number => quietMinutes(clock, QUIET.from, QUIET.to);

export const reminderText = (of: {
  enterprise: string;
  name: string;
  bills: number;
  amount: Fen;
  since: Day;
}): string =>
  `【${of.enterprise}】${of.name}您好，您有 ${of.bills} 笔账单已逾期，未付合计 ${yuan(of.amount)} 元，最早应付日 ${of.since}，请尽快付款，如已支付请忽略。`;
