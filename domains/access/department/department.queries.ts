import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read, Who } from "../../../platform/server/pipeline/act.ts";
import { withBelow } from "./department.rules.ts";

/** The enterprise whose people are meant: one's own, or any other for who runs the platform. */
export const enterpriseOf = (who: Who, wanted?: number): number =>
  who.superType === "0" ? (wanted ?? who.enterpriseId) : who.enterpriseId;

export const departments = (read: Pick<Read, "tx">, enterpriseId: number) =>
  read.tx
    .selectFrom("department as d")
    .leftJoin("operator as l", "l.id", "d.leaderId")
    .leftJoin("department as p", "p.id", "d.parentId")
    .select([
      "d.id",
      "d.name",
      "d.parentId",
      "d.leaderId",
      "d.orderNum",
      "d.version",
      sql<string>`coalesce(l.real_name, '')`.as("leaderName"),
      sql<string>`coalesce(p.name, '')`.as("parentName"),
      sql<number>`(select count(distinct a.operator_id) from operator_assignment a where a.department_id = d.id)`.as(
        "people",
      ),
    ])
    .where("d.enterpriseId", "=", enterpriseId);

/** A department that the caller may know of, or 404. */
export async function foundDepartment(read: Pick<Read, "tx" | "who">, id: number) {
  const row = await read.tx
    .selectFrom("department")
    .selectAll()
    .where("id", "=", id)
    .$if(read.who.superType !== "0", (q) => q.where("enterpriseId", "=", read.who.enterpriseId))
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** The department with all below it, for filters. */
export async function departmentWithBelow(read: Pick<Read, "tx" | "who">, id: number): Promise<number[]> {
  const { enterpriseId } = await foundDepartment(read, id);
  return withBelow(await placesOf(read, enterpriseId), id);
}

export const placesOf = (read: Pick<Read, "tx">, enterpriseId: number) =>
  read.tx
    .selectFrom("department")
    .select(["id", "parentId"])
    .where("enterpriseId", "=", enterpriseId)
    .orderBy("orderNum")
    .orderBy("id")
    .execute();
