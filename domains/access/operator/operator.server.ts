import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { changeBatch, previewBatch } from "./batch.contract.ts";
import { batch } from "./batch.service.ts";
import {
  disable,
  enable,
  endOne,
  forgetFactor,
  reset,
  takeAway,
  updateOperator,
  verify,
  view,
} from "./edit.service.ts";
import { explainOperator } from "./explain.contract.ts";
import {
  addOperator,
  disableOperator,
  editOperator,
  enableOperator,
  getOperator,
  listHolders,
  listManagers,
  listSigners,
  operatorExport,
  removeAssignment,
  resetPassword,
  resetSecondFactor,
  unlockOperator,
  updateVerify,
  viewAs,
} from "./operator.contract.ts";
import { holders, operatorDetail, operators } from "./operator.queries.ts";
import { createOperator, unlock } from "./operator.service.ts";
import { sql } from "kysely";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { endSession } from "../session/session.contract.ts";
import { permitsOfOperator } from "../session/session.service.ts";
import { RECORD_WORDS, STATE_WORDS, type RecordKind } from "./operator.rules.ts";
import { foundOperator, type Member } from "./grant.service.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

type Step = { ok: boolean; text: string };

async function nodeOf(read: Read, key: string) {
  const node = await read.tx
    .selectFrom("functionNode as n")
    .leftJoin("functionNode as p", "p.key", "n.parentKey")
    .leftJoin("functionOpen as o", "o.key", "n.key")
    .select(["n.key", "n.name", "n.level", "p.name as page", sql<boolean>`o.key is not null`.as("open")])
    .where("n.key", "=", key)
    .executeTakeFirst();
  if (!node) throw invalid({ field: "permissionId", msg: "功能不存在" });
  return {
    ...node,
    title: `${node.level === 3 && node.page ? `${node.page} · ` : ""}${node.name}（${key}）`,
  };
}

/** Whether the person reaches the village of a record. A record that the asker does not see does not exist for them. */
async function recordStep(read: Read, operator: Member, kind: RecordKind, id: number): Promise<Step> {
  const column = kind === "village" ? sql`id` : sql`village_id`;
  const { rows } = await sql<{ id: number; name: string; enterpriseId: number }>`
    select v.id, v.name, v.enterprise_id "enterpriseId" from village v
    where v.id = (select ${column} from ${sql.table(kind)} where id = ${id})`.execute(read.tx);
  const [village] = rows;
  if (!village || !read.who.villages.includes(village.id)) throw notFound();
  const what = `${RECORD_WORDS[kind][0]} ${id} 属于门店“${village.name}”`;
  if (operator.superType === "0") return { ok: true, text: `${what}，平台管理员可见全部门店` };
  if (village.enterpriseId !== operator.enterpriseId)
    return { ok: false, text: `${what}，不在该员工的企业内` };
  if (operator.superType || operator.allVillages)
    return { ok: true, text: `${what}，该员工的门店范围为全部` };
  return operator.villageIds.includes(village.id)
    ? { ok: true, text: `${what}，在该员工的门店范围内` }
    : { ok: false, text: `${what}，不在该员工的门店范围内，对其显示“记录不存在”` };
}

async function explain(
  read: Read,
  id: number,
  query: { permissionId: string; recordKind?: RecordKind | undefined; recordId?: number | undefined },
) {
  const operator = await foundOperator(read, id);
  const key = query.permissionId;
  const [node, permits] = await Promise.all([nodeOf(read, key), permitsOfOperator(read.tx, operator)]);
  const roles = await read.tx
    .selectFrom("operatorAssignment as a")
    .innerJoin("role as r", "r.id", "a.roleId")
    .innerJoin("department as d", "d.id", "a.departmentId")
    .innerJoin("roleFunction as f", "f.roleId", "r.id")
    .select(["r.id", "r.name", "d.name as departmentName"])
    .where("a.operatorId", "=", id)
    .where("f.key", "=", key)
    .orderBy("r.id")
    .execute();
  const actions = await read.tx
    .selectFrom("functionNode")
    .select(["key", "name"])
    .where("parentKey", "=", node.level === 3 ? "" : key)
    .where("level", "=", 3)
    .orderBy("orderNum")
    .execute();
  const has = (k: string) =>
    permits.has(k) || (!/[.#]/.test(k) && [...permits].some((p) => p.startsWith(`${k}.`)));
  const steps: Step[] = [
    {
      ok: operator.state === "active",
      text: `账号状态为“${STATE_WORDS[operator.state as "active"][0]}”${operator.state === "active" ? "" : "，不能登录"}`,
    },
    ...(node.open ? [] : [{ ok: false, text: `“${node.title}”已在菜单管理中停用，任何人都不能使用` }]),
    has(key)
      ? {
          ok: true,
          text: operator.superType
            ? `管理员拥有“${node.title}”权限`
            : `“${node.title}”权限来自角色：${[...new Set(roles.map((r) => r.name))].join("、") || "所含动作"}`,
        }
      : { ok: false, text: `没有“${node.title}”权限，所属角色均未包含` },
  ];
  if (query.recordKind && query.recordId)
    steps.push(await recordStep(read, operator, query.recordKind, query.recordId));
  return {
    allowed: steps.every((s) => s.ok),
    functionName: node.title,
    steps,
    roles,
    actions: actions.map((a) => ({ ...a, ok: permits.has(a.key) })),
  };
}

const CONTRACTS = ["9.add", "11.add", "107.add"] as const;
const masked = <R extends { phone: string }>(row: R) => ({ ...row, phone: maskPhone(row.phone) });

export default [
  serveList(operators),
  exportList(operatorExport),

  serveRead(listHolders, async (read, { query }) => {
    const villageId = query.villageId && inScope(read.who, query.villageId);
    return (await holders(read, [query.permit as "9.get"], villageId).execute()).map(masked);
  }),

  serveRead(listSigners, async (read, { query }) =>
    // who signs for the house has shown who they are
    (
      await holders(read, CONTRACTS, inScope(read.who, query.villageId))
        .where("o.verified", "=", true)
        .execute()
    ).map(masked),
  ),

  serveRead(listManagers, async (read, { query }) => {
    const villageId = inScope(read.who, query.villageId);
    const village = await aRow(read, "village", ["managerId"], { id: villageId });
    const rows = await holders(read, undefined, villageId).execute();
    return rows.map((row) => ({ ...masked(row), manages: row.id === village?.managerId }));
  }),

  serve(addOperator, async (act, { body }) => ({
    id: await createOperator(act, { ...body, enterpriseId: act.who.enterpriseId, mustChangePassword: true }),
  })),

  serve(unlockOperator, async (act, { params }) => {
    await unlock(act, params.id);
    return null;
  }),
  serveRead(getOperator, (read, { params }) => operatorDetail(read, params.id)),

  serve(editOperator, async (act, { params, body }) => {
    await updateOperator(act, params.id, body);
    return { id: params.id };
  }),
  serve(removeAssignment, async (act, { params: { id, roleId, depid } }) => ({
    id,
    state: (await takeAway(act, id, roleId, depid)) as "active",
  })),
  serve(enableOperator, async (act, { params, body }) => {
    await enable(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(disableOperator, async (act, { params, body }) => {
    await disable(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(resetPassword, async (act, { params, body }) => {
    const password = await reset(act, params.id, body.version);
    const { account } = await theRow(act, "operator", ["account"], { id: params.id });
    return { id: params.id, account, password };
  }),
  serve(resetSecondFactor, async (act, { params, body }) => {
    await forgetFactor(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(updateVerify, async (act, { body }) => {
    await verify(act, body.id, body.version, body.verified);
    return { id: body.id };
  }),
  serve(viewAs, async (act, { params }) => {
    const { operator, token, until } = await view(act, params.id);
    const { realName, phone, superType } = operator;
    return { id: params.id, token, until, realName, phone: maskPhone(phone), superType };
  }),
  serve(endSession, async (act, { params }) => {
    await endOne(act, params.id);
    return null;
  }),
  serveRead(explainOperator, (read, { params, query }) => explain(read, params.id, query)),
  serve(previewBatch, (act, { body }) => batch(act, body, false)),
  serve(changeBatch, (act, { body }) => batch(act, body, true)),
];
