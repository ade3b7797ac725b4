import { MOST_WRONG, type WrongCell } from "../../../platform/kernel/wrong-cells.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { readSheet, type TextRow } from "../../../platform/server/sheets/sheet-reading.ts";
import { CODES, type Code } from "../overview/overview.rules.ts";
import { isOver, keptTargets, namedStores } from "../target/target.queries.ts";
import { monthsOf } from "../target/target.rules.ts";
import type { Cell } from "../target/target.service.ts";
import { cellOf, codeOf, COLUMNS, MOST_ROWS, SHEET, yearIn, type TargetColumn } from "./columns.rules.ts";

export type PlannedCell = Cell & { code: Code };
export type Checked = { cells: PlannedCell[]; rowCount: number; errors: WrongCell[]; errorCount: number };
type Row = { text: TextRow<string>; villageId: number; code: Code; year: number };

/** Judges a whole file: every wrong cell by row and column, and what the right ones change of what stands there now. */
export async function checkFile(read: Read, bytes: Buffer, note: string): Promise<Checked> {
  const shape = { columns: COLUMNS, must: (c: TargetColumn) => c.must === true, most: MOST_ROWS };
  const reading = await readSheet<string, TargetColumn>(bytes, SHEET, shape);
  const errors: WrongCell[] = [...reading.errors];
  const say = (text: TextRow<string>, key: string, msg: string) =>
    errors.push(reading.errorAt(text, { key, msg }));
  const stores = Map.groupBy(await namedStores(read, read.who.villages), (v) => v.name);
  const firstRow = new Map<string, number>();
  const rows: Row[] = [];
  for (const text of reading.rows) {
    for (const { key, msg } of text.wrong) say(text, key, msg);
    const row = rowIn(text, stores, say);
    if (!row) continue;
    const key = `${row.villageId} ${row.code} ${row.year}`;
    const before = firstRow.get(key);
    if (before) say(text, "village", `与第 ${before} 行重复`);
    else {
      firstRow.set(key, text.number);
      rows.push(row);
    }
  }
  const kept = await keptBy(read, rows);
  const cells: PlannedCell[] = [];
  for (const { text, villageId, code, year } of rows)
    for (const [i, month] of monthsOf(year).entries()) {
      const key = `m${i + 1}`;
      const typed = text.typed[key];
      if (typed === undefined || text.wrong.some((w) => w.key === key)) continue;
      const got = cellOf(code, typed);
      if ("msg" in got) {
        say(text, key, got.msg);
        continue;
      }
      const now = kept.get(`${code} ${villageId} ${month}`);
      if (got.value === (now?.value ?? null)) continue;
      if (now?.source === "budget") say(text, key, "该月目标由预算带入，不能修改");
      else if (note.length < 2 && isOver(month, read.today)) say(text, key, "修改历史目标请填写原因");
      else cells.push({ code, villageId, month, value: got.value, version: now?.version ?? 0 });
    }
  return {
    cells: errors.length ? [] : cells,
    rowCount: reading.rows.length,
    errors: errors.toSorted((x, y) => x.row - y.row).slice(0, MOST_WRONG),
    errorCount: errors.length,
  };
}

/** Whose year of which indicator a row is. */
function rowIn(
  text: TextRow<string>,
  stores: ReadonlyMap<string, readonly { id: number }[]>,
  say: (text: TextRow<string>, key: string, msg: string) => unknown,
): Row | undefined {
  const { village = "", indicator = "", year = "" } = text.typed;
  const [store, ...same] = stores.get(village) ?? [];
  const code = codeOf(indicator);
  const found = yearIn(year);
  if (!store) say(text, "village", village ? "没有这个门店或无权查看" : "请填写门店");
  else if (same.length) say(text, "village", "有重名的门店，请在页面上修改");
  if (!code) say(text, "indicator", indicator ? "没有这个指标" : "请填写指标");
  if (!found) say(text, "year", year ? "年份格式不正确，如 2026" : "请填写年份");
  return store && !same.length && code && found
    ? { text, villageId: store.id, code, year: found }
    : undefined;
}

/** What stands in the cells of these rows now. */
async function keptBy(read: Read, rows: readonly Row[]) {
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
