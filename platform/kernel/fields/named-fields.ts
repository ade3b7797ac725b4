import type { ZodType } from "zod";
import { numbersIn } from "./fields-in.ts";

/** What fields name by their own names: villageId, villageIds, homeVillageId, addVillages …, and entries of dictionaries. */
export const NAMED = {
  village: /(^v|V)illage(Ids?|s)$/,
  feeSubject: /^(feeSubject|subject|fee)Ids?$/,
  assetDic: /^assetDicIds?$/,
} as const;

/** The ids that a value holds in fields of such a name. */
export const idsNamedIn = (schema: ZodType | undefined, value: unknown, what: keyof typeof NAMED): number[] =>
  numbersIn(schema, value, (_, name) => NAMED[what].test(name)).filter((id) => id > 0);
