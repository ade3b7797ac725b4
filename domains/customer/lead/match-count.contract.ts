import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { LEADS } from "./lead.contract.ts";

/** How many rooms suit each of some leads: asked apart, so that the list never waits for it. */
export const countMatches = call({
  method: "GET",
  path: `${LEADS}/matchCounts`,
  summary: "匹配房源数量",
  needs: "15.query",
  query: z.object({ ids: idList }),
  reply: z.array(z.object({ id: f.id, rooms: z.number().int() })),
});
