import { sql, type Selectable, type Kysely } from "kysely";
import type { Operator, DB } from "../../../db/types.gen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { TOKEN_TTL_MS, hashOf, newToken } from "../../../platform/server/pipeline/session.ts";
import { opened } from "../function/function.rules.ts";

/** Every permit of an operator who is just signing in and has no session yet. */
export async function permitsOfOperator(
  tx: Kysely<DB>,
  operator: { id: number; superType: string },
): Promise<ReadonlySet<string>> {
  const rows = operator.superType
    ? await tx.selectFrom("functionOpen").select("key").execute()
    : await tx
        .selectFrom("operatorAssignment as a")
        .innerJoin("roleFunction as f", "f.roleId", "a.roleId")
        .innerJoin("functionOpen as n", "n.key", "f.key")
        .select("f.key")
        .distinct()
        .where("a.operatorId", "=", operator.id)
        .execute();
  return new Set(rows.map((r) => r.key!));
}

/** A fresh token for the operator; only its hash is kept. `byIssuer`: an identity provider let them in. */
async function openSession(act: Act, operatorId: number, byIssuer: boolean): Promise<string> {
  const token = newToken();
  await act.tx
    .insertInto("loginSession")
    .values({
      operatorId,
      tokenHash: hashOf(token),
      byIssuer,
      ip: act.ip,
      userAgent: act.userAgent.slice(0, 300),
      createdAt: act.now.toISOString(),
      expiresAt: new Date(act.now.getTime() + TOKEN_TTL_MS).toISOString(),
    })
    .execute();
  await act.tx
    .updateTable("operator")
    .set({ lastLoginAt: act.now.toISOString() })
    .where("id", "=", operatorId)
    .execute();
  return token;
}

/** Half an hour of looking at the console as somebody else sees it, without changing anything. */
const VIEW_MS = 30 * 60_000;

/** A token that reads as the operator, on behalf of who is signed in. */
export async function openView(act: Act, operatorId: number): Promise<{ token: string; until: string }> {
  const token = newToken();
  const until = new Date(act.now.getTime() + VIEW_MS).toISOString();
  await act.tx
    .insertInto("loginSession")
    .values({
      operatorId,
      tokenHash: hashOf(token),
      ip: act.ip,
      userAgent: act.userAgent.slice(0, 300),
      createdAt: act.now.toISOString(),
      expiresAt: until,
      viewBy: act.who.operatorId,
    })
    .execute();
  return { token, until };
}

/** SQL: a session `s` in which somebody did something lately enough, where the deployment asks for that. */
export const notIdle = ({ settings, now }: Pick<Read, "settings" | "now">) =>
  settings.SESSION_IDLE_MINUTES
    ? sql<boolean>`coalesce(s.last_seen_at, s.created_at) > ${now.toISOString()}::timestamptz - ${settings.SESSION_IDLE_MINUTES}::int * interval '1 minute'`
    : sql<boolean>`true`;

/** Ends sessions at once, those in which the operator looks on as others too: their next call gets 401. `except` keeps one, such as the one that changed the password. */
export async function endSessions(act: Act, operatorId: number, reason: string, except = 0): Promise<void> {
  await act.tx
    .updateTable("loginSession")
    .set({ endedAt: act.now.toISOString(), endReason: reason })
    .where((eb) => eb.or([eb("operatorId", "=", operatorId), eb("viewBy", "=", operatorId)]))
    .where("id", "<>", except)
    .where("endedAt", "is", null)
    .execute();
}

/** A fresh session of somebody who has proved who they are, and what the browser is told about it. */
export async function entered(act: Act, operator: Selectable<Operator>, byIssuer = false) {
  const token = await openSession(act, operator.id, byIssuer);
  const { menus, pages, authorities } = opened(await permitsOfOperator(act.tx, operator));
  return {
    id: operator.id,
    operatorId: operator.id,
    token,
    realName: operator.realName,
    phone: operator.phone,
    superType: operator.superType,
    mustChangePassword: operator.mustChangePassword,
    firstFuncList: menus.map((id) => ({ id })),
    secFuncList: pages.map((id) => ({ id })),
    authorityList: authorities,
  };
}
