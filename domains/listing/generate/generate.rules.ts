import { roomNamesOf } from "../../../platform/kernel/texts/names.ts";
import { floorName } from "../room/place.rules.ts";

const GENERATE_MAX = 10_000;

export type Pattern = {
  /** Comma list: "1栋，2栋，3栋". */
  buildings: string;
  /** 0 = buildings without units. */
  units: number;
  /** "{unit}单元" */
  unitPattern: string;
  floorFrom: number;
  floorTo: number;
  skip: readonly number[];
  perFloor: number;
  /** "{floor}{no:2}": tokens building, unit, floor and no, each with an optional width. */
  pattern: string;
};

export type PlannedFloor = { number: number; doors: string[] };
export type PlannedUnit = { name: string | null; floors: PlannedFloor[] };
export type PlannedBuilding = { name: string; units: PlannedUnit[] };

const fill = (pattern: string, values: Record<string, string>): string =>
  pattern.replace(/\{(\w+)(?::(\d))?\}/g, (token, name: string, width?: string) =>
    name in values ? values[name]!.padStart(Number(width ?? 0), "0") : token,
  );

/** The floors of a range without 0 and without those that are left out. */
export const floorsOf = (p: Pick<Pattern, "floorFrom" | "floorTo" | "skip">): number[] =>
  Array.from({ length: Math.max(0, p.floorTo - p.floorFrom + 1) }, (_, i) => p.floorFrom + i).filter(
    (number) => number !== 0 && !p.skip.includes(number),
  );

export const countOf = (p: Pattern): number =>
  roomNamesOf(p.buildings).length * Math.max(1, p.units) * floorsOf(p).length * p.perFloor;

/** The sentence against a pattern with the field it belongs under, or nothing. */
export function patternRefusal(p: Pattern): { field: string; msg: string } | undefined {
  const names = roomNamesOf(p.buildings);
  if (names.includes("")) return { field: "buildings", msg: "楼栋名不能为空项" };
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return { field: "buildings", msg: `楼栋名重复：${twice}` };
  if (names.some((name) => name.length > 18)) return { field: "buildings", msg: "楼栋名最多18个字" };
  if (p.floorTo < p.floorFrom) return { field: "floorTo", msg: "结束楼层不能低于起始楼层" };
  if (!floorsOf(p).length) return { field: "skip", msg: "没有可生成的楼层" };
  if (countOf(p) > GENERATE_MAX) return { field: "perFloor", msg: `一次最多生成 ${GENERATE_MAX} 套房源` };
  if (p.units && !/\{unit(:\d)?\}/.test(p.unitPattern) && p.units > 1)
    return { field: "unitPattern", msg: "单元名规则须包含 {unit}" };
  const [first] = planOf({ ...p, buildings: names[0]! });
  const doors = first!.units[0]!.floors.flatMap((floor) => floor.doors);
  const same = doors.find((door, i) => doors.indexOf(door) !== i);
  if (same !== undefined) return { field: "pattern", msg: `门牌规则会产生重复门牌：${same}` };
  const wrong = doors.find((door) => !door || door.length > 18 || /[{}]/.test(door));
  return wrong === undefined ? undefined : { field: "pattern", msg: `门牌规则不正确：${wrong}` };
}

/** Every building, unit, floor and door that a pattern stands for. */
export function planOf(p: Pattern): PlannedBuilding[] {
  const numbers = Array.from({ length: p.perFloor }, (_, i) => String(i + 1));
  return roomNamesOf(p.buildings).map((building) => ({
    name: building,
    units: Array.from({ length: Math.max(1, p.units) }, (_, i) => {
      const unit = String(i + 1);
      return {
        name: p.units ? fill(p.unitPattern, { unit }) : null,
        floors: floorsOf(p).map((number) => {
          const floor = number < 0 ? floorName(number) : String(number);
          return { number, doors: numbers.map((no) => fill(p.pattern, { building, unit, floor, no })) };
        }),
      };
    }),
  }));
}
