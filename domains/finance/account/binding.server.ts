import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import {
  addBinding,
  allBindings,
  changeBinding,
  copyBindings,
  previewCopy,
  removeBinding,
  terminalPayTypes,
  villageBindings,
} from "./binding.contract.ts";
import { bindingsOf, villageTable } from "./binding.queries.ts";
import { bind, copyPlan, copyTo, rebind, unbind } from "./binding.service.ts";
import { terminalTable } from "./channel.rules.ts";

export default [
  serveRead(villageBindings, (read, { query }) => bindingsOf(read, [inScope(read.who, query.villageId)])),
  serveRead(allBindings, (read, { query }) => villageTable(read, query)),
  serveRead(terminalPayTypes, async () => terminalTable()),

  serve(addBinding, async (act, { body }) => ({ id: await bind(act, body) })),
  serve(changeBinding, async (act, { body }) => {
    await rebind(act, body);
    return { id: body.id };
  }),
  serve(removeBinding, async (act, { query }) => {
    await unbind(act, query.id, query.version);
    return null;
  }),
  serveRead(previewCopy, (read, { body }) => copyPlan(read, body)),
  serve(copyBindings, (act, { body }) => copyTo(act, body)),
];
