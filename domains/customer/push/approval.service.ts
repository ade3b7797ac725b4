import { createHash } from "node:crypto";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { approves, type Outlook } from "../../approval/examine/registry.service.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import { CHANNELS } from "../../system/template/template.rules.ts";
import { countsOf, plan } from "./message.service.ts";
import { CATEGORIES, textFor } from "./push.rules.ts";
import { goesAt, shownAt } from "./push.service.ts";
import { noteTask, ownTask, setTask, type Task } from "./task.service.ts";
import { pushScheduled } from "./push.contract.ts";

async function taskOf(read: Read, id: number): Promise<Task> {
  const row = await read.tx
    .selectFrom("pushTask")
    .select("villageIds")
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  // whoever decides need not see every store it goes to
  const who = { ...read.who, villages: row.villageIds };
  return ownTask({ ...(read as Act), who }, id);
}

async function outlook(read: Read, id: number): Promise<Outlook> {
  const task = await taskOf(read, id);
  if (task.status !== "approving" && task.status !== "draft")
    throw new Refusal("notAllowed", `推送 ${task.number} 已不在待审批状态`);
  const { people, parts } = countsOf(await plan(read, task.enterpriseId, task.audience, task));
  return {
    title: `推送“${task.title}”`,
    number: task.number,
    villageId: task.villageIds[0]!,
    amount: null,
    values: { people, parts },
    facts: [
      ["类别", CATEGORIES[task.category][0]],
      ["渠道", task.channels.map((c) => CHANNELS[c][0]).join("、")],
      ["对象", `${people} 人`],
      ["短信", `${parts} 条`],
      ["发送时间", task.sendAt ? shownAt(read, new Date(task.sendAt)) : "通过后立即"],
    ],
    preview: [
      {
        title: "推送内容",
        columns: [{ title: "对方收到的文字", kind: "text" }],
        rows: [[textFor(task.category, task.body)]],
      },
    ],
    // people come and go while it waits; what is said to whom stays what was approved
    hash: createHash("sha256")
      .update(JSON.stringify([id, task.body, task.category, task.channels, task.audience]))
      .digest("hex"),
  };
}

approves({
  type: "pushTask",
  title: "信息推送",
  group: "运营",
  kind: "pushTask",
  page: "/configuration/MessageManagement",
  permit: "18.query",
  fields: [
    { key: "people", title: "对象", kind: "number", unit: "人" },
    { key: "parts", title: "短信", kind: "number", unit: "条" },
  ],
  outlook: (read, { id }) => outlook(read, id),
  effect: async (act, { id }) => schedule(act, await taskOf(act, id)),
});

/** Lets a task go: at its time, or now, outside quiet hours. */
export async function schedule(act: Act, task: Task): Promise<void> {
  const { at } = await goesAt(act, task.category, task.sendAt, task.villageIds);
  await setTask(act, task, { state: "scheduled", sendAt: at.toISOString() });
  await noteTask(act, task, "待发送", `推送“${task.title}”将于 ${shownAt(act, at)} 发送`);
  await act.emit(pushScheduled, { id: task.id });
}

/** Advertising may need somebody's word first. True when it waits for one. */
export async function asksFirst(act: Act, task: Task): Promise<boolean> {
  if (task.category !== "marketing") return false;
  const { waiting } = await propose(act, "pushTask", [
    { recordId: task.id, villageId: task.villageIds[0]!, payload: {}, reason: `推送“${task.title}”` },
  ]);
  return waiting.length > 0;
}
