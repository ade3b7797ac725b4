import type { ZodType } from "zod";
import { metaOf } from "../field.ts";
import { numbersIn } from "./fields-in.ts";

/** The ids of files that a value holds: whatever stands in its fields of the kind `file`. */
export const fileIdsIn = (schema: ZodType | undefined, value: unknown): number[] =>
  numbersIn(schema, value, (field) => metaOf(field)?.kind === "file");
