import { expect, test } from "vitest";
import type { ZodType } from "zod";
import { testHouse } from "../../server/process/house.sample.ts";

const house = await testHouse();
const WRONG = ["#正常文字", "正常<文字", "*", "ab<cd", "。正常文字", "正常`文字", "正常\\文字", "正常^文字"];

type Def = {
  type: string;
  shape?: Record<string, ZodType>;
  element?: ZodType;
  valueType?: ZodType;
  options?: ZodType[];
  innerType?: ZodType;
  in?: ZodType;
  left?: ZodType;
  right?: ZodType;
};

/** Every text inside a schema that takes what free text refuses, by its place. What is secret or says what it is (`f.worded`) may. */
function loose(schema: ZodType, at: string): string[] {
  const { secrecy, wording } = schema.meta() ?? {};
  if (secrecy || wording) return [];
  const def = schema.def as unknown as Def;
  if (def.shape) return Object.entries(def.shape).flatMap(([key, of]) => loose(of, `${at}.${key}`));
  const item = def.element ?? def.valueType;
  if (item) return loose(item, `${at}[]`);
  if (def.type === "string") return WRONG.some((text) => schema.safeParse(text).success) ? [at] : [];
  const parts = [...(def.options ?? []), def.left, def.right, def.innerType, def.in];
  return parts.flatMap((part) => (part ? loose(part, at) : []));
}

test("no text of a body takes what the specification refuses, unless its kind says why", () => {
  expect(house.served.length).toBeGreaterThan(400);
  const found = house.served.flatMap(({ call }) =>
    call.body ? loose(call.body, `${call.method} ${call.path} `) : [],
  );
  expect([...new Set(found)]).toEqual([]);
});
