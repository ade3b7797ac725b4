import { describe, expect, test } from "vitest";
import { holdRefusal, planOf, RESERVATION_MOVES } from "./reservation.rules.ts";

const row = { held: 100_000, earnestKind: "定金" as const, signing: false };

describe("moves", () => {
  test("订金 is never forfeited; 定金 only while it is held", () => {
    const forfeit = (more: object) =>
      RESERVATION_MOVES.refusal("forfeit", { ...row, status: "held", ...more });
    expect(forfeit({ earnestKind: "订金" })).toBe("订金不能没收");
    expect(forfeit({ held: 0 })).toBe("没有已收的定金，不能没收");
    expect(forfeit({})).toBeUndefined();
    expect(forfeit({ status: "lapsed" })).toBeUndefined();
    expect(forfeit({ status: "pending" })).toBe("当前状态为“待付定金”，不能没收");
  });

  test("while its contract is being signed nothing else happens to it", () => {
    for (const move of ["extend", "changeRoom", "convert", "giveUp", "refund", "forfeit", "lapse"] as const)
      expect(RESERVATION_MOVES.refusal(move, { ...row, status: "held", signing: true })).toBe(
        "合同签署中，请先撤回合同",
      );
    expect(RESERVATION_MOVES.next("sign", { ...row, status: "held", signing: true })).toBe("converted");
  });

  test("what was paid goes back by a refund, never silently", () => {
    expect(RESERVATION_MOVES.refusal("giveUp", { ...row, status: "held" })).toBe("已收定金，请选择退款");
    expect(RESERVATION_MOVES.refusal("giveUp", { ...row, held: 0, status: "held" })).toBeUndefined();
    expect(RESERVATION_MOVES.refusal("refund", { ...row, held: 0, status: "held" })).toBe(
      "没有已收的定金，不需要退款",
    );
  });
});

test("kept at most as long as the store allows, counted from the day it was held", () => {
  expect(holdRefusal("2026-12-05", "2026-11-20", "2026-11-20", 15)).toBeUndefined();
  expect(holdRefusal("2026-12-06", "2026-11-20", "2026-11-20", 15)).toBe("预订保留期不能超过 15 天");
  expect(holdRefusal("2026-11-19", "2026-11-20", "2026-11-20", 15)).toBe("保留至不能早于今天");
});

test("a plan says months of deposit and of rent at a time", () => {
  expect(planOf("2-1")).toEqual({ depositMonths: "2", cycleMonths: 1 });
  expect(planOf("1-12")).toEqual({ depositMonths: "1", cycleMonths: 12 });
});
