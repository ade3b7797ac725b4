import { expect, test } from "vitest";
import { roomsFiled, roomsNamed } from "./drafting.rules.ts";

const room = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  fullName: `1号楼·${name}`,
  free: true,
  why: null,
  ...more,
});
const rooms = [
  room(1, "1301"),
  room(2, "1302"),
  room(3, "1303", { free: false, why: "维修至 08-30" }),
  room(4, "A"),
  room(5, "A"),
];

test("rooms are named by comma, pause or line, each once", () => {
  expect(roomsNamed("1301，1302\n1301", rooms)).toEqual({ ids: [1, 2], wrong: [] });
  expect(roomsNamed("1号楼·1301、1302", rooms)).toEqual({ ids: [1, 2], wrong: [] });
});

test("a column or row copied from a spreadsheet names rooms too", () => {
  expect(roomsNamed("1301\r\n1302\r\n", rooms)).toEqual({ ids: [1, 2], wrong: [] });
  expect(roomsNamed("1301\t1302\n", rooms)).toEqual({ ids: [1, 2], wrong: [] });
});

test("a name that is no free room is told with its place, and none is taken", () => {
  expect(roomsNamed("1301,1309,,1303,A", rooms)).toEqual({
    ids: [],
    wrong: [
      "第 2 个 1309：没有这个房间",
      "第 3 个：房号不能为空",
      "第 4 个 1303：维修至 08-30",
      "第 5 个 A：有多个同名房间，请在下方选择",
    ],
  });
  expect(roomsNamed(" ", rooms).wrong).toEqual(["请输入房号"]);
  expect(roomsNamed("一二三四五六七八九十一二三四五六七八九", rooms).wrong[0]).toContain("最多18个字");
  expect(roomsNamed("一二三四五六七八九十一二三四五六七八", rooms).wrong[0]).toContain("没有这个房间");
});

test("a file names rooms with their rents; every wrong row is told, and none is taken", () => {
  const row = (n: number, name: string, monthlyRent: number | null = null) => ({ row: n, name, monthlyRent });
  expect(roomsFiled([row(2, "1302", 280_000), row(3, "1号楼·1301")], rooms)).toEqual({
    rents: new Map([
      [2, 280_000],
      [1, null],
    ]),
    wrong: [],
  });
  expect(roomsFiled([row(2, "1301"), row(3, "1309"), row(4, "1303"), row(5, "1301")], rooms)).toEqual({
    rents: new Map(),
    wrong: ["第 3 行 1309：没有这个房间", "第 4 行 1303：维修至 08-30", "第 5 行 1301：房间重复"],
  });
});
