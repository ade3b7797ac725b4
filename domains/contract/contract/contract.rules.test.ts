import { expect, test } from "vitest";
import {
  contractMoves,
  phaseOf,
  roomCountText,
  roomsLeft,
  roomsText,
  voidObstacles,
  whyNotKeeper,
  type Facts,
  type RoomHeld,
  type State,
} from "./contract.rules.ts";

const TODAY = "2026-03-15";
const facts = (more: Partial<Facts> = {}): Facts => ({
  today: TODAY,
  start: "2026-03-15",
  handoverOn: null,
  submitted: true,
  received: 0,
  invoiced: 0,
  firstOpen: 0,
  depositOpen: 0,
  moveInRule: "any",
  roomHeld: null,
  mayOverride: false,
  mayWithdraw: true,
  frozen: null,
  ...more,
});
const held = (why: RoomHeld["why"]) => ({ why, room: "1203" });
type Move = Parameters<typeof contractMoves.refusal>[0];
const why = (move: Move, status: State, more: Partial<Facts> = {}) =>
  contractMoves.refusal(move, { ...facts(more), status });

test("an effective contract is yet to start, runs, or ends within 30 days", () => {
  const phase = (start: string, end: string) => phaseOf({ state: "effective", start, end }, TODAY);
  expect(phase("2026-03-16", "2027-03-15")).toBe("toStart");
  expect(phase("2026-03-15", "2027-03-14")).toBe("living");
  expect(phase("2025-03-15", "2026-04-15")).toBe("living");
  expect(phase("2025-03-15", "2026-04-14")).toBe("ending");
  expect(phaseOf({ state: "draft", start: null, end: null }, TODAY)).toBe("draft");
  expect(phaseOf({ state: "voided", start: "2026-03-16", end: "2027-03-15" }, TODAY)).toBe("voided");
});

test("what stands in the way of voiding is counted, from the first fen and the first invoice on", () => {
  expect(voidObstacles(facts())).toEqual([]);
  expect(voidObstacles(facts({ received: 1 }))).toEqual(["已收 0.01 元"]);
  expect(voidObstacles(facts({ invoiced: 1, handoverOn: TODAY }))).toEqual(["已开发票 1 张", "已办理入住"]);
  expect(why("void", "effective")).toBeUndefined();
  expect(why("void", "effective", { received: 1 })).toBe("已收 0.01 元，不能作废，请办理退房");
  expect(why("void", "effective", { handoverOn: TODAY })).toBe("已办理入住，不能作废");
});

test("a draft is deleted before it was handed in, and voided after", () => {
  expect(why("void", "draft", { submitted: false })).toBe("未提交过的草稿请直接删除");
  expect(why("void", "draft")).toBeUndefined();
  expect(why("void", "signing", { submitted: false })).toBeUndefined();
  expect(why("remove", "draft")).toBe("提交过的合同不能删除，请作废");
  expect(why("remove", "draft", { submitted: false })).toBeUndefined();
});

test("keys change hands from a week before on, once, into an empty room", () => {
  expect(why("handover", "effective", { start: "2026-03-22" })).toBeUndefined();
  expect(why("handover", "effective", { start: "2026-03-23" })).toBe("起租日前 7 天内才能办理入住");
  expect(why("handover", "effective", { handoverOn: "2026-03-14" })).toBe("已于 2026-03-14 办理入住");
  expect(why("handover", "effective", { roomHeld: held("lived") })).toBe("原租客尚未退房");
  expect(why("handover", "effective", { roomHeld: held("leaving") })).toBe("上一租约未结束，暂不能办理入住");
  expect(why("handover", "effective", { roomHeld: held("dirty") })).toBe(
    "1203 待保洁，完成保洁后才能办理入住",
  );
});

test("who owes what the rule asks for stays outside, unless somebody may let him in", () => {
  const move = (
    moveInRule: Facts["moveInRule"],
    firstOpen: number,
    depositOpen: number,
    mayOverride = false,
  ) => why("handover", "effective", { moveInRule, firstOpen, depositOpen, mayOverride });
  expect(move("firstPaid", 1, 0)).toBe("首期账单未付清（尚欠 0.01 元），不能办理入住");
  expect(move("firstPaid", 0, 500)).toBeUndefined();
  expect(move("depositPaid", 500, 1)).toBe("押金未付清（尚欠 0.01 元），不能办理入住");
  expect(move("depositPaid", 500, 0)).toBeUndefined();
  expect(move("any", 500, 500)).toBeUndefined();
  expect(move("firstPaid", 500, 500, true)).toBeUndefined();
});

test("the keeper can be changed until the contract is over", () => {
  expect(whyNotKeeper("effective")).toBeUndefined();
  expect(whyNotKeeper("expired")).toBeUndefined();
  expect(whyNotKeeper("terminated")).toBe("提前终止的合同不能换管家");
});

test("what waits for approval is neither edited, signed, voided nor settled; only its own submission is taken back", () => {
  for (const by of ["mine", "others"] as const) {
    const frozen = { frozen: by };
    for (const [move, state] of [
      ["edit", "draft"],
      ["submit", "draft"],
      ["sign", "signing"],
      ["withdraw", "signing"],
      ["void", "effective"],
      ["handover", "effective"],
      ["settle", "effective"],
    ] as const)
      expect(why(move, state, frozen), move).toBe("审批中，不能修改");
    expect(why("withdraw", "approving", frozen)).toBeUndefined();
    const others = { ...frozen, frozen: null, mayWithdraw: false };
    expect(why("withdraw", "signing", others)).toBe("只有提交人可以撤回");
    expect(why("withdraw", "approving", others)).toBe("只有提交人可以撤回");
    expect(why("approve", "approving", frozen)).toBeUndefined();
  }
  expect(why("sign", "approving")).toBe("当前状态为“审批中”，不能确认签署");
});

test("a line of the log names up to ten rooms, of more the first three and how many there are", () => {
  const rooms = Array.from({ length: 11 }, (_, i) => `A${101 + i}`);
  expect(roomsText(rooms.slice(0, 10).join("、"))).toBe(rooms.slice(0, 10).join("、"));
  expect(roomsText(rooms.join("、"))).toBe("A101、A102、A103 等 11 间");
});

test("rooms that were given back are counted beside those that are left; of one that has given back all, all are", () => {
  const rooms = [null, null, "2026-04-20"].map((leaveDate) => ({ leaveDate }));
  expect([roomsLeft(rooms).length, roomCountText(rooms)]).toEqual([2, "2 间，另有 1 间已退"]);
  expect(roomCountText(rooms.slice(0, 2))).toBe("2 间");
  expect(roomCountText(rooms.slice(2))).toBe("1 间");
});
