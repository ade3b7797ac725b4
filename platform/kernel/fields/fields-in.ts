import type { ZodType } from "zod";

type Def = {
  shape?: Record<string, ZodType>;
  options?: readonly ZodType[];
  element?: ZodType;
  innerType?: ZodType;
  in?: ZodType;
  left?: ZodType;
  right?: ZodType;
};

/** Numbers that stand, alone or in a list, in the fields of a value that are picked by their schema or their name. */
export function numbersIn(
  schema: ZodType | undefined,
  value: unknown,
  picks: (schema: ZodType, name: string) => boolean,
  name = "",
): number[] {
  if (!schema || value === null || value === undefined) return [];
  if (picks(schema, name)) return [value].flat().filter((one): one is number => typeof one === "number");
  const def = schema.def as Def;
  const parts = [def.innerType, def.in, def.left, def.right, ...(def.options ?? [])];
  const inside = parts.flatMap((part) => numbersIn(part, value, picks, name));
  if (Array.isArray(value))
    return [...inside, ...value.flatMap((one) => numbersIn(def.element, one, picks, name))];
  if (typeof value !== "object") return inside;
  const fields = Object.entries(def.shape ?? {});
  return [
    ...inside,
    ...fields.flatMap(([key, field]) =>
      numbersIn(field, (value as Record<string, unknown>)[key], picks, key),
    ),
  ];
}
