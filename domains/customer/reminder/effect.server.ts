import { serveList } from "../../../platform/server/lists/list.ts";
import { effects } from "./effect.queries.ts";

export default [serveList(effects)];
