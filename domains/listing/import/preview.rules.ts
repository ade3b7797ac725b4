import { z } from "zod";
import type { Words } from "../../../platform/kernel/field.ts";

/** What a checked file would make, and the totals to compare with the sheet's own. */
export const importPreview = z.object({
  made: z.object({
    buildings: z.number(),
    units: z.number(),
    floors: z.number(),
    apartments: z.number(),
    rooms: z.number(),
    prices: z.number(),
  }),
  villages: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      apartments: z.number(),
      /** Rooms that are let one by one, and what they cost together a month, in fen. */
      rooms: z.number(),
      listPrice: z.number(),
    }),
  ),
  buildings: z.array(
    z.object({
      village: z.string(),
      name: z.string(),
      isNew: z.boolean(),
      floors: z.number(),
      apartments: z.number(),
      rooms: z.number(),
    }),
  ),
  /** The first 50 rows. */
  rows: z.array(
    z.object({
      row: z.number(),
      village: z.string(),
      place: z.string(),
      mode: z.string(),
      rooms: z.string(),
      area: z.number(),
      listPrice: z.number(),
    }),
  ),
});
export type ImportPreview = z.infer<typeof importPreview>;

export const IMPORT_STATES = {
  checking: ["检查中", "blue"],
  failed: ["有错误", "red"],
  ready: ["待确认", "gold"],
  importing: ["导入中", "blue"],
  done: ["已导入", "green"],
  undone: ["已撤销", "grey"],
} as const satisfies Words;
export type ImportState = keyof typeof IMPORT_STATES;

/** Errors that are kept and shown; the marked file carries all of them. */
export const ERRORS_SHOWN = 2_000;
/** Up to so many rows are taken within the call; more become a job with progress. */
export const AT_ONCE = 500;
/** A checked file may be taken so long; the world has moved on afterwards. */
export const READY_HOURS = 24;

/** The sentence against taking a batch, or nothing. */
export function commitRefusal(state: ImportState): string | undefined {
  if (state === "ready") return undefined;
  return {
    checking: "文件正在检查，请稍后",
    failed: "文件有错误，请改正后重新上传",
    importing: "正在导入，请勿重复提交",
    done: "该批次已导入",
    undone: "该批次已撤销，请重新上传文件",
  }[state];
}
