import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { is, isOn } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { namesOf } from "../examine/detail.queries.ts";
import { approvable, governing, wayOf } from "../examine/registry.service.ts";
import { BY, type Condition, type Values, chosenProcess, conditionText } from "../examine/condition.rules.ts";
import { type ModuleDetail, type ModuleRow, listModules } from "./module.contract.ts";
import type { NodeInput, ProcessInput, ProcessShown } from "./process.contract.ts";

/** Modules that govern at least one village in scope. */
const SEEN = (read: Read, villages: readonly number[]) => sql`exists (
  select from module_village v where v.module_id = m.id and v.village_id = ${anyOf(villages)})`;

type Raw = Omit<ModuleRow, "typeName">;

const NAME = sql`m.name collate "zh-x-icu"`;
/** The stores of a module as far as the reader sees them. */
const VILLAGES = (read: Read) => sql`array(select v.village_id from module_village v
  where v.module_id = m.id and v.village_id = ${anyOf(read.who.villages)} order by 1)`;
const COLUMNS = (read: Read) => sql<Raw>`
  m.id, m.module_type "moduleType", m.name, m.version, m.updated_at "updatedAt", coalesce(o.real_name, '系统') "updatedBy",
  case when m.enabled then 'on' else 'off' end enabled,
  (select count(*)::int from module_village v where v.module_id = m.id) "villageCount",
  (select count(*)::int from process p where p.module_id = m.id) "processCount",
  ${VILLAGES(read)} "villageIds",
  (select count(*)::int from examine e where e.module_type = m.module_type and e.state = 'approving'
    and e.village_id = any(${VILLAGES(read)})) open,
  (select round(extract(epoch from avg(e.decided_at - e.submitted_at)) / 3600, 1)::float8 from examine e
    where e.module_id = m.id and e.state in ('approved', 'rejected')) "meanHours",
  not exists (select from module_village v where v.module_id = m.id
    and v.village_id <> all(${read.who.villages as number[]}::bigint[])) editable`;

export const modules = listOf(listModules, {
  id: "m.id",
  from: sql`module m`,
  scope: (read, { villageIds }) => SEEN(read, villagesOf(read.who, villageIds)),
  where: { moduleType: is("m.module_type"), enabled: isOn("m.enabled") },
  sort: {
    type: { order: (way) => sql`m.module_type ${way}, ${NAME} ${way}, m.id` },
    name: { order: (way) => sql`${NAME} ${way}, m.id` },
  },
  order: "type",
  columns: COLUMNS,
  join: sql`join module m on m.id = page.id left join operator o on o.id = m.updated_by`,
  rows: (rows: Raw[]) =>
    rows.map((row) => ({ ...row, typeName: approvable(row.moduleType)?.title ?? row.moduleType })),
});

export async function moduleDetailOf(read: Read, id: number): Promise<ModuleDetail> {
  const { rows: seen } = await sql<{ fallbackOperatorId: number; fallback: string }>`
    select m.fallback_operator_id "fallbackOperatorId", f.real_name fallback
    from module m join operator f on f.id = m.fallback_operator_id
    where m.id = ${id} and ${SEEN(read, read.who.villages)}`.execute(read.tx);
  const [row] = seen.length ? await modules.rowsOf(read, [id]) : [];
  if (!row) throw notFound();
  const villages = await sql<{ id: number; name: string }>`
    select v.id, v.name from module_village m join village v on v.id = m.village_id
    where m.module_id = ${id} and v.id = ${anyOf(read.who.villages)} order by v.id`.execute(read.tx);
  return {
    ...row,
    ...seen[0]!,
    villages: villages.rows,
    fields: [...(approvable(row.moduleType)?.fields ?? [])],
    processes: await processesOf(read, id, row.moduleType),
  };
}

type NodeRow = NodeInput & { id: number; processId: number; roleName: string | null };

async function stored(read: Pick<Read, "tx">, moduleId: number) {
  const processes = await sql<{ id: number; name: string; isDefault: boolean; conditions: Condition[] }>`
    select id, name, is_default "isDefault", conditions from process where module_id = ${moduleId} order by order_num`.execute(
    read.tx,
  );
  const nodes = await sql<NodeRow>`
    select n.id, n.process_id "processId", n.name, n.by, n.operator_ids "operatorIds", n.role_id "roleId", n.mode,
      n.remind_hours "remindHours", r.name "roleName"
    from node n join process p on p.id = n.process_id left join role r on r.id = n.role_id
    where p.module_id = ${moduleId} order by n.order_num`.execute(read.tx);
  return { processes: processes.rows, nodes: nodes.rows };
}

/** The processes of a module in the shape in which they are typed. */
export async function inputsOf(read: Pick<Read, "tx">, moduleId: number): Promise<ProcessInput[]> {
  const { processes, nodes } = await stored(read, moduleId);
  return processes.map(({ id, name, conditions }) => ({
    name,
    conditions,
    nodes: nodes
      .filter((n) => n.processId === id)
      .map(({ id: _id, processId: _process, roleName: _role, ...node }) => node),
  }));
}

/** As lanes: condition, then node after node with the names of who is asked. */
async function processesOf(read: Read, moduleId: number, type: string): Promise<ProcessShown[]> {
  const { processes, nodes } = await stored(read, moduleId);
  const people = await namesOf(
    read,
    nodes.flatMap((n) => n.operatorIds),
  );
  const fields = approvable(type)?.fields ?? [];
  return processes.map((process) => ({
    ...process,
    condition: conditionText(process.conditions, fields),
    nodes: nodes
      .filter((n) => n.processId === process.id)
      .map((n) => ({
        ...n,
        who: n.by === "role" ? (n.roleName ?? "") : BY[n.by][0],
        people: n.operatorIds.flatMap((id) => people.get(id) ?? []),
      })),
  }));
}

export async function moduleCounts(read: Read): Promise<Map<string, number>> {
  const { rows } = await sql<{ type: string; n: number }>`
    select m.module_type type, count(*)::int n from module m where ${SEEN(read, read.who.villages)} group by 1`.execute(
    read.tx,
  );
  return new Map(rows.map((row) => [row.type, row.n]));
}

export async function openOf(read: Pick<Read, "tx">, moduleId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int n from examine where module_id = ${moduleId} and state = 'approving'`.execute(
    read.tx,
  );
  return rows[0]!.n;
}

/** Villages in scope, with the other module of the type that has them already. */
export async function villagesFor(read: Read, type: string, moduleId: number | undefined) {
  const { rows } = await sql<{ id: number; name: string; takenBy: string | null }>`
    select v.id, v.name, m.name "takenBy" from village v
    left join module_village mv on mv.village_id = v.id and mv.module_type = ${type} and mv.module_id <> ${moduleId ?? 0}
    left join module m on m.id = mv.module_id
    where v.id = ${anyOf(read.who.villages)} order by v.id`.execute(read.tx);
  return rows;
}

/** Roles of the operator's enterprise, with how many active people hold each. */
export async function rolesOf(read: Read) {
  const { rows } = await sql<{ id: number; name: string; people: number }>`
    select r.id, r.name, count(distinct o.id)::int people from role r
    left join operator_assignment a on a.role_id = r.id
    left join operator o on o.id = a.operator_id and o.state = 'active'
    where r.enterprise_id = ${read.who.enterpriseId} group by r.id order by r.name collate "zh-x-icu"`.execute(
    read.tx,
  );
  return rows;
}

const NOTHING = { moduleId: null, moduleName: "", process: null, processName: "", condition: "", nodes: [] };

/** The way that values would take in a village, with the people it would ask. */
export async function trialOf(read: Read, type: string, villageId: number, values: Values) {
  const module = (await governing(read, type, [villageId])).get(villageId);
  if (!module) return NOTHING;
  const { snapshot } = await wayOf(read, type, module, villageId, values);
  const people = await namesOf(read, [...snapshot.nodes.flatMap((n) => n.people), snapshot.fallbackId]);
  const fallback = people.get(snapshot.fallbackId);
  return {
    moduleId: module.id,
    moduleName: module.name,
    process: module.processes.indexOf(chosenProcess(module.processes, values)),
    processName: snapshot.processName,
    condition: snapshot.condition,
    nodes: snapshot.nodes.map((node) => {
      const able = node.people.flatMap((id) => people.get(id) ?? []).filter((p) => p.active);
      const asked = able.length ? able.map((p) => p.name) : fallback ? [`${fallback.name}（兜底）`] : [];
      return { name: node.name, mode: node.mode, who: node.who, people: asked };
    }),
  };
}
