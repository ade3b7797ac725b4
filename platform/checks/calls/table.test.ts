import { expect, test } from "vitest";
import { everyServed } from "../../server/pipeline/serve.ts";
import { textOf } from "../tree.ts";
import { callsAsMarkdown } from "./table.ts";

test("docs/calls.gen.md is current: no permission and no bound changes unseen", async () => {
  const served = await everyServed();
  expect(callsAsMarkdown(served.map(({ call }) => call))).toBe(textOf("docs/calls.gen.md"));
});
