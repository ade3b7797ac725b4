import { createTask, ownTask } from "../domains/customer/push/push.service.ts";
import { begin } from "../domains/customer/push/send.service.ts";
import type { PushInput } from "../domains/customer/push/push.contract.ts";
import { addDays, type Day } from "../platform/kernel/day.ts";
import type { Cipher } from "../platform/server/secrets/cipher.ts";
import type { Database } from "../platform/server/database/database.ts";
import { acting } from "./acting.ts";

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
