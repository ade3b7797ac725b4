import { sql } from "kysely";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import { allOf, is, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf, serveList } from "../../../platform/server/lists/list.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { deviceOf } from "./device.rules.ts";
import { notIdle } from "./session.service.ts";
import { endSession, listSessions } from "./sessions.contract.ts";

type Row = {
  id: number;
  operatorId: number;
  realName: string;
  account: string;
  createdAt: string;
  ip: string;
  userAgent: string;
  lastSeenAt: string | null;
  expiresAt: string;
  viewer: string;
};

const sessions = listOf(listSessions, {
  id: "s.id",
  from: sql`login_session s join operator o on o.id = s.operator_id`,
  scope: (read, { operatorId }) => {
    const { who, now } = read;
    const all = who.permits.has("46.get");
    if (!all && operatorId && operatorId !== who.operatorId) throw forbidden();
    return allOf([
      sql`s.ended_at is null and s.expires_at > ${now.toISOString()} and o.state = 'active' and ${notIdle(read)}`,
      ...(who.superType === "0" ? [] : [sql`o.enterprise_id = ${who.enterpriseId}`]),
      ...(all ? [] : [sql`o.id = ${who.operatorId} and s.view_by is null`]),
    ]);
  },
  where: { operatorId: is("o.id"), keyword: phrase("o.real_name", "o.account", "s.ip") },
  sort: { createdAt: "s.created_at", lastSeenAt: sql`coalesce(s.last_seen_at, s.created_at)` },
  order: "lastSeenAt",
  columns: sql<Row>`s.id, s.operator_id "operatorId", o.real_name "realName", o.account, s.created_at "createdAt",
    s.ip, s.user_agent "userAgent", s.last_seen_at "lastSeenAt", s.expires_at "expiresAt",
    coalesce(v.real_name, '') viewer`,
  join: sql`join login_session s on s.id = page.id join operator o on o.id = s.operator_id
    left join operator v on v.id = s.view_by`,
  rows: (rows, { who }) =>
    rows.map((s) => ({ ...s, device: deviceOf(s.userAgent), mine: s.id === who.sessionId })),
});

export default [
  serveList(sessions),

  serve(endSession, async (act, { params }) => {
    const { who, tx, now } = act;
    const session = await tx
      .selectFrom("loginSession as s")
      .innerJoin("operator as o", "o.id", "s.operatorId")
      .select(["s.id", "s.operatorId", "o.enterpriseId", "o.realName", "o.account"])
      .where("s.id", "=", params.id)
      .where("s.endedAt", "is", null)
      .executeTakeFirst();
    const own = session?.operatorId === who.operatorId;
    const near = session && (who.superType === "0" || session.enterpriseId === who.enterpriseId);
    // whose session it is, is told only to who may see it
    if (!session || !near || (!own && !who.permits.has("46.get"))) throw notFound();
    if (!own && !who.permits.has("46.edit")) throw forbidden();
    await tx
      .updateTable("loginSession")
      .set({ endedAt: now.toISOString(), endReason: own ? "logout" : "kicked" })
      .where("id", "=", session.id)
      .execute();
    if (!own)
      await act.note({
        kind: "operator",
        recordId: session.operatorId,
        number: session.account,
        action: "强制下线",
        summary: `强制员工 ${session.realName}（${session.account}）的一个会话下线`,
      });
    return null;
  }),
];
