import { z } from "zod";

/** A word of the house dictionary, or none; the server looks whether it is offered. */
export const wordOrNone = (title: string) =>
  z
    .string({ error: `请选择${title}` })
    .trim()
    .max(20, `请选择${title}`)
    .default("")
    .meta({ title, kind: "text" });

/** Facilities of the dictionary. */
export const facilityWords = z
  .array(z.string().trim().min(1).max(20))
  .max(50, "设施最多50项")
  .meta({ title: "设施", kind: "text" });
