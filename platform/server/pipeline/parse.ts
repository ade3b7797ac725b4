import type { ZodType } from "zod";
import type { Call } from "../../kernel/call.ts";
import { invalid, notFound, type FieldError } from "../../kernel/refusal.ts";
import { inChinese, wrongFields } from "./validation-messages.ts";
import { unstorableIn } from "./storable.ts";

/** The parts of a request as their schemas read them. Refuses with every wrong field, or with 404 for a wrong address. */
export function parse(
  call: Call,
  request: Record<"params" | "query" | "body", unknown>,
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  const wrong: FieldError[] = [];
  for (const part of ["params", "query", "body"] as const) {
    const schema: ZodType | undefined = call[part];
    if (!schema) continue;
    const strange = unstorableIn(request[part]);
    if (strange !== undefined) {
      if (part === "params") throw notFound();
      wrong.push({ field: strange, msg: "含有无法保存的字符，请删除后重试" });
      continue;
    }
    const result = schema.safeParse(request[part] ?? {}, inChinese);
    if (result.success) given[part] = result.data;
    else wrong.push(...wrongFields(result.error));
  }
  // An id in the path that is no id names nothing: the same answer as for a record that does not exist.
  if (wrong.length && call.params && !call.params.safeParse(request.params).success) throw notFound();
  if (wrong.length) throw invalid(...wrong);
  return given;
}
