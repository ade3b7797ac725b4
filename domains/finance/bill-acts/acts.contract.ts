import { z } from "zod";
import { type Fen, TOO_LARGE, isAmount } from "../../../platform/kernel/fen.ts";
import * as f from "../../../platform/kernel/field.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { isBillable, priced, whyNotPeriod } from "../bill/make.rules.ts";

const bills = callsAt("/billing/api/v3/bill", "bill");

const done = z.object({ id: f.id, version: z.number().int() });
/** With the approval that it waits for now, or null when it was done at once. */
const proposed = done.extend({ examineId: f.id.nullable() });

export const CHANGE_MODE = {
  minus: ["减少金额", "grey"],
  percent: ["减少比例", "grey"],
  plus: ["增加", "grey"],
} as const satisfies Words;
export type ChangeMode = keyof typeof CHANGE_MODE;

const PERCENT = "请输入0.01到100之间的比例";
/** Decimal text: "5" is five percent. */
export const percentOf = (title: string) =>
  z
    .string()
    .regex(/^\d{1,3}(\.\d{1,2})?$/, PERCENT)
    .refine((text) => Number(text) >= 0.01 && Number(text) <= 100, PERCENT)
    .meta({ title, kind: "text", decimal: true });

const change = z
  .object({
    /** null: the late fee that has grown and stands on no line yet; it is written down and then lowered. */
    lineId: f.id.nullable(),
    mode: f.choice("调整方式", CHANGE_MODE),
    value: f.amount("金额").optional(),
    percent: percentOf("比例").optional(),
  })
  .refine((c) => (c.mode === "percent" ? c.percent !== undefined : c.value !== undefined), {
    error: "请输入调整值",
    path: ["value"],
  });
export type LineChange = z.output<typeof change>;

const changes = z.array(change).min(1, "请选择要调整的费用").max(50);

export const adjustPreview = z.object({
  rows: z.array(
    z.object({
      lineId: f.id.nullable(),
      subject: f.text("费用"),
      before: f.money("调整前"),
      change: f.money("调整"),
      after: f.money("调整后"),
      taxBefore: f.money("调整前税额"),
      taxAfter: f.money("调整后税额"),
    }),
  ),
  outstandingBefore: f.money("调整前未收"),
  outstandingAfter: f.money("调整后未收"),
  hash: z.string(),
});

export const previewAdjust = bills.post("/:id/adjust/preview", "试算减免调整", ["#2601", "#2604"], {
  effect: "read",
  body: z.object({ changes }),
  reply: adjustPreview,
});

export const adjustBill = bills.post("/:id/adjust", "减免调整账单", ["#2601", "#2604"], {
  money: true,
  body: z.object({
    changes,
    reason: f.reason(),
    fileIds: z.array(f.id).max(9, "附件最多9个").default([]).meta({ title: "附件", kind: "file" }),
    previewHash: f.token(),
  }),
  reply: proposed,
});

export const voidBill = bills.post("/:id/void", "作废账单", "#2602", {
  money: true,
  body: z.object({ reason: f.reason(), version: f.version }),
  reply: proposed,
});

export const writeOff = bills.post("/:id/writeOff", "核销账单", "#2603", {
  money: true,
  body: z.object({ reason: f.reason(), version: f.version }),
  reply: proposed,
});

export const undoWriteOff = bills.post("/:id/writeOff/undo", "撤销核销账单", "#2603", {
  money: true,
  body: z.object({ reason: f.reason(), version: f.version }),
  reply: done,
});

export const disputeBill = bills.post("/:id/dispute", "标记或解除争议", "26.edit", {
  body: z.object({ disputed: z.boolean(), reason: f.reason(), version: f.version }),
  reply: done,
});

export const issueBill = bills.post("/:id/issue", "立即出账", "26.edit", {
  money: true,
  body: z.object({ version: f.version }),
  reply: done,
});

const ids = f.ids().min(1, "请选择账单").max(200, "一次最多处理200笔");
const batchDone = z.object({ count: z.number().int() });
/** So many done at once, so many that wait for approval now. */
export const batchProposed = batchDone.extend({ waiting: z.number().int() });

export const voidBatch = bills.post("/batch/void", "批量作废账单", "#2602", {
  money: true,
  body: z.object({ ids, reason: f.reason() }),
  reply: batchProposed,
});

export const issueBatch = bills.post("/batch/issue", "批量立即出账", "26.edit", {
  money: true,
  body: z.object({ ids }),
  reply: batchDone,
});

const QUANTITY = /^\d{1,6}(\.\d{1,2})?$/;
/** What a line comes to; 1 where quantity or price are wrong by themselves. */
const amountOf = ({ quantity, price }: { quantity: string; price: number }): Fen =>
  QUANTITY.test(quantity) && isAmount(price) ? priced(quantity, price) : 1;

const newLine = z
  .object({
    feeSubjectId: f.pick("费用科目"),
    periodStart: f.dayInput("计费期起"),
    periodEnd: f.dayInput("计费期止"),
    quantity: z
      .string()
      .regex(QUANTITY, "请输入正确的数量（最多6位整数、2位小数）")
      .meta({ title: "数量", kind: "text", wording: "program" })
      .default("1"),
    price: f.amount("单价"),
  })
  .superRefine((line, ctx) => {
    const wrong = (path: string, message: string) =>
      ctx.addIssue({ code: "custom", path: [path], message, input: line });
    const period = whyNotPeriod(line.periodStart, line.periodEnd);
    if (period) wrong("periodEnd", period);
    const amount = amountOf(line);
    if (amount === 0) wrong("quantity", "金额必须大于0");
    if (!isAmount(amount)) wrong("price", TOO_LARGE);
  });

export const addBill = bills.post("", "新增账单", ["26.add", "102.add"], {
  money: true,
  body: z.object({
    villageId: f.pick("门店"),
    partyId: f.pick("客户"),
    roomId: f.pick("房间").nullable().optional(),
    contractId: f.pick("合同").nullable().optional(),
    title: f.input("账单名称", 1, 60),
    dueDate: f.dayInput("应收日"),
    lines: z
      .array(newLine)
      .min(1, "请至少添加一项费用")
      .max(50, "最多50项费用")
      .refine((lines) => {
        const amounts = lines.map(amountOf);
        return !amounts.every(isAmount) || isBillable(amounts);
      }, TOO_LARGE),
    remark: f.remark().default(""),
  }),
  reply: z.object({ id: f.id, billNo: z.string() }),
});
export type AddBill = z.output<NonNullable<typeof addBill.body>>;

export const REDUCE_MODE = { percent: CHANGE_MODE.percent, minus: CHANGE_MODE.minus };
export type ReduceMode = keyof typeof REDUCE_MODE;

const how = {
  ids,
  mode: f.choice("减免方式", REDUCE_MODE),
  /** Of every line, where the mode is 'percent'. */
  percent: percentOf("减少比例").optional(),
  /** Fen off every bill, where the mode is 'minus'. */
  value: f.amount("减少金额").optional(),
  /** Only lines of this subject; without it all but deposits. Late fees are never meant. */
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
    .refine((b) => b.mode !== "minus" || b.value !== undefined, { error: "请输入减少金额", path: ["value"] });

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

export const previewReduce = bills.post("/batch/adjust/preview", "试算批量减免", "#2601", {
  effect: "read",
  body: complete(z.object(how)),
  reply: reducePreview,
});
export type Reduce = z.output<typeof previewReduce.body>;

/** Bills that nothing refuses, all of them or none. */
export const reduceBatch = bills.post("/batch/adjust", "批量减免账单", "#2601", {
  money: true,
  body: complete(z.object({ ...how, reason: f.reason(), previewHash: f.token() })),
  reply: batchProposed,
});
