import { FormDrawer, type Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { FunctionPicker } from "../function/picker.panel.tsx";
import { addRole, editRole } from "./role.contract.ts";

export type RoleGiven = { name: string; remark: string; keys: string[]; id?: number; version?: number };

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
export function RoleForm({ given, onClose }: { given?: RoleGiven; onClose: () => void }) {
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
