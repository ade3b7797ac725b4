import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { OperationQuery } from "./operation-log.contract.ts";
import { kindTitle } from "./kinds.rules.ts";

type Filter = Omit<OperationQuery, "pageNo" | "pageSize" | "want" | "sort" | "order">;

/** The first moment of a business day. */
export const dawn = (day: string, zone: string) => sql<string>`${day}::date::timestamp at time zone ${zone}`;

/** Lines under the filter, of the person's own enterprise unless they run the platform. */
export function operations({ tx, who, today, settings }: Read, query: Filter) {
  const zone = settings.TIME_ZONE;
  const to = query.to ?? today;
  const from = query.from ?? addDays(to < today ? to : today, -6);
  return tx
    .selectFrom("operationLog as l")
    .where("l.at", ">=", dawn(from, zone))
    .where("l.at", "<", dawn(addDays(to, 1), zone))
    .$if(who.superType !== "0", (q) => q.where("l.enterpriseId", "=", who.enterpriseId))
    .$if(!!query.operatorId, (q) => q.where("l.operatorId", "=", query.operatorId!))
    .$if(!!query.permissionId, (q) => q.where("l.permit", "~", `(^| |#)${query.permissionId}($|[. ])`))
    .$if(!!query.method?.length, (q) => q.where("l.method", "in", query.method!))
    .$if(!!query.outcome?.length, (q) => q.where("l.outcome", "in", query.outcome!))
    .$if(!!query.targetKind, (q) => q.where("l.targetKind", "=", query.targetKind!))
    .$if(!!query.targetId, (q) => q.where("l.targetId", "=", query.targetId!))
    .$if(!!query.ip, (q) => q.where("l.ip", "=", query.ip!))
    .$if(!!query.keyword, (q) =>
      q.where((eb) =>
        eb.or([
          eb("l.requestId", "=", query.keyword!),
          eb("l.path", "ilike", containing(query.keyword!)),
          eb("l.summary", "ilike", containing(query.keyword!)),
          eb("l.operatorName", "ilike", containing(query.keyword!)),
        ]),
      ),
    );
}

const shown = [
  "l.id",
  "l.at",
  "l.operatorName",
  "l.permit",
  "l.summary",
  "l.outcome",
  "l.durationMs",
  "l.ip",
  "l.userAgent",
  "l.targetKind",
  "l.targetId",
] as const;

/** With the name of what was needed: 权限管理 · 编辑. */
export function operationRows(read: Read, query: Filter & Pick<OperationQuery, "sort" | "order">) {
  const order = query.order ?? "desc";
  const named = operations(read, query)
    .leftJoin("functionNode as f", (join) => join.on("f.key", "=", sql<string>`split_part(l.permit, ' ', 1)`))
    .leftJoin("functionNode as p", "p.key", "f.parentKey")
    .select(shown)
    .select(sql<string>`coalesce(concat_ws(' · ', p.name, f.name), '')`.as("functionName"));
  return query.sort === "durationMs"
    ? named.orderBy("l.durationMs", order).orderBy("l.id", order)
    : named.orderBy("l.at", order).orderBy("l.id", order);
}

type Raw = {
  targetKind: string | null;
  targetId: number | null;
  operatorName: string;
  functionName: string;
  outcome: string;
};
export const operationRow = <R extends Raw>(raw: R) => ({
  ...raw,
  outcome: raw.outcome as "ok",
  functionName: raw.functionName || "—",
  target: raw.targetKind ? `${kindTitle(raw.targetKind)}${raw.targetId ? ` ${raw.targetId}` : ""}` : "",
});
