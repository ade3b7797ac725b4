import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
import { halfUp, ratio } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { containing } from "../../../platform/kernel/like.ts";
import type { changeRow, listChanges } from "./change.contract.ts";
import { openText, ruleText } from "./change.rules.ts";
import type { ApplyTo, ChangeKind, ChangeState, Mode, Round } from "./words.rules.ts";

type Query = z.output<typeof listChanges.query>;
type Shown = z.input<typeof changeRow>;

/** The approval of `price_change c`: the one that waits, else the last. */
export const APPROVAL = sql`left join lateral (select x.id, x.examine_no, x.state, x.version from examine x
  where x.module_type = 'priceChange' and x.target_id = c.id order by x.state = 'approving' desc, x.id desc limit 1) e on true`;

/** What people see of `price_change c` on a day: its approval and the calendar have their say. */
export const stateOn = (today: Day): RawBuilder<ChangeState> => sql<ChangeState>`case
  when c.queued_at is not null then 'running'
  when c.state = 'submitted' and e.state in ('approving', 'rejected') then e.state
  when c.state = 'submitted' then 'draft'
  when c.state = 'scheduled' and c.effective_day <= ${today} then 'effective' else c.state end`;

/** A percent is kept in hundredths. */
export const valueOf = (mode: string, value: number | null): number | null =>
  value !== null && mode === "percent" ? value / 100 : value;

/** Changes of which every village is in scope: a part of one is no change that anybody decided on. */
const seenBy = (read: Read) => sql`c.village_ids <@ ${read.who.villages as number[]}::bigint[]`;

const matching = (read: Read, q: Query) => sql`
  from price_change c left join operator o on o.id = c.created_by ${APPROVAL}
  where ${seenBy(read)}
    ${q.villageIds?.length ? sql`and c.village_ids && ${villagesOf(read.who, q.villageIds) as number[]}::bigint[]` : sql``}
    ${q.state?.length ? sql`and ${stateOn(read.today)} = any(${q.state}::text[])` : sql``}
    ${q.kind?.length ? sql`and c.kind = any(${q.kind}::text[])` : sql``}
    ${q.dayFrom ? sql`and c.effective_day >= ${q.dayFrom}` : sql``}
    ${q.dayTo ? sql`and c.effective_day <= ${q.dayTo}` : sql``}
    ${q.person ? sql`and o.real_name ilike ${containing(q.person)}` : sql``}
    ${q.keyword ? sql`and (c.number ilike ${containing(q.keyword)} or c.reason ilike ${containing(q.keyword)})` : sql``}`;

const SORTS = {
  createdAt: sql`c.created_at`,
  effectiveDay: sql`c.effective_day`,
  rooms: sql`c.rooms`,
  effect: sql`c.effect`,
};

type Row = Omit<Shown, "ruleText" | "oldAverage" | "newAverage"> & {
  mode: Mode;
  value: number | null;
  applyTo: ApplyTo;
  round: Round;
  oldSum: number;
  newSum: number;
  /** In words, of what is no rule for many rooms. */
  given: string | null;
};

const columns = (
  read: Read,
) => sql`c.id, c.number, c.kind, c.rule_text given, c.progress, c.failed, c.scope_text "scopeText", c.mode, c.value, c.apply_to "applyTo", c.round,
  c.rooms, c.old_sum "oldSum", c.new_sum "newSum", c.effect, c.effective_day "effectiveDay", ${stateOn(read.today)} state,
  coalesce(o.real_name, '系统') "createdName", c.created_at "createdAt", e.examine_no "examineNo", e.id "examineId",
  coalesce(c.submitted_by, c.created_by) = ${read.who.operatorId} mine, c.version`;

const shown = <R extends Row>({ who }: Read, { oldSum, newSum, value, given, ...row }: R) => ({
  ...row,
  value: valueOf(row.mode, value),
  ruleText:
    given ?? (who.permits.has("#601") ? ruleText : openText)({ ...row, value: valueOf(row.mode, value) }),
  oldAverage: row.rooms ? halfUp(ratio(oldSum, row.rooms)) : null,
  newAverage: row.rooms ? halfUp(ratio(newSum, row.rooms)) : null,
});

export async function changeRows(read: Read, q: Query): Promise<Shown[]> {
  const down = q.order === "asc" ? sql`asc` : sql`desc`;
  const { rows } = await sql<Row>`
    select ${columns(read)} ${matching(read, q)}
    order by ${SORTS[q.sort ?? "createdAt"]} ${down}, c.id desc ${pageEnd(q)}`.execute(read.tx);
  return rows.map((row) => shown(read, row));
}

export async function changeTotals(read: Read, q: Query) {
  const { rows } = await sql<{ total: number; rooms: number; effect: number }>`
    select count(*) total, coalesce(sum(c.rooms), 0)::bigint rooms, coalesce(sum(c.effect), 0)::bigint effect
    ${matching(read, q)}`.execute(read.tx);
  return rows[0]!;
}

/** A change whose every village is in scope, as its record shows it. */
export async function changeOf(read: Read, id: number) {
  const { rows } = await sql<
    Row & {
      reason: string;
      villageNames: string;
      undoOf: { id: number; number: string } | null;
      undoneBy: { id: number; number: string } | null;
    }
  >`
    select ${columns(read)}, c.reason,
      (select string_agg(v.name, '、' order by v.id) from village v where v.id = any(c.village_ids)) "villageNames",
      (select json_build_object('id', u.id, 'number', u.number) from price_change u where u.id = c.undo_of) "undoOf",
      (select json_build_object('id', u.id, 'number', u.number) from price_change u
        where u.undo_of = c.id and u.state <> 'cancelled' order by u.id desc limit 1) "undoneBy"
    from price_change c left join operator o on o.id = c.created_by ${APPROVAL}
    where c.id = ${id} and ${seenBy(read)}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return shown(read, rows[0]);
}

/** The stored record, locked where it is about to change; 404 out of scope. */
export async function changeSeen(read: Read, id: number, { lock = false } = {}) {
  const row = await read.tx
    .selectFrom("priceChange as c")
    .selectAll()
    .where("id", "=", id)
    .where(sql<boolean>`${seenBy(read)}`)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** The same as people see it: its state of today and the approval that it waits for. */
export async function standing(read: Read, id: number) {
  const { rows } = await sql<{
    status: ChangeState;
    mine: boolean;
    kind: ChangeKind;
    examineId: number | null;
    examineNo: string | null;
    examineVersion: number | null;
  }>`
    select ${stateOn(read.today)} status, coalesce(c.submitted_by, c.created_by) = ${read.who.operatorId} mine, c.kind,
      e.id "examineId", e.examine_no "examineNo", e.version "examineVersion"
    from price_change c ${APPROVAL} where c.id = ${id}`.execute(read.tx);
  return rows[0]!;
}

/** Names of villages, the first two of them and how many there are. */
export async function villageText(read: Read, villageIds: readonly number[]): Promise<string> {
  const rows = await read.tx
    .selectFrom("village")
    .select("name")
    .where("id", "=", anyOf(villageIds))
    .orderBy("id")
    .execute();
  const first = rows.slice(0, 2).map((row) => row.name);
  return first.join("、") + (rows.length > 2 ? ` 等 ${rows.length} 个门店` : "");
}
