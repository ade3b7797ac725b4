import { sql } from "kysely";
import { is } from "../../../platform/server/lists/conditions.ts";
import { listOf, serveList, type RowOf } from "../../../platform/server/lists/list.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { reached, wanted } from "../indicator/indicator.rules.ts";
import { CODES, INDICATORS, type Code, shownValue } from "../indicator/figure.rules.ts";
import { actuals, isOver, keptTargets, namedStores, wholeYear } from "./target.queries.ts";
import {
  completion,
  copyTargets,
  saveTargets,
  targetChanges,
  targets,
  unlinkBudgets,
} from "./target.contract.ts";
import { monthsOf } from "./target.rules.ts";
import { unlinkTargets, writeTargets } from "./target.service.ts";

type Change = Omit<RowOf<typeof targetChanges>, "indicator" | "before" | "after"> & {
  code: Code;
  was: number | null;
  is: number | null;
};
const changes = listOf(targetChanges, {
  id: "c.id",
  from: sql`indicator_target_change c`,
  village: "c.village_id",
  where: { code: is("c.code") },
  sort: { at: { by: "c.id", indexed: true } },
  order: "at",
  columns: sql<Change>`c.id, c.at, c.code, to_char(c.month, 'YYYY-MM') "month", c.note, v.name "villageName",
    coalesce(o.real_name, '系统') "byName", c.before::float8 was, c.after::float8 "is"`,
  join: sql`join indicator_target_change c on c.id = page.id join village v on v.id = c.village_id
    left join operator o on o.id = c.by`,
  rows: (rows) =>
    rows.map(({ was, is: now, ...row }) => ({
      ...row,
      indicator: INDICATORS[row.code].title,
      before: shownValue(row.code, was) || "—",
      after: shownValue(row.code, now) || "—",
    })),
});

export default [
  serveRead(targets, async (read, { query: { year, code, villageIds } }) => {
    const villages = villagesOf(read.who, villageIds);
    const [names, kept] = await Promise.all([
      namedStores(read, villages),
      keptTargets(read, [code], villages, wholeYear(year)),
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
    saved: await writeTargets(act, body.code, body.cells, body.note),
  })),

  serve(unlinkBudgets, async (act, { body }) => ({
    saved: await unlinkTargets(act, body.code, body.cells),
  })),

  serve(copyTargets, async (act, { body: { code, year, from, to, note } }) => {
    const others = to.filter((id) => id !== from);
    // the stores that are written are judged where they are written
    if (!act.who.villages.includes(from)) throw notFound();
    const kept = await keptTargets(act, [code], [from, ...others], wholeYear(year));
    const at = new Map(kept.map((k) => [`${k.villageId} ${k.month}`, k]));
    const cells = others.flatMap((villageId) =>
      monthsOf(year).map((month) => ({
        villageId,
        month,
        value: at.get(`${from} ${month}`)?.value ?? null,
        version: at.get(`${villageId} ${month}`)?.version ?? 0,
      })),
    );
    return { saved: cells.length ? await writeTargets(act, code, cells, note) : 0 };
  }),

  serveRead(completion, async (read, { query: { year, code, villageIds } }) => {
    const villages = villagesOf(read.who, villageIds);
    const { shown, rules } = await ruling(read);
    wanted(shown, CODES, [code]);
    const { better, defaultTarget } = rules[code];
    const [names, kept, done] = await Promise.all([
      namedStores(read, villages),
      keptTargets(read, [code], villages, wholeYear(year)),
      actuals(read, code, villages, year),
    ]);
    const at = new Map(kept.map((k) => [`${k.villageId} ${k.month}`, k.value]));
    return names.map(({ id, name }) => ({
      villageId: id,
      name,
      cells: monthsOf(year).map((month) => {
        const own = at.get(`${id} ${month}`);
        const target = own ?? defaultTarget;
        const actual = done.get(`${id} ${month}`) ?? null;
        return {
          month,
          actual,
          target,
          given: own === undefined && target !== null,
          share: reached(better, actual, target),
          running: !isOver(month, read.today),
        };
      }),
    }));
  }),

  serveList(changes),
];
