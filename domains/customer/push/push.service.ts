import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { NEXT_VERSION, asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { oneEnterprise } from "../../place/village/village.service.ts";
import { CHANNELS, type Channel } from "../../system/template/template.rules.ts";
import { type Audience, type PushInput, audienceInput } from "./push.contract.ts";
import {
  AHEAD_MS,
  type Category,
  PUSH_MOVES,
  type PushState,
  QUIET,
  type Quiet,
  waits,
} from "./push.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";

/** A task in scope: one of its stores is. */
export async function seenTask(read: Read, id: number) {
  const row = await read.tx.selectFrom("pushTask").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row || !row.villageIds.some((village) => read.who.villages.includes(village))) throw notFound();
  return typedTask(row);
}

/** The same, locked, and all of its stores are in scope: who changes it answers for all of them. */
export async function ownTask(act: Act, id: number, version?: number) {
  const row = await act.tx
    .selectFrom("pushTask")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row || !row.villageIds.every((village) => act.who.villages.includes(village))) throw notFound();
  if (version !== undefined) asSeen(row, version);
  return typedTask(row);
}

export const typedTask = <
  R extends { audience: unknown; category: string; channels: readonly string[]; state: string },
>(
  row: R,
) => ({
  ...(row as Omit<R, "audience" | "category" | "channels">),
  audience: audienceInput.parse(row.audience),
  category: row.category as Category,
  channels: row.channels as Channel[],
  status: row.state as PushState,
});
export type Task = Awaited<ReturnType<typeof seenTask>>;

export const noteTask = (
  act: Act,
  task: { id: number; number: string; villageIds: readonly number[] },
  action: string,
  summary: string,
): Promise<void> =>
  act.note({
    kind: "pushTask",
    recordId: task.id,
    number: task.number,
    villageId: task.villageIds[0]!,
    action,
    summary,
  });

/** Changes a locked task. */
export async function setTask(act: Act, task: { id: number }, set: Record<string, unknown>): Promise<void> {
  await act.tx
    .updateTable("pushTask")
    .set({
      ...set,
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
      ...(act.who.operatorId && { updatedBy: act.who.operatorId }),
    })
    .where("id", "=", task.id)
    .execute();
}

constraintSays("push_task_template_id_fkey", {
  code: "used",
  msg: "有推送使用了该模板，不能删除，可改为停用",
});

/** The audience as it may be asked for: its stores and buildings in scope, one enterprise. */
export async function checkedAudience(read: Read, audience: Audience): Promise<number> {
  villagesOf(read.who, audience.villageIds);
  for (const village of audience.villageIds) inScope(read.who, village);
  return oneEnterprise(read, audience.villageIds, "请选择同一企业的门店");
}

/** The first moment from this one on at which nobody in stores of these quiet hours is disturbed. */
export function awakeAt(category: Category, from: Date, stores: readonly Quiet[], zone: string): Date {
  let goes = from;
  // where one store's quiet hours end another's may have begun; a day later there is nothing to wait for any more
  for (const _ of stores) {
    const clock = timeInZone(goes, zone).slice(11, 16);
    goes = new Date(goes.getTime() + waits(category, clock, stores) * 60_000);
  }
  return goes;
}

/** The moment something may go, now where its time is over, and whether quiet hours moved it there. */
export async function goesAt(
  read: Pick<Read, "tx" | "now" | "settings">,
  category: Category,
  at: string | null | undefined,
  villageIds: readonly number[],
): Promise<{ at: Date; moved: boolean }> {
  const wanted = at && new Date(at) > read.now ? new Date(at) : read.now;
  const goes = awakeAt(category, wanted, await quietOf(read, villageIds), read.settings.TIME_ZONE);
  return { at: goes, moved: goes > wanted };
}

/** The different quiet hours of some stores. */
export async function quietOf({ tx }: Pick<Read, "tx">, villageIds: readonly number[]): Promise<Quiet[]> {
  const { rows } = await sql<Quiet>`
    select distinct to_char(quiet_from, 'HH24:MI') "from", to_char(quiet_to, 'HH24:MI') "to"
    from village_setting where village_id = ${anyOf(villageIds)}`.execute(tx);
  return rows.length ? rows : [QUIET];
}

/** The channel of a template of the enterprise's own. */
export async function templateChannel(act: Act, enterpriseId: number, id: number): Promise<Channel> {
  const template = await aRow(act, "messageTemplate", ["channel"], { id, enterpriseId });
  if (!template) throw invalid({ field: "templateId", msg: "模板不存在" });
  return template.channel as Channel;
}

async function checked(act: Act, input: PushInput) {
  const { title, category, channels, templateId = null, body, at, ...audience } = input;
  const enterpriseId = await checkedAudience(act, audience);
  if (at && new Date(at).getTime() < act.now.getTime() + AHEAD_MS)
    throw invalid({ field: "at", msg: "定时发送须晚于当前时间 5 分钟" });
  if (templateId) {
    const channel = await templateChannel(act, enterpriseId, templateId);
    if (!channels.includes(channel))
      throw invalid({ field: "templateId", msg: `该模板用于${CHANNELS[channel][0]}，请选择该渠道` });
  }
  return {
    title,
    category,
    channels: [...new Set(channels)],
    templateId,
    body,
    sendAt: at ?? null,
    audience: JSON.stringify(audience),
    villageIds: [...new Set(audience.villageIds)],
    enterpriseId,
  };
}

export async function createTask(act: Act, input: PushInput): Promise<{ id: number; number: string }> {
  const fields = await checked(act, input);
  const [number] = await act.numbers("TZ");
  const { id } = await act.tx
    .insertInto("pushTask")
    .values({
      ...fields,
      number: number!,
      createdBy: act.who.operatorId,
      createdAt: act.now.toISOString(),
      updatedBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await noteTask(act, { id, number: number!, ...fields }, "新增", `新增推送“${fields.title}”`);
  return { id, number: number! };
}

export async function editTask(act: Act, id: number, { version, ...input }: PushInput & { version: number }) {
  const task = await ownTask(act, id, version);
  PUSH_MOVES.next("edit", task);
  const { enterpriseId: _, ...fields } = await checked(act, input);
  await setTask(act, task, fields);
  await noteTask(act, task, "编辑", `编辑推送“${fields.title}”`);
}

/** "2026-11-20 09:00", in the deployment's time zone. */
export const shownAt = (read: Pick<Read, "settings">, at: Date): string =>
  timeInZone(at, read.settings.TIME_ZONE).slice(0, 16);

export const tooMany = (people: number): Refusal =>
  new Refusal("tooMany", `本次推送 ${people} 人，超过500人需有群发权限`, 403);
