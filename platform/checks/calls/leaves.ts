import type { ZodType } from "zod";

export type Leaf = { at: string; schema: ZodType };
type Def = {
  type: string;
  innerType?: ZodType;
  element?: ZodType;
  in?: ZodType;
  shape?: Record<string, ZodType>;
  options?: ZodType[];
  left?: ZodType;
  right?: ZodType;
};

/** Every value of its own inside a schema, by its place. */
export function leavesOf(schema: ZodType, at: string): Leaf[] {
  const def = schema.def as unknown as Def;
  const inner = (of: ZodType, more = "") => leavesOf(of, at + more);
  if (def.shape) return Object.entries(def.shape).flatMap(([key, of]) => inner(of, `.${key}`));
  if (def.element) return inner(def.element, "[]");
  if (def.options) return def.options.flatMap((of) => inner(of));
  if (def.innerType && !schema.meta()?.["kind"]) return inner(def.innerType);
  if (def.left && def.right) return [...inner(def.left), ...inner(def.right)];
  return [{ at, schema }];
}
