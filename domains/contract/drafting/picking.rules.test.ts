import { expect, test } from "vitest";
import { heldSaid, pickedAfter, sieved } from "./picking.rules.ts";

const room = { id: 1, kind: "whole" };
const parking = (id: number) => ({ id, kind: "parking" });

test("a tenant has one room and up to five units beside it: a sixth is refused, and nothing is lost", () => {
  const full = [room, ...[11, 12, 13, 14, 15].map(parking)];
  expect(pickedAfter("renter", full.slice(0, 5), parking(15))).toEqual({ ids: [1, 11, 12, 13, 14, 15] });
  expect(pickedAfter("renter", full, parking(16))).toEqual({ refused: "一份合同最多一间主房和五个附属单元" });
  // also before a room to live in is picked
  expect(pickedAfter("renter", full.slice(1), parking(16))).toHaveProperty("refused");
  expect(pickedAfter("renter", full, parking(13))).toEqual({ ids: [1, 11, 12, 14, 15] });
  expect(pickedAfter("renter", full, { id: 2, kind: "whole" })).toEqual({ ids: [2, 11, 12, 13, 14, 15] });
});

test("companies pick many", () => {
  expect(pickedAfter("company", [room], { id: 2, kind: "room" })).toEqual({ ids: [1, 2] });
  expect(pickedAfter("company", [room], room)).toEqual({ ids: [] });
});

test("rooms are narrowed by where they face and what they cost", () => {
  const south = { orientation: "南", price: 300_000 };
  expect(sieved({}, south)).toBe(true);
  expect([sieved({ orientation: "南" }, south), sieved({ orientation: "北" }, south)]).toEqual([true, false]);
  expect(sieved({ least: 300_000, most: 300_000 }, south)).toBe(true);
  expect([sieved({ least: 300_001 }, south), sieved({ most: 299_999 }, south)]).toEqual([false, false]);
  const agreed = { orientation: "南", price: null };
  expect([sieved({}, agreed), sieved({ most: 500_000 }, agreed)]).toEqual([true, false]);
});

test("a room reads as taken by somebody else alone: what stands aside for the contract is named", () => {
  const term = { start: "2026-12-09", end: "2027-12-08" };
  const held = {
    from: "2026-12-09",
    to: "2027-12-08",
    kind: "reservation",
    label: "YD1",
    aside: true,
  } as const;
  const said = (...timeline: Parameters<typeof heldSaid>[0]) => heldSaid(timeline, term);
  expect(said()).toEqual({ text: "租期内空闲", taken: false });
  expect(said(held)).toEqual({ text: "YD1 为该客户预订，签约时转入", taken: false });
  expect(said({ ...held, kind: "lease", label: "HT1" })).toEqual({ text: "承接 HT1 的租期", taken: false });
  expect(said({ ...held, aside: false })).toEqual({ text: "2026-12-09 起被 YD1 占用", taken: true });
  expect(
    said(held, { ...held, from: "2027-12-08", to: null, kind: "block", label: "SF1", aside: false }),
  ).toEqual({
    text: "2027-12-08 起被 SF1 锁房",
    taken: true,
  });
  // before and after the term
  expect(said({ ...held, to: "2026-12-08", aside: false }).taken).toBe(false);
  expect(said({ ...held, from: "2027-12-09", aside: true }).text).toBe("租期内空闲");
});
