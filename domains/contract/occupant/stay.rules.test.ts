import { expect, test } from "vitest";
import { certTypeOf, leaves, roomCalled, rowsOf } from "./list.rules.ts";
import { type Place, type Stay, type Wish, leavesOn, mostAt, planStays, swapOf } from "./stay.rules.ts";

const room = (roomId: number, more: Partial<Place> = {}): Place => ({
  contractId: 1,
  roomId,
  roomName: `${roomId}`,
  capacity: 1,
  gender: "any",
  from: "2026-09-01",
  to: "2027-08-31",
  ...more,
});
const stay = (id: number, roomId: number, more: Partial<Stay> = {}): Stay => ({
  id,
  contractId: 1,
  roomId,
  from: "2026-09-01",
  to: "2027-08-31",
  ...more,
});
const wish = (row: number, to: Place | null, more: Partial<Wish> = {}): Wish => ({
  row,
  gender: null,
  to,
  ...more,
});
const DAY = "2026-11-20";

test("two may swap full rooms, nobody may come into one", () => {
  const [a, b] = [stay(1, 101), stay(2, 102)];
  const swap = planStays([a, b], [wish(0, room(102), { stay: a }), wish(1, room(101), { stay: b })], DAY);
  expect(swap.wrong).toEqual([]);
  expect(swap.changes.map((c) => [c.last, c.place?.roomId, c.place?.from, c.place?.to])).toEqual([
    ["2026-11-19", 102, DAY, "2027-08-31"],
    ["2026-11-19", 101, DAY, "2027-08-31"],
  ]);
  expect(planStays([a, b], [wish(0, room(102), { stay: a })], DAY).wrong).toEqual([
    { row: 0, field: "roomId", msg: "该房间已住满" },
  ]);
});

test("the last bed is counted row by row, on every day to come", () => {
  const later = stay(3, 101, { from: "2027-01-01" });
  const two = room(101, { capacity: 2 });
  expect(mostAt([stay(1, 101, { to: "2026-12-31" }), later], DAY)).toBe(1);
  expect(mostAt([stay(1, 101, { to: "2027-01-01" }), later], DAY)).toBe(2);
  expect(planStays([later], [wish(0, two), wish(1, two)], DAY).wrong).toEqual([
    { row: 1, field: "roomId", msg: "超过可住人数 2 人" },
  ]);
});

test("the term of the room, who may live there and where one lives already", () => {
  const women = room(101, { gender: "female" });
  const wrong = (w: Wish, day = DAY) => planStays([stay(1, 102)], [w], day).wrong[0]?.msg;
  expect(wrong(wish(0, room(101)), "2026-08-31")).toBe("101 的租期为 2026-09-01 ~ 2027-08-31");
  expect(wrong(wish(0, room(101)), "2026-09-01")).toBeUndefined();
  expect(wrong(wish(0, room(101)), "2027-08-31")).toBeUndefined();
  expect(wrong(wish(0, room(101)), "2027-09-01")).toBe("101 的租期为 2026-09-01 ~ 2027-08-31");
  expect(wrong(wish(0, room(101, { to: null })), "2027-09-01")).toBeUndefined();
  expect(wrong(wish(0, women, { gender: "male" }))).toBe("101 仅限女性入住");
  expect(wrong(wish(0, women))).toBe("101 仅限女性入住，请填写性别");
  expect(wrong(wish(0, women, { gender: "female" }))).toBeUndefined();
  expect(wrong(wish(0, room(102), { stay: stay(1, 102) }))).toBe("已住在 102");
  const twice = [wish(0, null, { stay: stay(1, 102) }), wish(1, room(101), { stay: stay(1, 102) })];
  expect(planStays([stay(1, 102)], twice, DAY).wrong).toEqual([
    { row: 1, field: "certNo", msg: "同一人只能出现一次" },
  ]);
});

test("who leaves has the day before as the last one; who has not come yet leaves nothing behind", () => {
  const coming = stay(1, 101, { from: "2026-12-01" });
  expect(planStays([coming], [wish(0, null, { stay: coming })], DAY).changes[0]!.last).toBeNull();
  const { changes } = planStays([coming], [wish(0, room(102), { stay: coming })], DAY);
  expect(changes[0]).toMatchObject({ last: null, place: { roomId: 102, from: "2026-12-01" } });
  expect(planStays([stay(2, 101)], [wish(0, null, { stay: stay(2, 101) })], DAY).changes[0]!.last).toBe(
    "2026-11-19",
  );
  const today = stay(3, 101, { from: DAY });
  expect(planStays([today], [wish(0, null, { stay: today })], DAY).changes[0]!.last).toBeNull();
});

test("who is to leave leaves from the next room, too, and is not called back once gone", () => {
  const one = stay(1, 101, { to: "2026-12-30", leaves: "2026-12-30" });
  const to = room(102);
  const [moved] = planStays([one], [wish(0, to, { stay: one })], DAY).changes;
  expect([moved!.last, moved!.place?.to]).toEqual(["2026-11-19", "2026-12-30"]);
  const wrong = (day: string, place: Place | null, who = one) =>
    planStays([who], [wish(0, place, { stay: who })], day).wrong;
  expect(wrong("2026-12-30", to)).toEqual([]);
  expect(wrong("2026-12-31", to)).toEqual([{ row: 0, field: "roomId", msg: "入住到 2026-12-30 为止" }]);
  expect(wrong("2026-12-31", null)).toEqual([]);
  expect(wrong("2027-01-01", null)).toEqual([{ row: 0, field: "roomId", msg: "入住到 2026-12-30 为止" }]);
  // whose room goes on the day before is put up elsewhere
  const put = stay(2, 101, { to: "2026-12-30" });
  expect(wrong("2026-12-31", to, put)).toEqual([]);
  expect(wrong("2027-01-01", to, put)).toHaveLength(1);
  expect(leavesOn({ to: "2026-12-30" }, { to: "2027-08-31" })).toBe("2026-12-30");
  expect(leavesOn({ to: "2026-12-30" }, { to: null })).toBe("2026-12-30");
  expect(leavesOn({ to: "2027-08-31" }, { to: "2027-08-31" })).toBeNull();
  expect(leavesOn({ to: null }, { to: null })).toBeNull();
});

test("a list comes as it is copied: tabs or commas, with or without heads", () => {
  const pasted = "姓名\t手机号\t证件号\t房间\n 张三\t13800000001\t110101199003070\t101\n\n";
  expect(rowsOf(pasted)).toEqual([
    { name: " 张三", phone: "13800000001", certNo: "110101199003070", room: "101" },
  ]);
  expect(rowsOf("李四，13800000002，E1234567，搬离")).toEqual([
    { name: "李四", phone: "13800000002", certNo: "E1234567", room: "搬离" },
  ]);
  expect([leaves("搬离"), leaves("101")]).toEqual([true, false]);
  expect([certTypeOf("E1234567"), certTypeOf("110101199003070011")]).toEqual(["other", "idCard"]);
  // written like an identity card it is one, right or not: then it is told that it is wrong
  expect(["110101900307001", "11010119900307001x"].map(certTypeOf)).toEqual(["idCard", "idCard"]);
  const places = [room(1, { roomName: "滨江店3栋101" }), room(2, { roomName: "滨江店4栋101" })];
  expect(roomCalled(places, "3栋101")).toBe(places[0]);
  expect(roomCalled(places, "101")).toEqual({ msg: "有多间房间符合，请写全名" });
  expect(roomCalled(places, "102")).toEqual({ msg: "房间不在合同内" });
});

test("a swap takes two people of different rooms", () => {
  expect(swapOf([]).why).toBe("请勾选两位入住人");
  expect(swapOf([stay(1, 101)]).why).toBe("请勾选两位入住人");
  expect(swapOf([stay(1, 101), stay(2, 102), stay(3, 103)]).why).toBe("请勾选两位入住人");
  expect(swapOf([stay(1, 101), stay(2, 101)]).why).toBe("两位入住人住在同一房间");
  expect(swapOf([stay(1, 101), stay(2, 102)]).moves).toEqual([
    { id: 1, roomId: 102 },
    { id: 2, roomId: 101 },
  ]);
});
