import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  addFunction,
  deleteFunction,
  disableFunction,
  editFunction,
  enableFunction,
  getFunction,
  listFunctions,
  moveFunction,
  ownFunctions,
} from "./function.contract.ts";
import { foundNode, functionTree, shownNode, wholeTree } from "./function.queries.ts";
import {
  createFunction,
  moveNode,
  removeFunction,
  switchFunction,
  updateFunction,
} from "./function.service.ts";

export default [
  serveRead(listFunctions, (read, { query }) =>
    query.level || query.state || query.keyword ? functionTree(read, query) : wholeTree(read),
  ),
  serveRead(getFunction, async (read, { params }) => shownNode(await foundNode(read, params.id))),
  serveRead(ownFunctions, ({ tx, who }) =>
    tx
      .selectFrom("functionNode")
      .select(["key", "permissionId", "name"])
      .where("key", "in", ["", ...who.permits])
      .orderBy("orderNum")
      .execute(),
  ),

  serve(addFunction, async (act, { body }) => ({ id: await createFunction(act, body) })),
  serve(editFunction, async (act, { body }) => {
    await updateFunction(act, body);
    return { id: body.id };
  }),
  serve(deleteFunction, async (act, { query }) => {
    await removeFunction(act, query.id, query.version);
    return { id: query.id };
  }),
  serve(moveFunction, async (act, { params, body }) => {
    await moveNode(act, params.id, body.by);
    return { id: params.id };
  }),
  serve(enableFunction, async (act, { params, body }) => {
    await switchFunction(act, params.id, body.version, true);
    return { id: params.id };
  }),
  serve(disableFunction, async (act, { params, body }) => {
    await switchFunction(act, params.id, body.version, false);
    return { id: params.id };
  }),
];
