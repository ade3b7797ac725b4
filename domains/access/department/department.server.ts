import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/like.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  addDepartment,
  deleteDepartment,
  departmentMenu,
  editDepartment,
  getDepartment,
  listDepartments,
} from "./department.contract.ts";
import { departments, enterpriseOf, foundDepartment } from "./department.queries.ts";
import { inReadingOrder, withBelow } from "./department.rules.ts";
import { createDepartment, removeDepartment, updateDepartment } from "./department.service.ts";

export default [
  serveRead(departmentMenu, async (read, { query }) => {
    const enterpriseId = enterpriseOf(read.who, query.enterpriseId);
    const [rows, held] = await Promise.all([
      departments(read, enterpriseId).orderBy("d.orderNum").orderBy("d.id").execute(),
      read.tx
        .selectFrom("operatorAssignment as a")
        .innerJoin("department as d", "d.id", "a.departmentId")
        .select(["a.departmentId", "a.operatorId"])
        .where("d.enterpriseId", "=", enterpriseId)
        .execute(),
    ]);
    const people = Map.groupBy(held, (a) => a.departmentId);
    return inReadingOrder(rows).map((d) => ({
      ...d,
      peopleBelow: new Set(
        withBelow(rows, d.id).flatMap((id) => (people.get(id) ?? []).map((a) => a.operatorId)),
      ).size,
    }));
  }),

  serveRead(listDepartments, async (read, { query }) => {
    const found = departments(read, enterpriseOf(read.who, query.enterpriseId))
      .$if(!!query.ids?.length, (q) => q.where("d.id", "=", anyOf(query.ids!)))
      .$if(!!query.keyword, (q) => q.where("d.name", "ilike", containing(query.keyword!)));
    const by = query.sort === "name" ? sql`d.name collate "zh-x-icu"` : sql`d.order_num`;
    const [list, counted] = await Promise.all([
      query.want === "totals"
        ? []
        : found
            .orderBy(by, query.order ?? "asc")
            .orderBy("d.id")
            .limit(query.pageSize)
            .offset((query.pageNo - 1) * query.pageSize)
            .execute(),
      query.want === "rows"
        ? null
        : found
            .clearSelect()
            .select(sql<number>`count(*)`.as("n"))
            .executeTakeFirstOrThrow(),
    ]);
    return { list, total: counted?.n ?? null };
  }),

  serveRead(getDepartment, async (read, { params }) => {
    const { enterpriseId } = await foundDepartment(read, params.id);
    const row = await departments(read, enterpriseId).where("d.id", "=", params.id).executeTakeFirst();
    if (!row) throw notFound();
    return row;
  }),

  serve(addDepartment, async (act, { body }) => ({ id: await createDepartment(act, body) })),
  serve(editDepartment, async (act, { params, body: { version, ...body } }) => {
    await updateDepartment(act, params.id, body, version);
    return { id: params.id };
  }),
  serve(deleteDepartment, async (act, { params }) => {
    await removeDepartment(act, params.id);
    return null;
  }),
];
