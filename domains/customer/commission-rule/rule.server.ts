import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addRule, copyRule, deleteRule, editRule, getRule } from "./rule.contract.ts";
import { ruleDetail, rules } from "./rule.queries.ts";
import { copyOfRule, createRule, removeRule, updateRule } from "./rule.service.ts";

export default [
  serveList(rules),
  serveRead(getRule, (read, { params }) => ruleDetail(read, params.id)),
  serve(addRule, (act, { body }) => createRule(act, body)),
  serveDone(editRule, (act, { params, body }) => updateRule(act, params.id, body)),
  serve(copyRule, (act, { params, body }) => copyOfRule(act, params.id, body)),
  serveDone(deleteRule, (act, { params, query }) => removeRule(act, params.id, query.version)),
];
