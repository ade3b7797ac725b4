import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useEffect } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import { buildingTree } from "./building.contract.ts";

/** Buildings of a village with their floors, named as people call them. */
export function useStructure(villageId: number | undefined) {
  const { data } = useQuery({
    ...ask(buildingTree, { query: { villageId: villageId ?? 0 } }),
    enabled: villageId !== undefined,
  });
  return data?.map((b) => {
    const units = new Map(b.units.map((u) => [u.id, u.name]));
    return {
      id: b.id,
      name: [b.communityName, b.name].filter(Boolean).join(" "),
      floors: b.floors.map((floor) => ({
        id: floor.id,
        name: [units.get(floor.unitId ?? 0), floor.name].filter(Boolean).join(" "),
      })),
    };
  });
}

type Option = { value: number; label: string };
type Props = InputProps<number> & { options: Option[] | undefined };

/** One of what the choice before it offers; what it no longer offers is let go. */
function Below({ value, onChange, onBlur, id, disabled, placeholder, options }: Props) {
  const stray = value !== undefined && !!options && !options.some((option) => option.value === value);
  useEffect(() => {
    if (stray) onChange(null as never);
  }, [stray, onChange]);
  return (
    <Select
      id={id}
      value={stray ? null : (value ?? null)}
      disabled={disabled}
      placeholder={placeholder}
      allowClear={CLEARS}
      showSearch={{ optionFilterProp: "label" }}
      notFoundContent="没有可选项"
      options={options ?? []}
      // null takes away what was there
      onChange={(next: number | null | undefined) => onChange((next ?? null) as number)}
      onBlur={onBlur}
    />
  );
}

export function BuildingSelect({ villageId, ...p }: InputProps<number> & { villageId: number | undefined }) {
  const all = useStructure(villageId);
  return (
    <Below
      {...p}
      placeholder={villageId ? "不选则属于整个门店" : "请先选择门店"}
      options={all?.map((b) => ({ value: b.id, label: b.name }))}
    />
  );
}

export function FloorSelect({
  villageId,
  buildingId,
  ...p
}: InputProps<number> & { villageId: number | undefined; buildingId: number | undefined | null }) {
  const all = useStructure(villageId);
  const floors = buildingId ? all?.find((b) => b.id === buildingId)?.floors : all && [];
  return (
    <Below
      {...p}
      placeholder={buildingId ? "不选则属于整栋楼" : "请先选择楼栋"}
      options={floors?.map((floor) => ({ value: floor.id, label: floor.name }))}
    />
  );
}
