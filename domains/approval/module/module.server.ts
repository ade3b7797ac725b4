import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
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
  nodeRoles,
  removeModule,
  trialModule,
  updateModule,
  updateVillages,
} from "./module.contract.ts";
import { moduleTypes } from "../examine/examine.contract.ts";
import {
  inputsOf,
  moduleCounts,
  moduleDetailOf,
  modules,
  openOf,
  rolesOf,
  trialOf,
  villagesFor,
} from "./module.queries.ts";
import {
  checkPeople,
  checkProcesses,
  lockModule,
  nodeRow,
  touch,
  writeProcesses,
  writeVillages,
} from "./module.service.ts";
import { addProcess, editNode, removeProcess } from "./process.contract.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

const typeOf = (type: string) => {
  const found = approvable(type);
  if (!found) throw invalid({ field: "moduleType", msg: "请选择类型" });
  return found;
};

const processOf = (act: Act, id: number) =>
  aRow(act, "process", ["id", "moduleId", "name", "isDefault"], { id });

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
    const place = await theRow(act, "village", ["enterpriseId"], {
      id: inScope(act.who, body.villageIds[0]!),
    });
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
  serve(addProcess, async (act, { body: { moduleId, version, ...process } }) => {
    const module = await lockModule(act, moduleId, version);
    const all = await inputsOf(act, moduleId);
    const processes = [...all.slice(0, -1), process, ...all.slice(-1)];
    await checkProcesses(act, module, processes);
    await writeProcesses(act, moduleId, processes);
    return touch(act, module, {}, { action: "新增流程", summary: `新增流程 ${process.name}` });
  }),

  serve(removeProcess, async (act, { params }) => {
    const process = await processOf(act, params.id);
    if (!process) throw notFound();
    const module = await lockModule(act, process.moduleId);
    if (process.isDefault) throw new Refusal("notAllowed", "默认流程不能删除");
    await act.tx.deleteFrom("process").where("id", "=", process.id).execute();
    return touch(act, module, {}, { action: "删除流程", summary: `删除流程 ${process.name}` });
  }),

  serve(editNode, async (act, { params, body: { version, ...node } }) => {
    const found = await act.tx
      .selectFrom("node as n")
      .innerJoin("process as p", "p.id", "n.processId")
      .select(["n.id", "p.moduleId", "p.name as process"])
      .where("n.id", "=", params.id)
      .executeTakeFirstOrThrow(notFound);
    const module = await lockModule(act, found.moduleId, version);
    const row = nodeRow(node);
    await checkPeople(act, module.enterpriseId, row.operatorIds, row.roleId ? [row.roleId] : []);
    await act.tx.updateTable("node").set(row).where("id", "=", found.id).execute();
    const summary = `修改流程 ${found.process} 的节点 ${node.name}`;
    return touch(act, module, {}, { action: "修改节点", summary });
  }),
];
