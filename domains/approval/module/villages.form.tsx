import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { configurableVillages, updateVillages, type ModuleDetail } from "./module.contract.ts";

/** Villages for a module: those of another module of the type are greyed, with its name. */
export function ModuleVillages({
  moduleType,
  moduleId,
  value,
  onChange,
  id,
}: {
  moduleType: string | undefined;
  moduleId?: number;
  value: readonly number[];
  onChange: (ids: number[]) => void;
  id?: string | undefined;
}) {
  const { data = [], isFetching } = useQuery({
    ...ask(configurableVillages, {
      params: { moduleType: moduleType ?? "" },
      query: moduleId ? { moduleId } : {},
    }),
    enabled: Boolean(moduleType),
  });
  const free = data.filter((v) => !v.takenBy);
  return (
    <Select
      id={id}
      mode="multiple"
      value={[...value]}
      loading={isFetching}
      disabled={!moduleType}
      placeholder={moduleType ? "请选择门店" : "请先选择类型"}
      maxTagCount="responsive"
      allowClear
      showSearch={{ optionFilterProp: "label" }}
      options={[
        ...(free.length > 1 && value.length < free.length
          ? [{ value: 0, label: `全部可选（${free.length} 个）` }]
          : []),
        ...data.map((v) => ({
          value: v.id,
          label: v.takenBy ? `${v.name}（已在 ${v.takenBy} 中配置）` : v.name,
          disabled: v.takenBy !== null,
        })),
      ]}
      onChange={(ids: number[]) => onChange(ids.includes(0) ? free.map((v) => v.id) : ids)}
    />
  );
}

/** 设置门店 of a module that stands. */
export const VillagesForm = ({ module, onClose }: { module: ModuleDetail; onClose: () => void }) => (
  <FormDialog
    call={updateVillages}
    params={{ id: module.id }}
    title={`设置门店　${module.name}`}
    width={560}
    done="已设置门店"
    initial={{ villageIds: module.villages.map((v) => v.id), version: module.version }}
    onClose={onClose}
    fields={[
      {
        key: "villageIds",
        input: (p) => (
          <ModuleVillages
            id={p.id}
            moduleType={module.moduleType}
            moduleId={module.id}
            value={p.value ?? []}
            onChange={p.onChange}
          />
        ),
      },
    ]}
  />
);
