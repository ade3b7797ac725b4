import { expect, test } from "vitest";
import { ZodType } from "zod";
import { refinesEarly } from "../../kernel/fields/refinements.ts";
import { everyServed } from "../../server/pipeline/serve.ts";
import { ROOT, expectNone, filesOf, textOf } from "../tree.ts";

const REFINES = /\.(refine|superRefine)\(/;
const refining = filesOf().filter(
  (path) => /^domains\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && REFINES.test(textOf(path)),
);

test("no refinement of what a call takes runs over fields that failed", async () => {
  const early = (await everyServed()).flatMap(({ call }) =>
    (["params", "query", "body"] as const)
      .filter((part) => call[part] && refinesEarly(call[part]))
      .map((part) => `${call.method} ${call.path} ${part}`),
  );
  expectNone(early, "call() lets refinements run last; these calls are made without it");
});

test("refined schemas stand in contracts and rules, and belong to calls or run last by themselves", async () => {
  expect(refining.length).toBeGreaterThan(30);
  const away = refining.filter((path) => !/\.(contract|rules)\.ts$/.test(path));
  expectNone(away, "What people send is described in a contract");
  const early: string[] = [];
  for (const path of refining)
    for (const [name, value] of Object.entries((await import(ROOT + path)) as Record<string, unknown>))
      if (value instanceof ZodType && refinesEarly(value)) early.push(`${path} ${name}`);
  expectNone(
    early,
    "Put refineLast() around these schemas: no call takes them, so their refinements run over failed fields",
  );
});
