import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addRole, deleteRole, editRole, exportRoles, getRole, roleOptions } from "./role.contract.ts";
import { foundRole, holdersOf, keysOf, optionsOf, roles } from "./role.queries.ts";
import { createRole, removeRole, updateRole } from "./role.service.ts";

export default [
  serveList(roles),
  exportList(exportRoles),

  serveRead(roleOptions, (read, { query }) => optionsOf(read, query)),

  serveRead(getRole, async (read, { params }) => {
    await foundRole(read, params.id);
    const [[row], keys, holders] = await Promise.all([
      roles.rowsOf(read, [params.id]),
      keysOf(read, params.id),
      holdersOf(read, params.id),
    ]);
    return { ...row!, keys, holders };
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
