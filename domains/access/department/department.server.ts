import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  addDepartment,
  deleteDepartment,
  departmentMenu,
  editDepartment,
  getDepartment,
  type DepartmentBody,
} from "./department.contract.ts";
import { departments, enterpriseOf, foundDepartment, placesOf } from "./department.queries.ts";
import { inReadingOrder, withBelow, whyNotBelow } from "./department.rules.ts";
import { sql } from "kysely";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";

constraintSays("department_enterprise_id_parent_id_name_key", { field: "name", msg: "同级部门名称已存在" });

/** Judges parent and leader, which belong to the same enterprise. */
async function columnsOf(act: Act, enterpriseId: number, id: number, body: DepartmentBody) {
  // two moves at once could make a circle
  await sql`select pg_advisory_xact_lock(hashtextextended(${`departments ${enterpriseId}`}, 0))`.execute(
    act.tx,
  );
  const { name, orderNum, parentId = null, leaderId = null } = body;
  const all = await placesOf(act, enterpriseId);
  if (parentId !== null && !all.some((d) => d.id === parentId)) throw notFound();
  const why = whyNotBelow(all, id, parentId);
  if (why) throw invalid({ field: "parentId", msg: why });
  if (leaderId !== null) {
    await act.tx
      .selectFrom("operator")
      .select("id")
      .where("id", "=", leaderId)
      .where("enterpriseId", "=", enterpriseId)
      .executeTakeFirstOrThrow(notFound);
  }
  return { name, orderNum, parentId, leaderId };
}

const note = (act: Act, id: number, name: string, action: string, more: object = {}) =>
  act.note({
    kind: "department",
    recordId: id,
    number: name,
    action,
    summary: `${action}部门 ${name}`,
    ...more,
  });

async function createDepartment(act: Act, body: DepartmentBody): Promise<number> {
  const { enterpriseId } = body.parentId ? await foundDepartment(act, body.parentId) : act.who;
  const columns = await columnsOf(act, enterpriseId, 0, body);
  const { id } = await act.tx
    .insertInto("department")
    .values({ ...columns, enterpriseId, createdBy: act.who.operatorId })
    .returning("id")
    .executeTakeFirstOrThrow();
  await note(act, id, body.name, "新增");
  return id;
}

async function updateDepartment(act: Act, id: number, body: DepartmentBody, version: number) {
  const before = await foundDepartment(act, id);
  const columns = await columnsOf(act, before.enterpriseId, id, body);
  await revise(act, "department", { id, version }, { ...columns, ...stamp(act) });
  const { name, parentId, leaderId, orderNum } = before;
  await note(act, id, body.name, "修改", { before: { name, parentId, leaderId, orderNum }, after: columns });
}

async function removeDepartment(act: Act, id: number): Promise<void> {
  const { name } = await foundDepartment(act, id);
  const { used } = await act.tx
    .selectNoFrom(
      sql<boolean>`exists (select from department where parent_id = ${id})
        or exists (select from operator_assignment where department_id = ${id})`.as("used"),
    )
    .executeTakeFirstOrThrow();
  if (used) throw new Refusal("inUse", "部门下存在员工或下级部门，不能删除");
  await act.tx.deleteFrom("department").where("id", "=", id).execute();
  await note(act, id, name, "删除");
}

export default [
  serveRead(departmentMenu, async (read, { query }) => {
    const enterpriseId = enterpriseOf(read.who, query.enterpriseId);
    const places = await placesOf(read, enterpriseId);
    const [rows, held] = await Promise.all([
      departments.rowsOf(
        read,
        places.map(({ id }) => id),
      ),
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

  serveList(departments),

  serveRead(getDepartment, async (read, { params: { id } }) => {
    await foundDepartment(read, id);
    return (await departments.rowsOf(read, [id]))[0]!;
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
