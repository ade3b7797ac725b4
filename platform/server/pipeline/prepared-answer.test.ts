import { expect, test } from "vitest";
import { z } from "zod";
import { keptAnswer, trimmedOnce, writtenOnce } from "./prepared-answer.ts";

test("a kept answer is trimmed, written and compressed once, whoever asks", async () => {
  const made = { trims: 0, texts: 0 };
  const row = z.object({ id: z.number() });
  const trim = (value: unknown) => (made.trims++, z.array(row).parse(value));
  const write = (data: unknown) => (made.texts++, JSON.stringify(data));
  const answer = keptAnswer([{ id: 1, secret: "x" }]);
  const asked = async (accepts: string) => writtenOnce(trimmedOnce(answer, trim), accepts, write);
  const first = await Promise.all([asked("br"), asked("br"), asked("gzip, br")]);
  expect(new Set(first.map((a) => a!.body)).size).toBe(1);
  expect(made).toEqual({ trims: 1, texts: 1 });
  expect(await asked("identity")).toMatchObject({ encoding: undefined, body: '[{"id":1}]' });
});

test("any other answer is trimmed and written each time", () => {
  const answer = [{ id: 1 }];
  let trims = 0;
  const trim = (value: unknown) => (trims++, value);
  trimmedOnce(answer, trim);
  expect(writtenOnce(trimmedOnce(answer, trim), "br", JSON.stringify)).toBe(undefined);
  expect(trims).toBe(2);
});
