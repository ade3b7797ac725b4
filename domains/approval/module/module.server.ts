import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { approvable, everyApprovable } from "../examine/registry.service.ts";
import {
  addModule,
  configurableVillages,
  disableModule,
  editModule,
  enableModule,
  getModule,
  moduleTypes,
  nodeRoles,
  removeModule,
  trialModule,
  updateModule,
  updateVillages,
} from "./module.contract.ts";
import { moduleCounts, moduleDetailOf, modules, openOf, rolesOf, villagesFor } from "./module.queries.ts";
import {
  checkPeople,
  checkProcesses,
  lockModule,
  touch,
  writeProcesses,
  writeVillages,
} from "./module.service.ts";
import { trialOf } from "./trial.queries.ts";

const typeOf = (type: string) => {
  const found = approvable(type);
  if (!found) throw invalid({ field: "moduleType", msg: "请选择类型" });
  return found;
};

export default [
  serveRead(moduleTypes, async (read) => {
    const counts = await moduleCounts(read);
    return everyApprovable().map(({ type, title, group, fields }) => ({
      type,
      title,
      group,
      fields: [...fields],
      modules: counts.get(type) ?? 0,
    }));
  }),

  serveRead(nodeRoles, (read) => rolesOf(read)),

  serveRead(trialModule, (read, { body }) => {
    typeOf(body.moduleType);
    return trialOf(read, body.moduleType, inScope(read.who, body.villageId), body.values);
  }),

  serveRead(configurableVillages, (read, { params, query }) => {
    typeOf(params.moduleType);
    return villagesFor(read, params.moduleType, query.moduleId);
  }),

  serveList(modules),

  serveRead(getModule, (read, { params }) => moduleDetailOf(read, params.id)),

  serve(addModule, async (act, { body }) => {
    const { moduleType, name, fallbackOperatorId } = body;
    typeOf(moduleType);
    const place = await act.tx
      .selectFrom("village")
      .select("enterpriseId")
      .where("id", "=", inScope(act.who, body.villageIds[0]!))
      .executeTakeFirstOrThrow();
    const { enterpriseId } = place;
    await checkPeople(act, enterpriseId, [fallbackOperatorId], []);
    await checkProcesses(act, { enterpriseId, moduleType }, body.processes);
    const by = act.who.operatorId || null;
    const made = await act.tx
      .insertInto("module")
      .values({ enterpriseId, moduleType, name, fallbackOperatorId, createdBy: by, updatedBy: by })
      .returning(["id", "version"])
      .executeTakeFirstOrThrow();
    await writeVillages(act, { id: made.id, enterpriseId, moduleType }, body.villageIds);
    await writeProcesses(act, made.id, body.processes);
    await act.note({
      kind: "module",
      recordId: made.id,
      number: name,
      action: "新增",
      summary: `新增审批配置 ${name}，${body.villageIds.length} 个门店，${body.processes.length} 个流程`,
    });
    return made;
  }),

  serve(editModule, async (act, { params, body: { version, name, fallbackOperatorId } }) => {
    const module = await lockModule(act, params.id, version);
    if (fallbackOperatorId) await checkPeople(act, module.enterpriseId, [fallbackOperatorId], []);
    const changes = { ...(name && { name }), ...(fallbackOperatorId && { fallbackOperatorId }) };
    return touch(act, module, changes, { action: "修改", summary: `修改审批配置 ${name ?? module.name}` });
  }),

  serve(updateModule, async (act, { params, body: { version, processes, ...changes } }) => {
    const module = await lockModule(act, params.id, version);
    await checkPeople(act, module.enterpriseId, [changes.fallbackOperatorId], []);
    await checkProcesses(act, module, processes);
    await writeProcesses(act, module.id, processes);
    const summary = `修改审批流程：${processes.map((p) => p.name).join("、")}`;
    return touch(act, module, changes, { action: "修改流程", summary });
  }),

  serve(updateVillages, async (act, { params, body }) => {
    const module = await lockModule(act, params.id, body.version);
    await writeVillages(act, module, body.villageIds);
    return touch(act, module, {}, { action: "设置门店", summary: `覆盖 ${body.villageIds.length} 个门店` });
  }),

  serve(enableModule, async (act, { params, body }) => {
    const module = await lockModule(act, params.id, body.version);
    if (module.enabled) throw new Refusal("notAllowed", "审批配置已启用");
    return touch(act, module, { enabled: true }, { action: "启用", summary: `启用审批配置 ${module.name}` });
  }),

  serve(disableModule, async (act, { params, body }) => {
    const module = await lockModule(act, params.id, body.version);
    if (!module.enabled) throw new Refusal("notAllowed", "审批配置已停用");
    return touch(act, module, { enabled: false }, { action: "停用", summary: `停用审批配置 ${module.name}` });
  }),

  serve(removeModule, async (act, { params }) => {
    const module = await lockModule(act, params.id);
    const open = await openOf(act, module.id);
    if (open) throw new Refusal("notAllowed", `有 ${open} 条审批进行中`);
    await act.tx
      .deleteFrom("module")
      .where("id", "=", anyOf([module.id]))
      .execute();
    await act.note({
      kind: "module",
      recordId: module.id,
      number: module.name,
      action: "删除",
      summary: `删除审批配置 ${module.name}`,
    });
    return { id: module.id };
  }),
];
