import type { FastifyRequest } from "fastify";
import type { Call } from "../../kernel/call.ts";
import { Refusal } from "../../kernel/refusal.ts";
import type { Upload } from "../pipeline/act.ts";

/** Files and fields of a multipart request. Refused when it is none, or has more or larger files than the call takes. */
export async function uploads(request: FastifyRequest, limit: NonNullable<Call["upload"]>) {
  if (!request.isMultipart()) throw new Refusal("invalid", "请上传文件", 400);
  const body: Record<string, unknown> = {};
  const files: Upload[] = [];
  try {
    for await (const part of request.parts({ limits: { fileSize: limit.maxBytes, files: limit.maxFiles } })) {
      if (part.type !== "file") {
        body[part.fieldname] = part.value;
        continue;
      }
      const bytes = await part.toBuffer();
      files.push({ field: part.fieldname, name: part.filename, type: part.mimetype, bytes });
    }
  } catch (error) {
    // what the parser cannot read was sent wrong; only limits carry a status of their own
    if ((error as { statusCode?: number }).statusCode) throw error;
    throw new Refusal("invalid", "请求格式不正确", 400);
  }
  return { body, files };
}
