import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { leavesOf, treeOf } from "../function/chosen.rules.ts";
import { listFunctions, ownFunctions } from "../function/function.contract.ts";
import { deleteRole, exportRoles, getRole, listRoles, addRole, editRole } from "./role.contract.ts";
import { FormDrawer, type Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { FunctionPicker } from "../function/picker.panel.tsx";

type RoleGiven = { name: string; remark: string; keys: string[]; id?: number; version?: number };

const fieldsFor = (before: readonly string[]): readonly Field<Body<typeof addRole>>[] => [
  "name",
  "remark",
  {
    key: "keys",
    wide: true,
    input: (p) => (
      <FunctionPicker value={p.value ?? []} before={before} onChange={(keys) => p.onChange(keys)} />
    ),
  },
];

/** A new role, a copy of one (`given` without id), or one that is there. */
function RoleForm({ given, onClose }: { given?: RoleGiven; onClose: () => void }) {
  const shared = { width: 960, label: 76, onClose };
  if (given?.id && given.version)
    return (
      <FormDrawer
        {...shared}
        call={editRole}
        initial={{ ...given, id: given.id, version: given.version }}
        fields={fieldsFor(given.keys) as readonly Field<Body<typeof editRole>>[]}
        title={`编辑角色 ${given.name}`}
        done="已保存，下一次操作起生效"
      />
    );
  return (
    <FormDrawer
      {...shared}
      call={addRole}
      initial={given ?? { name: "", remark: "", keys: [] }}
      fields={fieldsFor([])}
      title={given ? "复制角色" : "新增角色"}
      done="角色已新增"
    />
  );
}

type Known = Reply<typeof getRole>;
type Row = Pick<Known, "id" | "name" | "people">;

const givenOf = ({ id, name, remark, keys, version }: Known): RoleGiven => ({
  id,
  name,
  remark,
  keys,
  version,
});

/** 角色: named sets of functions, given to people in departments. */
export function Roles() {
  const [opened, setOpened] = useState<{ given?: RoleGiven; edited?: Known }>();
  const known = (id: number) => send(getRole, { params: { id } });
  /** What of it one may give oneself: more would be refused, and could not be taken out. */
  const copied = async (id: number) => {
    const [{ name, remark, keys }, own] = await Promise.all([known(id), send(ownFunctions)]);
    const mine = new Set(own.map((f) => f.key));
    return { name: `${name.slice(0, 28)}副本`, remark, keys: keys.filter((key) => mine.has(key)) };
  };
  const actsOf = (r: Row): Actions => [
    { label: "编辑", does: editRole, run: async () => setOpened({ edited: await known(r.id) }) },
    { label: "复制", does: addRole, run: async () => setOpened({ given: await copied(r.id) }) },
    deleteAction(deleteRole, r, {
      title: "删除角色",
      body: `确定删除“${r.name}”吗？`,
      why: r.people ? `已被${r.people}名员工使用，不能删除` : undefined,
      done: "角色已删除",
    }),
  ];
  return (
    <>
      <ListPage
        call={listRoles}
        unit="个"
        filters={["keyword"]}
        sort={{ sort: "name", order: "asc" }}
        columns={[
          { key: "name", width: 180 },
          "people",
          "functions",
          { key: "remark", width: 240, show: (r) => r.remark || "—" },
          "updatedAt",
        ]}
        card={{ title: "name", right: "people", lines: [["functions", "updatedAt"], ["remark"]] }}
        toolbar={[{ label: "新增角色", icon: "plus", main: true, does: addRole, run: () => setOpened({}) }]}
        rowActions={actsOf}
        drawer={(id) => <RoleDrawer id={id} actsOf={actsOf} />}
        exportCall={exportRoles}
        emptyText="角色是一组功能，分配给部门里的员工；先新增角色，再新增员工"
      />
      {opened &&
        (opened.edited ? (
          <Current call={getRole} read={opened.edited}>
            {(role) => <RoleForm given={givenOf(role)} onClose={() => setOpened(undefined)} />}
          </Current>
        ) : (
          <RoleForm {...(opened.given && { given: opened.given })} onClose={() => setOpened(undefined)} />
        ))}
    </>
  );
}

const RoleDrawer = ({ id, actsOf }: { id: number; actsOf: (r: Row) => Actions }) => (
  <Detail
    call={getRole}
    sent={{ params: { id } }}
    title={(r) => r.name}
    width={760}
    cols={2}
    facts={["people", "functions", "updatedAt", { key: "remark", show: (r) => r.remark || "—" }]}
    actions={actsOf}
    tabs={[
      { key: "functions", title: "功能", count: (r) => r.functions, view: (r) => <Held keys={r.keys} /> },
      {
        key: "people",
        title: "员工",
        count: (r) => r.holders.length,
        view: (r) => (
          <RowTable
            schema={getRole.reply.shape.holders}
            rows={r.holders}
            flat
            columns={["realName", "departmentName"]}
            emptyText="还没有员工使用这个角色"
          />
        ),
      },
      { key: "log", title: "动态", view: (r) => <History kind="role" id={r.id} /> },
    ]}
  />
);

/** What the role opens, page by page. */
function Held({ keys }: { keys: readonly string[] }) {
  const { data } = useQuery(ask(listFunctions, { query: {} }));
  if (!data) return <RowsSkeleton rows={4} />;
  const held = new Set(keys);
  const names = new Map(data.map((n) => [n.key, n.name]));
  const pages = treeOf(data)
    .flatMap((menu) => [{ ...menu, below: menu.below.filter((t) => t.node.level === "3") }, ...menu.below])
    .filter((page) => page.node.level !== "3" && leavesOf(page).some((key) => held.has(key)));
  if (!pages.length) return <Empty text="这个角色还没有功能" />;
  return (
    <dl className="held__pages">
      {pages.map((page) => (
        <div key={page.node.key}>
          <dt>{page.node.name}</dt>
          <dd>
            {page.below.length
              ? leavesOf(page)
                  .filter((key) => held.has(key))
                  .map((key) => names.get(key))
                  .join("、")
              : "打开"}
          </dd>
        </div>
      ))}
    </dl>
  );
}
