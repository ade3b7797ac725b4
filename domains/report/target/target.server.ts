import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { ruling } from "../indicator/indicator.queries.ts";
import { reached, wanted } from "../indicator/indicator.rules.ts";
import { CODES, INDICATORS, type Code, shownValue } from "../indicator/figure.rules.ts";
import { actuals, isOver, keptTargets, namedStores, wholeYear } from "./target.queries.ts";
import { completion, copyTargets, saveTargets, targetChanges, targets } from "./target.contract.ts";
import { monthsOf } from "./target.rules.ts";
import { writeTargets } from "./target.service.ts";

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
