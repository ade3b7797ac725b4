import type { Arranged } from "../../../platform/kernel/arranged.ts";
import { greys } from "../../../platform/kernel/words.ts";
import { ACTIONS, type Action } from "../../../platform/kernel/call.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { ACTION_WORDS } from "./function.rules.ts";

export const LEVEL_WORDS = greys({ 1: "菜单", 2: "页面", 3: "操作" });

export const NODE_STATES = { on: ["启用", "green"], off: ["停用", "grey"] } as const satisfies Words;

export const ACTION_CHOICE: Words<Action> = Object.fromEntries(
  ACTIONS.map((action) => [action, [ACTION_WORDS[action], "grey"] as const]),
) as Words<Action>;

/** Drawings a menu may carry; the console knows each by this name. */
export const MENU_ICONS = greys({
  building: "楼宇",
  file: "文件",
  users: "人员",
  wallet: "钱包",
  chip: "芯片",
  report: "报表",
  pie: "饼图",
  radar: "雷达",
  box: "箱子",
  sliders: "设置",
  spark: "星光",
  tools: "工具",
  home: "首页",
  chart: "图表",
  globe: "地球",
  bell: "铃铛",
  grid: "网格",
  shield: "盾牌",
});

/** Without these nobody could switch anything on again. */
const KEEPS = /^(45|56|56\..+)$/;
/** The workbench is where everybody lands: it stands first and stays. */
const HOME = /^1(\..+)?$/;

export type Node = { key: string; name: string; builtIn: boolean; enabled: boolean };

export const whyNotDisabled = (node: Pick<Node, "key">): string | undefined =>
  KEEPS.test(node.key)
    ? "停用后将无人能再管理菜单，不能停用"
    : HOME.test(node.key)
      ? "登录后默认打开工作台，不能停用"
      : undefined;

export const whyNotDeleted = (node: Pick<Node, "builtIn"> & { roles: number }): string | undefined =>
  node.builtIn
    ? "系统内置功能不能删除"
    : node.roles
      ? `已被${node.roles}个角色使用，不能删除，可停用`
      : undefined;

/** What stands in the way of a move among `siblings`, which are in order; by -1 up, by 1 down. */
export function whyNotMoved(
  siblings: readonly { key: string }[],
  key: string,
  by: -1 | 1,
): string | undefined {
  const at = siblings.findIndex((s) => s.key === key);
  const other = siblings[at + by];
  if (key === "1" || other?.key === "1") return "工作台固定在最前";
  return other ? undefined : by < 0 ? "已在最前" : "已在最后";
}

type Stored = {
  key: string;
  permissionId: number;
  parentKey: string | null;
  name: string;
  path: string | null;
  icon: string;
  hidden: boolean;
  builtIn: boolean;
  orderNum: number;
  releasedName: string | null;
  releasedOrder: number | null;
};

/** What the console needs to know of menus and pages beyond its own table: only where people changed something. */
export function arrangement(nodes: readonly Stored[]): Arranged[] {
  const families = Map.groupBy(nodes, (n) => n.parentKey ?? "");
  return [...families.values()].flatMap((family) => {
    const ordered = family.toSorted((a, b) => a.orderNum - b.orderNum || a.permissionId - b.permissionId);
    const own = ordered.filter((n) => n.releasedOrder !== null);
    const moved = own.some((n, i) => i > 0 && own[i - 1]!.releasedOrder! > n.releasedOrder!);
    const placed = moved || own.length < ordered.length;
    return ordered
      .map((n, i): Arranged => ({
        code: n.permissionId,
        parentCode: Number(n.parentKey ?? 0),
        href: n.builtIn ? null : n.path,
        releasedName: n.releasedName ?? n.name,
        name: n.name,
        icon: n.icon,
        hidden: n.hidden,
        place: placed ? i : null,
      }))
      .filter((n) => n.href || n.hidden || n.icon || n.place !== null || n.name !== n.releasedName);
  });
}
