import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { takenBefore } from "../../system/import/batch.service.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import type { Importer, WholePlace } from "../../system/import/importer.service.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { indicatorsOf } from "../budget-indicator/indicators.queries.ts";
import { isInput } from "../budget-indicator/source.rules.ts";
import { MONTHS, typeableValue, typedValue } from "../budget-indicator/value.rules.ts";
import { writeCells } from "./cells.service.ts";
import { type Version, cellsOf, versionsOf } from "./plan.queries.ts";

/** A cell that a file fills, with the version it was checked against and what stood there. */
type Planned = {
  versionId: number;
  indicatorId: number;
  month: number;
  value: number | null;
  version: number;
  before: number | null;
  /** Its version once it was taken. */
  after?: number;
};
type Kept = WholePlace & { cells?: unknown };
type Asked = { year: number; villageIds?: number[] | undefined };

export const COLUMNS: readonly ImportColumn[] = [
  { title: "门店", key: "village", must: true, note: "门店名称" },
  { title: "指标", key: "indicator", must: true, note: "指标名称或编码" },
  { title: "年份", key: "year", must: true, note: "如 2026" },
  ...MONTHS.map((month) => ({
    title: `${month}月`,
    key: `m${month}`,
    note: "金额写元，比率写 96 或 96%，数量写整数；空白不修改",
  })),
];

const storesOf = async (read: Pick<Read, "tx">, villages: readonly number[]) =>
  (
    await sql<{ id: number; name: string }>`select id, name from village where id = ${anyOf(villages)}
      order by name collate "zh-x-icu", id`.execute(read.tx)
  ).rows;

const draftsOf = async (read: Pick<Read, "tx">, villages: readonly number[], year?: number) =>
  new Map(
    (await versionsOf(read, villages, year))
      .filter((v) => v.state === "draft")
      .map((v): [string, Version] => [`${v.villageId} ${v.year}`, v]),
  );

export const BUDGETS: Importer<Planned[], Kept> = {
  table: "budgetImport",
  letters: "DY",
  needs: "136.import",
  whose: "sender",
  things: "预算",
  counter: "格",
  columns: async () => COLUMNS,
  template: { example: "滨江店 租金收入 2026 1月：300000" },
  fileName: ({ year }: Asked) => `${year}年预算.xlsx`,
  filled: async (read, { year, villageIds }: Asked) => {
    const stores = await storesOf(read, villagesOf(read.who, villageIds));
    const drafts = await draftsOf(
      read,
      stores.map((s) => s.id),
      year,
    );
    const cells = await cellsOf(
      read,
      [...drafts.values()].map((v) => v.id),
    );
    const at = new Map(cells.map((c) => [`${c.versionId} ${c.indicatorId} ${c.month}`, c.value]));
    const inputs = (await indicatorsOf(read)).filter((i) => i.enabled && isInput(i));
    return stores.flatMap(({ id, name }) =>
      inputs.map((one) => [
        name,
        one.name,
        String(year),
        ...MONTHS.map((month) => {
          const value = at.get(`${drafts.get(`${id} ${year}`)?.id} ${one.id} ${month}`) ?? null;
          const text = typeableValue(one.unit, value);
          return text && one.unit === "percent" ? `${text}%` : text;
        }),
      ]),
    );
  },
  sameFile: "free",
  check: checkBudgets,
  kept: (cells, _place, right) => ({ cells: JSON.stringify(right ? cells : []) }),
  planned: ({ cells }) => cells as Planned[],
  shown: ({ cells }) => ({ changes: (cells as Planned[] | undefined)?.length ?? 0 }),
  make: async (act, cells, { sha256 }) => {
    if (!cells.length) {
      const why = await takenBefore(act, BUDGETS, sha256);
      throw new Refusal("nothing", why ?? "文件与现有草稿相同，没有修改");
    }
    const taken = await writeAll(act, cells, "导入", "部分单元格已被他人修改，请重新检查文件");
    return {
      count: cells.length,
      kept: { cells: JSON.stringify(taken) },
      reply: { saved: cells.length },
      told: "",
    };
  },
  remove: async (act, { cells }) => {
    const back = (cells as Planned[]).map(({ after, before, value: _, version: _v, ...cell }) => ({
      ...cell,
      value: before,
      before: null,
      version: after!,
    }));
    await writeAll(act, back, "撤销导入", "部分单元格在导入后又被修改，不能撤销");
    return { count: back.length, reply: { restored: back.length }, told: "" };
  },
};

/** Version after version, always in the same order, all or nothing. */
async function writeAll(act: Act, cells: readonly Planned[], how: string, late: string): Promise<Planned[]> {
  const done: Planned[] = [];
  const versions = [...Map.groupBy(cells, (c) => c.versionId)].toSorted(([a], [b]) => a - b);
  for (const [versionId, mine] of versions) {
    const typed = mine.map(({ indicatorId, month, value, version }) => ({
      indicatorId,
      month,
      value,
      version,
    }));
    const { saved, conflicts } = await writeCells(act, versionId, typed, how);
    if (conflicts.length) throw new Refusal("stale", late, 409);
    const after = new Map(saved.map((c) => [`${c.indicatorId} ${c.month}`, c.version]));
    done.push(...mine.map((c) => ({ ...c, after: after.get(`${c.indicatorId} ${c.month}`)! })));
  }
  return done;
}

/** What the right cells of a file change of the drafts as they are now. */
async function checkBudgets(read: Read, rows: readonly Row[]): Promise<Planned[]> {
  const stores = Map.groupBy(await storesOf(read, read.who.villages), (v) => v.name);
  const indicators = (await indicatorsOf(read)).filter((i) => i.enabled);
  const called = new Map(indicators.flatMap((i) => [[i.code, i] as const, [i.name, i] as const]));
  const drafts = await draftsOf(read, read.who.villages);
  const cells = await cellsOf(
    read,
    [...drafts.values()].map((v) => v.id),
  );
  const at = new Map(cells.map((c) => [`${c.versionId} ${c.indicatorId} ${c.month}`, c]));
  const first = new Map<string, number>();
  const planned: Planned[] = [];
  for (const row of rows) {
    const { village = "", indicator = "", year = "" } = row.text;
    const [store, ...same] = stores.get(village) ?? [];
    const one = called.get(indicator);
    const typedYear = /^20\d\d年?$/.test(year) ? year.slice(0, 4) : undefined;
    if (!store) row.say("village", village ? "没有这个门店或无权查看" : "请填写门店");
    else if (same.length) row.say("village", "有重名的门店，请在页面上填写");
    if (!one) row.say("indicator", indicator ? "没有这个指标" : "请填写指标");
    else if (!isInput(one)) row.say("indicator", "该指标由其他指标计算，不能填写");
    if (!typedYear) row.say("year", year ? "年份格式不正确，如 2026" : "请填写年份");
    if (!store || same.length || !one || !isInput(one) || !typedYear) continue;
    const draft = drafts.get(`${store.id} ${typedYear}`);
    if (!draft) {
      row.say("village", "该门店该年度没有草稿版本，请先新建预算或新版本");
      continue;
    }
    const key = `${draft.id} ${one.id}`;
    const before = first.get(key);
    if (before) {
      row.say("indicator", `与第 ${before} 行重复`);
      continue;
    }
    first.set(key, row.number);
    for (const month of MONTHS) {
      const text = row.text[`m${month}`];
      if (text === undefined) continue;
      const got = typedValue(one.unit, text);
      // a spreadsheet keeps 96% that was typed into a cell of its own format as 0.96
      const share = one.unit === "percent" && Number(text) > 0 && Number(text) <= 1;
      if ("msg" in got || share) {
        row.say(`m${month}`, "msg" in got ? got.msg : "请写成 96 或 96%，不要写成小数");
        continue;
      }
      const now = at.get(`${key} ${month}`);
      if (got.value === (now?.value ?? null)) continue;
      planned.push({
        versionId: draft.id,
        indicatorId: one.id,
        month,
        value: got.value,
        version: now?.version ?? 0,
        before: now?.value ?? null,
      });
    }
  }
  return planned;
}
