import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Who } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { proving } from "../statement/statement.queries.ts";

/** Over `merchant_account a`: accounts of an enterprise that somebody works for. */
export const ofEnterprise = (
  who: Who,
): RawBuilder<SqlBool> => sql<SqlBool>`(a.enterprise_id = ${who.enterpriseId}
  or a.enterprise_id in (select enterprise_id from village where id = ${anyOf(who.villages)}))`;

/** Claims `c` of somebody's villages, of `bank_line l` in `merchant_account a`; all of them for who proves the account. */
export const claimsSeen = (who: Who): RawBuilder<SqlBool> => sql<SqlBool>`(c.bank_line_id = l.id
  and (c.village_id = ${anyOf(who.villages)} or ${proving(who)}))`;

/**
 * What is nobody's yet is seen by whoever works for the enterprise, what has been claimed by the stores of its claims, all of it
 * by who proves the account.
 */
export const lineSeen = (who: Who): RawBuilder<SqlBool> => sql<SqlBool>`(${ofEnterprise(who)}
  and (l.free > 0 or ${proving(who)} or exists (select from claim c where ${claimsSeen(who)})))`;
