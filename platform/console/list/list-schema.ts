import type { z, ZodType } from "zod";
import type { Call, Reply, Sent } from "../../kernel/call.ts";
import { metaOf, type FieldMeta } from "../../kernel/field.ts";

export type ListCall = Call<ZodType | undefined, z.ZodObject, undefined, z.ZodObject>;
export type Row<C> = Reply<C> extends { list: (infer R)[] } ? R : never;
export type Query<C> = Sent<C> extends { query: infer Q } ? Q : Record<string, never>;
export type QueryKey<C> = keyof Query<C> & string;
export type ListReply<R> = {
  list: R[];
  total: number | null;
  sums?: Record<string, number | null> | null | undefined;
};

type Shape = Record<string, ZodType | undefined>;

/** Fields of an object schema, through optional, nullable, refine and lazy wrappers. */
export function shapeOf(schema: ZodType | undefined): Shape {
  let s: ZodType | undefined = schema;
  while (s) {
    const def = s.def as unknown as { shape?: Shape; innerType?: ZodType; in?: ZodType; element?: ZodType };
    if (def.shape) return def.shape;
    s = def.innerType ?? def.in;
  }
  return {};
}

/** The schema of one element of a list, through the same wrappers. */
export function elementOf(schema: ZodType | undefined): ZodType | undefined {
  let s: ZodType | undefined = schema;
  while (s) {
    const def = s.def as unknown as { element?: ZodType; innerType?: ZodType; in?: ZodType };
    if (def.element) return def.element;
    s = def.innerType ?? def.in;
  }
  return undefined;
}

/** The schema at "lines.0.amount". */
export const schemaAt = (schema: ZodType | undefined, path: string): ZodType | undefined =>
  path
    .split(".")
    .reduce<ZodType | undefined>((at, key) => (/^\d+$/.test(key) ? elementOf(at) : shapeOf(at)[key]), schema);

export const rowShape = (call: Pick<Call, "reply">): Shape => shapeOf(elementOf(shapeOf(call.reply)["list"]));

export function sortable(call: Pick<Call, "query">): readonly string[] {
  let s = shapeOf(call.query)["sort"];
  while (s) {
    const def = s.def as unknown as { entries?: Record<string, string>; innerType?: ZodType };
    if (def.entries) return Object.keys(def.entries);
    s = def.innerType;
  }
  return [];
}

/** Label and kind of a field; a field without any is shown as text under its own name. */
export const metaAt = (shape: Shape, key: string): FieldMeta => {
  const schema = shape[key];
  return (schema && metaOf(schema)) ?? { title: key, kind: "text" };
};
