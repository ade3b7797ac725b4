import { z } from "zod";
import { brandSchema } from "../../../platform/kernel/texts/brand.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const brands = callsAt("/system/api/v3/brand");

/** The brand of this deployment, for the page before anybody has signed in; in a demo with the accounts to try. */
export const currentBrand = brands.get("/current", "当前品牌", "public", {
  reply: brandSchema.extend({
    /** Where its calls go from here: a setting may name another address than the brand's own. */
    apiBase: z.string(),
    /** The issuer that people may sign in with, by the name the page calls it. */
    sso: z.object({ name: z.string() }).optional(),
    /** Characters that a new password has at least. */
    passwordMin: z.number().int(),
    demo: z
      .object({
        accounts: z.array(z.object({ account: z.string(), password: z.string(), name: z.string() })),
      })
      .optional(),
  }),
});

/** Every brand that there is, for whoever chooses one; which is seen by default and by which host names. */
export const listBrands = brands.get("", "品牌列表", "94.query", {
  reply: z.array(
    brandSchema.extend({
      active: z.boolean(),
      hosts: z.array(z.string()),
      /** Contrast of white and of near-black words on the theme colour, 1 to 21. */
      white: z.number(),
      dark: z.number(),
    }),
  ),
});
