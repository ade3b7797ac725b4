import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useId, useState } from "react";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { OneField } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { buildingTree } from "../building/building.contract.ts";

export type Placed = { buildingId: number; unitId?: number | null | undefined; floorId: number };
type Option = { value: number; label: string };

const PlaceSelect = ({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  placeholder,
  options,
  clear,
}: InputProps<number> & { options: Option[]; clear?: boolean }) => (
  <Select
    id={id}
    value={value ?? null}
    disabled={disabled}
    placeholder={placeholder}
    allowClear={clear}
    showSearch={{ optionFilterProp: "label" }}
    notFoundContent="没有可选项"
    options={options}
    onChange={(next) => onChange(next ?? undefined)}
    onBlur={onBlur}
  />
);

/** Village, building, unit and floor, each offering what stands in the one before. */
export function PlaceFields<V extends Placed>({
  form,
  villageId: given,
  fixed,
}: {
  form: FormState<V>;
  villageId: number | undefined;
  /** The village cannot be changed any more. */
  fixed?: boolean;
}) {
  const label = useId();
  const [villageId, setVillageId] = useState(given);
  const { data = [] } = useQuery({
    ...ask(buildingTree, { query: { villageId: villageId ?? 0 } }),
    enabled: villageId !== undefined,
  });
  const values = form.values as Partial<Placed>;
  const building = data.find((b) => b.id === values.buildingId);
  const unitId = values.unitId ?? null;
  const set = (changes: Partial<Record<keyof Placed, number | null | undefined>>) => {
    for (const [key, value] of Object.entries(changes)) form.set(key, value);
  };
  const buildings = data.map((b) => ({
    value: b.id,
    label: [b.communityName, b.name].filter(Boolean).join(" "),
  }));
  const units = (building?.units ?? []).map((u) => ({ value: u.id, label: u.name }));
  const floors = (building?.floors ?? [])
    .filter((f) => f.unitId === unitId)
    .map((f) => ({ value: f.id, label: f.name }));
  return (
    <>
      {!fixed && (
        <div className="fi">
          <label className="fi__label fi__label--must" htmlFor={label}>
            门店
          </label>
          <div className="fi__in">
            <VillageSelect
              id={label}
              value={villageId}
              onChange={(next) => {
                setVillageId(next);
                set({ buildingId: undefined, unitId: undefined, floorId: undefined });
              }}
            />
          </div>
        </div>
      )}
      <OneField
        form={form}
        path="buildingId"
        more={{
          title: "楼栋",
          input: (p) => (
            <PlaceSelect
              {...(p as InputProps<number>)}
              placeholder={villageId ? "请选择楼栋" : "请先选择门店"}
              options={buildings}
              onChange={(next) => set({ buildingId: next, unitId: undefined, floorId: undefined })}
            />
          ),
        }}
      />
      {units.length > 0 && (
        <OneField
          form={form}
          path="unitId"
          more={{
            title: "单元",
            input: (p) => (
              <PlaceSelect
                {...(p as InputProps<number>)}
                clear
                placeholder="请选择单元"
                options={units}
                onChange={(next) => set({ unitId: next, floorId: undefined })}
              />
            ),
          }}
        />
      )}
      <OneField
        form={form}
        path="floorId"
        more={{
          title: "楼层",
          input: (p) => (
            <PlaceSelect
              {...(p as InputProps<number>)}
              placeholder={building ? "请选择楼层" : "请先选择楼栋"}
              options={floors}
            />
          ),
        }}
      />
    </>
  );
}
