import { createTask, ownTask } from "../../domains/customer/push/push.service.ts";
import { begin } from "../../domains/customer/push/send.service.ts";
import type { PushInput } from "../../domains/customer/push/push.contract.ts";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { acting } from "../acting.ts";
import type { Pool } from "pg";
import type { ReminderInput } from "../../domains/customer/reminder/reminder.contract.ts";
import type { ReminderEvent } from "../../domains/customer/reminder/reminder.rules.ts";
import { ruleOf } from "../../domains/customer/reminder/rule.service.ts";
import { createRule, switchRule } from "../../domains/customer/reminder/save.service.ts";
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

const TEMPLATES = [
  ["停水通知", "sms", "", "{姓名}您好，{门店}因水箱清洗临时停水，请提前储水，给您带来不便敬请谅解。"],
  ["缴费提醒", "sms", "", "{姓名}您好，您租住的{房间}尚有{欠费}元未缴，请及时缴纳。"],
  ["到期提醒", "sms", "", "{姓名}您好，您租住的{房间}将于{到期日}到期，续租请联系管家。"],
  ["活动邀请", "inApp", "周末活动", "{门店}周末在公共客厅举办租客交流，欢迎参加。"],
] as const;

type Told = {
  ago: number;
  by: Partial<PushInput> & Pick<PushInput, "title" | "category" | "body">;
  goes: boolean;
};
const TOLD: readonly Told[] = [
  {
    ago: 12,
    goes: true,
    by: { title: "停水通知", category: "notice", body: TEMPLATES[0][3], stages: ["living"] },
  },
  {
    ago: 5,
    goes: true,
    by: { title: "欠费提醒", category: "reminder", body: TEMPLATES[1][3], arrears: true },
  },
  {
    ago: 1,
    goes: false,
    by: {
      title: "十二月交流活动",
      category: "notice",
      channels: ["inApp"],
      body: "{门店}十二月第一个周六举办租客交流，欢迎参加。",
      stages: ["living"],
    },
  },
];

/** Templates of the company, and what the first store has told its tenants lately: sent, and one in preparation. */
export async function makePushes(
  place: Pick<Database, "pool" | "db"> & { cipher: Cipher },
  enterpriseId: number,
  managerId: number,
  today: Day,
): Promise<void> {
  const { pool } = place;
  for (const [name, channel, title, body] of TEMPLATES)
    await pool.query(
      `insert into message_template (enterprise_id, name, channel, title, body, created_by, updated_by, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $6, $7, $7)`,
      [enterpriseId, name, channel, title, body, managerId, `${addDays(today, -60)}T10:00:00+08:00`],
    );
  for (const { ago, by, goes } of TOLD) {
    const now = new Date(`${addDays(today, -ago)}T10:20:00+08:00`);
    const id = await acting(place, managerId, now, async (act) => {
      const input: PushInput = {
        kind: "renter",
        villageIds: [1],
        channels: ["sms"],
        buildingIds: [],
        tags: [],
        stages: [],
        arrears: false,
        ids: [],
        exclude: [],
        ...by,
      };
      const task = await createTask(act, input);
      if (goes) await begin(act, await ownTask(act, task.id));
      return task.id;
    });
    if (goes)
      await pool.query(
        `with ended as (update push_recipient set state = 'delivered', done_at = $2
           where task_id = $1 and state = 'queued' returning 1)
         update push_task set state = 'sent', delivered = (select count(*) from ended), ended_at = $2 where id = $1`,
        [id, now.toISOString()],
      );
  }
}
