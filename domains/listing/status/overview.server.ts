import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { boardSummary } from "./overview.contract.ts";
import { summaryOn } from "./overview.queries.ts";

export default [
  serveRead(boardSummary, (read, { query }) =>
    summaryOn(read, query.day ?? read.today, villagesOf(read.who, query.villageIds)),
  ),
];
