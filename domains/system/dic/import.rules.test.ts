import { expect, test } from "vitest";
import { columnsOf, strayKeys } from "./import.rules.ts";

test("a group offers its words by their titles, and what it does not know is named", () => {
  const [group] = columnsOf("house");
  expect(Object.values(group!.words!).map(([title]) => title)).toContain("房间标签");
  expect(strayKeys("house", "orientation", { colour: "green", name: "东南偏南" })).toEqual(["colour"]);
  expect(strayKeys("house", "roomTag", { colour: "green", hint: "擦" })).toEqual(["hint"]);
  expect(strayKeys("house", "cleanList", { hint: "擦", photo: "true" })).toEqual([]);
});
