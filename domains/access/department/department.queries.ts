import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { among, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read, Who } from "../../../platform/server/pipeline/act.ts";
import { listDepartments, type departmentRow } from "./department.contract.ts";
import { withBelow } from "./department.rules.ts";

/** The enterprise whose people are meant: one's own, or any other for who runs the platform. */
export const enterpriseOf = (who: Who, wanted?: number): number =>
  who.superType === "0" ? (wanted ?? who.enterpriseId) : who.enterpriseId;

const COLUMNS = sql<
  z.input<typeof departmentRow>
>`d.id, d.name, d.parent_id "parentId", d.leader_id "leaderId",
  d.order_num "orderNum", d.version, coalesce(l.real_name, '') "leaderName", coalesce(p.name, '') "parentName",
  (select count(distinct a.operator_id) from operator_assignment a where a.department_id = d.id) people`;

export const departments = listOf(listDepartments, {
  id: "d.id",
  from: sql`department d`,
  scope: ({ who }, { enterpriseId }) => sql`d.enterprise_id = ${enterpriseOf(who, enterpriseId)}`,
  where: { enterpriseId: () => undefined, ids: among("d.id"), keyword: phrase("d.name") },
  sort: {
    name: { by: sql`d.name collate "zh-x-icu"`, way: "asc" },
    orderNum: { by: "d.order_num", way: "asc" },
  },
  order: "orderNum",
  tie: sql`d.id`,
  columns: COLUMNS,
  join: sql`join department d on d.id = page.id left join operator l on l.id = d.leader_id
    left join department p on p.id = d.parent_id`,
});

/** A department that the caller may know of, or 404. */
export async function foundDepartment(read: Pick<Read, "tx" | "who">, id: number) {
  const row = await read.tx
    .selectFrom("department")
    .selectAll()
    .where("id", "=", id)
    .$if(read.who.superType !== "0", (q) => q.where("enterpriseId", "=", read.who.enterpriseId))
    .executeTakeFirstOrThrow(notFound);
  return row;
}

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
