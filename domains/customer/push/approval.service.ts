import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import { type Outlook, approves, words } from "../../approval/examine/registry.service.ts";
import {
  CHANNELS,
  type Channel,
  type Variable,
  filled,
  smsParts,
} from "../../system/template/template.rules.ts";
import { type Receiver, audienceSize, receiversOf } from "./audience-filter.queries.ts";
import { type Audience, pushScheduled } from "./push.contract.ts";
import { CATEGORIES, type Category, MOST, type Skip, textFor } from "./push.rules.ts";
import { type Task, goesAt, noteTask, ownTask, setTask, shownAt } from "./push.service.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

/** One message to one receiver by one way; `skip` says why it is not sent. */
export type Planned = {
  receiver: Receiver;
  channel: Channel;
  address: string;
  text: string;
  values: Partial<Record<Variable, string>>;
  parts: number;
  skip: Skip | null;
};

export type Said = { category: Category; channels: readonly Channel[]; body: string };

/** Those who do not want advertising, by the hash of number or address. */
export async function optedOut(read: Read, enterpriseId: number): Promise<ReadonlySet<string>> {
  const rows = await read.tx
    .selectFrom("pushOptOut")
    .select("addressHash")
    .where("enterpriseId", "=", enterpriseId)
    .execute();
  return new Set(rows.map((row) => row.addressHash.toString("hex")));
}

/** The refusal of an audience that is larger than what is sent at once: nobody of it is left out unseen. */
export async function tooLargeFor(read: Read, audience: Audience): Promise<Refusal | undefined> {
  const people = await audienceSize(read, audience);
  if (people <= MOST) return undefined;
  const [count, most] = [people, MOST].map((n) => n.toLocaleString("en-US"));
  return new Refusal("tooMany", `对象共 ${count} 人，一次最多推送 ${most} 人，请缩小范围分次发送`, 409);
}

/** What would be sent to whom, as things stand now: one line per receiver and way. */
export async function plan(
  read: Read,
  enterpriseId: number,
  audience: Audience,
  { category, channels, body }: Said,
): Promise<Planned[]> {
  const advertising = category === "marketing";
  const out = advertising ? await optedOut(read, enterpriseId) : new Set<string>();
  const { productTitle } = await brandOf(read.settings.BRAND);
  const skipOf = (receiver: Receiver, channel: Channel, address: string): Skip | null => {
    if (advertising && receiver.black) return "black";
    if (channel === "inApp") return null;
    if (!address) return channel === "sms" ? "noAddress" : "noEmail";
    return out.size && out.has(read.cipher.hash(address).toString("hex")) ? "optedOut" : null;
  };
  const tooLarge = await tooLargeFor(read, audience);
  if (tooLarge) throw tooLarge;
  const receivers = await receiversOf(read, audience);
  return receivers.flatMap((receiver) => {
    const values = { ...receiver.values, 品牌: productTitle };
    const text = textFor(category, filled(body, values));
    return channels.map((channel) => {
      const address = channel === "sms" ? receiver.phone : channel === "email" ? receiver.email : "";
      const skip = skipOf(receiver, channel, address);
      const parts = channel === "sms" && !skip ? smsParts(text, productTitle) : 0;
      return { receiver, channel, address, text, values, parts, skip };
    });
  });
}

export const countsOf = (planned: readonly Planned[]) => ({
  people: new Set(planned.filter((p) => !p.skip).map((p) => p.receiver.id)).size,
  messages: planned.filter((p) => !p.skip).length,
  parts: planned.reduce((sum, p) => sum + p.parts, 0),
});

async function taskOf(read: Read, id: number): Promise<Task> {
  const row = await aRow(read, "pushTask", ["villageIds"], { id });
  if (!row) throw notFound();
  // whoever decides need not see every store it goes to
  const who = { ...read.who, villages: row.villageIds };
  return ownTask({ ...(read as Act), who }, id);
}

async function outlook(read: Read, id: number): Promise<Outlook> {
  const task = await taskOf(read, id);
  if (task.status !== "approving")
    throw new Refusal("notAllowed", `推送 ${task.number} 已不在待审批状态，请在推送中重新提交`);
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
        columns: [words("对方收到的文字")],
        rows: [[textFor(task.category, task.body)]],
      },
    ],
    // people come and go while it waits; what is said to whom stays what was approved
    hash: basisHash([id, task.body, task.category, task.channels, task.audience]),
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
  dropped: async (act, { id }) => {
    const task = await taskOf(act, id);
    if (task.status === "approving") await setTask(act, task, { state: "draft" });
  },
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
