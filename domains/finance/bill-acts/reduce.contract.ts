import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { CHANGE_MODE, batchProposed, percentOf } from "./acts.contract.ts";

const bills = callsAt("/billing/api/v3/bill/batch/adjust", "bill");

export const REDUCE_MODE = { percent: CHANGE_MODE.percent, minus: CHANGE_MODE.minus };
export type ReduceMode = keyof typeof REDUCE_MODE;

const ids = f.ids().min(1, "请选择账单").max(200, "一次最多处理200笔");
const how = {
  ids,
  mode: f.choice("减免方式", REDUCE_MODE),
  /** Of every line, where the mode is 'percent'. */
  percent: percentOf("减少比例").optional(),
  /** Fen off every bill, where the mode is 'minus'. */
  value: f.amount("减少金额").optional(),
  /** Only lines of this subject; without it all but deposits and late fees. */
  feeSubjectId: f.pick("费用科目").nullable().optional(),
};
type Typed = { mode: ReduceMode; percent?: string | undefined; value?: number | undefined };
/** The one that the mode asks for is there. */
const complete = <S extends z.ZodType<Typed>>(body: S): S =>
  body
    .refine((b) => b.mode !== "percent" || b.percent !== undefined, {
      error: "请输入减少比例",
      path: ["percent"],
    })
    .refine((b) => b.mode !== "minus" || b.value !== undefined, {
      error: "请输入减少金额",
      path: ["value"],
    });

export const reducePreview = z.object({
  rows: z.array(
    z.object({
      id: f.id,
      billNo: f.link("账单号"),
      villageName: f.text("门店"),
      roomName: f.room("房间").nullable(),
      partyName: f.person("客户"),
      subjects: f.text("费用"),
      before: f.money("调整前"),
      change: f.money("减免"),
      after: f.money("调整后"),
      outstandingAfter: f.money("调整后未收"),
      /** Why this bill cannot be reduced so; it is left out then. */
      refusal: z.string().nullable(),
    }),
  ),
  /** Over the bills that are not refused. */
  count: f.number("笔数"),
  before: f.money("调整前"),
  change: f.money("减免"),
  after: f.money("调整后"),
  hash: z.string(),
});

export const previewReduce = bills.post("/preview", "试算批量减免", "#2601", {
  effect: "read",
  body: complete(z.object(how)),
  reply: reducePreview,
});
export type Reduce = z.output<typeof previewReduce.body>;

/** Bills that nothing refuses, all of them or none. */
export const reduceBatch = bills.post("", "批量减免账单", "#2601", {
  money: true,
  body: complete(z.object({ ...how, reason: f.reason(), previewHash: f.token() })),
  reply: batchProposed,
});
