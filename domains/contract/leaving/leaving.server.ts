import { serveList } from "../../../platform/server/lists/list.ts";
import { expired } from "./leaving.queries.ts";

export default [serveList(expired)];
