import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { explainOperator } from "./explain.contract.ts";
import { explain } from "./explain.queries.ts";

export default [serveRead(explainOperator, (read, { params, query }) => explain(read, params.id, query))];
