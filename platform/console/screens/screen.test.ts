import { expect, test } from "vitest";
import { litPath, menuTree, parentOf, screenAt, type House, type Screen } from "./screen.ts";

const screen = (path: string, more: Partial<Screen> = {}): Screen => ({
  path,
  title: path,
  codes: [1],
  kind: "page",
  load: () => Promise.reject(new Error("not loaded here")),
  ...more,
});
const house: House = {
  menus: [
    { path: "/money", title: "财务管理", code: 22, icon: "wallet" },
    { path: "/empty", title: "空", code: 23, icon: "box" },
  ],
  redirects: [],
  screens: [
    screen("/home", { menu: "top" }),
    screen("/money/bills", { menu: "/money", codes: [26] }),
    screen("/money/bills/detail", { kind: "subpage", codes: [26] }),
    screen("/money/refunds", { menu: "/money", codes: [108] }),
    screen("/user/login", { kind: "public" }),
  ],
};

test("a menu appears only with a page that exists and is permitted", () => {
  const tree = menuTree(house, (s) => s.codes.includes(26));
  expect(tree.map((m) => [m.path, m.children.map((c) => c.path)])).toEqual([["/money", ["/money/bills"]]]);
  expect(menuTree(house, () => false)).toEqual([]);
  expect(menuTree(house, () => true).map((m) => m.path)).toEqual(["/home", "/money"]);
});

test("a subpage lights its page and stands under its menu", () => {
  expect(litPath(house, "/money/bills/detail")).toBe("/money/bills");
  expect(parentOf(house, "/money/bills/detail")?.title).toBe("财务管理");
  expect(screenAt(house, "/money/bills/")?.path).toBe("/money/bills");
});
