import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { CODES, type Code } from "../overview/overview.rules.ts";
import { isOver, keptTargets, namedStores } from "../target/target.queries.ts";
import { monthsOf } from "../target/target.rules.ts";
import type { Cell } from "../target/target.service.ts";
import { cellOf, codeOf, yearIn } from "./columns.rules.ts";

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

/** What stands in the cells of these rows now. */
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
