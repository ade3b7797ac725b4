import { expect, test } from "vitest";
import { HOME } from "../session/guard.ts";
import { close, closingOf, LAST, NO_LEFT, NO_RIGHT, NO_TABS, show, TABS_MAX, type Tabs } from "./tabs.ts";

const opened = (...paths: string[]): Tabs =>
  paths.reduce((tabs, path) => show(tabs, { path, title: path, search: "" }), NO_TABS);

test("a page opens one tab, however often it is shown", () => {
  const tabs = show(opened("/a", "/b"), { path: "/a", title: "/a", search: "?page=2" });
  expect(tabs.open.map((t) => t.path)).toEqual(["/a", "/b"]);
  expect(tabs.active).toBe("/a");
  expect(tabs.open[0]?.search).toBe("?page=2");
});

test("the workbench stands first, whenever it is opened, and no limit takes it", () => {
  const tabs = opened("/a", "/b", HOME);
  expect(tabs.open.map((t) => t.path)).toEqual([HOME, "/a", "/b"]);
  const many = opened(HOME, ...Array.from({ length: TABS_MAX }, (_, i) => `/${i}`));
  expect(many.open.map((t) => t.path).slice(0, 2)).toEqual([HOME, "/1"]);
});

test("closing the left of the third of five leaves three", () => {
  const tabs = opened("/a", "/b", "/c", "/d", "/e");
  const closed = closingOf(tabs, "/c", "left");
  expect(closed).toEqual(["/a", "/b"]);
  expect(close(tabs, closed as string[]).open.map((t) => t.path)).toEqual(["/c", "/d", "/e"]);
});

test("the last tab stays, and each closing says why it does nothing", () => {
  expect(closingOf(opened("/a"), "/a", "self")).toBe(LAST);
  expect(closingOf(opened("/a"), "/a", "others")).toBe(LAST);
  expect(closingOf(opened("/a", "/b"), "/a", "left")).toBe(NO_LEFT);
  expect(closingOf(opened("/a", "/b"), "/b", "right")).toBe(NO_RIGHT);
});

test("when the shown tab closes, its right neighbour takes over, else its left one", () => {
  const middle = { ...opened("/a", "/b", "/c"), active: "/b" };
  expect(close(middle, ["/b"]).active).toBe("/c");
  expect(close(opened("/a", "/b", "/c"), ["/c"]).active).toBe("/b");
  expect(close(middle, ["/b", "/c"]).active).toBe("/a");
});

test("above the limit the oldest tab without unsaved work goes", () => {
  const paths = Array.from({ length: TABS_MAX }, (_, i) => `/${i}`);
  const tabs = show(opened(...paths), { path: "/new", title: "new", search: "" }, new Set(["/0"]));
  expect(tabs.open).toHaveLength(TABS_MAX);
  expect(tabs.open[0]?.path).toBe("/0");
  expect(tabs.open.some((t) => t.path === "/1")).toBe(false);
});
