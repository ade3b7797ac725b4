import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
import { halfUp, ratio } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { amongWords, from, holds, keyword, phrase, to } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { listChanges, type changeRow } from "./change.contract.ts";
import { openText, ruleText } from "./change.rules.ts";
import type { ApplyTo, ChangeKind, ChangeState, Mode, Round } from "./words.rules.ts";

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
export const seenBy = (read: Read) => sql`c.village_ids <@ ${read.who.villages as number[]}::bigint[]`;

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

const shown = <R extends Row>({ who }: Read, { oldSum, newSum, value, given, ...row }: R) => ({
  ...row,
  value: valueOf(row.mode, value),
  ruleText:
    given ?? (who.permits.has("#601") ? ruleText : openText)({ ...row, value: valueOf(row.mode, value) }),
  oldAverage: row.rooms ? halfUp(ratio(oldSum, row.rooms)) : null,
  newAverage: row.rooms ? halfUp(ratio(newSum, row.rooms)) : null,
});

const FROM = sql`price_change c left join operator o on o.id = c.created_by ${APPROVAL}`;

export const changes = listOf(listChanges, {
  id: "c.id",
  from: FROM,
  scope: (read, { villageIds }) =>
    villageIds?.length
      ? sql`${seenBy(read)} and ${holds("c.village_ids")(villagesOf(read.who, villageIds))}`
      : seenBy(read),
  where: {
    state: (states, read) => amongWords(stateOn(read.today))(states),
    kind: amongWords("c.kind"),
    dayFrom: from("c.effective_day"),
    dayTo: to("c.effective_day"),
    person: phrase("o.real_name"),
    keyword: keyword(phrase("c.number", "c.reason")),
  },
  sort: {
    createdAt: { order: (way) => sql`c.created_at ${way}, c.id desc`, way: "desc" },
    effectiveDay: "c.effective_day",
    rooms: "c.rooms",
    effect: "c.effect",
  },
  order: "createdAt",
  columns: (read: Read) => sql<Row>`c.id, c.number, c.kind, c.rule_text given, c.progress, c.failed,
    c.scope_text "scopeText", c.mode, c.value, c.apply_to "applyTo", c.round, c.rooms, c.old_sum "oldSum",
    c.new_sum "newSum", c.effect, c.effective_day "effectiveDay", ${stateOn(read.today)} state,
    coalesce(o.real_name, '系统') "createdName", c.created_at "createdAt", e.examine_no "examineNo", e.id "examineId",
    coalesce(c.submitted_by, c.created_by) = ${read.who.operatorId} mine, c.version`,
  join: sql`join ${FROM} on c.id = page.id`,
  sums: {
    select: sql`coalesce(sum(c.rooms), 0)::bigint rooms, coalesce(sum(c.effect), 0)::bigint effect`,
  },
  rows: (rows, read) => rows.map((row) => shown(read, row)),
});

/** A change whose every village is in scope, as its record shows it. */
export async function changeOf(read: Read, id: number) {
  const { rows } = await sql<{
    mode: Mode;
    applyTo: ApplyTo;
    round: Round;
    reason: string;
    villageNames: string;
    undoOf: { id: number; number: string } | null;
    undoneBy: { id: number; number: string } | null;
  }>`
    select c.mode, c.apply_to "applyTo", c.round, c.reason,
      (select string_agg(v.name, '、' order by v.id) from village v where v.id = any(c.village_ids)) "villageNames",
      (select json_build_object('id', u.id, 'number', u.number) from price_change u where u.id = c.undo_of) "undoOf",
      (select json_build_object('id', u.id, 'number', u.number) from price_change u
        where u.undo_of = c.id and u.state <> 'cancelled' order by u.id desc limit 1) "undoneBy"
    from price_change c where c.id = ${id} and ${seenBy(read)}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  const [change] = await changes.rowsOf(read, [id]);
  return { ...change!, ...rows[0] };
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
