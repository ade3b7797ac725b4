import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addRule, copyRule, deleteRule, editRule, getRule, listRules } from "./rule.contract.ts";
import { ruleDetail, ruleList } from "./rule.queries.ts";
import { copyOfRule, createRule, removeRule, updateRule } from "./rule.service.ts";

export default [
  serveRead(listRules, (read, { query }) => ruleList(read, query)),
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
