import type { Arranged } from "../../kernel/arranged.ts";
import type { IconName } from "../parts/icons.tsx";
import type { House, Menu, MenuLink, Screen } from "./screen.ts";

const LAST = 10_000;

/** The table of screens as people arranged it: menus, tabs, titles and the jump box all follow from it. */
export function arranged(house: House, changes: readonly Arranged[]): House {
  if (!changes.length) return house;
  const byCode = new Map(changes.filter((c) => !c.href).map((c) => [c.code, c]));
  const placed = <T>(list: readonly T[], codeOf: (one: T) => number | undefined): T[] => {
    const place = (one: T) => byCode.get(codeOf(one) ?? -1)?.place ?? LAST;
    return list.toSorted((a, b) => place(a) - place(b));
  };
  const menus = placed(house.menus, (m) => m.code)
    .filter((m) => !byCode.get(m.code)?.hidden)
    .map((m): Menu => {
      const change = byCode.get(m.code);
      return change ? { ...m, title: change.name, icon: (change.icon || m.icon) as IconName } : m;
    });
  const screens = placed(house.screens, (s) => s.codes[0]).map((s) => screenOf(s, byCode));
  const links = changes.flatMap((c): MenuLink[] => {
    const menu = house.menus.find((m) => m.code === c.parentCode);
    return c.href && menu && !c.hidden ? [{ title: c.name, href: c.href, menu: menu.path }] : [];
  });
  return { ...house, menus, screens, links };
}

/** Several screens share a code: the one that the release calls as the function takes its new name. */
function screenOf(screen: Screen, byCode: ReadonlyMap<number, Arranged>): Screen {
  const changes = screen.codes.flatMap((code) => byCode.get(code) ?? []);
  if (!changes.length) return screen;
  const named = changes.find((c) => c.releasedName === screen.title);
  const icon = screen.menu === "top" ? changes.find((c) => c.icon)?.icon : undefined;
  // hidden is not forbidden: the address still opens it
  const hidden = screen.kind === "page" && screen.codes.every((code) => byCode.get(code)?.hidden);
  return {
    ...screen,
    ...(named && { title: named.name }),
    ...(icon && { icon: icon as IconName }),
    ...(hidden && { kind: "hidden" as const }),
  };
}
