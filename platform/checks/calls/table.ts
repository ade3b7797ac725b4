import { z, type ZodType } from "zod";
import type { Call } from "../../kernel/call.ts";

type Json = { [key: string]: unknown } & {
  type?: string;
  properties?: Record<string, Json>;
  required?: string[];
  items?: Json;
  anyOf?: Json[];
  enum?: unknown[];
  default?: unknown;
  title?: string;
  kind?: string;
};

/** Bounds of a value as JSON Schema names them, in the order in which they are read. */
const BOUNDS = ["minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const LISTS = ["minItems", "maxItems"];

const bounds = (json: Json, names: readonly string[]) =>
  names
    .filter((name) => json[name] !== undefined && json[name] !== Number.MAX_SAFE_INTEGER)
    .map((name) => `${name} ${String(json[name])}`);

/** Each value of its own in what is sent: its place, what it may be and its bounds. */
function leaves(json: Json, at: string, required: boolean): string[] {
  const mark = required ? "" : "?";
  if (json.anyOf) return json.anyOf.flatMap((each) => leaves(each, at, required));
  if (json.items) {
    const many = bounds(json, LISTS);
    return [
      ...(many.length ? [`${at}${mark}: ${many.join(", ")}`] : []),
      ...leaves(json.items, `${at}[]`, required),
    ];
  }
  if (json.properties)
    return Object.entries(json.properties).flatMap(([key, value]) =>
      leaves(value, at ? `${at}.${key}` : key, required && !!json.required?.includes(key)),
    );
  const words = json.enum ? [json.enum.map(String).join(" ")] : [];
  const usual = json.default === undefined ? [] : [`default ${JSON.stringify(json.default)}`];
  const told = [json.kind ?? json.type ?? "any", ...words, ...bounds(json, BOUNDS), ...usual].join(", ");
  return [`${at}${mark}${json.title ? ` ${json.title}` : ""}: ${told}`];
}

const sentOf = (schema: ZodType | undefined): string[] =>
  schema ? leaves(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json, "", true) : [];

function tableOf(call: Call): string {
  const flags = [
    call.effect,
    ...(
      ["money", "snapshot", "knows", "whileViewing", "beforeOwnPassword", "beforeSecondFactor"] as const
    ).filter((flag) => call[flag]),
    ...(call.perMinute ? [`${call.perMinute} a minute`] : []),
    ...(call.upload ? [`files: ${call.upload.maxFiles} of ${call.upload.maxBytes} bytes`] : []),
    `${call.timeout / 1000} s`,
  ];
  const parts = (["params", "query", "body"] as const).flatMap((part) =>
    [...new Set(sentOf(call[part]))].map((leaf) => `- ${part} ${leaf}`),
  );
  const head = `## ${call.method} ${call.path}\n\n${call.summary}: ${[call.needs].flat().join(" or ")}; ${flags.join(", ")}`;
  return [head, ...(parts.length ? [parts.join("\n")] : [])].join("\n\n");
}

/** docs/calls.gen.md: every call with who may send it, what may be sent, and within which bounds. */
export function callsAsMarkdown(calls: readonly Call[]): string {
  const sorted = calls.toSorted((a, b) => (a.path + a.method < b.path + b.method ? -1 : 1));
  const head =
    "# Calls\n\nMade by `npm run docs` from the declarations: who may send each call, what may be sent and within which bounds. A changed\nbound or permission shows here, where a reviewer sees it.";
  return `${[head, ...sorted.map(tableOf)].join("\n\n")}\n`;
}
