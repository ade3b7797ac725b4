import { z } from "zod";
import * as f from "../field.ts";

/** How a file with headings of its own is read: its columns, those of the template, and which is read from which. */
export const sheetMapping = z.object({
  /** The row of its headings. */
  row: z.number().int(),
  heads: z.array(z.object({ at: z.string(), title: z.string(), samples: z.array(z.string()) })),
  columns: z.array(z.object({ key: z.string(), title: z.string(), must: z.boolean() })),
  /** The letters of a column by field, and what stands for a field in every row. */
  from: z.record(z.string(), z.string()),
  fixed: z.record(z.string(), z.string()),
  confirmed: z.boolean(),
});
export type SheetMapping = z.output<typeof sheetMapping>;

const key = f.token(50);
/** The same as somebody says it. */
export const mappedColumns = z.object({
  columns: z.array(z.object({ key, at: f.token(3) })).max(200),
  fixed: z
    .array(z.object({ key, text: f.input("内容", 1, 100) }))
    .max(200)
    .default([]),
});
export type MappedColumns = z.output<typeof mappedColumns>;
