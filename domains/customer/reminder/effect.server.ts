import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { ruleEffect } from "./effect.contract.ts";
import { effectList } from "./effect.queries.ts";

export default [serveRead(ruleEffect, (read, { query }) => effectList(read, query))];
