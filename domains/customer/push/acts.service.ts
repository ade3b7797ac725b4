import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { FREE_TEXT } from "../../../platform/server/outside/sms.ts";
import { dropExamines } from "../../approval/examine/propose.service.ts";
import { sendOut } from "../../access/sms/sms.service.ts";
import { filled } from "../../system/template/template.rules.ts";
import { asksFirst, countsOf, plan, schedule } from "./approval.service.ts";
import { type PushInput, pushSending } from "./push.contract.ts";
import { ALONE, PUSH_MOVES, textFor, type PushState } from "./push.rules.ts";
import { type Task, goesAt, noteTask, setTask, shownAt, templateChannel, tooMany } from "./push.service.ts";
import { aRow } from "../../../platform/server/database/row.ts";

/** 提交: to its time, or to whoever must approve it. */
export async function submit(act: Act, task: Task): Promise<PushState> {
  PUSH_MOVES.next("submit", task);
  const { people } = countsOf(await plan(act, task.enterpriseId, task.audience, task));
  if (!people) throw new Refusal("nobody", "没有可以发送的对象", 409);
  if (people > ALONE && !act.who.permits.has("#1801")) throw tooMany(people);
  if (task.channels.includes("sms")) await checkSms(act, task);
  await setTask(act, task, { state: "approving" });
  if (await asksFirst(act, task)) return "approving";
  await schedule(act, task);
  return "scheduled";
}

/** A provider takes only texts that were registered with it. */
async function checkSms(act: Act, task: Task): Promise<void> {
  if (act.settings.SMS_DRIVER === "outbox" || (await outsideId(act, task.templateId))) return;
  throw invalid({ field: "templateId", msg: "短信通道只能发送已报备的模板，请选择有通道模板编号的模板" });
}

export async function outsideId(act: Pick<Act, "tx">, templateId: number | null): Promise<string> {
  if (!templateId) return "";
  const row = await aRow(act, "messageTemplate", ["outsideId"], { id: templateId });
  return row?.outsideId ?? "";
}

export async function cancel(act: Act, task: Task): Promise<PushState> {
  const state = PUSH_MOVES.next("cancel", task);
  await setTask(act, task, { state });
  await noteTask(act, task, "取消", `取消推送“${task.title}”`);
  await dropExamines(act, "pushTask", [task.id], "推送已取消");
  return state;
}

/** 停止: what has not been handed over is not sent. */
export async function stop(act: Act, task: Task): Promise<PushState> {
  const state = PUSH_MOVES.next("stop", task);
  await act.tx
    .updateTable("pushRecipient")
    .set({ state: "skipped", reason: "已停止", doneAt: act.now.toISOString() })
    .where("taskId", "=", task.id)
    .where("state", "=", "queued")
    .execute();
  await setTask(act, task, { state, endedAt: act.now.toISOString() });
  await noteTask(act, task, "停止", `停止推送“${task.title}”，未发送的不再发送`);
  return state;
}

/** 重发失败: those alone that failed, or one of them. */
export async function retry(act: Act, task: Task, only?: number): Promise<PushState> {
  const state = PUSH_MOVES.next("retry", task);
  const { numUpdatedRows } = await act.tx
    .updateTable("pushRecipient")
    .set((eb) => ({ state: "queued", reason: "", tries: eb("tries", "+", 1), doneAt: null, outboxId: null }))
    .where("taskId", "=", task.id)
    .where("state", "=", "failed")
    .$if(only !== undefined, (q) => q.where("id", "=", only!))
    .executeTakeFirstOrThrow();
  await setTask(act, task, { state, endedAt: null, failed: task.failed - Number(numUpdatedRows) });
  const { at, moved } = await goesAt(act, task.category, null, task.villageIds);
  const when = moved ? `，避开免打扰时段，将于 ${shownAt(act, at)} 发送` : "";
  await noteTask(act, task, "重发失败", `重发推送“${task.title}”失败的 ${Number(numUpdatedRows)} 条${when}`);
  await act.emit(pushSending, { id: task.id });
  return state;
}

export async function removeDraft(act: Act, task: Task): Promise<void> {
  PUSH_MOVES.next("remove", task);
  await act.tx.deleteFrom("pushTask").where("id", "=", task.id).execute();
  await noteTask(act, task, "删除", `删除推送草稿“${task.title}”`);
}

/** 测试: to the own phone, with the names of the gaps where a receiver's would stand. */
export async function test(
  act: Act,
  { title, category, body, templateId = null }: Pick<PushInput, "title" | "category" | "body" | "templateId">,
): Promise<string> {
  const { phone } = act.who;
  if (!phone) throw forbidden();
  const text = textFor(category, filled(body, { 姓名: act.who.name }));
  const enterpriseId = act.who.enterpriseId;
  if (templateId) await templateChannel(act, enterpriseId, templateId);
  const template = (await outsideId(act, templateId)) || FREE_TEXT;
  await sendOut(act, [
    {
      channel: "sms",
      recipient: phone,
      subject: title,
      body: text,
      template,
      source: "test",
      ...(enterpriseId && { enterpriseId }),
    },
  ]);
  return phone;
}
