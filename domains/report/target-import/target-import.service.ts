import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { takenBefore } from "../../system/import/batch.service.ts";
import type { Importer } from "../../system/import/importer.service.ts";
import { CODES, INDICATORS, type Code } from "../overview/overview.rules.ts";
import { keptTargets, namedStores, wholeYear } from "../target/target.queries.ts";
import { monthsOf } from "../target/target.rules.ts";
import { writeTargets } from "../target/target.service.ts";
import { checkTargets, type PlannedCell } from "./check.service.ts";
import { COLUMNS, rowOf } from "./columns.rules.ts";

type Asked = { year: number; code: Code; villageIds?: readonly number[] | undefined };

/** The year of each store in sight. */
export async function yearsOf(read: Read, { year, code, villageIds }: Asked) {
  const villages = villagesOf(read.who, villageIds);
  const [names, kept] = await Promise.all([
    namedStores(read, villages),
    keptTargets(read, [code], villages, wholeYear(year)),
  ]);
  const at = new Map(kept.map((k) => [`${k.villageId} ${k.month}`, k.value]));
  return names.map(({ id, name }) => ({
    name,
    values: monthsOf(year).map((month) => at.get(`${id} ${month}`) ?? null),
  }));
}

/** Why months that are over are changed, and what a file changes, each cell with the version it was checked against. */
type Kept = { enterpriseId: number | null; note: string; cells?: unknown };

/**
 * The targets of stores. What was checked is what is saved: a cell that somebody changed since stops them all, where
 * another check would take the change for what stands there.
 */
export const TARGETS: Importer<PlannedCell[], Kept> = {
  table: "targetImport",
  letters: "DM",
  needs: "139.import",
  whose: "sender",
  things: "目标值",
  counter: "格",
  columns: async () => COLUMNS,
  template: { example: "滨江店 出租率 2026 1月：96%" },
  fileName: ({ code, year }: Asked) => `${INDICATORS[code].title}${year}年目标.xlsx`,
  filled: async (read, asked: Asked) =>
    (await yearsOf(read, asked)).map(({ name, values }) => rowOf({ ...asked, name }, values)),
  sameFile: "free",
  place: async (act, { note }: { note: string }) => ({ enterpriseId: act.who.enterpriseId || null, note }),
  check: checkTargets,
  kept: (cells, _place, right) => ({ cells: JSON.stringify(right ? cells : []) }),
  planned: ({ cells }) => cells as PlannedCell[],
  shown: ({ cells }) => ({ changes: (cells as PlannedCell[] | undefined)?.length ?? 0 }),
  make: async (act, cells, { id, sha256, note }) => {
    if (!cells.length) {
      const why = await takenBefore(act, TARGETS, sha256);
      throw new Refusal("nothing", why ?? "文件与现有目标相同，没有修改");
    }
    const saved = await writeAll(act, cells, note, id);
    return { count: saved, reply: { saved }, told: "" };
  },
  remove: async (act, { id, number }) => {
    const restored = await writeAll(act, await before(act, id), `撤销导入 ${number}`, null);
    return { count: restored, reply: { restored }, told: "" };
  },
};

/** Indicator after indicator, always in the same order: two files at once wait instead of locking each other out. */
async function writeAll(act: Act, cells: readonly PlannedCell[], note: string, importId: number | null) {
  let saved = 0;
  for (const code of CODES) {
    const some = cells.filter((cell) => cell.code === code);
    if (some.length) saved += await writeTargets(act, code, some, note, importId);
  }
  return saved;
}

/** What an import changed, as it was before, as long as nobody has changed it since. */
async function before(act: Act, importId: number): Promise<PlannedCell[]> {
  const { rows } = await sql<PlannedCell & { last: boolean }>`
    select c.code, c.village_id "villageId", to_char(c.month, 'YYYY-MM') "month", c.before::float8 "value",
      coalesce(t.version, 0) version,
      not exists (select from indicator_target_change l
        where l.code = c.code and l.village_id = c.village_id and l.month = c.month and l.id > c.id) last
    from indicator_target_change c
    left join indicator_target t on t.code = c.code and t.village_id = c.village_id and t.month = c.month
    where c.import_id = ${importId} order by c.id`.execute(act.tx);
  const changed = rows.filter((row) => !row.last).length;
  if (changed) throw new Refusal("inUse", `${changed} 格目标在导入后又被修改，不能撤销`);
  return rows.map(({ last: _, ...cell }) => cell);
}
