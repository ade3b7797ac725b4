import { invalid } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { CHANNELS, type Channel } from "../../system/template/template.rules.ts";
import type { ReminderInput } from "./reminder.contract.ts";
import { dayText, EVENTS } from "./reminder.rules.ts";
import { checkSms, checkStores, type Rule } from "./rule.service.ts";

type Way = { channel: Channel; templateId: number; outsideId: string };

/** The text of each way: made for it and for what the rule speaks of, and in use. */
async function waysOf(act: Act, { channels, templateIds, event }: ReminderInput): Promise<Way[]> {
  const wrong = (msg: string) => invalid({ field: "templateIds", msg });
  const rows = await act.tx
    .selectFrom("messageTemplate")
    .select(["id", "name", "channel", "event", "enabled", "outsideId"])
    .where("id", "=", anyOf(channels.map((channel) => templateIds[channel]!)))
    .where("enterpriseId", "=", act.who.enterpriseId)
    .forShare()
    .execute();
  return [...new Set(channels)].map((channel) => {
    const row = rows.find((template) => template.id === templateIds[channel]);
    if (!row) throw wrong("模板不存在");
    if (row.channel !== channel) throw wrong(`模板“${row.name}”不用于${CHANNELS[channel][0]}`);
    if (row.event !== "any" && row.event !== event) throw wrong(`模板“${row.name}”不用于${EVENTS[event][0]}`);
    if (!row.enabled) throw wrong(`模板“${row.name}”已停用`);
    return { channel, templateId: row.id, outsideId: row.outsideId };
  });
}

/** Roles of the company. */
async function rolesOf(act: Act, { receivers, roleIds }: ReminderInput): Promise<number[]> {
  if (!receivers.includes("operator")) return [];
  const rows = await act.tx
    .selectFrom("role")
    .select("id")
    .where("id", "=", anyOf(roleIds))
    .where("enterpriseId", "=", act.who.enterpriseId)
    .execute();
  if (rows.length !== new Set(roleIds).size) throw invalid({ field: "roleIds", msg: "角色不存在" });
  return rows.map((row) => row.id);
}

async function checked(act: Act, input: ReminderInput) {
  await checkStores(act, input.villageIds);
  const { channels: _, templateIds: __, ...fields } = input;
  return {
    ways: await waysOf(act, input),
    fields: {
      ...fields,
      offsets: input.offsets.toSorted((a, b) => a - b),
      receivers: [...new Set(input.receivers)],
      stopOn: [...new Set(input.stopOn)],
      villageIds: [...new Set(input.villageIds)],
      roleIds: await rolesOf(act, input),
      updatedBy: act.who.operatorId,
      updatedAt: act.now.toISOString(),
    },
  };
}

const setWays = async (act: Act, ruleId: number, ways: readonly Way[]): Promise<void> => {
  await act.tx.deleteFrom("reminderWay").where("ruleId", "=", ruleId).execute();
  await act.tx
    .insertInto("reminderWay")
    .values(ways.map(({ channel, templateId }) => ({ ruleId, channel, templateId })))
    .execute();
};

export const noteRule = (act: Act, rule: { id: number; name: string }, action: string, summary: string) =>
  act.note({ kind: "reminderRule", recordId: rule.id, number: rule.name, action, summary });

/** A new rule is off: whoever switches it on has seen first who would get it. */
export async function createRule(act: Act, input: ReminderInput): Promise<number> {
  const { fields, ways } = await checked(act, input);
  const { id } = await act.tx
    .insertInto("reminderRule")
    .values({
      ...fields,
      enterpriseId: act.who.enterpriseId,
      createdBy: act.who.operatorId,
      createdAt: act.now.toISOString(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await setWays(act, id, ways);
  await noteRule(act, { id, name: fields.name }, "新增", `新增提醒规则“${fields.name}”`);
  return id;
}

/** Changes a locked rule; what it now speaks of today goes out today. */
export async function changeRule(act: Act, rule: Rule, input: ReminderInput): Promise<void> {
  const { fields, ways } = await checked(act, input);
  if (rule.enabled) checkSms(act, ways);
  await setRule(act, rule.id, { ...fields, ranOn: null });
  await setWays(act, rule.id, ways);
  const days = (offsets: readonly number[]) => offsets.map(dayText).join("、");
  const before = days(rule.offsets);
  const after = days(fields.offsets);
  const moved = before === after ? "" : `，提醒日 ${before} → ${after}`;
  await noteRule(act, { id: rule.id, name: fields.name }, "编辑", `修改提醒规则“${fields.name}”${moved}`);
}

const setRule = (act: Act, id: number, set: Record<string, unknown>) =>
  act.tx
    .updateTable("reminderRule")
    .set({ ...set, version: NEXT_VERSION })
    .where("id", "=", id)
    .execute();

export async function switchRule(act: Act, rule: Rule, enabled: boolean): Promise<void> {
  if (enabled) checkSms(act, rule.ways);
  await setRule(act, rule.id, {
    enabled,
    updatedBy: act.who.operatorId,
    updatedAt: act.now.toISOString(),
    ...(enabled && { ranOn: null }),
  });
  const action = enabled ? "启用" : "停用";
  await noteRule(act, rule, action, `${action}提醒规则“${rule.name}”`);
}
