import { Select } from "antd";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";

/** Operators who work in the village. */
export const PeopleSelect = ({
  value,
  onChange,
  id,
  people,
}: InputProps<number> & { people: readonly { operatorId: number; name: string }[] | undefined }) => (
  <Select
    id={id ?? ""}
    value={value ?? null}
    allowClear
    placeholder="请选择"
    showSearch={{ optionFilterProp: "label" }}
    options={(people ?? []).map((p) => ({ value: p.operatorId, label: p.name }))}
    onChange={(next) => onChange(next ?? undefined)}
  />
);
