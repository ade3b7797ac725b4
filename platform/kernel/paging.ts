import { z } from "zod";

export const PAGE_SIZES = [10, 20, 50, 100, 200] as const;

/** The query of every list: page from 1, at most 200 rows, sorted on named columns only. */
export const pageQuery = <S extends [string, ...string[]]>(...sortable: S) =>
  z.object({
    pageNo: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(200).default(20),
    sort: z.enum(sortable).optional(),
    order: z.enum(["asc", "desc"]).optional(),
    /** A screen asks for rows and for totals apart, so that rows never wait for a count over everything. */
    want: z.enum(["both", "rows", "totals"]).default("both"),
  });

/** The answer of every list. `total` and `sums` cover the whole filter, not the page; null when only rows were asked for. */
export const pageReply = <R extends z.ZodType, S extends z.ZodType = z.ZodUndefined>(row: R, sums?: S) =>
  z.object({
    list: z.array(row),
    total: z.number().int().nullable(),
    sums: (sums ?? z.undefined()).nullish() as unknown as z.ZodOptional<z.ZodNullable<S>>,
  });

/** A comma list in the URL: "3,8" → [3, 8]. Empty and missing mean no filter. */
export const idList = z
  .string()
  .regex(/^(\d{1,15})?(,\d{1,15})*$/, "编号列表格式不正确")
  .transform((text) => (text ? text.split(",").map(Number) : []))
  .optional();

/**
 * Columns that cost extra to work out. They are filled where the request names them, as the list page does for those it
 * shows and an export for those it writes, and null for everybody else.
 */
export const extraColumns = (...keys: string[]) =>
  z
    .string()
    .transform((text) => text.split(",").filter((key) => keys.includes(key)))
    .optional()
    .meta({ extra: keys });

/** The columns of a list call that cost extra. */
export const extraOf = (query: z.ZodType | undefined): readonly string[] => {
  const also = query instanceof z.ZodObject ? (query.shape["also"] as z.ZodType | undefined) : undefined;
  return (also?.meta()?.["extra"] as string[] | undefined) ?? [];
};

/** A comma list of words out of a closed set. */
export const wordList = <W extends readonly [string, ...string[]]>(words: W) =>
  z
    .string()
    .transform((text) => (text ? text.split(",") : []))
    .pipe(z.array(z.enum(words)))
    .optional();
