import { type ZodType, z } from "zod";
import type { Call } from "../../kernel/call.ts";

type Json = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Json[];
  oneOf?: Json[];
  properties?: Record<string, Json>;
  items?: Json;
  pattern?: string;
  format?: string;
  minimum?: number;
  minItems?: number;
  minLength?: number;
};

/** The id of a record that a field of this name may mean. */
export type IdOf = (field: string) => number | undefined;

/** A value that has the shape, as far as a schema says it; `text` stands wherever free text may, an id where one is known. */
export function valueOf(schema: Json, text: string, idOf: IdOf = () => undefined, field = ""): unknown {
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const some = schema.anyOf ?? schema.oneOf;
  if (some) return valueOf(some[0]!, text, idOf, field);
  const type = [schema.type].flat()[0];
  if (type === "object")
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([k, v]) => [k, valueOf(v, text, idOf, k)]),
    );
  if (type === "array") return schema.items ? [valueOf(schema.items, text, idOf, field)] : [];
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return idOf(field) ?? Math.max(1, schema.minimum ?? 1);
  if (schema.format === "date") return "2026-11-20";
  if (schema.format === "date-time") return "2026-11-20T01:00:00Z";
  return text;
}

export const schemaOf = (body: ZodType): Json =>
  z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as Json;

const hasText = (schema: Json): boolean =>
  [schema.type].flat()[0] === "string"
    ? !schema.enum && !schema.format && !("const" in schema)
    : [
        ...(schema.anyOf ?? []),
        ...(schema.oneOf ?? []),
        ...Object.values(schema.properties ?? {}),
        schema.items,
      ].some((inner) => inner && hasText(inner));

/** Whether a call takes free text anywhere. */
export const takesText = (call: Call): boolean => !!call.body && hasText(schemaOf(call.body));
/** A body of the call's shape with the text in every place for it. */
export const bodyWith = (call: Call, text: string, idOf?: IdOf): unknown =>
  valueOf(schemaOf(call.body!), text, idOf);
