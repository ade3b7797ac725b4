import { expect, test } from "vitest";
import { leftOut } from "./collection.rules.ts";

test("a sheet that shows only some of many days says how many there are, and one that shows all says nothing", () => {
  expect(leftOut(365, 200, "前", "天")).toBe("共 365 天，此处列前 200 天，全部请导出。");
  expect(leftOut(200, 200, "前", "天")).toBeUndefined();
  expect(leftOut(0, 200, "最近", "天")).toBeUndefined();
});
