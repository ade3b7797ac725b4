import { sql } from "kysely";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { ExamineDetail, ExamineStep } from "./examine.contract.ts";
import { mayOpen, mayPropose } from "./propose.service.ts";
import { ROW_FROM, rowColumns, typed } from "./list.queries.ts";
import { registered, type PreviewTable } from "./registry.service.ts";
import { readExamine, type Examine } from "./run.service.ts";

/** One examine with its way, who decided when and why, and what the reader can do with it. */
export async function examineDetailOf(read: Read, id: number): Promise<ExamineDetail> {
  const { rows } = await sql<Omit<ExamineDetail, "typeName" | "page"> & { opensPage: string | null }>`
    select ${rowColumns(read)} from ${ROW_FROM} where e.id = ${id} and ${mayOpen(read)}`.execute(read.tx);
  const examine = rows[0] && (await readExamine(read, id));
  if (!examine) throw notFound();
  const { opensPage, ...row } = rows[0]!;
  const steps = await stepsOf(read, id);
  const { processSnapshot: way } = examine;
  const people = await namesOf(
    read,
    way.nodes.flatMap((n) => n.people),
  );
  return {
    ...row,
    ...typed({ moduleType: examine.moduleType, opensPage }),
    reason: examine.reason,
    preview: examine.preview.map((table) => shownTo(read, table)),
    files: await filesGiven(read, id),
    history: await historyOf(read, examine),
    moduleName: way.moduleName,
    processName: way.processName,
    condition: way.condition,
    decidedAt: examine.decidedAt,
    round: examine.round,
    order: examine.currentOrder,
    nodes: way.nodes.map((node, i) => ({
      order: i + 1,
      name: node.name,
      who: node.who,
      mode: node.mode,
      remindHours: node.remindHours,
      people: node.people.flatMap((p) => people.get(p) ?? []),
    })),
    steps,
    permit: registered(examine.moduleType).permit,
    submitterId: examine.submitterId,
    submitted: examine.submitterId === read.who.operatorId,
    again:
      examine.submitterId === read.who.operatorId &&
      (examine.state === "rejected" || examine.state === "withdrawn") &&
      read.who.villages.includes(examine.villageId) &&
      mayPropose(read, examine),
    movable: movable(read, examine, steps),
    obstacle: examine.state === "approving" ? await obstacle(read, examine) : null,
  };
}

/** A table of the preview without the columns that the reader may not see. */
function shownTo({ who }: Read, table: PreviewTable): ExamineDetail["preview"][number] {
  const seen = table.columns.map(({ need }) => need === undefined || who.permits.has(need));
  return {
    title: table.title,
    columns: table.columns.filter((_, i) => seen[i]).map(({ title, kind }) => ({ title, kind })),
    rows: table.rows.map((row) => row.filter((_, i) => seen[i])),
  };
}

const filesGiven = async (read: Read, id: number): Promise<ExamineDetail["files"]> =>
  (
    await sql<ExamineDetail["files"][number]>`
      select f.id, f.name, f.type from examine e, unnest(e.file_ids) with ordinality given (id, nth)
        join stored_file f on f.id = given.id
      where e.id = ${id} order by given.nth`.execute(read.tx)
  ).rows;

/** The file's id, when it was handed in with an examine that the reader may open. */
export async function fileOfExamine(read: Read, id: number, fileId: number): Promise<number> {
  const { rows } = await sql`
    select from examine e where e.id = ${id} and ${fileId} = any(e.file_ids) and ${mayOpen(read)}`.execute(
    read.tx,
  );
  if (!rows.length) throw notFound();
  return fileId;
}

/** The record's own story, without what this approval wrote into it. */
const historyOf = async (
  read: Read,
  { id, targetKind, targetId }: Examine,
): Promise<ExamineDetail["history"]> =>
  (
    await sql<ExamineDetail["history"][number]>`
      select l.id, l.at, l.operator_name who, l.action what, l.summary note from business_log l
      where l.kind = ${targetKind} and l.record_id = ${targetId} and l.examine_id is distinct from ${id}
      order by l.at desc, l.id desc limit 20`.execute(read.tx)
  ).rows;

const stepsOf = async (read: Read, id: number): Promise<ExamineStep[]> =>
  (
    await sql<ExamineStep>`
      select s.id, s.round, s.order_num "order", s.operator_id "operatorId", o.real_name name, s.state, s.merged, s.comment,
        s.asked_at "askedAt", s.decided_at "decidedAt", t.real_name "transferredTo"
      from examine_step s join operator o on o.id = s.operator_id left join operator t on t.id = s.transferred_to_id
      where s.examine_id = ${id} order by s.id`.execute(read.tx)
  ).rows;

/** People by id; those who are disabled are told apart. */
export async function namesOf(
  read: Pick<Read, "tx">,
  ids: readonly number[],
): Promise<Map<number, { id: number; name: string; active: boolean }>> {
  const rows = await read.tx
    .selectFrom("operator")
    .select(["id", "realName", "state"])
    .where("id", "=", anyOf([...new Set(ids)]))
    .execute();
  return new Map(rows.map((o) => [o.id, { id: o.id, name: o.realName, active: o.state === "active" }]));
}

function movable(
  read: Read,
  examine: Examine,
  steps: readonly ExamineStep[],
): { id: number; name: string }[] {
  const { who } = read;
  const others = who.permits.has("#4901") && who.villages.includes(examine.villageId);
  return steps
    .filter((s) => s.state === "waiting" && (others || s.operatorId === who.operatorId))
    .map((s) => ({ id: s.operatorId, name: s.name }));
}

/** The sentence that the last approval would be refused with now. */
async function obstacle(read: Read, examine: Examine): Promise<string | null> {
  const { targetId: id, payload, reason } = examine;
  try {
    const now = await registered(examine.moduleType).outlook(read, { id, payload, reason });
    return now.hash === examine.previewHash
      ? null
      : "提交审批后内容已变化，不能通过，请驳回后由提交人重新提交";
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
