import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { notIdle } from "../session/session.service.ts";
import { departmentWithBelow } from "../department/department.queries.ts";
import {
  addOperator,
  listHolders,
  listManagers,
  listOperators,
  listSigners,
  operatorExport,
  unlockOperator,
} from "./operator.contract.ts";
import { colleagues, departmentsOf, factorOn, holders, sees, stateAt } from "./operator.queries.ts";
import { createOperator, unlock } from "./operator.service.ts";

const CONTRACTS = ["9.add", "11.add", "107.add"] as const;
const masked = <R extends { phone: string }>(row: R) => ({ ...row, phone: maskPhone(row.phone) });

export default [
  serveRead(listOperators, async (read: Read, { query }) => {
    const { who, now } = read;
    const administers = who.permits.has("46.query");
    const within = query.departmentId ? await departmentWithBelow(read, query.departmentId) : undefined;
    const found = colleagues(read)
      .$if(!!query.ids?.length, (q) => q.where("o.id", "=", anyOf(query.ids!)))
      .$if(!!query.villageIds?.length, (q) => q.where(sees(villagesOf(who, query.villageIds))))
      .$if(!!query.state?.length, (q) => q.where(stateAt(read), "in", query.state!))
      .$if(within !== undefined, (q) =>
        q.where(sql<boolean>`exists (select 1 from operator_assignment a where a.operator_id = o.id
          and a.department_id = any(${within}::bigint[]))`),
      )
      .$if(!!query.roleId, (q) =>
        q.where(sql<boolean>`exists (select 1 from operator_assignment a where a.operator_id = o.id
          and a.role_id = ${query.roleId})`),
      )
      .$if(!!query.keyword, (q) =>
        q.where((eb) =>
          eb.or([
            eb("o.realName", "ilike", containing(query.keyword!)),
            eb("o.account", "ilike", containing(query.keyword!)),
            eb("o.phone", "=", query.keyword!),
          ]),
        ),
      );
    const by = query.sort === "lastLoginAt" ? sql`o.last_login_at` : sql`o.real_name collate "zh-x-icu"`;
    const order = query.order ?? "asc";
    const [rows, counted] = await Promise.all([
      query.want === "totals"
        ? []
        : found
            .innerJoin("enterprise as e", "e.id", "o.enterpriseId")
            .selectAll("o")
            .select([
              "e.name as enterpriseName",
              stateAt(read).as("stateNow"),
              factorOn.as("secondFactor"),
              sql<number>`(select count(*) from login_session s where s.operator_id = o.id and s.ended_at is null
                and s.view_by is null and ${notIdle(read)} and s.expires_at > ${now.toISOString()})`.as(
                "sessions",
              ),
            ])
            .orderBy(by, (o) => (order === "asc" ? o.asc() : o.desc()).nullsLast())
            .orderBy("o.id")
            .limit(query.pageSize)
            .offset((query.pageNo - 1) * query.pageSize)
            .execute(),
      query.want === "rows"
        ? null
        : found.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    ]);
    const named = new Map(
      (
        await departmentsOf(
          rows.map((o) => o.id),
          read,
        )
      ).map((d) => [d.operatorId, d.names]),
    );
    const list = rows.map((o) => ({
      id: o.id,
      realName: o.realName,
      phone: maskPhone(o.phone),
      departments: named.get(o.id) ?? "",
      state: o.stateNow as "active",
      account: administers ? o.account : "",
      superType: administers ? (o.superType as "") : ("" as const),
      allVillages: administers && (o.allVillages || o.superType !== ""),
      villageCount: administers ? o.villageIds.length : 0,
      lastLoginAt: administers ? o.lastLoginAt : null,
      sessions: administers ? o.sessions : 0,
      enterpriseName: administers ? o.enterpriseName : "",
      verified: administers && o.verified,
      secondFactor: administers && o.secondFactor,
      version: o.version,
    }));
    return { list, total: counted?.n ?? null };
  }),

  exportList(operatorExport),

  serveRead(listHolders, async (read, { query }) => {
    const villageId = query.villageId && inScope(read.who, query.villageId);
    return (await holders(read, [query.permit as "9.get"], villageId).execute()).map(masked);
  }),

  serveRead(listSigners, async (read, { query }) =>
    // who signs for the house has shown who they are
    (
      await holders(read, CONTRACTS, inScope(read.who, query.villageId))
        .where("o.verified", "=", true)
        .execute()
    ).map(masked),
  ),

  serveRead(listManagers, async (read, { query }) => {
    const villageId = inScope(read.who, query.villageId);
    const village = await read.tx
      .selectFrom("village")
      .select("managerId")
      .where("id", "=", villageId)
      .executeTakeFirst();
    const rows = await holders(read, undefined, villageId).execute();
    return rows.map((row) => ({ ...masked(row), manages: row.id === village?.managerId }));
  }),

  serve(addOperator, async (act, { body }) => ({
    id: await createOperator(act, { ...body, enterpriseId: act.who.enterpriseId, mustChangePassword: true }),
  })),

  serve(unlockOperator, async (act, { params }) => {
    await unlock(act, params.id);
    return null;
  }),
];
