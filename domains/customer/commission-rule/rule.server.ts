import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addRule, copyRule, deleteRule, editRule, getRule } from "./rule.contract.ts";
import { ruleDetail, rules } from "./rule.queries.ts";
import { copyOfRule, createRule, removeRule, updateRule } from "./rule.service.ts";

export default [
  serveList(rules),
  serveRead(getRule, (read, { params }) => ruleDetail(read, params.id)),
  serve(addRule, (act, { body }) => createRule(act, body)),
  serve(editRule, async (act, { params, body }) => {
    await updateRule(act, params.id, body);
    return null;
  }),
  serve(copyRule, (act, { params, body }) => copyOfRule(act, params.id, body)),
  serve(deleteRule, async (act, { params, query }) => {
    await removeRule(act, params.id, query.version);
    return null;
  }),
];
