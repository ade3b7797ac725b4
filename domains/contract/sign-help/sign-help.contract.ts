import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { CHECKS, CHECK_STATES, type CheckKey } from "./sign-help.rules.ts";

/** How far the enterprise is from its first electronic contract, for all stores of the caller or for one. */
export const signChecklist = callsAt("/contract/api/v3/signConfig", "contractConfig").get(
  "/checklist",
  "电子签署准备情况",
  "95.query",
  {
    query: z.object({ villageId: z.coerce.number().int().positive().optional() }),
    reply: z.array(
      z.object({
        key: z.enum(Object.keys(CHECKS) as [CheckKey]),
        state: f.status("状态", CHECK_STATES),
        /** What stands, or what is missing. */
        said: f.text("情况"),
      }),
    ),
  },
);
