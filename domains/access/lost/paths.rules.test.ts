import { expect, test } from "vitest";
import { ROUTES } from "../../../platform/checks/specification/routes.ts";
import { KNOWN_PATHS } from "./paths.rules.ts";

test("every route that needs a function is known with exactly its functions", () => {
  const wanted = ROUTES.filter(([, codes]) => Array.isArray(codes)).map(
    ([path, codes]) => [path, [...(codes as readonly number[])].toSorted((a, b) => a - b)] as const,
  );
  const known = [...KNOWN_PATHS].map(([path, { codes }]) => [path, codes.toSorted((a, b) => a - b)] as const);
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(wanted));
});

test("each goes by the title of the route", () => {
  for (const [path, codes, kind, title] of ROUTES)
    if (Array.isArray(codes) && kind !== "menu") expect(KNOWN_PATHS.get(path)?.title, path).toBe(title);
});
