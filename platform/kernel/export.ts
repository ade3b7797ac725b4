import { z } from "zod";
import type { Call, Need } from "./call.ts";
import { metaOf, type FieldMeta } from "./field.ts";

/** A list that may leave the house as a workbook. Declared beside its call, used by console and server alike. */
export type ListExport<C extends Call = Call> = {
  /** Stable word that is stored with every task: bill. */
  type: string;
  /** What people read, also in the file's name: 账单. */
  title: string;
  needs: Need;
  list: C;
  /** Labels of filters that neither the query's schema nor a column of the same name gives. */
  filters?: Record<string, string>;
  /** It carries personal data, so whoever takes it says what for. */
  personal?: boolean;
};
export const exportOf = <C extends Call>(declared: ListExport<C>): ListExport<C> => declared;

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
