import { z } from "zod";
import { area } from "../../../platform/kernel/numbers.ts";
import type { FieldMeta } from "../../../platform/kernel/field.ts";

const meta = (title: string): FieldMeta => ({ title, kind: "number", unit: "㎡" });

/** Square metres that somebody types: 0.01 to 999999.99. */
export const areaInput = (title: string) =>
  z
    .number({ error: ({ input }) => (input === undefined ? `请输入${title}` : "面积格式不正确") })
    .refine((value) => area(String(value)) === undefined, "面积格式不正确")
    .meta(meta(title));

/** Square metres in a reply. The database keeps them as decimals and gives them as text. */
export const areaOf = (title: string) => z.coerce.number().meta(meta(title));
