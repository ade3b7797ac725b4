import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { needOwn } from "../../access/operator/grant.service.ts";
import { approvable } from "../examine/registry.service.ts";
import { processErrors } from "../examine/condition.rules.ts";
import type { NodeInput, ProcessInput } from "./process.contract.ts";

constraintSays("module_village_once", { field: "villageIds", msg: "门店已在其他审批中配置，请刷新后重试" });
constraintSays("module_default_last", { msg: "审批配置必须有一个默认流程，且排在最后" });

export type Module = {
  id: number;
  enterpriseId: number;
  moduleType: string;
  name: string;
  enabled: boolean;
  fallbackOperatorId: number;
  version: number;
};

/** A locked module, which only who manages all of its villages may change. */
export async function lockModule(act: Act, id: number, version?: number): Promise<Module> {
  const module = await act.tx
    .selectFrom("module")
    .select(["id", "enterpriseId", "moduleType", "name", "enabled", "fallbackOperatorId", "version"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  const villages = await act.tx
    .selectFrom("moduleVillage")
    .select("villageId")
    .where("moduleId", "=", id)
    .execute();
  const mine = new Set(act.who.villages);
  if (!module || !villages.some((v) => mine.has(v.villageId))) throw notFound();
  if (!villages.every((v) => mine.has(v.villageId)))
    throw new Refusal("noPermission", "该审批配置含您不能管理的门店，请由可管理其全部门店的人员修改", 403);
  if (version !== undefined) asSeen(module, version);
  return module;
}

/** Who is named must be people and roles of the enterprise. */
export async function checkPeople(
  act: Act,
  enterpriseId: number,
  operatorIds: readonly number[],
  roleIds: readonly number[],
): Promise<void> {
  await needOwn(act, "operator", enterpriseId, operatorIds);
  await needOwn(act, "role", enterpriseId, roleIds);
}

/** Refuses processes that could not be told apart, or lack their default. */
export async function checkProcesses(
  act: Act,
  module: Pick<Module, "enterpriseId" | "moduleType">,
  processes: readonly ProcessInput[],
): Promise<void> {
  const fields = approvable(module.moduleType)?.fields ?? [];
  const wrong = processErrors(processes, fields);
  if (wrong.length) throw invalid(...wrong);
  const nodes = processes.flatMap((p) => p.nodes);
  await checkPeople(
    act,
    module.enterpriseId,
    nodes.flatMap((n) => (n.by === "operators" ? n.operatorIds : [])),
    nodes.flatMap((n) => (n.by === "role" && n.roleId ? [n.roleId] : [])),
  );
}

/** A node as it is stored: only what its kind needs. */
export const nodeRow = (node: NodeInput) => ({
  name: node.name,
  by: node.by,
  operatorIds: node.by === "operators" ? [...new Set(node.operatorIds)] : [],
  roleId: node.by === "role" ? node.roleId : null,
  mode: node.mode,
  remindHours: node.remindHours,
});

export async function insertProcess(
  act: Act,
  moduleId: number,
  process: ProcessInput,
  orderNum: number,
): Promise<number> {
  const { id } = await act.tx
    .insertInto("process")
    .values({
      moduleId,
      name: process.name,
      orderNum,
      conditions: JSON.stringify(process.conditions),
      isDefault: process.conditions.length === 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (process.nodes.length)
    await act.tx
      .insertInto("node")
      .values(process.nodes.map((node, i) => ({ processId: id, orderNum: i + 1, ...nodeRow(node) })))
      .execute();
  return id;
}

export async function writeProcesses(
  act: Act,
  moduleId: number,
  processes: readonly ProcessInput[],
): Promise<void> {
  await act.tx.deleteFrom("process").where("moduleId", "=", moduleId).execute();
  for (const [i, process] of processes.entries()) await insertProcess(act, moduleId, process, i + 1);
}

/** Sets the villages of a module; each must be in scope and belong to no other module of the type. */
export async function writeVillages(
  act: Act,
  module: Pick<Module, "id" | "enterpriseId" | "moduleType">,
  villageIds: readonly number[],
): Promise<void> {
  const wanted = [...new Set(villageIds)];
  const mine = new Set(act.who.villages);
  if (!wanted.every((id) => mine.has(id))) throw notFound();
  const taken = await act.tx
    .selectFrom("moduleVillage as v")
    .innerJoin("module as m", "m.id", "v.moduleId")
    .select(["m.name"])
    .where("v.moduleType", "=", module.moduleType)
    .where("v.villageId", "=", anyOf(wanted))
    .where("v.moduleId", "<>", module.id)
    .executeTakeFirst();
  if (taken) throw invalid({ field: "villageIds", msg: `该门店已在审批 ${taken.name} 中配置` });
  const known = await act.tx
    .selectFrom("village")
    .select("id")
    .where("id", "=", anyOf(wanted))
    .where("enterpriseId", "=", module.enterpriseId)
    .execute();
  if (known.length < wanted.length)
    throw invalid({ field: "villageIds", msg: "一份审批配置只能包含同一企业的门店" });
  await act.tx.deleteFrom("moduleVillage").where("moduleId", "=", module.id).execute();
  await act.tx
    .insertInto("moduleVillage")
    .values(wanted.map((villageId) => ({ moduleId: module.id, moduleType: module.moduleType, villageId })))
    .execute();
}

/** Writes what changed, counts the version up and tells the module's own timeline. */
export async function touch(
  act: Act,
  module: Module,
  changes: Partial<Pick<Module, "name" | "enabled" | "fallbackOperatorId">>,
  said: { action: string; summary: string },
): Promise<{ id: number; version: number }> {
  const after = await act.tx
    .updateTable("module")
    .set({ ...changes, version: NEXT_VERSION, ...stamp(act) })
    .where("id", "=", module.id)
    .returning(["id", "version"])
    .executeTakeFirstOrThrow();
  await act.note({ kind: "module", recordId: module.id, number: changes.name ?? module.name, ...said });
  return after;
}
