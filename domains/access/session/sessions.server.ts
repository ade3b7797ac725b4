import { sql } from "kysely";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/like.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { deviceOf } from "./device.rules.ts";
import { notIdle } from "./session.service.ts";
import { endSession, listSessions } from "./sessions.contract.ts";

export default [
  serveRead(listSessions, async (read, { query }) => {
    const { tx, who, now } = read;
    const all = who.permits.has("46.get");
    if (!all && query.operatorId && query.operatorId !== who.operatorId) throw forbidden();
    const found = tx
      .selectFrom("loginSession as s")
      .innerJoin("operator as o", "o.id", "s.operatorId")
      .leftJoin("operator as v", "v.id", "s.viewBy")
      .where("s.endedAt", "is", null)
      .where("s.expiresAt", ">", now.toISOString())
      .where("o.state", "=", "active")
      .where(notIdle(read))
      .$if(who.superType !== "0", (q) => q.where("o.enterpriseId", "=", who.enterpriseId))
      .$if(!all, (q) => q.where("o.id", "=", who.operatorId).where("s.viewBy", "is", null))
      .$if(!!query.operatorId, (q) => q.where("o.id", "=", query.operatorId!))
      .$if(!!query.keyword, (q) =>
        q.where((eb) =>
          eb.or([
            eb("o.realName", "ilike", containing(query.keyword!)),
            eb("o.account", "ilike", containing(query.keyword!)),
            eb("s.ip", "ilike", containing(query.keyword!)),
          ]),
        ),
      );
    const by = query.sort === "createdAt" ? sql`s.created_at` : sql`coalesce(s.last_seen_at, s.created_at)`;
    const [rows, counted] = await Promise.all([
      query.want === "totals"
        ? []
        : found
            .select([
              "s.id",
              "s.operatorId",
              "o.realName",
              "o.account",
              "s.createdAt",
              "s.ip",
              "s.userAgent",
              "s.lastSeenAt",
              "s.expiresAt",
              sql<string>`coalesce(v.real_name, '')`.as("viewer"),
            ])
            .orderBy(by, query.order ?? "desc")
            .orderBy("s.id", "desc")
            .limit(query.pageSize)
            .offset((query.pageNo - 1) * query.pageSize)
            .execute(),
      query.want === "rows" ? null : found.select(sql<number>`count(*)`.as("n")).executeTakeFirstOrThrow(),
    ]);
    const list = rows.map((s) => ({ ...s, device: deviceOf(s.userAgent), mine: s.id === who.sessionId }));
    return { list, total: counted?.n ?? null };
  }),

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
