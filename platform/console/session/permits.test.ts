import { expect, test } from "vitest";
import { may, mayOpen, permitsOf, setPermits } from "./permits.ts";

const operator = {
  role: {
    permissions: [
      { permissionId: 26, actionEntitySet: [{ action: "query" }, { action: "add" }] },
      { permissionId: 9 },
    ],
  },
  authorities: [2601],
  superType: "1",
};

test("pages, actions and authority codes become one set", () => {
  expect([...permitsOf(operator)].toSorted()).toEqual(["#2601", "26", "26.add", "26.query", "9"]);
});

test("what is the platform's own is for whoever runs it, not for the head of an enterprise", () => {
  expect(permitsOf(operator).has("super")).toBe(false);
  setPermits(permitsOf({ ...operator, superType: "0" }));
  expect(may("super")).toBe(true);
});

test("an answer without permissions is refused as the specification says", () => {
  expect(() => permitsOf({ role: {} as never, authorities: [], superType: "" })).toThrow(
    "roles must be a non-null array",
  );
});

test("what is not permitted is neither shown nor opened", () => {
  setPermits(permitsOf(operator));
  expect(may("26.add")).toBe(true);
  expect(may("26.delete")).toBe(false);
  expect(may("#2601")).toBe(true);
  expect(may(["9.add", "26.query"])).toBe(true);
  expect(may(undefined)).toBe(true);
  expect(mayOpen({ codes: [109, 9] })).toBe(true);
  expect(mayOpen({ codes: [108] })).toBe(false);
  expect(mayOpen({ codes: [] })).toBe(true);
});
