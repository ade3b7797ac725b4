import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import * as f from "../../../platform/kernel/field.ts";

const waiting = f.number("待处理").optional();
/** Pages of 财务管理 with something to do, and who may open each. */
export const TODO_PAGES = {
  refund: ["108.query", "244.query"],
  reconcile: ["25.query"],
  submission: ["112.query"],
  corporate: ["97.query"],
} as const;

/** What waits on each page, in scope and for the pages that one may open alone; as it was within the last 50 seconds. */
export const todoCounts = callsAt("/billing/api/v3/todo").get(
  "/counts",
  "财务待办数量",
  Object.values(TODO_PAGES).flat(),
  {
    reply: z.object({ refund: waiting, reconcile: waiting, submission: waiting, corporate: waiting }),
  },
);
