import { addDays } from "../../../platform/kernel/day.ts";
import { stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import type { RuleInput } from "./rule.contract.ts";
import { aRow } from "../../../platform/server/database/row.ts";

constraintSays("commission_rule_days", { field: "fromDay", msg: "该规则在这段时间已有其他版本" });
const USED = "该规则已用于结算佣金，不能修改，请复制为新版本";
for (const name of ["agency_rule_id_fkey", "agent_rule_id_fkey"])
  constraintSays(name, { code: "inUse", msg: "有机构或经纪人使用该规则，不能删除" });

const columns = (input: RuleInput) => ({
  name: input.name,
  base: input.base,
  tiers: JSON.stringify(
    input.tiers.map(({ fromMonths, percent, fixed }) =>
      input.base === "fixed" ? { fromMonths, fixed } : { fromMonths, percent },
    ),
  ),
  cap: input.cap ?? null,
  payAfterDays: input.payAfterDays,
  clawDays: input.clawDays,
  clawMode: input.clawMode,
  renewals: input.renewals,
  fromDay: input.fromDay,
  toDay: input.toDay ?? null,
});

async function lockedRule(act: Act, id: number, version: number) {
  const row = await act.tx
    .selectFrom("commissionRule")
    .selectAll()
    .where("id", "=", id)
    .where("enterpriseId", "=", act.who.enterpriseId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  asSeen(row, version);
  return row;
}

const isUsed = async (read: Read, id: number): Promise<boolean> =>
  Boolean(await aRow(read, "commission", ["id"], { ruleId: id }));

const note = (act: Act, id: number, number: string, action: string, summary: string) =>
  act.note({ kind: "commissionRule", recordId: id, number, action, summary });

async function insertRule(act: Act, input: RuleInput, seriesId?: number): Promise<{ id: number }> {
  const [id] = await nextIds(act, "commission_rule", 1);
  await act.tx
    .insertInto("commissionRule")
    .values({
      ...columns(input),
      id: id!,
      seriesId: seriesId ?? id!,
      enterpriseId: act.who.enterpriseId,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .execute();
  return { id: id! };
}

export async function createRule(act: Act, input: RuleInput): Promise<{ id: number }> {
  const made = await insertRule(act, input);
  await note(act, made.id, input.name, "新增", `新增佣金规则${input.name}，${input.fromDay} 起生效`);
  return made;
}

export async function updateRule(
  act: Act,
  id: number,
  { version, ...input }: RuleInput & { version: number },
) {
  const rule = await lockedRule(act, id, version);
  if (await isUsed(act, id)) throw new Refusal("notAllowed", USED, 409);
  await act.tx
    .updateTable("commissionRule")
    .set({
      ...columns(input),
      version: version + 1,
      ...stamp(act),
    })
    .where("id", "=", rule.id)
    .execute();
  await note(act, id, input.name, "编辑", `编辑佣金规则${input.name}`);
}

/** A copy takes over from its first day on; contracts signed before stay with what was. */
export async function copyOfRule(
  act: Act,
  id: number,
  { version, ...input }: RuleInput & { version: number },
): Promise<{ id: number }> {
  const rule = await lockedRule(act, id, version);
  if (input.fromDay <= rule.fromDay)
    throw invalid({ field: "fromDay", msg: `新版本须晚于当前版本的生效日 ${rule.fromDay}` });
  const late = await act.tx
    .selectFrom("commission")
    .select("signedOn")
    .where("ruleId", "=", id)
    .where("kind", "<>", "claw")
    .where("signedOn", ">=", input.fromDay)
    .orderBy("signedOn", "desc")
    .limit(1)
    .executeTakeFirst();
  if (late)
    throw invalid({
      field: "fromDay",
      msg: `已有 ${late.signedOn} 签约的佣金按当前版本计算，新版本须晚于该日`,
    });
  if (!rule.toDay || rule.toDay >= input.fromDay)
    await act.tx
      .updateTable("commissionRule")
      .set({ toDay: addDays(input.fromDay, -1), version: version + 1, updatedAt: act.now.toISOString() })
      .where("id", "=", id)
      .execute();
  const made = await insertRule(act, input, rule.seriesId);
  await note(act, made.id, input.name, "复制", `佣金规则${input.name}的新版本自 ${input.fromDay} 起接替`);
  return made;
}

export async function removeRule(act: Act, id: number, version: number): Promise<void> {
  const rule = await lockedRule(act, id, version);
  if (await isUsed(act, id)) throw new Refusal("inUse", "该规则已用于结算佣金，不能删除", 409);
  const later = await act.tx
    .selectFrom("commissionRule")
    .select("id")
    .where("seriesId", "=", id)
    .where("id", "<>", id)
    .executeTakeFirst();
  if (later) throw new Refusal("inUse", "该规则已有后续版本，不能删除", 409);
  await act.tx.deleteFrom("commissionRule").where("id", "=", id).execute();
  await note(act, id, rule.name, "删除", `删除佣金规则${rule.name}`);
}

/** A rule as agencies and agents name it: by its series, of their enterprise. */
export async function ruleSeries(read: Read, enterpriseId: number, ruleId: number): Promise<number> {
  const row = await aRow(read, "commissionRule", ["seriesId"], { id: ruleId, enterpriseId });
  if (!row) throw invalid({ field: "ruleId", msg: "请选择佣金规则" });
  return row.seriesId;
}
