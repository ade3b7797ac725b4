import type { Pool } from "pg";
import type { ReminderInput } from "../domains/customer/reminder/reminder.contract.ts";
import type { ReminderEvent } from "../domains/customer/reminder/reminder.rules.ts";
import { ruleOf } from "../domains/customer/reminder/rule.service.ts";
import { createRule, switchRule } from "../domains/customer/reminder/save.service.ts";
import { addDays, type Day } from "../platform/kernel/day.ts";
import type { Cipher } from "../platform/server/secrets/cipher.ts";
import type { Database } from "../platform/server/database/database.ts";
import { acting } from "./acting.ts";
import { keepReminded, remindedBefore } from "./reminded.ts";

type Made = {
  template: readonly [name: string, body: string];
  rule: Pick<ReminderInput, "name" | "event" | "offsets" | "sendAt"> & Partial<ReminderInput>;
  on: boolean;
};
const RULES: readonly Made[] = [
  {
    template: [
      "账单到期提醒",
      "{姓名}您好，您租住的{房间}有{账单数}笔账单共{应付金额}元，应收日为{应收日}，请按时缴纳。",
    ],
    rule: { name: "账单到期提醒", event: "billDue", offsets: [-3, 0], sendAt: "10:00" },
    on: true,
  },
  {
    template: [
      "逾期催缴",
      "{姓名}您好，您租住的{房间}有{账单数}笔账单共{应付金额}元已逾期{逾期天数}天，请尽快缴纳；如已缴纳请忽略。",
    ],
    rule: { name: "逾期催缴", event: "overdue", offsets: [1, 3, 7, 15], sendAt: "09:30", monthlyCap: 6 },
    on: true,
  },
  {
    template: ["合同到期提醒", "{姓名}您好，您租住的{房间}合同{合同编号}将于{到期日}到期，续租请联系管家。"],
    rule: { name: "合同到期提醒", event: "contractEnd", offsets: [-60, -30, -7], sendAt: "10:30" },
    on: true,
  },
  {
    template: ["预订到期提醒", "{姓名}您好，您预订的{房间}保留至{到期日}，请按时签约入住。"],
    rule: { name: "预订到期提醒", event: "reservationEnd", offsets: [-1], sendAt: "10:00", villageIds: [1] },
    on: false,
  },
];

const templateOf = async (
  pool: Pool,
  enterpriseId: number,
  by: number,
  now: Date,
  event: ReminderEvent,
  [name, body]: Made["template"],
): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>(
    `insert into message_template (enterprise_id, name, event, channel, body, created_by, updated_by, created_at, updated_at)
     values ($1, $2, $3, 'sms', $4, $5, $5, $6, $6) returning id`,
    [enterpriseId, `${name}短信`, event, body, by, now.toISOString()],
  );
  return rows[0]!.id;
};

/** The company's reminders: three at work for a month, with what they have sent, and one in preparation. */
export async function makeReminders(
  place: Pick<Database, "pool" | "db"> & { cipher: Cipher },
  enterpriseId: number,
  by: number,
  today: Day,
  /** False: the rules have stopped since, so that a company made for measuring stays at rest. */
  live: boolean,
): Promise<void> {
  const now = new Date(`${addDays(today, -40)}T15:00:00+08:00`);
  const sent: Awaited<ReturnType<typeof remindedBefore>> = [];
  for (const { template, rule, on } of RULES) {
    const sms = await templateOf(place.pool, enterpriseId, by, now, rule.event, template);
    const id = await acting(place, by, now, async (act) => {
      const made = await createRule(act, {
        channels: ["sms"],
        templateIds: { sms },
        receivers: ["renter", "company", "merchant"],
        roleIds: [],
        villageIds: [],
        mergePerPayer: true,
        stopOn: ["disputed", "promised"],
        monthlyCap: 10,
        ...rule,
      });
      if (on) await switchRule(act, (await ruleOf(act, made))!, true);
      return made;
    });
    if (on) sent.push(...(await remindedBefore(place, (await ruleOf({ tx: place.db }, id))!, today)));
  }
  await keepReminded(place, sent);
  await place.pool.query("update reminder_rule set ran_on = $1, enabled = $2 where enabled", [
    addDays(today, -1),
    live,
  ]);
}
