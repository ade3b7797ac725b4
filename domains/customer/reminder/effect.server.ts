import { serveRead } from "../../../platform/server/serve.ts";
import { ruleEffect } from "./effect.contract.ts";
import { effectList } from "./effect.queries.ts";

export default [serveRead(ruleEffect, (read, { query }) => effectList(read, query))];
