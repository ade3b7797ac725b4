import { expect, test } from "vitest";
import { APPLICATION_MOVES, expiryOf, holdUntilRefusal, priceRange } from "./application.rules.ts";

const facts = { partyType: "renter" as const, roomIds: [1], held: false };

test("a request waits fifteen days, a room is kept for three", () => {
  expect(expiryOf("2026-11-20")).toBe("2026-12-05");
  expect(holdUntilRefusal("2026-11-19", "2026-11-20")).toBe("保留至不能早于今天");
  expect(holdUntilRefusal("2026-11-20", "2026-11-20")).toBeUndefined();
  expect(holdUntilRefusal("2026-11-23", "2026-11-20")).toBeUndefined();
  expect(holdUntilRefusal("2026-11-24", "2026-11-20")).toBe("免定金保留最多3天");
});

test("other rooms are offered up to the budget, else within a fifth of the wanted room's rent", () => {
  expect(priceRange({ budget: 300_000, listPrice: 500_000 })).toEqual({ from: 150_000, to: 300_000 });
  expect(priceRange({ budget: null, listPrice: 300_000 })).toEqual({ from: 240_000, to: 360_000 });
  expect(priceRange({ budget: null, listPrice: 300_001 })).toEqual({ from: 240_001, to: 360_001 });
  expect(priceRange({ budget: null, listPrice: null })).toEqual({ from: 0, to: null });
});

test("only what was approved becomes a contract, and only with a room", () => {
  const why = (more: object, status: "submitted" | "approved" | "converted" = "approved") =>
    APPLICATION_MOVES.refusal("convert", { ...facts, status, ...more });
  expect(why({})).toBeUndefined();
  expect(why({}, "submitted")).toBe("当前状态为“待审核”，不能转合同");
  expect(why({ roomIds: [] })).toBe("请先通过换房推荐选定房间");
  expect(why({ roomIds: [1, 2] })).toBe("租客合同只能签一间房，请先选定房间");
  expect(why({ roomIds: [1, 2], partyType: "company" })).toBeUndefined();
  expect(APPLICATION_MOVES.next("giveBack", { ...facts, status: "converted" })).toBe("approved");
});

test("a room is kept once, for who asked for one room", () => {
  const why = (more: object) => APPLICATION_MOVES.refusal("hold", { ...facts, status: "submitted", ...more });
  expect(why({})).toBeUndefined();
  expect(why({ held: true })).toBe("已为该申请保留房间");
  expect(why({ roomIds: [1, 2] })).toBe("申请了多间房，不能保留");
  expect(why({ roomIds: [] })).toBe("请先通过换房推荐选定房间");
  expect(APPLICATION_MOVES.refusal("changeRoom", { ...facts, status: "approved", held: true })).toBe(
    "已保留房间，请先取消预订",
  );
});
