import { Select } from "antd";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { FACILITY_ICONS, type FacilityIcon } from "./dic.rules.ts";

/** The drawing of a facility with its name. */
export function FacilityMark({ icon }: { icon: string }) {
  const [title] = FACILITY_ICONS[icon as FacilityIcon] ?? [];
  if (!title) return NONE;
  return (
    <span className="row">
      <Icon name={icon as FacilityIcon} /> {title}
    </span>
  );
}

/** A facility's drawing, or none. */
export const IconInput = ({ value, onChange, onBlur, id, disabled }: InputProps<string>) => (
  <Select
    id={id}
    value={value || null}
    disabled={disabled}
    allowClear
    showSearch={{ optionFilterProp: "title" }}
    placeholder="请选择"
    options={Object.entries(FACILITY_ICONS).map(([key, [title]]) => ({
      value: key,
      title,
      label: <FacilityMark icon={key} />,
    }))}
    onChange={(next: string | null | undefined) => onChange(next ?? "")}
    onBlur={onBlur}
  />
);
