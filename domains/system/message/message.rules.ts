import { greys } from "../../../platform/kernel/words.ts";
import { dayNumber, daysBetween, timeInZone } from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";

/** What a message is about; the numbers are part of the calls. */
export const MESSAGE_TYPES = greys({
  1: "审批",
  2: "收款与账单",
  3: "合同",
  4: "客源与预订",
  5: "报修与投诉",
  6: "设备告警",
  7: "系统与公告",
  8: "任务与下载",
});
export type MessageType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
export const TYPE_NUMBERS: readonly MessageType[] = [1, 2, 3, 4, 5, 6, 7, 8];
export const typeName = (type: number): string => MESSAGE_TYPES[type as MessageType]?.[0] ?? "消息";

/** Nobody can turn these off: work that waits for one person, and what head office says. */
export const ALWAYS: readonly MessageType[] = [1, 7];

export const READ_WORDS: Words<"0" | "1"> = { 0: ["未读", "blue"], 1: ["已读", "grey"] };

/** From which level on alarms arrive: 1 提示, 2 警告, 3 紧急. */
export const ALARM_LEVELS: Words<"1" | "2" | "3"> = {
  1: ["全部告警", "grey"],
  2: ["警告及以上", "grey"],
  3: ["仅紧急", "grey"],
};

/** So many readers get their receipts with the event itself; for more a job writes them. */
export const AT_ONCE = 50;
/** A message that was read stays so many days. */
export const READ_DAYS = 180;
/** Ids of one call. */
export const MOST_IDS = 200;

/** Above this the badge says 99+ (specification section 9). */
const OVERFLOW = 99;
export const badgeOf = (count: number): string => (count > OVERFLOW ? `${OVERFLOW}+` : String(count));

/** Seconds of "2026-11-20 09:05:07" since 1970 on the same clock. */
const secondOf = (time: string): number => {
  const [hours, minutes, seconds] = time.slice(11).split(":").map(Number) as [number, number, number];
  return dayNumber(time.slice(0, 10)) * 86_400 + hours * 3600 + minutes * 60 + seconds;
};

/** When it was told, as the bell says it: 刚刚, 5 分钟前, 09:12, 昨天 18:20, 2026-11-02. Both are instants. */
export function agoText(at: string, now: string, zone = "Asia/Shanghai"): string {
  const [then, today] = [timeInZone(at, zone), timeInZone(now, zone)];
  const minutes = Math.floor((secondOf(today) - secondOf(then)) / 60);
  if (minutes < 1) return "刚刚";
  if (minutes < 60) return `${minutes} 分钟前`;
  const days = daysBetween(then.slice(0, 10), today.slice(0, 10));
  if (days === 0) return then.slice(11, 16);
  return days === 1 ? `昨天 ${then.slice(11, 16)}` : then.slice(0, 10);
}

/** True within hours "22:00" to "08:00" of a clock "23:15"; the hours may go over midnight, their end is outside. */
export const isQuiet = (clock: string, from: string | null, to: string | null): boolean =>
  from === null || to === null
    ? false
    : from <= to
      ? from <= clock && clock < to
      : clock >= from || clock < to;

const DAY_MINUTES = 24 * 60;
const ofClock = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** Minutes until the quiet hours are over that "23:10" lies in; 0 outside them. */
export const quietMinutes = (clock: string, from: string | null, to: string | null): number =>
  isQuiet(clock, from, to) ? (ofClock(to!) - ofClock(clock) + DAY_MINUTES) % DAY_MINUTES : 0;
