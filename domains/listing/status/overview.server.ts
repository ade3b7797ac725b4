import { villagesOf } from "../../../platform/server/scope.ts";
import { serveRead } from "../../../platform/server/serve.ts";
import { boardSummary } from "./overview.contract.ts";
import { summaryOn } from "./overview.queries.ts";

export default [
  serveRead(boardSummary, (read, { query }) =>
    summaryOn(read, query.day ?? read.today, villagesOf(read.who, query.villageIds)),
  ),
];
