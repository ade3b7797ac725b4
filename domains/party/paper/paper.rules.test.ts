import { expect, test } from "vitest";
import { paperState } from "./paper.rules.ts";

test("a paper is ending from thirty days before its last day, and ended after it", () => {
  const on = (endDay: string | null) => paperState(endDay, "2026-11-20", "2026-12-20");
  expect(on(null)).toBe("valid");
  expect(on("2026-12-21")).toBe("valid");
  expect(on("2026-12-20")).toBe("ending");
  expect(on("2026-11-20")).toBe("ending");
  expect(on("2026-11-19")).toBe("ended");
});
