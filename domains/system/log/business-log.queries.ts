import { addDays } from "../../../platform/kernel/day.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { BusinessQuery } from "./business-log.contract.ts";
import { kindTitle } from "./kinds.rules.ts";
import { dawn } from "./operation-log.queries.ts";

/** Lines in scope: of one's villages, and those of no village by people of one's enterprise. */
export function inScope(read: Read, villageIds?: readonly number[]) {
  const { tx, who } = read;
  const villages = villagesOf(who, villageIds);
  return tx
    .selectFrom("businessLog as l")
    .leftJoin("village as v", "v.id", "l.villageId")
    .leftJoin("operator as o", "o.id", "l.operatorId")
    .leftJoin("examineBrief as e", "e.id", "l.examineId")
    .where((eb) =>
      eb.or([
        eb("l.villageId", "=", anyOf(villages)),
        ...(villageIds?.length
          ? []
          : [
              eb.and([
                eb("l.villageId", "is", null),
                ...(who.superType === "0" ? [] : [eb("o.enterpriseId", "=", who.enterpriseId)]),
              ]),
            ]),
      ]),
    );
}

export function business(read: Read, query: Omit<BusinessQuery, "pageNo" | "pageSize" | "want">) {
  const zone = read.settings.TIME_ZONE;
  const to = query.to ?? read.today;
  const from = query.from ?? addDays(to, -6);
  return inScope(read, query.villageIds)
    .where("l.at", ">=", dawn(from, zone))
    .where("l.at", "<", dawn(addDays(to, 1), zone))
    .$if(!!query.kind, (q) => q.where("l.kind", "=", query.kind!))
    .$if(!!query.action, (q) => q.where("l.action", "=", query.action!))
    .$if(!!query.operatorId, (q) => q.where("l.operatorId", "=", query.operatorId!))
    .$if(!!query.number, (q) => q.where("l.number", "=", query.number!))
    .$if(!!query.keyword, (q) => q.where("l.summary", "ilike", containing(query.keyword!)));
}

type Lines = ReturnType<typeof inScope>;

export const linesOf = (lines: Lines, order: "asc" | "desc" = "desc") =>
  lines
    .select([
      "l.id",
      "l.at",
      "l.kind",
      "l.recordId",
      "l.number",
      "l.action",
      "l.summary",
      "l.operatorName",
      "l.requestId",
      "l.before",
      "l.after",
      "l.examineId",
      "e.examineNo",
      "v.name as villageName",
    ])
    .orderBy("l.at", order)
    .orderBy("l.id", order);

export const lineOf = <R extends { kind: string; villageName: string | null; examineNo: string | null }>(
  raw: R,
) => ({
  ...raw,
  villageName: raw.villageName ?? "",
  examineNo: raw.examineNo ?? "",
  kindTitle: kindTitle(raw.kind),
});
