import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { BLOCK_REASONS } from "../room/words.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
const roomBlocks = callsAt("/room/api/v3/roomBlock", "roomBlock");

export const blockInput = z
  .object({
    roomIds: z.array(f.id, { error: "请选择房间" }).min(1, "请选择房间").max(500, "一次最多500间"),
    reason: f.choice("封房原因", BLOCK_REASONS),
    fromDay: f.dayInput("开始日"),
    /** Absent: until it is lifted. */
    toDay: f.dayInput("截止日").nullish(),
    note: f.remark("说明").default(""),
    fileIds: z.array(f.id).max(9, "最多9张图片").default([]).meta({ title: "图片", kind: "file" }),
  })
  .superRefine((v, ctx) => {
    const wrong = (field: string, message: string) =>
      ctx.addIssue({ code: "custom", path: [field], message, input: v });
    if (v.toDay && v.toDay < v.fromDay) wrong("toDay", "截止日不能早于开始日");
    if (v.reason === "offline" && !v.note) wrong("note", "请填写停用原因");
  });
export type BlockInput = z.output<typeof blockInput>;

export const addBlock = roomBlocks.post("", "封房", "3.edit", {
  body: blockInput,
  reply: z.object({ id: f.id, number: z.string(), rooms: z.number().int() }),
});

export const editBlock = roomBlocks.put("/:id", "修改封房截止日", "3.edit", {
  body: z.object({
    toDay: f.dayInput("截止日").nullish(),
    note: f.remark("说明").default(""),
    version: f.version,
  }),
  reply: z.object({ id: f.id }),
});

/** Ends a running block the day before, so that its rooms are free today; one that has not begun is cancelled. */
export const liftBlock = roomBlocks.put("/:id/lift", "解除封房", "3.edit", {
  body: z.object({
    dirty: z.boolean().default(false).meta({ title: "解除后待保洁", kind: "flag" }),
    version: f.version,
  }),
  reply: z.object({ id: f.id, rooms: z.number().int() }),
});

/** The blocks that stand on these rooms today, lifted together. */
export const liftRooms = roomBlocks.put("/lift", "批量解除封房", "3.edit", {
  body: z.object({
    roomIds: f.ids().min(1, "请选择房间").max(500, "一次最多500间"),
    dirty: z.boolean().default(false),
  }),
  reply: z.object({ rooms: z.number().int() }),
});

export const getBlock = roomBlocks.get("/:id", "封房详情", ["3.get", "3.query"], {
  target: "roomBlock",
  reply: z.object({
    id: f.id,
    number: f.text("封房单号"),
    reason: f.status("封房原因", BLOCK_REASONS),
    fromDay: f.day("开始日"),
    toDay: f.day("截止日").nullable(),
    liftedDay: f.day("解除日").nullable(),
    note: f.text("说明"),
    rooms: z.array(z.object({ id: f.id, name: z.string() })),
    version: f.version,
  }),
});
