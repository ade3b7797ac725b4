import { sql } from "kysely";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import { needsWhole } from "../../access/operator/scope.service.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import type { Quiet } from "../push/push.rules.ts";
import type { ReceiverKind, ReminderEvent, Stop } from "./reminder.rules.ts";

constraintSays("reminder_rule_name", { field: "name", msg: "规则名称已存在" });
constraintSays("reminder_way_template", {
  code: "used",
  msg: "有提醒规则使用了该模板，不能删除或更换渠道",
});
constraintSays("message_template_kept", {
  code: "used",
  msg: "有提醒规则使用了该模板，不能停用或更换事件",
});
constraintSays("push_recipient_rule_id_fkey", {
  code: "used",
  msg: "该规则已发送过消息，不能删除，可改为停用",
});

export type Rule = {
  id: number;
  enterpriseId: number;
  name: string;
  event: ReminderEvent;
  offsets: number[];
  sendAt: string;
  receivers: ReceiverKind[];
  roleIds: number[];
  villageIds: number[];
  mergePerPayer: boolean;
  stopOn: Stop[];
  monthlyCap: number;
  enabled: boolean;
  ranOn: string | null;
  version: number;
  ways: {
    channel: Channel;
    templateId: number;
    templateName: string;
    title: string;
    body: string;
    outsideId: string;
  }[];
};

/** A rule with its texts; `lock` for whoever changes or runs it. */
export async function ruleOf(
  { tx }: Pick<Read, "tx">,
  id: number,
  lock: "lock" | "read" = "read",
): Promise<Rule | undefined> {
  const { rows } = await sql<Rule>`
    select r.id, r.enterprise_id "enterpriseId", r.name, r.event, r.offsets, r.send_at "sendAt", r.receivers,
      r.role_ids "roleIds", r.village_ids "villageIds", r.merge_per_payer "mergePerPayer", r.stop_on "stopOn",
      r.monthly_cap "monthlyCap", r.enabled, r.ran_on "ranOn", r.version,
      (select json_agg(json_build_object('channel', w.channel, 'templateId', t.id, 'templateName', t.name,
        'title', t.title, 'body', t.body, 'outsideId', t.outside_id) order by w.channel)
        from reminder_way w join message_template t on t.id = w.template_id where w.rule_id = r.id) ways
    from reminder_rule r where r.id = ${id} ${lock === "lock" ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

/** Rules that an operator sees: those of the company for all stores, and those for a store in scope. */
export const seenRules = ({ who }: Pick<Read, "who">) => sql`r.enterprise_id = ${who.enterpriseId}
  and (r.village_ids = '{}' or r.village_ids && ${who.villages as number[]}::bigint[])`;

/** A rule in scope. */
export async function seenRule(read: Read, id: number): Promise<Rule> {
  const rule = await ruleOf(read, id);
  const { who } = read;
  const seen =
    rule?.enterpriseId === who.enterpriseId &&
    (!rule.villageIds.length || rule.villageIds.some((village) => who.villages.includes(village)));
  if (!rule || !seen) throw notFound();
  return rule;
}

/** Whoever changes a rule answers for all of its stores. */
async function answersFor(act: Act, enterpriseId: number, villageIds: readonly number[]): Promise<void> {
  if (!villageIds.length) await needsWhole(act, enterpriseId);
  for (const village of villageIds) inScope(act.who, village);
}

/** The same, locked, to be changed. */
export async function ownRule(act: Act, id: number, version: number): Promise<Rule> {
  await seenRule(act, id);
  const rule = await ruleOf(act, id, "lock");
  if (!rule) throw notFound();
  await answersFor(act, rule.enterpriseId, rule.villageIds);
  asSeen(rule, version);
  return rule;
}

/** The stores of the enterprise that a rule speaks in, its own or all, with their quiet hours. */
export async function storesOf({ tx }: Pick<Read, "tx">, rule: Rule): Promise<({ id: number } & Quiet)[]> {
  const { rows } = await sql<{ id: number } & Quiet>`
    select v.id, to_char(s.quiet_from, 'HH24:MI') "from", to_char(s.quiet_to, 'HH24:MI') "to"
    from village v join village_setting s on s.village_id = v.id
    where v.enterprise_id = ${rule.enterpriseId}
      ${rule.villageIds.length ? sql`and v.id = ${anyOf(rule.villageIds)}` : sql``} order by v.id`.execute(
    tx,
  );
  return rows;
}

/** The stores asked for are the operator's own and of one company. */
export async function checkStores(act: Act, villageIds: readonly number[]): Promise<void> {
  await answersFor(act, act.who.enterpriseId, villageIds);
  const others = await act.tx
    .selectFrom("village")
    .select("id")
    .where("id", "=", anyOf(villageIds))
    .where("enterpriseId", "<>", act.who.enterpriseId)
    .execute();
  if (others.length) throw invalid({ field: "villageIds", msg: "请选择同一企业的门店" });
}

/** A provider takes only texts that were registered with it. */
export function checkSms(
  act: Pick<Act, "settings">,
  ways: readonly { channel: string; outsideId: string }[],
): void {
  if (act.settings.SMS_DRIVER === "outbox") return;
  if (ways.some((way) => way.channel === "sms" && !way.outsideId))
    throw new Refusal("noOutsideId", "短信通道只能发送已报备的模板，请选择有通道模板编号的模板", 409);
}
