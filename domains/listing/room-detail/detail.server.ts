import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { roomDetail } from "./detail.contract.ts";
import { detailOf } from "./detail.queries.ts";

export default [serveRead(roomDetail, (read, { params, query }) => detailOf(read, params.roomId, query.day))];
