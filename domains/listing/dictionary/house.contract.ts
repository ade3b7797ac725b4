import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";

export const facilitiesOf = callsAt("/system/api/v3/dic/facility/village").get("", "门店可用设施", "login", {
  query: z.object({ villageId: z.coerce.number().pipe(f.id) }),
  reply: z.array(
    z.object({ id: f.id, scope: z.string(), name: z.string(), code: z.string(), icon: z.string() }),
  ),
});
