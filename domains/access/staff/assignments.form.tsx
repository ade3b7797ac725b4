import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import { DepartmentSelect } from "./department.form.tsx";
import { roleOptions } from "../role/role.contract.ts";

type Assignment = { departmentId: number; roleId: number };
type Row = Partial<Assignment>;

const whole = (row: Row): row is Assignment => row.departmentId !== undefined && row.roleId !== undefined;

/** Roles, each in a department. A line that is not complete yet is not part of the form. */
export function AssignmentsInput({
  value = [],
  onChange,
  disabled,
  enterpriseId,
}: InputProps<Assignment[]> & { enterpriseId?: number }) {
  const [rows, setRows] = useState<Row[]>(value.length ? value : [{}]);
  const set = (next: Row[]) => {
    setRows(next);
    onChange(next.filter(whole));
  };
  return (
    <div className="scopes">
      {rows.map((row, i) => (
        <div key={i} className="scopes__row grid gap-4">
          <DepartmentSelect
            value={row.departmentId}
            label={`第${i + 1}行部门`}
            disabled={disabled}
            {...(enterpriseId && { enterpriseId })}
            onChange={(departmentId) => set(rows.with(i, { ...row, departmentId: departmentId! }))}
          />
          <RoleSelect
            value={row.roleId}
            label={`第${i + 1}行角色`}
            disabled={disabled}
            {...(enterpriseId && { enterpriseId })}
            onChange={(roleId) => set(rows.with(i, { ...row, roleId: roleId! }))}
          />
          <IconButton
            icon="close"
            small
            label={`移除第${i + 1}行`}
            why={rows.length === 1 ? "至少一个部门和角色" : undefined}
            run={() => set(rows.toSpliced(i, 1))}
          />
        </div>
      ))}
      <Button look="text" icon="plus" run={() => set([...rows, {}])}>
        添加部门和角色
      </Button>
    </div>
  );
}

export function RoleSelect({
  value,
  onChange,
  disabled,
  enterpriseId,
  label,
}: InputProps<number> & { enterpriseId?: number; label: string }) {
  const { data = [], isLoading } = useQuery(
    ask(roleOptions, { query: enterpriseId ? { enterpriseId } : {} }),
  );
  return (
    <Select
      aria-label={label}
      value={value ?? null}
      loading={isLoading}
      disabled={disabled ?? false}
      placeholder="请选择角色"
      notFoundContent="还没有角色，请先在“角色”中新增"
      showSearch={{ optionFilterProp: "label" }}
      options={data.map((r) => ({ value: r.id, label: r.name }))}
      onChange={(next: number | null) => onChange(next ?? undefined)}
    />
  );
}

/** Several villages. `also` names those beyond the caller's own scope that somebody has already. */
export function VillagesInput({
  value = [],
  onChange,
  onBlur,
  id,
  disabled,
  placeholder,
  also = [],
  label,
}: InputProps<number[]> & { also?: readonly { id: number; name: string }[]; label?: string }) {
  const { data = [], isLoading } = useVillages();
  const known = new Set(data.map((v) => v.value));
  return (
    <Select
      mode="multiple"
      id={id ?? ""}
      aria-label={label}
      value={value}
      loading={isLoading}
      disabled={disabled ?? false}
      placeholder={placeholder ?? "请选择门店"}
      showSearch={{ optionFilterProp: "search" }}
      allowClear={CLEARS}
      options={[
        ...data,
        ...also.filter((v) => !known.has(v.id)).map((v) => ({ value: v.id, label: v.name, search: v.name })),
      ]}
      onChange={(next: number[]) => onChange(next)}
      {...(onBlur && { onBlur })}
    />
  );
}
