import { sql } from "kysely";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { sendOut } from "../../access/sms/sms.service.ts";
import { retry } from "../push/acts.service.ts";
import { optedOut } from "../push/approval.service.ts";
import { NOTICE_AGAIN } from "../push/push.rules.ts";
import { goesAt, ownTask, quietOf } from "../push/push.service.ts";
import { blackListed } from "../blacklist/blacklist.service.ts";
import { emailOf, IN_TIME } from "../reminder/facts.queries.ts";
import { noteRule } from "../reminder/save.service.ts";
import { checkSms, ruleOf } from "../reminder/rule.service.ts";

type Line = {
  id: number;
  taskId: number | null;
  ruleId: number | null;
  partyId: number;
  villageId: number;
  channel: "sms" | "email" | "inApp";
  state: string;
  body: string;
  params: Record<string, string>;
  tries: number;
};

const refuse = (msg: string) => new Refusal("notAllowed", msg);

async function seenLine(act: Act, id: number, lock: boolean): Promise<Line> {
  const { rows } = await sql<Line>`
    select id, task_id "taskId", rule_id "ruleId", party_id "partyId", village_id "villageId", channel, state, body,
      params, tries
    from push_recipient where id = ${id} and village_id = ${anyOf(act.who.villages)}
    ${lock ? sql`for update` : sql``}`.execute(act.tx);
  const [line] = rows;
  if (!line) throw notFound();
  if (line.state === "failed") return line;
  throw refuse(
    line.state === "handed" || line.state === "queued" ? "该消息正在发送" : "只有发送失败的消息可以重发",
  );
}

/** Sends one failed message again, at once or when the store's quiet hours are over; answers when it goes. */
export async function resend(act: Act, id: number): Promise<Date> {
  const { taskId } = await seenLine(act, id, false);
  if (taskId) {
    // whoever sends a task again locks it before its receivers
    const task = await ownTask(act, taskId);
    await retry(act, task, id);
    return (await goesAt(act, task.category, null, task.villageIds)).at;
  }
  const line = await seenLine(act, id, true);
  if (!line.ruleId) throw refuse(NOTICE_AGAIN);
  return resendReminder(act, line);
}

/** Where the person is reached today, and whether there is still something to be reminded of. */
async function standing(act: Act, { id, partyId }: Line) {
  const { rows } = await sql<{ phone: string; email: string; black: boolean; open: boolean }>`
    select p.phone, ${emailOf} email, ${blackListed} black,
      exists (select from reminder_line l where l.recipient_id = ${id} and ${IN_TIME}) open
    from party p left join renter r on r.id = p.id where p.id = ${partyId}`.execute(act.tx);
  return rows[0]!;
}

async function resendReminder(act: Act, line: Line): Promise<Date> {
  const rule = await ruleOf(act, line.ruleId!);
  const way = rule?.ways.find((w) => w.channel === line.channel);
  const { channel } = line;
  if (!rule || !way || channel === "inApp") throw refuse("规则不再使用这个渠道，不能重发");
  checkSms(act, [way]);
  const now = await standing(act, line);
  if (!now.open) throw refuse("提醒的事项已经结清或结束，不必重发");
  if (now.black) throw refuse("该客户在黑名单中，不能发送");
  const address = channel === "sms" ? now.phone : now.email;
  if (!address) throw refuse(channel === "sms" ? "该客户没有手机号" : "该客户没有邮箱");
  if ((await optedOut(act, rule.enterpriseId)).has(act.cipher.hash(address).toString("hex")))
    throw refuse("该客户已退订，不能发送");
  const { at } = await goesAt(act, "reminder", null, [line.villageId]);
  const [quiet] = await quietOf(act, [line.villageId]);
  const tries = line.tries + 1;
  const once = `rule.${line.id}.${tries}`;
  await sendOut(act, [
    {
      channel,
      recipient: address,
      subject: way.title || rule.name,
      body: line.body,
      template: way.outsideId,
      params: line.params,
      source: "rule",
      sourceId: rule.id,
      partyId: line.partyId,
      villageId: line.villageId,
      enterpriseId: rule.enterpriseId,
      dueAt: at,
      quiet: quiet!,
      once,
    },
  ]);
  const cipher = act.cipher.seal(address);
  await sql`update push_recipient set state = 'handed', tries = ${tries}, reason = '', done_at = null,
      address_cipher = ${cipher}, outbox_id = (select id from outbox where once_key = ${once})
    where id = ${line.id}`.execute(act.tx);
  await noteRule(act, rule, "重发", `重发提醒规则“${rule.name}”的一条失败消息`);
  return at;
}
