import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { ask } from "../../../platform/console/calls/request.ts";
import { FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import { greys } from "../../../platform/kernel/words.ts";
import { ACTIVE_PEOPLE } from "../../access/operator/operator.contract.ts";
import {
  type ModuleDetail,
  addModule,
  configurableVillages,
  updateModule,
  updateVillages,
} from "./module.contract.ts";
import { moduleTypes } from "../examine/examine.contract.ts";
import type { ProcessInput } from "./process.contract.ts";
import { Processes } from "./processes.form.tsx";
import "../examine/examine.css";

type ModuleVillagesProps = {
  moduleType: string | undefined;
  moduleId?: number;
  value: readonly number[];
  onChange: (ids: number[]) => void;
  id?: string | undefined;
};

/** Villages for a module: those of another module of the type are greyed, with its name. */
export function ModuleVillages({ moduleType, moduleId, value, onChange, id }: ModuleVillagesProps) {
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
      allowClear={CLEARS}
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

const START: ProcessInput[] = [{ name: "默认流程", conditions: [], nodes: [] }];

const typedOf = (module: ModuleDetail): ProcessInput[] =>
  module.processes.map(({ name, conditions, nodes }) => ({
    name,
    conditions,
    nodes: nodes.map((n) => ({
      name: n.name,
      by: n.by,
      operatorIds: n.operatorIds,
      roleId: n.roleId,
      mode: n.mode,
      remindHours: n.remindHours,
    })),
  }));

type ModuleFormProps = {
  module?: ModuleDetail;
  copy?: boolean;
  /** The type that is chosen on the page. */
  moduleType?: string | undefined;
  onClose: () => void;
};

/** A new module, a copy of one, or the processes of one that stands. */
export function ModuleForm({ module, copy = false, moduleType, onClose }: ModuleFormProps) {
  const editing = module !== undefined && !copy;
  const { data: types = [] } = useQuery(ask(moduleTypes, {}));
  return (
    <FormDrawer
      // what an edit sends is part of what a new one does
      call={(editing ? updateModule : addModule) as typeof addModule}
      {...(editing && { params: { id: module.id } })}
      title={editing ? `编辑审批配置　${module.name}` : "新增审批配置"}
      width={960}
      cols={2}
      done={editing ? "已保存，正在进行的审批按提交时的流程继续" : "审批配置已新增"}
      initial={{
        moduleType: module?.moduleType ?? moduleType ?? "",
        ...(module && {
          name: copy ? `${module.name}副本`.slice(0, 30) : module.name,
          fallbackOperatorId: module.fallbackOperatorId,
          version: module.version,
        }),
        processes: module ? typedOf(module) : START,
      }}
      onClose={onClose}
      fields={(set, { values, errors }) => [
        {
          key: "moduleType",
          when: () => !editing,
          input: (p) => (
            <ChoiceInput {...p} words={greys(Object.fromEntries(types.map((t) => [t.type, t.title])))} />
          ),
        },
        "name",
        {
          key: "fallbackOperatorId",
          help: "节点没有可用的审批人时，由其审批",
          input: (p) => <RecordSelect {...p} source={ACTIVE_PEOPLE} placeholder="输入姓名搜索" />,
        },
        {
          key: "villageIds",
          wide: true,
          when: () => !editing,
          input: (p) => (
            <ModuleVillages
              id={p.id}
              moduleType={values.moduleType || undefined}
              value={p.value ?? []}
              onChange={p.onChange}
            />
          ),
        },
        { section: "审批流程", note: "从上到下，按第一个条件全部满足的流程审批" },
        {
          show: () => (
            <Processes
              fields={types.find((t) => t.type === values.moduleType)?.fields ?? module?.fields ?? []}
              value={(values.processes ?? []) as ProcessInput[]}
              errors={errors}
              onChange={(next) => set("processes", next)}
            />
          ),
        },
      ]}
    />
  );
}
