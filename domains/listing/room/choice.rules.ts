import { z } from "zod";
import { freely, input } from "../../../platform/kernel/field.ts";

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
