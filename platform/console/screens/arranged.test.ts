import { expect, test } from "vitest";
import type { Arranged } from "../../kernel/arranged.ts";
import { arranged } from "./arranged.ts";
import { menuTree, type House, type Screen } from "./screen.ts";

const load = () => Promise.reject(new Error("not asked for"));
const screen = (path: string, title: string, code: number, menu: string): Screen => ({
  path,
  title,
  codes: [code],
  kind: "page",
  menu,
  load,
});
const house: House = {
  menus: [
    { path: "/a", title: "资产报表", code: 44, icon: "box" },
    { path: "/b", title: "增值服务", code: 121, icon: "spark" },
  ],
  redirects: [],
  screens: [
    screen("/a/rooms", "房源配置", 88, "/a"),
    screen("/a/devices", "房源设备清单", 90, "/a"),
    screen("/b/cleaning", "保洁服务", 122, "/b"),
    screen("/b/cleaning-orders", "保洁单", 122, "/b"),
  ],
};
const change = (code: number, more: Partial<Arranged> = {}): Arranged => ({
  code,
  parentCode: 0,
  href: null,
  releasedName: "",
  name: "",
  icon: "",
  hidden: false,
  place: null,
  ...more,
});
const shown = (changes: readonly Arranged[]) =>
  menuTree(arranged(house, changes), () => true).map((m) => [m.title, m.children.map((c) => c.title)]);

test("what nobody touched stays the very same table", () => {
  expect(arranged(house, [])).toBe(house);
});

test("a new name reaches the screen that was called so, not another of the same code", () => {
  expect(shown([change(122, { releasedName: "保洁服务", name: "家政服务" })])).toEqual([
    ["资产报表", ["房源配置", "房源设备清单"]],
    ["增值服务", ["家政服务", "保洁单"]],
  ]);
});

test("menus and pages stand in the order they were given", () => {
  const named = { releasedName: "x", name: "资产" };
  expect(
    shown([
      change(44, { ...named, place: 1 }),
      change(121, { releasedName: "增值服务", name: "增值服务", place: 0 }),
      change(88, { releasedName: "房源配置", name: "房源配置", place: 1 }),
      change(90, { releasedName: "房源设备清单", name: "房源设备清单", place: 0 }),
    ]),
  ).toEqual([
    ["增值服务", ["保洁服务", "保洁单"]],
    ["资产", ["房源设备清单", "房源配置"]],
  ]);
});

test("what is hidden leaves the menu and can still be opened by its address", () => {
  const after = arranged(house, [change(88, { hidden: true, releasedName: "房源配置", name: "房源配置" })]);
  expect(menuTree(after, () => true)[0]!.children.map((c) => c.title)).toEqual(["房源设备清单"]);
  expect(after.screens.find((s) => s.path === "/a/rooms")).toMatchObject({
    kind: "hidden",
    title: "房源配置",
  });
});

test("a link to elsewhere stands at the end of its menu", () => {
  const link = change(90001, { parentCode: 121, href: "https://example.com/", name: "合作商城" });
  const [, service] = menuTree(arranged(house, [link]), () => true);
  expect(service!.children.at(-1)).toMatchObject({ title: "合作商城", href: "https://example.com/" });
});
