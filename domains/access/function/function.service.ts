import { sql } from "kysely";
import type { Pool } from "pg";
import type { Given } from "../../../platform/kernel/call.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { NEXT_VERSION, removeAt, revise } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { addFunction, editFunction } from "./function.contract.ts";
import { foundNode } from "./function.queries.ts";
import { functionTable } from "./function.rules.ts";
import { whyNotDeleted, whyNotDisabled, whyNotMoved } from "./menu.rules.ts";

/**
 * Brings the stored functions up to the table of this release; none is ever taken out. Names, order and switches that
 * people changed stay.
 */
export async function syncFunctions(pool: Pool): Promise<void> {
  const rows = functionTable();
  await pool.query(
    `insert into function_node as n
       (key, permission_id, level, parent_key, name, path, action, order_num, released_name, released_order)
     select key, "permissionId", level, "parentKey", name, path, action, "orderNum", name, "orderNum"
     from json_to_recordset($1::json) as r(key text, "permissionId" int, level int, "parentKey" text, name text,
       path text, action text, "orderNum" int)
     on conflict (key) do update set path = excluded.path, parent_key = excluded.parent_key, level = excluded.level,
       released_name = excluded.released_name, released_order = excluded.released_order, built_in = true,
       name = case when n.name = n.released_name then excluded.name else n.name end,
       order_num = case when n.order_num = n.released_order then excluded.order_num else n.order_num end
     where (n.path, n.parent_key, n.level, n.released_name, n.released_order, n.built_in)
       is distinct from (excluded.path, excluded.parent_key, excluded.level, excluded.released_name,
         excluded.released_order, true)`,
    [JSON.stringify(rows)],
  );
}

const TAKEN = "权限编码已存在";
constraintSays("function_node_page_code", { field: "permissionId", msg: TAKEN });
constraintSays("function_node_authority_code", { field: "permissionId", msg: TAKEN });
constraintSays("function_node_pkey", { field: "permissionId", msg: TAKEN });

/** The functions are one set for all enterprises of a deployment: where there are several, the platform keeps them. */
async function needsKeeper({ tx, who }: Act): Promise<void> {
  if (who.superType === "0") return;
  const { n } = await tx
    .selectFrom("enterprise")
    .select(sql<number>`count(*)`.as("n"))
    .where("enabled", "=", true)
    .executeTakeFirstOrThrow();
  if (n > 1) throw new Refusal("noPermission", "菜单由多家企业共用，请由平台管理员修改", 403);
}

const note = (act: Act, node: { id: number; key: string; name: string }, action: string, more: object = {}) =>
  act.note({
    kind: "function",
    recordId: node.id,
    number: node.key,
    action,
    summary: `${action}功能 ${node.name}（${node.key}）`,
    ...more,
  });

export async function createFunction(act: Act, body: Given<typeof addFunction>["body"]): Promise<number> {
  await needsKeeper(act);
  const parent = await foundNode(act, body.parentId);
  const level = Number(body.level);
  if (parent.level !== level - 1)
    throw invalid({ field: "parentId", msg: level === 2 ? "外部链接须放在菜单下" : "操作须放在页面下" });
  const action = level === 3 ? (body.action ?? null) : null;
  const permissionId = action ? parent.permissionId : body.permissionId!;
  const key = action ? `${permissionId}.${action}` : level === 2 ? String(permissionId) : `#${permissionId}`;
  const { last } = await act.tx
    .selectFrom("functionNode")
    .select(sql<number>`coalesce(max(order_num), 0)`.as("last"))
    .where("parentKey", "=", parent.key)
    .executeTakeFirstOrThrow();
  const { id } = await act.tx
    .insertInto("functionNode")
    .values({
      key,
      permissionId,
      level,
      parentKey: parent.key,
      name: body.name,
      path: level === 2 ? body.path! : null,
      action,
      orderNum: body.orderNum ?? last + 1,
      remark: body.remark,
      builtIn: false,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await note(act, { id, key, name: body.name }, "新增");
  return id;
}

export async function updateFunction(act: Act, body: Given<typeof editFunction>["body"]): Promise<void> {
  await needsKeeper(act);
  const { id, version, path, ...changes } = body;
  const before = await foundNode(act, id);
  if (path && before.builtIn && path !== before.path)
    throw invalid({ field: "path", msg: "系统内置功能的路径不能修改" });
  if (changes.hidden && whyNotDisabled(before)) throw invalid({ field: "hidden", msg: "该菜单不能隐藏" });
  const done = await revise(
    act,
    "functionNode",
    { id, version },
    { ...changes, ...(!before.builtIn && before.level === 2 && path && { path }) },
  );
  const { name, icon, orderNum, hidden, remark } = before;
  await note(act, before, "修改", {
    before: { name, icon, orderNum, hidden, path: before.path, remark },
    after: done,
  });
}

export async function removeFunction(act: Act, id: number, version: number): Promise<void> {
  await needsKeeper(act);
  const node = await foundNode(act, id);
  const { roles, below } = await act.tx
    .selectNoFrom([
      sql<number>`(select count(*) from role_function where key = ${node.key})`.as("roles"),
      sql<number>`(select count(*) from function_node where parent_key = ${node.key})`.as("below"),
    ])
    .executeTakeFirstOrThrow();
  const why = whyNotDeleted({ builtIn: node.builtIn, roles });
  if (why) throw new Refusal("inUse", why);
  if (below) throw new Refusal("inUse", `有${below}项下级功能，不能删除，可停用`);
  await removeAt(act, "functionNode", { id, version });
  await note(act, node, "删除");
}

/** Siblings get numbers one after the other, so that a move is always seen. */
export async function moveNode(act: Act, id: number, by: -1 | 1): Promise<void> {
  await needsKeeper(act);
  const node = await foundNode(act, id);
  // two people who move at once: one after the other
  await sql`lock table function_node in share row exclusive mode`.execute(act.tx);
  const siblings = await act.tx
    .selectFrom("functionNode")
    .select(["id", "key", "orderNum"])
    .where((eb) =>
      node.parentKey === null ? eb("parentKey", "is", null) : eb("parentKey", "=", node.parentKey),
    )
    .orderBy("orderNum")
    .orderBy("permissionId")
    .orderBy("key")
    .execute();
  const why = whyNotMoved(siblings, node.key, by);
  if (why) throw new Refusal("notAllowed", why);
  const at = siblings.findIndex((s) => s.id === id);
  const orders = siblings.map((s) => s.orderNum);
  // numbers that are equal or too close are spread first
  for (let i = 1; i < orders.length; i++) orders[i] = Math.max(orders[i]!, orders[i - 1]! + 1);
  const next = siblings.with(at, siblings[at + by]!).with(at + by, siblings[at]!);
  for (const [i, sibling] of next.entries())
    if (sibling.orderNum !== orders[i])
      await act.tx
        .updateTable("functionNode")
        .set({ orderNum: orders[i]!, version: NEXT_VERSION })
        .where("id", "=", sibling.id)
        .execute();
  await note(act, node, by < 0 ? "上移" : "下移");
}

export async function switchFunction(act: Act, id: number, version: number, enabled: boolean): Promise<void> {
  await needsKeeper(act);
  const node = await foundNode(act, id);
  const why = enabled ? undefined : whyNotDisabled(node);
  if (why) throw new Refusal("notAllowed", why);
  await revise(act, "functionNode", { id, version }, { enabled });
  await note(act, node, enabled ? "启用" : "停用");
}
