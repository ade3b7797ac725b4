import { expect, test } from "vitest";
import { isWhole, stageWord } from "./choice.rules.ts";

test("a whole number is told from part of one and from a name", () => {
  for (const typed of [
    "13755556666",
    "0571-88886666",
    "91330108MA2H12345X",
    "330106199001011234",
    "E12345678",
  ])
    expect(isWhole(typed)).toBe(true);
  for (const typed of ["", "6666", "沈知夏", "1375", "云栖软件"]) expect(isWhole(typed)).toBe(false);
});

test("people live in rooms, firms rent them", () => {
  expect(stageWord("renter", "living")).toBe("在住");
  expect(stageWord("company", "living")).toBe("在租");
  expect(stageWord("merchant", "prospect")).toBe("意向");
});
