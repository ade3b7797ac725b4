import { expect, test } from "vitest";
import { stillThere } from "./picked.ts";

test("what was picked stays picked while it stands as it stood", () => {
  const picked = [
    { id: 1, version: 1 },
    { id: 2, version: 1 },
    { id: 3, version: 1 },
  ];
  const rows = [
    { id: 1, version: 1 },
    { id: 2, version: 2 },
  ];
  expect(stillThere(picked, rows).map((row) => row.id)).toEqual([1]);
  expect(stillThere(picked, [])).toEqual([]);
});
