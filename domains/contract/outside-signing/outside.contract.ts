import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

export const CALLBACK_PATH = "/contract/api/v3/esign/callback";

/** Where signing providers tell of what happened. Who may tell is what the signature says; what happened is asked anew. */
export const signCallback = callsAt(CALLBACK_PATH).post("/:provider", "签署服务通知", "public", {
  raw: true,
  perMinute: 600,
  params: z.object({ provider: z.literal("esign", "签署服务不存在") }),
  query: z.object({ account: z.coerce.number().pipe(f.id) }),
  reply: z.object({ code: z.literal("200"), msg: z.literal("success") }),
});
