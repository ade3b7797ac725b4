import type { ZodType } from "zod";
import { metaOf } from "./field.ts";

type Def = {
  shape?: Record<string, ZodType>;
  options?: readonly ZodType[];
  element?: ZodType;
  innerType?: ZodType;
  in?: ZodType;
  left?: ZodType;
  right?: ZodType;
};

/** The ids of files that a value holds: whatever stands in its fields of the kind `file`. */
export function fileIdsIn(schema: ZodType | undefined, value: unknown): number[] {
  if (!schema || value === null || value === undefined) return [];
  if (metaOf(schema)?.kind === "file")
    return [value].flat().filter((id): id is number => typeof id === "number");
  const def = schema.def as Def;
  const parts = [def.innerType, def.in, def.left, def.right, ...(def.options ?? [])];
  const inside = parts.flatMap((part) => fileIdsIn(part, value));
  if (Array.isArray(value)) return [...inside, ...value.flatMap((one) => fileIdsIn(def.element, one))];
  if (typeof value !== "object") return inside;
  const fields = Object.entries(def.shape ?? {});
  return [
    ...inside,
    ...fields.flatMap(([key, field]) => fileIdsIn(field, (value as Record<string, unknown>)[key])),
  ];
}
