import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { z, type ZodType } from "zod";
import type { Call } from "../../kernel/call.ts";
import { signedOut } from "../../kernel/refusal.ts";
import { tokenOf } from "./http.ts";
import type { House } from "../pipeline/pipeline.ts";
import { findSession } from "../pipeline/session.ts";

type Json = Record<string, unknown>;
const schemaOf = (schema: ZodType, io: "input" | "output") =>
  z.toJSONSchema(schema, { io, unrepresentable: "any", target: "draft-2020-12" }) as Json & {
    properties?: Record<string, Json>;
    required?: string[];
  };

function parameters(call: Call): Json[] {
  return (["params", "query"] as const).flatMap((part) => {
    const schema = call[part];
    if (!schema) return [];
    const json = schemaOf(schema, "input");
    return Object.entries(json.properties ?? {}).map(([name, value]) => ({
      name,
      in: part === "params" ? "path" : "query",
      required: part === "params" || !!json.required?.includes(name),
      schema: value,
    }));
  });
}

function bodyOf(call: Call): Json {
  if (call.upload)
    return {
      requestBody: {
        content: {
          "multipart/form-data": {
            schema: { type: "object", properties: { file: { type: "string", format: "binary" } } },
          },
        },
      },
    };
  return call.body
    ? {
        requestBody: {
          required: true,
          content: { "application/json": { schema: schemaOf(call.body, "input") } },
        },
      }
    : {};
}

function answerOf(call: Call): Json {
  if (!call.reply) return { description: "文件", content: { "application/octet-stream": {} } };
  const data = schemaOf(call.reply, "output");
  const schema = {
    type: "object",
    required: ["code", "message", "data"],
    properties: { code: { const: 200 }, message: { type: "string" }, data },
  };
  return { description: "成功", content: { "application/json": { schema } } };
}

const VERSION = "7.0.1";

/**
 * /openapi.json, written once: making it takes half a second. In production only who is signed in reads it; it names every
 * call there is.
 */
export function serveOpenapi(
  app: FastifyInstance,
  { database, settings }: Pick<House, "database" | "settings">,
  calls: Call[],
): void {
  let made: { text: string; etag: string } | undefined;
  app.get("/openapi.json", async (request, reply) => {
    const token = tokenOf(request);
    if (settings.MODE === "production" && !(token && (await findSession(database.pool, token))))
      throw signedOut();
    made ??= written(calls);
    reply.header("etag", made.etag).header("cache-control", "no-cache");
    if (request.headers["if-none-match"] === made.etag) return reply.status(304).send();
    return reply.type("application/json; charset=utf-8").send(made.text);
  });
}

function written(calls: Call[]): { text: string; etag: string } {
  const text = JSON.stringify(openapi(calls, VERSION));
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
}

/** OpenAPI 3.1 of every call, made from the same declarations that serve them. */
function openapi(calls: Call[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const call of calls.toSorted((a, b) => a.path.localeCompare(b.path))) {
    const path = call.path.replace(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[call.method.toLowerCase()] = {
      summary: call.summary,
      "x-needs": call.needs,
      ...(call.needs === "public" ? { security: [] } : {}),
      parameters: [
        ...parameters(call),
        ...(call.money
          ? [{ name: "Idempotency-Key", in: "header", required: true, schema: { type: "string" } }]
          : []),
      ],
      ...bodyOf(call),
      responses: { 200: answerOf(call), default: { $ref: "#/components/responses/refusal" } },
    };
  }
  const field = { type: "object", properties: { field: { type: "string" }, msg: { type: "string" } } };
  const refusal = {
    type: "object",
    properties: {
      code: { type: "integer" },
      message: { type: "string" },
      reason: { type: "string" },
      fields: { type: "array", items: field },
      requestId: { type: "string" },
    },
  };
  return {
    openapi: "3.1.0",
    info: { title: "智慧公寓 Smart Apartment Management Platform", version },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "apiKey", in: "header", name: "Authorization" } },
      responses: {
        refusal: { description: "拒绝或错误", content: { "application/json": { schema: refusal } } },
      },
    },
  };
}
