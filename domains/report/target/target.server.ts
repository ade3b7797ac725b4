import { sql } from "kysely";
import { firstOf, lastOf, type Month } from "../../../platform/kernel/day.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/scope.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import { CODES, INDICATORS, reached, type Code } from "../overview/overview.rules.ts";
import { actuals } from "./actual.queries.ts";
import {
  completion,
  copyTargets,
  indicators,
  saveTargets,
  targetChanges,
  targets,
} from "./target.contract.ts";
import { isOver, keptTargets } from "./target.queries.ts";
import { monthsOf, shownValue, valueRefusal } from "./target.rules.ts";

type Cell = { villageId: number; month: Month; value: number | null; version: number };

const named = (read: Read, villages: readonly number[]) =>
  read.tx
    .selectFrom("village")
    .select(["id", "name"])
    .where("id", "=", anyOf(villages))
    .orderBy(sql`name collate "zh-x-icu"`)
    .orderBy("id")
    .execute();

const yearOf = (year: number) => ({ from: `${year}-01-01`, to: `${year}-12-31` });

/** Writes cells and keeps what stood there. A cell that somebody else has changed meanwhile stops them all. */
async function write(act: Act, code: Code, cells: readonly Cell[], note: string): Promise<number> {
  if (cells.some((c) => !act.who.villages.includes(c.villageId))) throw notFound();
  const wrong = cells.flatMap((c, i) => {
    const msg = c.value === null ? undefined : valueRefusal(code, c.value);
    return msg ? [{ field: `cells.${i}`, msg }] : [];
  });
  if (wrong.length) throw invalid(...wrong);
  if (note.length < 2 && cells.some((c) => isOver(c.month, act.today)))
    throw invalid({ field: "note", msg: "修改历史目标请填写原因" });
  const ids = [...new Set(cells.map((c) => c.villageId))];
  const months = cells.map((c) => c.month).toSorted();
  // one writer at a time for an indicator: rows that do not exist yet cannot be locked
  await sql`select pg_advisory_xact_lock(hashtextextended(${`indicatorTarget ${code}`}, 0))`.execute(act.tx);
  const kept = new Map(
    (await keptTargets(act, [code], ids, { from: firstOf(months[0]!), to: lastOf(months.at(-1)!) })).map(
      (k) => [`${k.villageId} ${k.month}`, k],
    ),
  );
  const stale = cells.flatMap((c, i) =>
    (kept.get(`${c.villageId} ${c.month}`)?.version ?? 0) === c.version
      ? []
      : [{ field: `cells.${i}`, msg: "已被他人修改，请刷新后重试" }],
  );
  if (stale.length) throw new Refusal("stale", "部分目标已被他人修改，请刷新后重试", 409, { fields: stale });
  const changed = cells
    .map((c) => ({ ...c, before: kept.get(`${c.villageId} ${c.month}`)?.value ?? null }))
    .filter((c) => c.before !== c.value);
  if (!changed.length) return 0;
  const rows = JSON.stringify(changed.map((c) => ({ ...c, month: firstOf(c.month) })));
  const given = sql`json_to_recordset(${rows}::json)
    as c ("villageId" bigint, month date, value numeric, before numeric)`;
  await sql`delete from indicator_target t using ${given}
    where c.value is null and t.code = ${code} and t.village_id = c."villageId" and t.month = c.month`.execute(
    act.tx,
  );
  await sql`insert into indicator_target as t (code, village_id, month, value, updated_by)
    select ${code}, c."villageId", c.month, c.value, ${act.who.operatorId} from ${given} where c.value is not null
    on conflict (code, month, village_id) do update set value = excluded.value, source = 'manual',
      version = t.version + 1, updated_at = now(), updated_by = excluded.updated_by`.execute(act.tx);
  await sql`insert into indicator_target_change (code, village_id, month, before, after, note, by)
    select ${code}, c."villageId", c.month, c.before, c.value, ${note}, ${act.who.operatorId} from ${given}`.execute(
    act.tx,
  );
  await act.note(
    ids.map((villageId) => ({
      kind: "indicatorTarget",
      recordId: villageId,
      number: INDICATORS[code].title,
      villageId,
      action: "修改目标",
      summary: `${INDICATORS[code].title}：修改 ${changed.filter((c) => c.villageId === villageId).length} 个月的目标${note ? `，${note}` : ""}`,
    })),
  );
  return changed.length;
}

export default [
  serveRead(indicators, async () => CODES.map((code) => ({ code, ...INDICATORS[code] }))),

  serveRead(targets, async (read, { query: { year, code, villageIds } }) => {
    const villages = villagesOf(read.who, villageIds);
    const [names, kept] = await Promise.all([
      named(read, villages),
      keptTargets(read, [code], villages, yearOf(year)),
    ]);
    const at = new Map(kept.map((k) => [`${k.villageId} ${k.month}`, k]));
    return names.map(({ id, name }) => ({
      villageId: id,
      name,
      cells: monthsOf(year).map((month) => {
        const k = at.get(`${id} ${month}`);
        return { month, value: k?.value ?? null, source: k?.source ?? null, version: k?.version ?? 0 };
      }),
    }));
  }),

  serve(saveTargets, async (act, { body }) => ({
    saved: await write(act, body.code, body.cells, body.note),
  })),

  serve(copyTargets, async (act, { body: { code, year, from, to, note } }) => {
    const others = to.filter((id) => id !== from);
    if ([from, ...others].some((id) => !act.who.villages.includes(id))) throw notFound();
    const kept = await keptTargets(act, [code], [from, ...others], yearOf(year));
    const at = new Map(kept.map((k) => [`${k.villageId} ${k.month}`, k]));
    const cells = others.flatMap((villageId) =>
      monthsOf(year).map((month) => ({
        villageId,
        month,
        value: at.get(`${from} ${month}`)?.value ?? null,
        version: at.get(`${villageId} ${month}`)?.version ?? 0,
      })),
    );
    return { saved: cells.length ? await write(act, code, cells, note) : 0 };
  }),

  serveRead(completion, async (read, { query: { year, code, villageIds } }) => {
    const villages = villagesOf(read.who, villageIds);
    const [names, kept, done] = await Promise.all([
      named(read, villages),
      keptTargets(read, [code], villages, yearOf(year)),
      actuals(read, code, villages, year),
    ]);
    const at = new Map(kept.map((k) => [`${k.villageId} ${k.month}`, k.value]));
    return names.map(({ id, name }) => ({
      villageId: id,
      name,
      cells: monthsOf(year).map((month) => {
        const target = at.get(`${id} ${month}`) ?? null;
        const actual = done.get(`${id} ${month}`) ?? null;
        return {
          month,
          actual,
          target,
          share: reached(code, actual, target),
          running: !isOver(month, read.today),
        };
      }),
    }));
  }),

  serveRead(targetChanges, async (read, { query }) => {
    const { pageNo, pageSize, villageIds, code, order } = query;
    const found = read.tx
      .selectFrom("indicatorTargetChange as c")
      .innerJoin("village as v", "v.id", "c.villageId")
      .leftJoin("operator as o", "o.id", "c.by")
      .where("c.villageId", "=", anyOf(villagesOf(read.who, villageIds)))
      .$if(!!code, (q) => q.where("c.code", "=", code!));
    const [rows, { n }] = await Promise.all([
      found
        .select(["c.id", "c.at", "c.code", "c.month", "c.note", "v.name as villageName", "o.realName"])
        .select([
          sql<number | null>`c.before::float8`.as("was"),
          sql<number | null>`c.after::float8`.as("is"),
        ])
        .orderBy("c.id", order ?? "desc")
        .limit(pageSize)
        .offset((pageNo - 1) * pageSize)
        .execute(),
      found.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
    ]);
    return {
      total: n,
      list: rows.map(({ was, is, realName, month, ...row }) => ({
        ...row,
        month: month.slice(0, 7),
        byName: realName ?? "系统",
        indicator: INDICATORS[row.code as Code].title,
        before: shownValue(row.code as Code, was) || "—",
        after: shownValue(row.code as Code, is) || "—",
      })),
    };
  }),
];
