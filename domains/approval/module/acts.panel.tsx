import type { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import {
  disableModule,
  enableModule,
  removeModule,
  type ModuleRow,
  addModule,
  updateVillages,
} from "./module.contract.ts";

/** A form over a module, to be opened with the whole of it. */
export type Opening = { form: "edit" | "copy" | "villages"; id: number };

const WHY = "该审批配置含您不能管理的门店，请由可管理其全部门店的人员修改";

/** What can be done with a module. */
export function moduleActions(
  module: Pick<ModuleRow, "id" | "name" | "enabled" | "editable" | "open" | "version">,
  { act, open }: { act: ReturnType<typeof useAct>; open: (opening: Opening) => void },
): Actions {
  const { id, version } = module;
  const why = module.editable ? undefined : WHY;
  const on = module.enabled === "on";
  const sent = { params: { id }, body: { version } };
  return [
    { label: "编辑", need: "49.edit", why, run: () => open({ form: "edit", id }) },
    { label: "设置门店", does: updateVillages, why, run: () => open({ form: "villages", id }) },
    on
      ? {
          label: "停用",
          does: disableModule,
          why,
          run: () =>
            act(disableModule, sent, {
              done: "已停用",
              ask: {
                title: "停用审批配置",
                body: `停用 ${module.name} 后，新提交的操作直接生效；正在进行的审批继续按原流程完成。`,
              },
            }),
        }
      : { label: "启用", does: enableModule, why, run: () => act(enableModule, sent, { done: "已启用" }) },
    { label: "复制", does: addModule, run: () => open({ form: "copy", id }) },
    {
      label: "删除",
      does: removeModule,
      danger: true,
      why: why ?? (module.open ? `有 ${module.open} 条审批进行中` : undefined),
      run: () =>
        act(
          removeModule,
          { params: { id } },
          { done: "已删除", ask: { title: "删除审批配置", body: `确定删除 ${module.name} 吗？` } },
        ),
    },
  ];
}
