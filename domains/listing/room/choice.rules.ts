import { z } from "zod";
import { type FieldMeta, freely, input } from "../../../platform/kernel/field.ts";
import { area } from "../../../platform/kernel/numbers.ts";

/** A word of the house dictionary, or none; the server looks whether it is offered. */
export const wordOrNone = (title: string) =>
  freely(
    z
      .string({ error: `请选择${title}` })
      .trim()
      .max(20, `请选择${title}`),
  )
    .default("")
    .meta({ title, kind: "text" });

/** Facilities of the dictionary. */
export const facilityWords = z
  .array(input("设施", 1, 20))
  .max(50, "设施最多50项")
  .meta({ title: "设施", kind: "text" });

const meta = (title: string): FieldMeta => ({ title, kind: "number", unit: "㎡" });

/** Square metres that somebody types: 0.01 to 999999.99. */
export const areaInput = (title: string) =>
  z
    .number({ error: ({ input }) => (input === undefined ? `请输入${title}` : "面积格式不正确") })
    .refine((value) => area(String(value)) === undefined, "面积格式不正确")
    .meta(meta(title));

/** Square metres in a reply. The database keeps them as decimals and gives them as text. */
export const areaOf = (title: string) => z.coerce.number().meta(meta(title));
