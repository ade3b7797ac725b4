import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import type { Action, Reply } from "../../../platform/kernel/call.ts";
import { FormDialog, type Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { Icon, type IconName } from "../../../platform/console/parts/icons.tsx";
import { ChoiceInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import { addFunction, editFunction, listFunctions } from "./function.contract.ts";
import { ACTION_CHOICE, MENU_ICONS, whyNotDisabled } from "./menu.rules.ts";

type MenuIcon = NonNullable<Body<typeof editFunction>["icon"]>;
type Node = Reply<typeof listFunctions>[number];
export type FunctionOpened = { node?: Node; parent?: Node };

const SHOWN = { false: ["显示", "green"], true: ["隐藏", "grey"] } as const;

const fields: readonly Field<Body<typeof addFunction>>[] = [
  "level",
  { key: "parentId", input: (p, values) => <ParentSelect {...p} level={values.level ?? "2"} /> },
  "name",
  { key: "path", must: true, when: (v) => v.level === "2", placeholder: "https://", help: "在新窗口打开" },
  {
    key: "action",
    when: (v) => v.level === "3",
    help: "不选动作时须填写权限编码",
    input: (p) => (
      <ChoiceInput
        {...p}
        words={ACTION_CHOICE}
        clear
        onChange={(action) => p.onChange(action as Action | undefined)}
      />
    ),
  },
  {
    key: "permissionId",
    must: true,
    when: (v) => v.level === "2" || !v.action,
    help: "1-999999，全系统唯一",
  },
  { key: "orderNum", help: "0-9999，数值小的排在前面；不填则排在最后" },
  "remark",
];

const editing = (node: Node): readonly Field<Body<typeof editFunction>>[] => [
  {
    show: () => (
      <p className="sub">
        {node.builtIn
          ? `系统内置，编码 ${node.permissionId}${node.path ? `，路径 ${node.path}` : ""}，不能修改`
          : `权限编码 ${node.permissionId}`}
      </p>
    ),
  },
  "name",
  ...(node.builtIn || node.level !== "2" ? [] : [{ key: "path" as const, must: true }]),
  ...(node.level === "1"
    ? [{ key: "icon" as const, input: (p: InputProps<MenuIcon>) => <IconSelect {...p} /> }]
    : []),
  "orderNum",
  ...(node.level === "3"
    ? []
    : [
        {
          key: "hidden" as const,
          title: "显示",
          disabled: whyNotDisabled(node) !== undefined,
          help: "隐藏后不在菜单中显示，仍可通过地址打开",
          input: (p: InputProps<boolean>) => (
            <ChoiceInput
              {...p}
              words={SHOWN}
              value={String(p.value ?? false)}
              onChange={(code) => p.onChange(code === "true")}
            />
          ),
        },
      ]),
  "remark",
];

/** A link to elsewhere, an action or an authority code; or what people may change of any function. */
export function FunctionForm({ opened, onClose }: { opened: FunctionOpened; onClose: () => void }) {
  const { node, parent } = opened;
  if (!node)
    return (
      <FormDialog
        call={addFunction}
        initial={{
          level: parent?.level === "2" ? "3" : "2",
          remark: "",
          ...(parent && { parentId: parent.id }),
        }}
        title="新增功能"
        done="功能已新增，分配给角色后生效"
        width={520}
        fields={fields}
        onClose={onClose}
      />
    );
  const { id, name, icon, orderNum, hidden, path, remark, version } = node;
  return (
    <FormDialog
      call={editFunction}
      initial={{
        id,
        name,
        icon: icon as "",
        orderNum,
        hidden,
        remark,
        version,
        ...(!node.builtIn && { path }),
      }}
      title={`编辑 ${name}`}
      done="已保存，刷新页面后菜单更新"
      width={520}
      fields={editing(node)}
      onClose={onClose}
    />
  );
}

/** Links stand below menus, actions and codes below pages. */
function ParentSelect({ value, onChange, id, level }: InputProps<number> & { level: string }) {
  const { data = [], isLoading } = useQuery(ask(listFunctions, { query: {} }));
  const wanted = String(Number(level) - 1);
  const fitting = data.filter((n) => n.level === wanted);
  return (
    <Select
      id={id ?? ""}
      value={fitting.some((n) => n.id === value) ? value : null}
      loading={isLoading}
      placeholder={level === "3" ? "请选择页面" : "请选择菜单"}
      showSearch={{ optionFilterProp: "label" }}
      options={fitting.map((n) => ({ value: n.id, label: `${n.name}（${n.permissionId}）` }))}
      onChange={(next: number | null) => onChange(next ?? undefined)}
    />
  );
}

const IconSelect = ({ value, onChange, id }: InputProps<MenuIcon>) => (
  <Select
    id={id ?? ""}
    value={value || null}
    allowClear={CLEARS}
    placeholder="默认图标"
    options={Object.entries(MENU_ICONS).map(([icon, [text]]) => ({ value: icon, label: text }))}
    optionRender={({ value: icon, label }) => (
      <span className="menus__name">
        <Icon name={icon as IconName} />
        {label}
      </span>
    )}
    onChange={(next: string | null) => onChange((next ?? "") as MenuIcon)}
  />
);
