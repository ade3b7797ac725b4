import { notFound, stale } from "../../../platform/kernel/refusal.ts";
import { stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { named, SHOWN_CODES, type Rule, type ShownCode } from "./indicator.rules.ts";
import { INDICATORS, type Code, shownValue } from "./figure.rules.ts";
import { known, ruling } from "./indicator.queries.ts";
import { aRow } from "../../../platform/server/database/row.ts";

const words = (codes: readonly ShownCode[]) => codes.map((code) => named(code).title).join("、");

/** The role, held fast: two who choose for it at once come one after the other. */
async function heldRole(act: Act, roleId: number) {
  const role = await act.tx
    .selectFrom("role")
    .select(["id", "name"])
    .where("id", "=", roleId)
    .where("enterpriseId", "=", act.who.enterpriseId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound);
  const kept = await aRow(act, "indicatorRole", ["codes", "version"], { roleId });
  return {
    name: role.name,
    was: kept ? (known(kept.codes) ?? []) : SHOWN_CODES,
    version: kept?.version ?? 0,
  };
}

/** Chooses the figures of a role; `version` 0 where nobody had. Holders see it with their next look. */
export async function chooseFor(
  act: Act,
  roleId: number,
  codes: readonly ShownCode[],
  version: number,
): Promise<number> {
  const role = await heldRole(act, roleId);
  asSeen(role, version);
  const row = { codes: [...codes], ...stamp(act), version: version + 1 };
  await act.tx
    .insertInto("indicatorRole")
    .values({ roleId, ...row })
    .onConflict((c) => c.column("roleId").doUpdateSet(row))
    .execute();
  const [more, less] = [
    codes.filter((code) => !role.was.includes(code)),
    role.was.filter((code) => !codes.includes(code)),
  ];
  const changes = [
    ...(more.length ? [`增加${words(more)}`] : []),
    ...(less.length ? [`去掉${words(less)}`] : []),
  ];
  await act.note({
    kind: "indicatorRole",
    recordId: roleId,
    number: role.name,
    action: "修改",
    summary: `角色 ${role.name} 的指标：${changes.join("，") || "调整顺序"}`,
    before: { 指标: words(role.was) },
    after: { 指标: words(codes) },
  });
  return row.version;
}

export async function resetFor(act: Act, roleId: number, version: number | undefined): Promise<void> {
  const role = await heldRole(act, roleId);
  if (!role.version) throw notFound();
  if (version !== undefined) asSeen(role, version);
  await act.tx.deleteFrom("indicatorRole").where("roleId", "=", roleId).execute();
  await act.note({
    kind: "indicatorRole",
    recordId: roleId,
    number: role.name,
    action: "恢复默认",
    summary: `角色 ${role.name} 的指标恢复默认`,
    before: { 指标: words(role.was) },
  });
}

const told = (code: Code, rule: Rule) => ({
  方向: rule.better === "more" ? "越大越好" : "越小越好",
  绿色: `不低于 ${rule.greenFrom}%`,
  黄色: `不低于 ${rule.amberFrom}%`,
  默认目标: shownValue(code, rule.defaultTarget) || "未设置",
  权重: rule.weight,
});

/** How a figure of the company is judged from now on; answers the new version. */
export async function judgeBy(
  act: Act,
  { code, version, ...rule }: Rule & { code: Code; version: number },
): Promise<number> {
  const { enterpriseId, operatorId } = act.who;
  const { rules, kept } = await ruling(act);
  if ((kept.find((k) => k.code === code)?.version ?? 0) !== version) throw stale();
  const row = { ...rule, updatedAt: act.now.toISOString(), updatedBy: operatorId, version: version + 1 };
  // whoever comes second to the same version changes no row
  const done = await act.tx
    .insertInto("indicatorRule")
    .values({ enterpriseId, code, ...row })
    .onConflict((c) =>
      c.columns(["enterpriseId", "code"]).doUpdateSet(row).where("indicatorRule.version", "=", version),
    )
    .returning("version")
    .executeTakeFirst();
  if (!done) throw stale();
  await act.note({
    kind: "indicatorRule",
    recordId: enterpriseId,
    number: INDICATORS[code].title,
    action: "修改",
    summary: `修改${INDICATORS[code].title}的规则`,
    before: told(code, rules[code]),
    after: told(code, rule),
  });
  return done.version;
}
