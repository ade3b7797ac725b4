import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { takenBefore } from "../../system/import/batch.service.ts";
import type { Importer } from "../../system/import/importer.service.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { CODES, type Code, INDICATORS } from "../indicator/figure.rules.ts";
import { COLUMNS, cellOf, codeOf, rowOf, yearIn } from "./import.rules.ts";
import { isOver, keptTargets, namedStores, wholeYear } from "./target.queries.ts";
import { monthsOf } from "./target.rules.ts";
import { type Cell, writeTargets } from "./target.service.ts";

type Asked = { year: number; code: Code; villageIds?: readonly number[] | undefined };

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

export type PlannedCell = Cell & { code: Code };
type Year = { row: Row; villageId: number; code: Code; year: number };

/** What the right cells of a file change of what stands there now. */
export async function checkTargets(
  read: Read,
  rows: readonly Row[],
  { note }: { note: string },
): Promise<PlannedCell[]> {
  const stores = Map.groupBy(await namedStores(read, read.who.villages), (v) => v.name);
  const firstRow = new Map<string, number>();
  const years: Year[] = [];
  for (const row of rows) {
    const year = yearOf(row, stores);
    if (!year) continue;
    const key = `${year.villageId} ${year.code} ${year.year}`;
    const before = firstRow.get(key);
    if (before) row.say("village", `与第 ${before} 行重复`);
    else {
      firstRow.set(key, row.number);
      years.push(year);
    }
  }
  const kept = await keptBy(read, years);
  const cells: PlannedCell[] = [];
  for (const { row, villageId, code, year } of years)
    for (const [i, month] of monthsOf(year).entries()) {
      const key = `m${i + 1}`;
      const typed = row.text[key];
      if (typed === undefined) continue;
      const got = cellOf(code, typed);
      if ("msg" in got) {
        row.say(key, got.msg);
        continue;
      }
      const now = kept.get(`${code} ${villageId} ${month}`);
      if (got.value === (now?.value ?? null)) continue;
      if (now?.source === "budget") row.say(key, "该月目标由预算带入，不能修改");
      else if (note.length < 2 && isOver(month, read.today)) row.say(key, "修改历史目标请填写原因");
      else cells.push({ code, villageId, month, value: got.value, version: now?.version ?? 0 });
    }
  return cells;
}

/** Whose year of which indicator a row is. */
function yearOf(row: Row, stores: ReadonlyMap<string, readonly { id: number }[]>): Year | undefined {
  const { village = "", indicator = "", year = "" } = row.text;
  const [store, ...same] = stores.get(village) ?? [];
  const code = codeOf(indicator);
  const found = yearIn(year);
  if (!store) row.say("village", village ? "没有这个门店或无权查看" : "请填写门店");
  else if (same.length) row.say("village", "有重名的门店，请在页面上修改");
  if (!code) row.say("indicator", indicator ? "没有这个指标" : "请填写指标");
  if (!found) row.say("year", year ? "年份格式不正确，如 2026" : "请填写年份");
  return store && !same.length && code && found ? { row, villageId: store.id, code, year: found } : undefined;
}

async function keptBy(read: Read, rows: readonly Year[]) {
  if (!rows.length) return new Map<string, never>();
  const years = rows.map((row) => row.year);
  const kept = await keptTargets(
    read,
    CODES.filter((code) => rows.some((row) => row.code === code)),
    [...new Set(rows.map((row) => row.villageId))],
    { from: `${Math.min(...years)}-01-01`, to: `${Math.max(...years)}-12-31` },
  );
  return new Map(kept.map((k) => [`${k.code} ${k.villageId} ${k.month}`, k]));
}
