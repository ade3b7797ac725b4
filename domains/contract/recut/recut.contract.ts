import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { RECUTS } from "./recut.rules.ts";

/** What a change of a running contract comes to: its bills before and after, and the money that moves now. */
export const changePreview = z.object({
  bills: z.array(
    z.object({
      billId: f.id.nullable(),
      title: f.text("账单"),
      periodStart: f.day("计费期起"),
      periodEnd: f.day("计费期止"),
      dueOn: f.day("应收日").nullable(),
      before: f.money("原应收"),
      after: f.money("变更后"),
      done: f.status("处理", RECUTS),
    }),
  ),
  before: f.money("原合同总额"),
  after: f.money("变更后总额"),
  credit: f.money("多收退回"),
  dueNow: f.money("签署后应收"),
  /** Of the deposit: what rooms that are returned had held, and what of it is left to be given back. */
  deposit: f.money("退房押金"),
  refund: f.money("应退押金"),
  net: f.money("结果"),
  obstacles: z.array(z.object({ code: z.string(), msg: z.string() })),
  warnings: z.array(z.string()),
  previewHash: z.string(),
});
export type ChangePreview = z.input<typeof changePreview>;
