import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { type Actions, MenuOf, permitted } from "../../../platform/console/parts/actions.tsx";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import {
  addDepartment,
  deleteDepartment,
  departmentMenu,
  editDepartment,
} from "../department/department.contract.ts";
import { DepartmentForm, type DepartmentOpened } from "./department.form.tsx";
import "./staff.css";

type Department = Reply<typeof departmentMenu>[number];

type DepartmentsProps = { on: number | undefined; onChoose: (id: number | undefined) => void };

/** The tree of departments: choosing one shows its people, with those of all departments below. */
export function Departments({ on, onChoose }: DepartmentsProps) {
  const [opened, setOpened] = useState<DepartmentOpened>();
  const { data, error, refetch } = useQuery(ask(departmentMenu, { query: {} }));
  const actsOf = (d: Department): Actions => [
    { label: "新增下级", does: addDepartment, run: () => setOpened({ parentId: d.id }) },
    { label: "编辑", does: editDepartment, run: () => setOpened({ department: d }) },
    { label: "移动", does: editDepartment, run: () => setOpened({ department: d, moving: true }) },
    deleteAction(deleteDepartment, d, {
      title: "删除部门",
      body: `确定删除“${d.name}”吗？`,
      why:
        d.people || data?.some((other) => other.parentId === d.id)
          ? "部门下存在员工或下级部门，不能删除"
          : undefined,
      done: "部门已删除",
      gone: () => on === d.id && onChoose(undefined),
    }),
  ];
  return (
    <section className="card depts stack" aria-label="部门">
      <header className="depts__head">
        <h2>部门</h2>
        <span className="grow" />
        {may("46.add") && <IconButton small icon="plus" label="新增部门" run={() => setOpened({})} />}
      </header>
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={5} />
      ) : (
        <ul className="depts__tree">
          <Line title="全部员工" depth={0} on={on === undefined} choose={() => onChoose(undefined)} />
          {data.map((d) => (
            <Line
              key={d.id}
              title={d.name}
              depth={d.depth}
              count={d.peopleBelow}
              note={d.leaderName && `负责人 ${d.leaderName}`}
              on={on === d.id}
              choose={() => onChoose(d.id)}
              actions={actsOf(d)}
            />
          ))}
        </ul>
      )}
      {opened && <DepartmentForm opened={opened} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

function Line(p: {
  title: string;
  depth: number;
  on: boolean;
  count?: number;
  note?: string;
  choose: () => void;
  actions?: Actions;
}) {
  const actions = permitted(p.actions ?? []);
  return (
    <li className={`depts__line ${p.on ? "on" : ""}`}>
      <button
        type="button"
        className="depts__name row gap-3 fs-13"
        style={{ paddingLeft: 10 + p.depth * 14 }}
        aria-pressed={p.on}
        title={p.note || undefined}
        onClick={p.choose}
      >
        <span className="cut">{p.title}</span>
        {p.count !== undefined && <small className="dim">{p.count}</small>}
      </button>
      {actions.length > 0 && <MenuOf actions={actions} label={`${p.title}的操作`} />}
    </li>
  );
}
