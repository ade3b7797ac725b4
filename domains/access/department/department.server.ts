import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  addDepartment,
  deleteDepartment,
  departmentMenu,
  editDepartment,
  getDepartment,
} from "./department.contract.ts";
import { departments, enterpriseOf, foundDepartment, placesOf } from "./department.queries.ts";
import { inReadingOrder, withBelow } from "./department.rules.ts";
import { createDepartment, removeDepartment, updateDepartment } from "./department.service.ts";

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
