import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addRole, deleteRole, editRole, exportRoles, getRole, roleOptions } from "./role.contract.ts";
import { foundRole, holdersOf, keysOf, optionsOf, roles } from "./role.queries.ts";
import { sql } from "kysely";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays, heldSays } from "../../../platform/server/database/constraints.ts";
import { BEYOND, BEYOND_TAKING, beyond, mayGrant } from "./powers.rules.ts";

constraintSays("role_enterprise_id_name_key", { field: "name", msg: "角色名称已存在" });
heldSays("role", { code: "inUse", msg: "审批流程由该角色审批，不能删除，请先在审批配置中更换" });

type RoleInput = { name: string; remark: string; keys: readonly string[] };

/** The keys with the page of each action and the menu of each page; unknown ones are refused. */
async function wholeKeys(act: Act, keys: readonly string[]): Promise<string[]> {
  const rows = await act.tx
    .selectFrom("functionNode as n")
    .leftJoin("functionNode as p", "p.key", "n.parentKey")
    .select(["n.key", "n.parentKey", "p.parentKey as above"])
    .where("n.key", "in", ["", ...keys])
    .execute();
  if (rows.length < new Set(keys).size) throw invalid({ field: "keys", msg: "所选功能不存在，请刷新后重试" });
  return [...new Set(rows.flatMap((r) => [r.key, r.parentKey, r.above]).filter((k) => k !== null))];
}

/** Functions that the caller would give away, or take from others, without having them. What a role has already stays in it. */
function checkKeys(act: Act, changed: readonly string[], sentence = BEYOND): void {
  const grant = { superType: "", allVillages: false, villageIds: [], permits: changed };
  if (!mayGrant(act.who, grant)) throw new Refusal("beyondOwn", sentence, 403);
}

async function names(act: Act, keys: readonly string[]): Promise<string[]> {
  const rows = await act.tx
    .selectFrom("functionNode as n")
    .leftJoin("functionNode as p", "p.key", "n.parentKey")
    .select(sql<string>`concat_ws(' · ', case when n.level = 3 then p.name end, n.name)`.as("name"))
    .where("n.key", "in", ["", ...keys.filter((k) => /[.#]/.test(k))])
    .orderBy("n.orderNum")
    .execute();
  return rows.map((r) => r.name);
}

const note = (act: Act, id: number, name: string, action: string, summary: string, more: object = {}) =>
  act.note({ kind: "role", recordId: id, number: name, action, summary, ...more });

const write = async (act: Act, roleId: number, keys: readonly string[]) => {
  if (keys.length)
    await act.tx
      .insertInto("roleFunction")
      .values(keys.map((key) => ({ roleId, key })))
      .execute();
};

async function createRole(act: Act, { name, remark, keys }: RoleInput): Promise<number> {
  const whole = await wholeKeys(act, keys);
  checkKeys(act, whole);
  const { id } = await act.tx
    .insertInto("role")
    .values({ enterpriseId: act.who.enterpriseId, name, remark, createdBy: act.who.operatorId })
    .returning("id")
    .executeTakeFirstOrThrow();
  await write(act, id, whole);
  const given = await names(act, whole);
  await note(act, id, name, "新增", `新增角色 ${name}，${given.length} 项功能`, { after: { 功能: given } });
  return id;
}

async function updateRole(act: Act, id: number, input: RoleInput, version: number): Promise<void> {
  const before = await foundRole(act, id);
  const had = await keysOf(act, id);
  const whole = await wholeKeys(act, input.keys);
  const added = beyond(whole, had);
  const removed = beyond(had, whole);
  await revise(act, "role", { id, version }, { name: input.name, remark: input.remark, ...stamp(act) });
  // after the version: what a colleague added meanwhile is not what this one takes away
  checkKeys(act, added);
  checkKeys(act, removed, BEYOND_TAKING);
  if (removed.length)
    await act.tx.deleteFrom("roleFunction").where("roleId", "=", id).where("key", "in", removed).execute();
  await write(act, id, added);
  const [plus, minus] = [await names(act, added), await names(act, removed)];
  await note(
    act,
    id,
    input.name,
    "修改",
    `修改角色 ${input.name}，增加 ${plus.length} 项、减少 ${minus.length} 项功能`,
    {
      before: { name: before.name, remark: before.remark, 减少的功能: minus },
      after: { name: input.name, remark: input.remark, 增加的功能: plus },
    },
  );
}

async function removeRole(act: Act, id: number): Promise<void> {
  const { name } = await foundRole(act, id);
  const { n } = await act.tx
    .selectFrom("operatorAssignment")
    .select(sql<number>`count(distinct operator_id)`.as("n"))
    .where("roleId", "=", id)
    .executeTakeFirstOrThrow();
  if (n) throw new Refusal("inUse", `已被${n}名员工使用，不能删除`);
  await act.tx.deleteFrom("role").where("id", "=", id).execute();
  await note(act, id, name, "删除", `删除角色 ${name}`);
}

export default [
  serveList(roles),
  exportList(exportRoles),

  serveRead(roleOptions, (read, { query }) => optionsOf(read, query)),

  serveRead(getRole, async (read, { params }) => {
    await foundRole(read, params.id);
    const [[row], keys, holders] = await Promise.all([
      roles.rowsOf(read, [params.id]),
      keysOf(read, params.id),
      holdersOf(read, params.id),
    ]);
    return { ...row!, keys, holders };
  }),

  serve(addRole, async (act, { body }) => ({ id: await createRole(act, body) })),
  serve(editRole, async (act, { body: { id, version, ...role } }) => {
    await updateRole(act, id, role, version);
    return { id };
  }),
  serve(deleteRole, async (act, { params }) => {
    await removeRole(act, params.id);
    return null;
  }),
];
