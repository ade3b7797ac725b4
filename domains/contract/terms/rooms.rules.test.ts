import { expect, test } from "vitest";
import { DEFAULT_TERMS } from "./plans.rules.ts";
import { type Limits, type RoomFacts, roomErrors } from "./product.rules.ts";
import type { ContractForm } from "./terms.contract.ts";

const room = (roomId: number, kind = "room", more: Partial<RoomFacts> = {}): RoomFacts => ({
  roomId,
  name: `10${roomId}`,
  kind,
  area: null,
  capacity: 2,
  gender: "any",
  ...more,
});
const many = (count: number, kind: string, from = 1) =>
  Array.from({ length: count }, (_, i) => room(i + from, kind));
const party = { name: "张雅婷", birthday: null, guardianName: "", guardianPhone: "" };
const wrong = (
  kind: ContractForm["kind"],
  rooms: RoomFacts[],
  { gender = null, occupants = [] }: { gender?: "male" | "female" | null; occupants?: object[] } = {},
) => {
  const found: string[] = [];
  const chosen = rooms.map(({ roomId }) => ({ roomId, monthlyRent: 300_000 }));
  const form = { ...DEFAULT_TERMS, kind, rooms: chosen, occupants } as unknown as ContractForm;
  // the village has more rooms than the form
  const limits = { rooms: [...rooms, room(99, "shop")], party: { ...party, gender } } as unknown as Limits;
  roomErrors(form, limits, (field, msg) => found.push(`${field} ${msg}`));
  return found;
};

test("without a room there is nothing to say here", () => {
  for (const kind of ["renter", "company", "merchant"] as const) expect(wrong(kind, [])).toEqual([]);
});

test("a shop lease is over up to twenty shops; parking goes along", () => {
  expect(wrong("merchant", [room(1, "shop"), room(2, "parking")])).toEqual([]);
  expect(wrong("merchant", many(20, "shop"))).toEqual([]);
  expect(wrong("merchant", many(21, "shop"))).toEqual(["rooms 一份商户合同最多20个铺位"]);
  expect(wrong("merchant", [room(1, "parking")])).toEqual(["rooms 请选择铺位，车位和储藏间只能随铺出租"]);
  expect(wrong("merchant", [room(1, "shop"), room(2), room(3)])).toEqual([
    "rooms 商户合同只能租铺位，102 请签租客或企业合同",
  ]);
});

test("a company rents rooms, and no shop among them", () => {
  expect(wrong("company", [...many(30, "room"), room(31, "storage")])).toEqual([]);
  expect(wrong("company", [room(1, "storage")])).toEqual([
    "rooms 请至少选择一间房，车位和储藏间只能随房出租",
  ]);
  expect(wrong("company", [room(1), room(2, "shop")])).toEqual(["rooms 商铺请签商户合同"]);
});

test("a tenant rents one room and up to five units that go with it", () => {
  expect(wrong("renter", [room(1), ...many(5, "parking", 2)])).toEqual([]);
  expect(wrong("renter", [room(1), ...many(6, "parking", 2)])).toEqual([
    "rooms 一份合同最多一间主房和五个附属单元",
  ]);
  expect(wrong("renter", [room(1), room(2)])).toEqual(["rooms 租客合同只能有一间主房"]);
  expect(wrong("renter", [room(1, "parking")])).toEqual(["rooms 请选择一间主房，车位和储藏间只能随房出租"]);
  expect(wrong("renter", [room(1, "shop")])).toEqual(["rooms 商铺请签商户合同"]);
});

test("as many people as may live there, the tenant among them", () => {
  expect(wrong("renter", [room(1)], { occupants: [{}] })).toEqual([]);
  expect(wrong("renter", [room(1)], { occupants: [{}, {}] })).toEqual([
    "occupants 入住人数超过可住人数（2 人）",
  ]);
});

test("a room for women is for women, a room for men for men, for who moves in as well", () => {
  const women = room(1, "room", { gender: "female" });
  const men = room(1, "room", { gender: "male" });
  expect(wrong("renter", [women], { gender: "female", occupants: [{ gender: "female" }] })).toEqual([]);
  expect(wrong("renter", [women], { gender: null, occupants: [{ gender: null }] })).toEqual([]);
  expect(wrong("renter", [women], { gender: "male" })).toEqual(["partyId 101 仅限女性入住"]);
  expect(wrong("renter", [men], { gender: "male", occupants: [{ gender: "female" }] })).toEqual([
    "occupants.0.gender 101 仅限男性入住",
  ]);
  expect(wrong("renter", [room(1)], { gender: "male", occupants: [{ gender: "female" }] })).toEqual([]);
});
