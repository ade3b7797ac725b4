import { ACTIONS, type Action } from "../../../platform/kernel/call.ts";
import { AUTHORITIES } from "./authorities.rules.ts";
import { PAGE_FUNCTIONS } from "./pages.rules.ts";

/** Labels of the nine actions (specification section 3). */
export const ACTION_WORDS: Record<Action, string> = {
  add: "新增",
  delete: "删除",
  edit: "编辑",
  query: "查询",
  get: "详情",
  enable: "启用",
  disable: "停用",
  import: "导入",
  export: "导出",
};

export type FunctionRow = {
  /** '22' a menu or page, '26.add' an action, '#2601' a fine operation */
  key: string;
  permissionId: number;
  level: 1 | 2 | 3;
  parentKey: string | null;
  name: string;
  path: string | null;
  action: Action | null;
  orderNum: number;
};

/** Every function of the product, parents before children. */
export function functionTable(): FunctionRow[] {
  const rows: FunctionRow[] = [];
  const row = (r: Omit<FunctionRow, "orderNum">) => rows.push({ ...r, orderNum: rows.length });
  for (const [code, parent, name, path] of PAGE_FUNCTIONS.toSorted(
    (a, b) => Number(a[1] > 0) - Number(b[1] > 0),
  )) {
    const key = String(code);
    row({
      key,
      permissionId: code,
      level: parent ? 2 : 1,
      parentKey: parent ? String(parent) : null,
      name,
      path,
      action: null,
    });
    if (parent || code === 1)
      for (const action of ACTIONS)
        row({
          key: `${code}.${action}`,
          permissionId: code,
          level: 3,
          parentKey: key,
          name: ACTION_WORDS[action],
          path: null,
          action,
        });
  }
  for (const [code, name] of AUTHORITIES) {
    const page = String(Math.floor(code / 100));
    const parentKey = rows.some((r) => r.key === page) ? page : null;
    row({ key: `#${code}`, permissionId: code, level: 3, parentKey, name, path: null, action: null });
  }
  return rows;
}

/** What a set of permits opens: menu codes, page codes, actions by page, and authority codes, as the console is told. */
export function opened(permits: ReadonlySet<string>) {
  const menus = new Set<number>();
  const pages = new Set<number>();
  const actions = new Map<number, Action[]>();
  const authorities: number[] = [];
  const parents = new Map(PAGE_FUNCTIONS.map(([code, parent]) => [code, parent]));
  for (const permit of permits) {
    if (permit.startsWith("#")) {
      authorities.push(Number(permit.slice(1)));
      continue;
    }
    const [page, action] = permit.split(".");
    const code = Number(page);
    if (!parents.has(code)) continue;
    if (action) actions.set(code, [...(actions.get(code) ?? []), action as Action]);
    const parent = parents.get(code)!;
    if (parent) {
      pages.add(code);
      menus.add(parent);
    } else {
      menus.add(code);
      if (code === 1) pages.add(1);
    }
  }
  return { menus: [...menus], pages: [...pages], actions, authorities };
}
