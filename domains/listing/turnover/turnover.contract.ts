import { z } from "zod";
import { event } from "../../../platform/kernel/event.ts";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
const at = callsAt("/room/api/v3/turnover", "room");
const roomIds = z.array(f.id, { error: "请选择房间" }).min(1, "请选择房间").max(500, "一次最多500间");

/** 手动置脏: rooms that nobody lives in wait for cleaning from today. */
export const addTurnovers = at.post("", "置为待保洁", "3.edit", {
  body: z.object({ roomIds, note: f.remark("说明").default("") }),
  reply: z.object({ rooms: z.number().int() }),
});

const done = {
  doneDay: f.dayInput("完成日期"),
  checklist: z
    .array(
      z.object({
        item: f.input("检查项", 1, 20),
        ok: z.boolean(),
        note: f.remark("说明", 50).default(""),
      }),
    )
    .max(30)
    .default([]),
  fileIds: z.array(f.id).max(9, "最多9张图片").default([]).meta({ title: "图片", kind: "file" }),
  note: f.remark("说明").default(""),
};

export const finishTurnover = at.put("/:id/done", "完成保洁", "3.edit", {
  target: "turnover",
  body: z.object(done),
  reply: z.object({ id: f.id }),
});

/** The open turnovers of these rooms, finished together. */
export const finishRooms = at.put("/done", "批量完成保洁", "3.edit", {
  body: z.object({ roomIds, doneDay: done.doneDay }),
  reply: z.object({ rooms: z.number().int() }),
});

/** Rooms are ready again. */
export const roomsCleaned = event("roomsCleaned", z.object({ roomIds: z.array(f.id), day: z.string() }));
