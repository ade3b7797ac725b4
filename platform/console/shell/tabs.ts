import { HOME } from "../session/guard.ts";

/** One open page. `search` is its last query string, so that coming back finds filters and drawer as they were. */
export type Tab = { path: string; title: string; search: string };
export type Tabs = { open: readonly Tab[]; active: string };

export const NO_TABS: Tabs = { open: [], active: "" };
export const TABS_MAX = 20;

/** The fixed sentences of the tab bar (specification section 2). */
export const LAST = "这是最后一个标签了, 无法被关闭";
export const NO_LEFT = "左侧没有标签";
export const NO_RIGHT = "右侧没有标签";

export type Closing = "self" | "left" | "right" | "others";

/**
 * Shows a page: a new tab at the end, the workbench before all others, or its own tab with the new query string. Over the
 * limit the oldest clean one goes, the workbench never.
 */
export function show(tabs: Tabs, tab: Tab, dirty: ReadonlySet<string> = new Set()): Tabs {
  const known = tabs.open.find((t) => t.path === tab.path);
  if (known) {
    const same = known.search === tab.search && known.title === tab.title;
    if (same && tabs.active === tab.path) return tabs;
    return { open: tabs.open.map((t) => (t.path === tab.path ? tab : t)), active: tab.path };
  }
  const open = [...tabs.open];
  if (open.length >= TABS_MAX) {
    const oldest = open.findIndex((t) => t.path !== HOME && !dirty.has(t.path));
    if (oldest >= 0) open.splice(oldest, 1);
  }
  return { open: tab.path === HOME ? [tab, ...open] : [...open, tab], active: tab.path };
}

/** Which tabs a closing would take; a sentence when there is nothing to close. */
export function closingOf(tabs: Tabs, path: string, how: Closing): readonly string[] | string {
  const at = tabs.open.findIndex((t) => t.path === path);
  const paths = tabs.open.map((t) => t.path);
  if (how === "left") return at > 0 ? paths.slice(0, at) : NO_LEFT;
  if (how === "right") return at < paths.length - 1 ? paths.slice(at + 1) : NO_RIGHT;
  if (paths.length <= 1) return LAST;
  return how === "others" ? paths.filter((p) => p !== path) : [path];
}

/** Without the closed ones. When the active one goes, its right neighbour takes over, else its left one. */
export function close(tabs: Tabs, closed: readonly string[]): Tabs {
  const open = tabs.open.filter((t) => !closed.includes(t.path));
  if (open.some((t) => t.path === tabs.active)) return { open, active: tabs.active };
  const at = tabs.open.findIndex((t) => t.path === tabs.active);
  const next = tabs.open.slice(at + 1).find((t) => !closed.includes(t.path)) ?? open.at(-1);
  return { open, active: next?.path ?? "" };
}
