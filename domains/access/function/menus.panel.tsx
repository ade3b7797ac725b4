import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { doing, RowActions, type Actions } from "../../../platform/console/parts/actions.tsx";
import { Icon, type IconName } from "../../../platform/console/parts/icons.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import {
  deleteFunction,
  disableFunction,
  editFunction,
  enableFunction,
  moveFunction,
  type listFunctions,
  addFunction,
} from "./function.contract.ts";
import type { FunctionOpened } from "./function.form.tsx";
import { ACTION_WORDS } from "./function.rules.ts";
import { LEVEL_WORDS, NODE_STATES, whyNotDeleted, whyNotDisabled, whyNotMoved } from "./menu.rules.ts";

type Node = Reply<typeof listFunctions>[number];
type Props = { nodes: readonly Node[]; unfolded: boolean; open: (opened: FunctionOpened) => void };

/** Menus, pages and what can be done there: as a tree whose branches fold. */
export function MenuTable({ nodes, unfolded, open }: Props) {
  const actsOf = useNodeActs(nodes, open);
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const below = Map.groupBy(nodes, (n) => n.parentKey ?? "");
  // under a filter everything that leads to a hit stands open
  const isOpen = (key: string) => unfolded !== turned.has(key);
  const turn = (key: string) => {
    const next = new Set(turned);
    if (!next.delete(key)) next.add(key);
    setTurned(next);
  };
  const shown = (parent: string): Node[] =>
    (below.get(parent) ?? []).flatMap((n) => [n, ...(isOpen(n.key) ? shown(n.key) : [])]);
  return (
    <div className="scroll">
      <table className="tbl menus__table">
        <thead>
          <tr>
            {["名称", "层级", "权限编码", "路径", "动作"].map((title) => (
              <th key={title}>{title}</th>
            ))}
            <th className="num">排序</th>
            <th>显示</th>
            <th>状态</th>
            <th className="num">使用角色数</th>
            <th>操作</th>
          </tr>
        </thead>
        <tbody>
          {shown("").map((n) => (
            <tr key={n.key} className={n.state === "off" ? "off" : ""}>
              <td style={{ paddingLeft: 10 + (Number(n.level) - 1) * 20 }}>
                <span className="menus__name">
                  {below.has(n.key) ? (
                    <button
                      type="button"
                      className="menus__fold"
                      aria-expanded={isOpen(n.key)}
                      aria-label={`${isOpen(n.key) ? "收起" : "展开"}${n.name}`}
                      onClick={() => turn(n.key)}
                    >
                      <Icon name={isOpen(n.key) ? "down" : "right"} size={12} />
                    </button>
                  ) : (
                    <span className="menus__fold" />
                  )}
                  {n.icon && <Icon name={n.icon as IconName} size={14} />}
                  {n.name}
                  {!n.builtIn && (
                    <StatusTag tone="grey" dot={false}>
                      自建
                    </StatusTag>
                  )}
                </span>
              </td>
              <td>
                <WordTag words={LEVEL_WORDS} code={n.level} dot={false} />
              </td>
              <td>{n.action ? n.key : n.permissionId}</td>
              <td>{n.path ?? "—"}</td>
              <td>{n.action ? ACTION_WORDS[n.action] : "—"}</td>
              <td className="num">{n.orderNum}</td>
              <td>{n.level === "3" ? "—" : n.hidden ? "隐藏" : "显示"}</td>
              <td>
                <WordTag words={NODE_STATES} code={n.state} />
              </td>
              <td className="num">{n.roles}</td>
              <td>
                <RowActions actions={actsOf(n)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function useNodeActs(nodes: readonly Node[], open: Props["open"]): (n: Node) => Actions {
  const act = useAct();
  return (n) => {
    const siblings = nodes.filter((other) => other.parentKey === n.parentKey);
    const { id, version } = n;
    const show = () =>
      act(
        editFunction,
        {
          body: {
            id,
            version,
            name: n.name,
            icon: n.icon as "",
            orderNum: n.orderNum,
            hidden: !n.hidden,
            remark: n.remark,
          },
        },
        { done: n.hidden ? "已显示" : "已隐藏，仍可通过地址打开" },
      );
    const move = (by: -1 | 1) => act(moveFunction, { params: { id }, body: { by } });
    return [
      { label: "编辑", does: editFunction, run: () => open({ node: n }) },
      { label: "上移", need: "56.edit", why: whyNotMoved(siblings, n.key, -1), run: () => move(-1) },
      { label: "下移", need: "56.edit", why: whyNotMoved(siblings, n.key, 1), run: () => move(1) },
      n.level !== "3" && { label: "新增下级", does: addFunction, run: () => open({ parent: n }) },
      n.level !== "3" && {
        label: n.hidden ? "显示" : "隐藏",
        need: "56.edit",
        why: whyNotDisabled(n) && "该菜单不能隐藏",
        run: show,
      },
      n.state === "off"
        ? { label: "启用", ...doing(enableFunction, { params: { id }, body: { version } }, "已启用") }
        : {
            label: "停用",
            why: whyNotDisabled(n),
            ...doing(disableFunction, { params: { id }, body: { version } }, "已停用", {
              title: "停用功能",
              body: `停用后所有人从下一次操作起没有“${n.name}”${n.level === "3" ? "" : "及其下级功能"}，确定停用吗？`,
            }),
          },
      {
        label: "删除",
        danger: true,
        why: whyNotDeleted(n),
        ...doing(deleteFunction, { query: { id, version } }, "已删除", {
          title: "删除功能",
          body: `确定删除“${n.name}”吗？`,
        }),
      },
    ];
  };
}
