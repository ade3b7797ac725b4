import { expect, test } from "vitest";
import type { ZodType } from "zod";
import { strangeTexts } from "../kernel/free-text.ts";
import { testHouse } from "../server/house.sample.ts";
import { leavesOf } from "./leaves.ts";

const house = await testHouse();
const WRONG = ["#正常文字", "正常<文字", "*", "ab<cd", "。正常文字", "正常`文字", "正常\\文字", "正常^文字"];

/** What may carry any character, and says so: secrets, and texts of a named kind. Found through the wrappers. */
function isNamed(schema: ZodType): boolean {
  const { secrecy, wording } = schema.meta() ?? {};
  const { innerType, in: input } = schema.def as { innerType?: ZodType; in?: ZodType };
  return !!secrecy || !!wording || [innerType, input].some((inner) => inner && isNamed(inner));
}

const texts = house.served.flatMap(({ call }) =>
  (call.body ? leavesOf(call.body, `${call.method} ${call.path}`) : []).filter(
    ({ schema }) => !isNamed(schema),
  ),
);

test("no text of a body takes what the specification refuses, unless its kind says why", () => {
  expect(texts.length).toBeGreaterThan(1000);
  const loose = texts.flatMap(({ at, schema }) =>
    WRONG.filter((text) => schema.safeParse(text).success && !strangeTexts(schema, text).length).map(
      (text) => `${at} takes ${text}`,
    ),
  );
  expect(loose).toEqual([]);
});
