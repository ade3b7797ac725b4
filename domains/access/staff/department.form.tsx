import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { ask } from "../../../platform/console/calls/request.ts";
import { type Body, FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { addDepartment, departmentMenu, editDepartment } from "../department/department.contract.ts";
import { withBelow } from "../department/department.rules.ts";
import { OPERATORS } from "../operator/operator.contract.ts";

type Department = Reply<typeof departmentMenu>[number];
export type DepartmentOpened = { parentId?: number; department?: Department; moving?: boolean };

/** A department out of the tree, each under the one it belongs to. */
export function DepartmentSelect({
  value,
  onChange,
  id,
  disabled,
  placeholder,
  enterpriseId,
  without,
  label,
  top = false,
}: InputProps<number> & { enterpriseId?: number; without?: number; label?: string; top?: boolean }) {
  const { data = [], isLoading } = useQuery(
    ask(departmentMenu, { query: enterpriseId ? { enterpriseId } : {} }),
  );
  // a department goes neither below itself nor below its own
  const gone = new Set(without ? withBelow(data, without) : []);
  return (
    <Select
      id={id ?? ""}
      aria-label={label}
      value={value ?? null}
      loading={isLoading}
      disabled={disabled ?? false}
      allowClear={top ? CLEARS : false}
      placeholder={placeholder ?? "请选择部门"}
      showSearch={{ optionFilterProp: "label" }}
      options={data
        .filter((d) => !gone.has(d.id))
        .map((d) => ({ value: d.id, label: d.name, depth: d.depth }))}
      optionRender={({ data: d }) => <span style={{ paddingLeft: d.depth * 14 }}>{d.label}</span>}
      // null clears what stood there
      onChange={(next: number | null) => onChange((next ?? (top ? null : undefined)) as number)}
    />
  );
}

const fieldsOf = (without?: number): readonly Field<Body<typeof addDepartment>>[] => [
  "name",
  {
    key: "parentId",
    input: (p) => (
      <DepartmentSelect {...p} top placeholder="无，作为一级部门" {...(without && { without })} />
    ),
  },
  { key: "leaderId", input: (p) => <RecordSelect {...p} source={OPERATORS} /> },
  { key: "orderNum", help: "数值小的排在前面" },
];

export function DepartmentForm({ opened, onClose }: { opened: DepartmentOpened; onClose: () => void }) {
  const { department, moving, parentId } = opened;
  if (!department)
    return (
      <FormDialog
        call={addDepartment}
        initial={{ parentId: parentId ?? null, orderNum: 0 }}
        title="新增部门"
        done="部门已新增"
        fields={fieldsOf()}
        onClose={onClose}
      />
    );
  const fields = fieldsOf(department.id) as readonly Field<Body<typeof editDepartment>>[];
  return (
    <FormDialog
      call={editDepartment}
      params={{ id: department.id }}
      initial={department}
      title={moving ? `移动 ${department.name}` : `编辑 ${department.name}`}
      done={moving ? "部门已移动" : "已保存"}
      fields={moving ? fields.slice(1, 2) : fields}
      onClose={onClose}
    />
  );
}
