import { expect, test } from "vitest";
import { needsOf, ofAnyKind, permitOf } from "./kind.rules.ts";

test("an act has the code of its contract's page", () => {
  expect(permitOf("renter", "add")).toBe("9.add");
  expect(permitOf("company", "sign")).toBe("#1101");
  expect(permitOf("merchant", "blackListed")).toBe("#10706");
});

test("of what a call asks for, only the codes of the contract's own page count", () => {
  const needs = ofAnyKind("add", "sign");
  expect(needs).toEqual(["9.add", "#901", "11.add", "#1101", "107.add", "#10701"]);
  expect(needsOf(needs, "renter")).toEqual(["9.add", "#901"]);
  expect(needsOf(needs, "company")).toEqual(["11.add", "#1101"]);
  expect(needsOf(needs, "merchant")).toEqual(["107.add", "#10701"]);
  expect(needsOf(["26.query", "11.query"], "renter")).toEqual([]);
});
