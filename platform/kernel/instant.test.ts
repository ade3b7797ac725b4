import { expect, test } from "vitest";
import { timeInZone } from "./day.ts";
import { INSTANT_FORMAT, endOfDay, startOfDay } from "./instant.ts";

test("a day begins at 00:00:00 and ends at 23:59:59", () => {
  expect(startOfDay("2026-11-20")).toBe("2026-11-20 00:00:00");
  expect(endOfDay("2026-11-20")).toBe("2026-11-20 23:59:59");
  expect(startOfDay("2026-11-20 09:05:07")).toBe("2026-11-20 00:00:00");
});

test("instants are written in the default format", () => {
  const written = timeInZone("2026-11-20T01:05:07Z");
  expect(written).toBe("2026-11-20 09:05:07");
  expect(written.replace(/\d/g, "0")).toBe(INSTANT_FORMAT.replace(/[A-Za-z]/g, "0"));
});
