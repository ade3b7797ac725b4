import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";

const preferences = callsAt("/system/api/v3/preference", "preference");

const params = z.object({ key: z.string().regex(/^[\w.:/-]{1,100}$/) });
export const MOST_BYTES = 20_480;
export const MOST_KEYS = 500;

/** What this operator chose under a key, in any browser; null when nothing is kept. */
export const getPreference = preferences.get("/:key", "读取个人设置", "login", {
  params,
  reply: z.object({ value: z.unknown() }),
});

export const putPreference = preferences.put("/:key", "保存个人设置", "login", {
  params,
  body: z.object({
    /** Null forgets it. */
    value: z
      .json()
      .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= MOST_BYTES, "个人设置过大")
      .meta({ wording: "program" }),
  }),
  reply: z.null(),
});
