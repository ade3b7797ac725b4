import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { GIVEN_RULES, SHOWN_CODES, unionOf, type Rule, type Rules, type Shown } from "./indicator.rules.ts";
import type { Code } from "./figure.rules.ts";

type Asking = Pick<Read, "tx" | "who">;
export type KeptRule = Rule & { code: Code; version: number };

/** Codes that a later release no longer knows fall out without a word. */
export const known = (codes: readonly string[]): Shown =>
  SHOWN_CODES.filter((code) => codes.includes(code)).toSorted((a, b) => codes.indexOf(a) - codes.indexOf(b));

/**
 * Which figures the caller sees and how they are judged: one small read for a whole page of figures. What somebody may
 * do by super type alone does not come from a role, so neither does what they see.
 */
export async function ruling(read: Asking): Promise<{ shown: Shown; rules: Rules; kept: KeptRule[] }> {
  const { operatorId, enterpriseId, superType } = read.who;
  const { rows } = await sql<{ lists: (string[] | null)[] | null; kept: KeptRule[] | null }>`
    select (select json_agg(i.codes order by a.role_id)
        from (select distinct role_id from operator_assignment where operator_id = ${operatorId}) a
        left join indicator_role i on i.role_id = a.role_id) lists,
      (select json_agg(json_build_object('code', code, 'better', better, 'greenFrom', green_from,
          'amberFrom', amber_from, 'defaultTarget', default_target, 'weight', weight, 'version', version))
        from indicator_rule where enterprise_id = ${enterpriseId}) kept`.execute(read.tx);
  const { lists, kept } = rows[0]!;
  const own = (lists ?? []).map((codes) => (codes ? known(codes) : null));
  const rules = (kept ?? []).filter((rule) => rule.code in GIVEN_RULES);
  return {
    shown: unionOf(superType ? [...own, null] : own),
    rules: { ...GIVEN_RULES, ...Object.fromEntries(rules.map((rule) => [rule.code, rule])) },
    kept: rules,
  };
}

/** The roles of a company with what was chosen for each. */
export const rolesOf = ({ tx, who }: Asking) =>
  tx
    .selectFrom("role as r")
    .leftJoin("indicatorRole as i", "i.roleId", "r.id")
    .leftJoin("operator as o", "o.id", "i.updatedBy")
    .select(["r.id as roleId", "r.name", "i.codes", "i.version", "i.updatedAt", "o.realName as byName"])
    .select(
      sql<number>`(select count(distinct a.operator_id) from operator_assignment a where a.role_id = r.id)`.as(
        "people",
      ),
    )
    .where("r.enterpriseId", "=", who.enterpriseId)
    .orderBy(sql`r.name collate "zh-x-icu"`)
    .orderBy("r.id");
