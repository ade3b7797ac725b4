import { expect, test } from "vitest";
import { firstWhy, stillThere } from "./picked.ts";

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

test("what stands in the way of an act on several is said with the one that it stands in the way of", () => {
  const rows = [{ no: "ZD1" }, { no: "ZD2", why: "账单已作废" }, { no: "ZD3", why: "账单已出账" }];
  const said = (of: typeof rows) =>
    firstWhy(
      of,
      (row) => row.no,
      (row) => row.why,
    );
  expect(said(rows)).toBe("ZD2 账单已作废");
  expect(said(rows.slice(0, 1))).toBeUndefined();
});
