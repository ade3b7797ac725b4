import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";

export const facilitiesOf = call({
  method: "GET",
  path: "/system/api/v3/dic/facility/village",
  summary: "门店可用设施",
  needs: "login",
  query: z.object({ villageId: z.coerce.number().pipe(f.id) }),
  reply: z.array(
    z.object({ id: f.id, scope: z.string(), name: z.string(), code: z.string(), icon: z.string() }),
  ),
});
