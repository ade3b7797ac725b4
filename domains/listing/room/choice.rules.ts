import { z } from "zod";

/** A word of the house dictionary, or none. */
export const wordOrNone = <W extends readonly [string, ...string[]]>(title: string, words: W) =>
  z
    .enum(["", ...words] as ["", ...W], { error: `请选择${title}` })
    .default("")
    .meta({ title, kind: "text" });
