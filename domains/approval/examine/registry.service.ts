import { sql } from "kysely";
import type { Permit } from "../../../platform/kernel/call.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import {
  type ActField,
  BY,
  type By,
  type Condition,
  type Values,
  chosenProcess,
  conditionText,
} from "./condition.rules.ts";
import type { Mode } from "./engine.rules.ts";

/** A table of what the act does, as the submitter saw it. Amounts are fen. */
export type PreviewTable = {
  title: string;
  /** A column that needs something is only there for a reader who has it. */
  columns: { title: string; kind: "text" | "money"; need?: Permit }[];
  rows: (string | number | null)[][];
};

/** Its columns of words, and of money. */
export const words = (title: string) => ({ title, kind: "text" as const });
export const money = (title: string) => ({ title, kind: "money" as const });

/** What an act would do now. */
export type Outlook = {
  title: string;
  /** The record's number, as people know it. */
  number: string;
  /** The screen and the record that show it, where they are not those of its type. */
  opens?: { page: string; id: number };
  villageId: number;
  amount: Fen | null;
  /** What conditions are judged by: fen, percent, counts, 1 and 0. */
  values: Values;
  /** At most eight label and value pairs. */
  facts: (readonly [string, string])[];
  preview: PreviewTable[];
  /** The same hash means the same effect. */
  hash: string;
};

/** Ends without an approval. */
export type Dropped = "rejected" | "withdrawn" | "void";

/** A record and what is to be done with it. The payload is whatever its owner needs to do it later. */
export type Wanted = { id: number; payload: unknown; reason: string };

/** A kind of act that can need approval, registered by the domain that owns the record. */
export type Approvable = {
  type: string;
  title: string;
  group: "合同" | "财务" | "房源" | "运营";
  /** The record that waits, named as in the business log. */
  kind: string;
  /** The screen that opens it by ?id=. */
  page: string;
  /** Who may open that screen's records: people an approval can be handed to. */
  permit: Permit;
  fields: readonly ActField[];
  /** Refuses what cannot be done. */
  outlook: (read: Read, wanted: Wanted) => Promise<Outlook>;
  /** Does it, in the transaction of the last approval. */
  effect: (act: Act, wanted: Wanted) => Promise<void>;
  /** What becomes of the record when it was not approved, in the transaction of that decision. */
  dropped?: (act: Act, wanted: Wanted, end: { state: Dropped; why: string }) => Promise<void>;
};

const known = new Map<string, Approvable>();

/** Registers a type of act; called once, by the file that holds its effect. */
export function approves(approvable: Approvable): void {
  known.set(approvable.type, approvable);
}
export const approvable = (type: string): Approvable | undefined => known.get(type);
/** For acts that run: their type was registered when they were submitted. */
export function registered(type: string): Approvable {
  const found = known.get(type);
  if (!found) throw new Error(`nobody approves ${type}`);
  return found;
}
export const everyApprovable = (): Approvable[] => [...known.values()];

export type SnapshotNode = { name: string; mode: Mode; remindHours: number; who: string; people: number[] };
/** The way an act takes, kept with it: later edits of the configuration change nothing. */
export type Snapshot = {
  moduleName: string;
  processName: string;
  condition: string;
  fallbackId: number;
  nodes: SnapshotNode[];
};
export type Way = { moduleId: number; snapshot: Snapshot };

type Node = {
  name: string;
  by: By;
  operatorIds: number[];
  roleId: number | null;
  roleName: string | null;
  mode: Mode;
  remindHours: number;
};
type Process = { name: string; conditions: Condition[]; nodes: Node[] };
export type Governing = { id: number; name: string; fallbackOperatorId: number; processes: Process[] };

/** Processes of modules in order, each with its nodes in order, by module. */
const PROCESSES = sql`
  select p.module_id, json_agg(json_build_object('name', p.name, 'conditions', p.conditions, 'nodes', n.nodes)
    order by p.order_num) processes
  from process p cross join lateral (
    select coalesce(json_agg(json_build_object('name', n.name, 'by', n.by, 'operatorIds', n.operator_ids, 'roleId', n.role_id,
      'roleName', r.name, 'mode', n.mode, 'remindHours', n.remind_hours) order by n.order_num), '[]') nodes
    from node n left join role r on r.id = n.role_id where n.process_id = p.id) n
  group by p.module_id`;

/** The module that governs a type of act in each village; villages without one act at once. */
export async function governing(
  read: Pick<Read, "tx">,
  type: string,
  villageIds: readonly number[],
): Promise<Map<number, Governing>> {
  const { rows } = await sql<Governing & { villageId: number }>`
    select v.village_id "villageId", m.id, m.name, m.fallback_operator_id "fallbackOperatorId", p.processes
    from module_village v join module m on m.id = v.module_id join (${PROCESSES}) p on p.module_id = m.id
    where v.module_type = ${type} and v.village_id = ${anyOf([...new Set(villageIds)])} and m.enabled`.execute(
    read.tx,
  );
  return new Map(rows.map(({ villageId, ...module }) => [villageId, module]));
}

/** The process that values take, with the people its nodes would ask in a village. */
export async function wayOf(
  read: Pick<Read, "tx">,
  type: string,
  module: Governing,
  villageId: number,
  values: Values,
): Promise<Way> {
  const process = chosenProcess(module.processes, values);
  const nodes: SnapshotNode[] = [];
  for (const node of process.nodes)
    nodes.push({
      name: node.name,
      mode: node.mode,
      remindHours: node.remindHours,
      who: node.by === "role" ? (node.roleName ?? "") : BY[node.by][0],
      people: await peopleOf(read, node, villageId),
    });
  return {
    moduleId: module.id,
    snapshot: {
      moduleName: module.name,
      processName: process.name,
      condition: conditionText(process.conditions, registered(type).fields),
      fallbackId: module.fallbackOperatorId,
      nodes,
    },
  };
}

/** What an act with these values would wait for in a village: the nodes by name, and the fields that its process asks about. */
export async function processFor(
  read: Pick<Read, "tx" | "who">,
  type: string,
  villageId: number,
  values: Values,
): Promise<{ nodes: string[]; fields: string[] }> {
  // what a job does was decided by whoever set it up
  const module = read.who.operatorId ? (await governing(read, type, [villageId])).get(villageId) : undefined;
  const process = module && chosenProcess(module.processes, values);
  return {
    nodes: process?.nodes.map((node) => node.name) ?? [],
    fields: process?.nodes.length ? process.conditions.map((c) => c.field) : [],
  };
}

/** The nodes alone; none where it may be done at once. */
export const waitsAt = async (...asked: Parameters<typeof processFor>): Promise<string[]> =>
  (await processFor(...asked)).nodes;

/** People of a node: those named who see the village, its manager, or who holds the role and sees the village. */
async function peopleOf(read: Pick<Read, "tx">, node: Node, villageId: number): Promise<number[]> {
  const sees = sql`(o.super_type <> '' or o.all_villages or o.village_ids @> ${[villageId]}::bigint[])`;
  const { rows } = await sql<{ id: number }>`${
    node.by === "manager"
      ? sql`select manager_id id from village where id = ${villageId}`
      : node.by === "role"
        ? sql`select distinct o.id from operator o join operator_assignment a on a.operator_id = o.id
            where a.role_id = ${node.roleId} and o.state = 'active' and ${sees} order by o.id`
        : sql`select o.id from operator o where o.id = any(${node.operatorIds}::bigint[]) and ${sees} order by o.id`
  }`.execute(read.tx);
  return rows.map((row) => row.id);
}
