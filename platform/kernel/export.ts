import { z } from "zod";
import { call, type Call, type Need } from "./call.ts";
import { metaOf, type FieldMeta } from "./field.ts";
import { idList } from "./paging.ts";

/** A list that may leave the house as a workbook. */
export type Exporting = {
  /** Stable word that is stored with every task: bill. */
  type: string;
  /** What people read, also in the file's name: 账单. */
  title: string;
  needs: Need;
  /** The call that shows the list. */
  list: Call;
  /** Where the specification names one; else the list's path and /export. */
  path?: string;
  /** Labels of filters that neither the query's schema nor a column of the same name gives. */
  filters?: Record<string, string>;
  /** It carries personal data, so the operator states a purpose. */
  personal?: boolean;
  /** What the rows' own files are packed into, instead of one workbook; always made by a task. */
  packed?: "zip";
  /** At most so many rows at a time. */
  most?: number;
  /** A further sheet for each row, with what another list shows of it. */
  each?: Each;
};
export type Each = {
  list: Call;
  /** The field of that list's query that the row's id stands in. */
  by: string;
  /** The column of the row that the sheet is called by. */
  name: string;
  columns: readonly string[];
  /** The filter in the words of that list, where they differ. */
  query?: (query: Record<string, string>) => Record<string, string>;
};
export type ExportCall = Call & { exporting: Exporting };

/**
 * The export of a list, declared beside it: a GET with the list's own filter and order, the columns on
 * screen, left to right, and the rows that were ticked. Answers with the workbook; above 5,000 rows with JSON, because a task makes it.
 */
export function exportOf(of: Exporting): ExportCall {
  const query = of.list.query instanceof z.ZodObject ? of.list.query : z.object({});
  return {
    ...(call({
      method: "GET",
      path: of.path ?? `${of.list.path}/export`,
      summary: `导出${of.title}`,
      needs: of.needs,
      // each export is kept, counted and in the log
      effect: "write",
      snapshot: true,
      target: "download",
      timeout: 300_000,
      perMinute: 120,
      ...(of.list.params && { params: of.list.params }),
      query: query.safeExtend({
        columns: z.string().max(4000).optional(),
        // of what the filter finds, these rows only
        picked: idList,
        usage: z.string().trim().max(100, "用途说明最多100个字").optional(),
      }),
    }) as unknown as Call),
    exporting: of,
  };
}

export type ExportColumn = { key: string; meta: FieldMeta };

/** What a list's reply can show as columns, in the order of its schema. */
export function columnsOf(list: Call): ExportColumn[] {
  const rows = list.reply instanceof z.ZodObject ? (list.reply.shape.list as z.ZodType) : undefined;
  const row = rows instanceof z.ZodArray ? rows.element : undefined;
  if (!(row instanceof z.ZodObject)) return [];
  return Object.entries(row.shape as Record<string, z.ZodType>).flatMap(([key, schema]) => {
    const meta = metaOf(schema);
    return meta && meta.kind !== "file" ? [{ key, meta }] : [];
  });
}
