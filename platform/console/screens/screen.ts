import type { ComponentType } from "react";
import type { Call, Need } from "../../kernel/call.ts";
import type { IconName } from "../parts/icons.tsx";

export type Load = () => Promise<{ default: ComponentType }>;

/**
 * `page` stands in the menu when it has a `menu`; `subpage` belongs to the page whose path it extends, and marks that
 * one in the menu; `hidden` is reached by links only; `public` needs no login and gets no shell.
 */
export type Kind = "page" | "subpage" | "hidden" | "public";

export type Screen = {
  path: string;
  title: string;
  /** Any one of these function codes opens it; empty = every signed-in operator. */
  codes: readonly number[];
  kind: Kind;
  /** Path of the menu it stands under, or "top". Order = order in the table. */
  menu?: string;
  icon?: IconName;
  /** Of the deployment, not of an enterprise: only for who runs the platform, whatever the functions say. */
  platform?: true;
  /** Extra words that find it in the jump box. */
  words?: string;
  load: Load;
};

export type Menu = { path: string; title: string; code: number; icon: IconName };
/** An entry of the side menu that opens another site in a window of its own; `menu` is the parent's path. */
export type MenuLink = { title: string; href: string; menu: string };
export type Redirect = { from: string; to: string };

/** What a picker of records in somebody else's form works on: what is chosen, of which kind, for which store. */
export type Picking = {
  inputId: string;
  kind: string;
  villageId: number | undefined;
  value: number | undefined;
  onChange: (id: number | undefined) => void;
};

/** What a panel is told: the id of the record it stands on; 0 in the header. */
/** `onClose` where the panel is a dialog that its place opens, `pick` where it is an input of a form. */
export type PanelProps = {
  id: number;
  onClose?: () => void;
  pick?: Picking;
  /** What the page gives beside the record, as the contract of whoever fills the place says. */
  of?: unknown;
};

/**
 * Fills a place that a page leaves open. `screens/panels.ts` names it, so that a domain to the right can add a tab to a page
 * of a domain to its left without an import between them.
 */
export type Panel = {
  /** Such as "room.tabs", "shell.header". */
  slot: string;
  key: string;
  title: string;
  need?: Need;
  /** As a tab: before those of the record itself, since it is what people come for. */
  first?: true;
  load: () => Promise<{ default: ComponentType<PanelProps> }>;
};

/** What a screen in a menu says of itself beside what it loads; `words` are further ones that find it. */
export const pageIn =
  (menu: string) => (path: string, title: string, codes: readonly number[], words?: string) => ({
    path,
    title,
    codes,
    kind: "page" as const,
    menu,
    ...(words && { words }),
  });

/** What a panel of a slot says of itself beside what it loads. */
export const panelIn = (slot: string) => (key: string, title: string, need?: Need) => ({
  slot,
  key,
  title,
  ...(need && { need }),
});

/** A record that the jump box found, under the title of its kind. */
export type Found = { key: string; group: string; title: string; note?: string; to: string };

/** The records that the jump box finds: which kinds there are, who may read each, the screen that opens it, and how. */
export type RecordSearch = {
  kinds: readonly { title: string; need: Need; path: string }[];
  /** Shorter texts are looked for among the pages alone. */
  least: number;
  load: () => Promise<{ search: (typed: string, signal: AbortSignal) => Promise<Found[]> }>;
};

/** Numbers beside entries of the side menu: a call that answers how many records wait, and the screens that show them by its keys. */
export type Badges = { need: Need; call: () => Promise<Call>; on: Readonly<Record<string, string>> };

/** Where the village select gets its options: the contract is loaded with the shell, not with the login page. */
export type VillageSource = () => Promise<Call>;

export type House = {
  menus: readonly Menu[];
  screens: readonly Screen[];
  redirects: readonly Redirect[];
  /** Entries that people added to the menus. */
  links?: readonly MenuLink[];
  /** What domains add to pages of others. */
  panels?: readonly Panel[];
  search?: RecordSearch;
  badges?: readonly Badges[];
  villages?: VillageSource;
};

const trimmed = (path: string) => (path.length > 1 ? path.replace(/\/+$/, "") : path);

export const screenAt = (house: House, path: string): Screen | undefined =>
  house.screens.find((s) => s.path === trimmed(path));

export type MenuNode = {
  path: string;
  title: string;
  icon: IconName | undefined;
  /** Leads to another site. */
  href?: string;
  children: MenuNode[];
};

const linkOf = ({ title, href }: MenuLink): MenuNode => ({
  path: href,
  title,
  icon: undefined,
  href,
  children: [],
});

/** The side menu: parents in order, each only with at least one screen that exists and is permitted. */
export function menuTree(house: House, open: (screen: Screen) => boolean): MenuNode[] {
  const leaf = (s: Screen): MenuNode => ({ path: s.path, title: s.title, icon: s.icon, children: [] });
  const shown = house.screens.filter((s) => s.kind === "page" && s.menu && open(s));
  const top = shown.filter((s) => s.menu === "top").map(leaf);
  const parents = house.menus.map((m) => ({
    path: m.path,
    title: m.title,
    icon: m.icon,
    children: [
      ...shown.filter((s) => s.menu === m.path).map(leaf),
      ...(house.links ?? []).filter((l) => l.menu === m.path).map(linkOf),
    ],
  }));
  return [...top, ...parents.filter((m) => m.children.length > 0)];
}

/** The menu entry that a path lights up: itself, or the page whose path it extends. */
export function litPath(house: House, path: string): string {
  for (let at = trimmed(path); at; at = at.slice(0, at.lastIndexOf("/"))) {
    if (house.screens.some((s) => s.path === at && s.kind === "page" && s.menu)) return at;
  }
  return path;
}

/** The menu that a screen stands under, for the breadcrumb. */
export const parentOf = (house: House, path: string): Menu | undefined => {
  const lit = screenAt(house, litPath(house, path));
  return house.menus.find((m) => m.path === lit?.menu);
};
