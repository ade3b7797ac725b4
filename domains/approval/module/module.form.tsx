import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import type { ZodType } from "zod";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Sent } from "../../../platform/kernel/call.ts";
import type { Words } from "../../../platform/kernel/field.ts";
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

type Body = Sent<typeof addModule>["body"];

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
  const refresh = useRefresh();
  const editing = module !== undefined && !copy;
  const { data: types = [] } = useQuery(ask(moduleTypes, {}));
  const schema = (editing ? updateModule.body : addModule.body) as unknown as ZodType<unknown, Body>;
  const form = useForm<Body>(schema, {
    moduleType: module?.moduleType ?? moduleType ?? "",
    ...(module && {
      name: copy ? `${module.name}副本`.slice(0, 30) : module.name,
      fallbackOperatorId: module.fallbackOperatorId,
      version: module.version,
    }),
    processes: module ? typedOf(module) : START,
  } as Partial<Body>);
  const type = types.find((t) => t.type === form.values.moduleType);
  const save = async () => {
    const sent = await form.submit((body) =>
      editing
        ? send(updateModule, { params: { id: module.id }, body: body as never })
        : send(addModule, { body }),
    );
    if (!sent) return;
    toast(editing ? "已保存，正在进行的审批按提交时的流程继续" : "审批配置已新增");
    onClose();
    await refresh();
  };
  const close = async () => {
    if (!form.busy && (!form.dirty || (await confirmLeave()))) onClose();
  };
  return (
    <Drawer
      title={editing ? `编辑审批配置　${module.name}` : "新增审批配置"}
      width={960}
      modal
      onClose={() => void close()}
      footer={
        <Foot form={form} cancel={close}>
          <Button look="main" busy={form.busy} run={save}>
            保存
          </Button>
        </Foot>
      }
    >
      <FormFields
        form={form}
        cols={2}
        fields={[
          ...(editing
            ? []
            : [
                {
                  key: "moduleType" as const,
                  input: (p: { value: string | undefined; onChange: (next: string | undefined) => void }) => (
                    <ChoiceInput
                      {...p}
                      words={Object.fromEntries(types.map((t) => [t.type, [t.title, "grey"]])) as Words}
                    />
                  ),
                },
              ]),
          "name",
          {
            key: "fallbackOperatorId",
            help: "节点没有可用的审批人时，由其审批",
            input: (p) => <RecordSelect {...p} source={ACTIVE_PEOPLE} placeholder="输入姓名搜索" />,
          },
          ...(editing
            ? []
            : [
                {
                  key: "villageIds" as const,
                  wide: true,
                  input: (p: {
                    id?: string | undefined;
                    value: number[] | undefined;
                    onChange: (next: number[] | undefined) => void;
                  }) => (
                    <ModuleVillages
                      id={p.id}
                      moduleType={form.values.moduleType || undefined}
                      value={p.value ?? []}
                      onChange={p.onChange}
                    />
                  ),
                },
              ]),
          { section: "审批流程", note: "从上到下，按第一个条件全部满足的流程审批" },
          {
            show: (values) => (
              <Processes
                fields={type?.fields ?? module?.fields ?? []}
                value={(values.processes ?? []) as ProcessInput[]}
                errors={form.errors}
                onChange={(next) => form.set("processes", next)}
              />
            ),
          },
        ]}
      />
    </Drawer>
  );
}
