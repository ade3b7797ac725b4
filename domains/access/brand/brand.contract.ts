import { z } from "zod";
import { brandSchema } from "../../../platform/kernel/brand.ts";
import { call } from "../../../platform/kernel/call.ts";

/** The brand of this deployment, for the page before anybody has signed in; in a demo with the accounts to try. */
export const currentBrand = call({
  method: "GET",
  path: "/system/api/v3/brand/current",
  summary: "当前品牌",
  needs: "public",
  reply: brandSchema.extend({
    /** The issuer that people may sign in with, by the name the page calls it. */
    sso: z.object({ name: z.string() }).optional(),
    demo: z
      .object({
        accounts: z.array(z.object({ account: z.string(), password: z.string(), name: z.string() })),
      })
      .optional(),
  }),
});
