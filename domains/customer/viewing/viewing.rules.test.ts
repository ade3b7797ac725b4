import { describe, expect, test } from "vitest";
import { timeRefusal, VIEWING_MOVES } from "./viewing.rules.ts";

const hours = { from: "09:00", to: "19:00" };

describe("when rooms are shown", () => {
  test.each([
    ["2026-11-21 09:00", 60, true, undefined],
    ["2026-11-21 18:00", 60, true, undefined],
    ["2026-11-21 18:30", 60, true, "该门店看房时间为 09:00-19:00"],
    ["2026-11-21 08:30", 30, true, "该门店看房时间为 09:00-19:00"],
    ["2026-11-21 10:15", 30, true, "看房时间须为整点或半点"],
    ["2026-11-21 10:30", 30, false, "看房时间须晚于现在"],
  ])("%s for %i minutes", (local, minutes, future, said) => {
    expect(timeRefusal(local, minutes, hours, future)).toBe(said);
  });
});

test("what is over is not moved again", () => {
  expect(VIEWING_MOVES.refusal("move", { assigneeId: 1, status: "viewed" })).toBe(
    "当前状态为“已看房”，不能改期",
  );
  expect(VIEWING_MOVES.refusal("confirm", { assigneeId: null, status: "pending" })).toBe("请先指派带看人");
  expect(VIEWING_MOVES.next("move", { assigneeId: 1, status: "confirmed" })).toBe("confirmed");
});
