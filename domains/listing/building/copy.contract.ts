import { z } from "zod";
import { call, type Permit } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

const places = z.array(f.id).max(100, "一次最多复制到100处").default([]);

/** A record made again on floors, or in buildings as a whole, of its own village. What hangs on the source stays there. */
export const copyCall = (of: { path: string; title: string; target: string; needs: Permit }) =>
  call({
    method: "POST",
    path: `${of.path}/:id/copy`,
    summary: `复制${of.title}`,
    needs: of.needs,
    target: of.target,
    params: oneRecord,
    body: z
      .object({ pattern: f.pattern("名称规则", 1, 60), floorIds: places, buildingIds: places })
      .refine((to) => to.floorIds.length + to.buildingIds.length > 0, {
        path: ["floorIds"],
        error: "请选择楼层或楼栋",
      }),
    reply: z.object({ made: z.array(z.object({ id: f.id, name: f.text("名称") })) }),
  });
