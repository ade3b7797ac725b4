import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { signChecklist } from "./sign-help.contract.ts";
import { checklistOf } from "./sign-help.queries.ts";

export default [serveRead(signChecklist, (read, { query }) => checklistOf(read, query.villageId))];
