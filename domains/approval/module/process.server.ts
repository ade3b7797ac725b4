import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { addProcess, editNode, removeProcess } from "./process.contract.ts";
import { inputsOf } from "./module.queries.ts";
import { checkPeople, checkProcesses, lockModule, nodeRow, touch, writeProcesses } from "./module.service.ts";

const processOf = (act: Act, id: number) =>
  act.tx
    .selectFrom("process")
    .select(["id", "moduleId", "name", "isDefault"])
    .where("id", "=", id)
    .executeTakeFirst();

export default [
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
      .executeTakeFirst();
    if (!found) throw notFound();
    const module = await lockModule(act, found.moduleId, version);
    const row = nodeRow(node);
    await checkPeople(act, module.enterpriseId, row.operatorIds, row.roleId ? [row.roleId] : []);
    await act.tx.updateTable("node").set(row).where("id", "=", found.id).execute();
    const summary = `修改流程 ${found.process} 的节点 ${node.name}`;
    return touch(act, module, {}, { action: "修改节点", summary });
  }),
];
