import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { RECORD_WORDS } from "./operator.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

/** Why somebody may or may not do something: the roles that give it, and the villages they see. */
export const explainOperator = callsAt("/system/api/v3/operator").get("/:id/explain", "权限说明", "46.get", {
  query: z.object({
    /** A page, one of its actions, or an authority code: 54, 54.add, #5401. */
    permissionId: z.string().regex(/^(\d{1,6}(\.[a-z]{3,7})?|#\d{1,6})$/, "权限格式不正确"),
    recordKind: z.enum(Object.keys(RECORD_WORDS) as (keyof typeof RECORD_WORDS)[]).optional(),
    recordId: z.coerce.number().pipe(f.id).optional(),
  }),
  reply: z.object({
    allowed: z.boolean(),
    functionName: z.string(),
    /** Each with its judgement, in the order in which the server asks. */
    steps: z.array(z.object({ ok: z.boolean(), text: z.string() })),
    /** Roles of this person that give the function. */
    roles: z.array(z.object({ id: f.id, name: z.string(), departmentName: z.string() })),
    /** For a page: which of its actions the person has. */
    actions: z.array(z.object({ key: z.string(), name: z.string(), ok: z.boolean() })),
  }),
});
