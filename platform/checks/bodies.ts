import { z, type ZodType } from "zod";
import type { Call } from "../kernel/call.ts";

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

/** A value that has the shape, as far as a schema says it; `text` stands wherever free text may. */
function valueOf(schema: Json, text: string): unknown {
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const some = schema.anyOf ?? schema.oneOf;
  if (some) return valueOf(some[0]!, text);
  const type = [schema.type].flat()[0];
  if (type === "object")
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([k, v]) => [k, valueOf(v, text)]));
  if (type === "array") return schema.items ? [valueOf(schema.items, text)] : [];
  if (type === "boolean") return true;
  if (type === "number" || type === "integer") return Math.max(1, schema.minimum ?? 1);
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
export const bodyWith = (call: Call, text: string): unknown => valueOf(schemaOf(call.body!), text);
