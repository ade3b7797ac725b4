import { expect, test } from "vitest";
import { countOf, floorsOf, patternRefusal, planOf, type Pattern } from "./generate.rules.ts";

const pattern = (more: Partial<Pattern> = {}): Pattern => ({
  buildings: "1栋，2栋,3栋",
  units: 2,
  unitPattern: "{unit}单元",
  floorFrom: 1,
  floorTo: 18,
  skip: [4, 14],
  perFloor: 4,
  pattern: "{floor}{no:2}",
  ...more,
});

test("3 buildings of 2 units, floors 1 to 18 without 4 and 14, 4 doors each are 384 flats", () => {
  const plan = planOf(pattern());
  const doors = plan.flatMap((b) => b.units.flatMap((u) => u.floors.flatMap((f) => f.doors)));
  expect([countOf(pattern()), doors.length]).toEqual([384, 384]);
  expect(plan.map((b) => b.name)).toEqual(["1栋", "2栋", "3栋"]);
  expect(plan[0]!.units.map((u) => u.name)).toEqual(["1单元", "2单元"]);
  expect(plan[0]!.units[0]!.floors[0]).toEqual({ number: 1, doors: ["101", "102", "103", "104"] });
  expect(plan[0]!.units[0]!.floors.at(-1)!.doors.at(-1)).toBe("1804");
  expect(plan[0]!.units[0]!.floors.map((f) => f.number)).not.toContain(14);
});

test("basements are called B1, there is no floor 0, and a building may have no units", () => {
  expect(floorsOf({ floorFrom: -2, floorTo: 2, skip: [] })).toEqual([-2, -1, 1, 2]);
  const [building] = planOf(pattern({ buildings: "A", units: 0, floorFrom: -1, floorTo: -1, perFloor: 1 }));
  expect(building).toEqual({ name: "A", units: [{ name: null, floors: [{ number: -1, doors: ["B101"] }] }] });
});

test.each([
  [{ buildings: "1栋,,2栋" }, "buildings", "楼栋名不能为空项"],
  [{ buildings: "1栋,1栋" }, "buildings", "楼栋名重复：1栋"],
  [{ floorFrom: 9, floorTo: 8 }, "floorTo", "结束楼层不能低于起始楼层"],
  [{ floorFrom: 4, floorTo: 4 }, "skip", "没有可生成的楼层"],
  [{ pattern: "{no:2}" }, "pattern", "门牌规则会产生重复门牌：01"],
  [{ pattern: "{floor}{door}{no}" }, "pattern", "门牌规则不正确：1{door}1"],
  [{ unitPattern: "单元" }, "unitPattern", "单元名规则须包含 {unit}"],
  [{ units: 50, perFloor: 100 }, "perFloor", "一次最多生成 10000 套房源"],
])("refuses %o", (more, field, msg) => {
  expect(patternRefusal(pattern(more))).toEqual({ field, msg });
});
