import { type Day, timeInZone } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { quietMinutes } from "../../system/message/message.rules.ts";

/** Hours in which customers are not written to. */
const QUIET = { from: "21:00", to: "08:30" };
const MINUTE_MS = 60_000;

/** The next moment at which customers may be written to, where now is none. */
export function remindAt(now: Date, zone: string): Date | null {
  const clock = timeInZone(now, zone).slice(11, 16);
  const quiet = quietMinutes(clock, QUIET.from, QUIET.to);
  return quiet > 0 ? new Date((Math.floor(now.getTime() / MINUTE_MS) + quiet) * MINUTE_MS) : null;
}

export const reminderText = (of: {
  enterprise: string;
  name: string;
  bills: number;
  amount: Fen;
  since: Day;
}): string =>
  `【${of.enterprise}】${of.name}您好，您有 ${of.bills} 笔账单已逾期，未付合计 ${yuan(of.amount)} 元，最早应付日 ${of.since}，请尽快付款，如已支付请忽略。`;
