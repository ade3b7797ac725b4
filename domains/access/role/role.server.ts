import { sql } from "kysely";
import { containing } from "../../../platform/kernel/like.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { enterpriseOf } from "../department/department.queries.ts";
import {
  addRole,
  deleteRole,
  editRole,
  exportRoles,
  getRole,
  listRoles,
  roleOptions,
} from "./role.contract.ts";
import { foundRole, holdersOf, keysOf, roles } from "./role.queries.ts";
import { createRole, removeRole, updateRole } from "./role.service.ts";

const NAME = sql`r.name collate "zh-x-icu"`;

export default [
  serveRead(listRoles, async (read, { query }) => {
    const found = roles(read, enterpriseOf(read.who, query.enterpriseId)).$if(!!query.keyword, (q) =>
      q.where((eb) =>
        eb.or([
          eb("r.name", "ilike", containing(query.keyword!)),
          eb("r.remark", "ilike", containing(query.keyword!)),
        ]),
      ),
    );
    const by = { name: NAME, people: sql`people`, functions: sql`functions`, updatedAt: sql`r.updated_at` };
    const [list, counted] = await Promise.all([
      query.want === "totals"
        ? []
        : found
            .orderBy(by[query.sort ?? "name"], query.order ?? "asc")
            .orderBy("r.id")
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

  exportList(exportRoles),

  serveRead(roleOptions, ({ tx, who }, { query }) =>
    tx
      .selectFrom("role as r")
      .select(["r.id", "r.name"])
      .where("r.enterpriseId", "=", enterpriseOf(who, query.enterpriseId))
      .$if(!!query.ids?.length, (q) => q.where("r.id", "=", anyOf(query.ids!)))
      .$if(!!query.keyword, (q) => q.where("r.name", "ilike", containing(query.keyword!)))
      .orderBy(NAME)
      .execute(),
  ),

  serveRead(getRole, async (read, { params }) => {
    const { enterpriseId } = await foundRole(read, params.id);
    const [row, keys, holders] = await Promise.all([
      roles(read, enterpriseId).where("r.id", "=", params.id).executeTakeFirstOrThrow(),
      keysOf(read, params.id),
      holdersOf(read, params.id),
    ]);
    return { ...row, keys, holders };
  }),

  serve(addRole, async (act, { body }) => ({ id: await createRole(act, body) })),
  serve(editRole, async (act, { body: { id, version, ...role } }) => {
    await updateRole(act, id, role, version);
    return { id };
  }),
  serve(deleteRole, async (act, { params }) => {
    await removeRole(act, params.id);
    return null;
  }),
];
