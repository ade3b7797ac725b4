import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBook, openBook } from "../../../platform/server/sheets/book.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { seedSubjects } from "../../finance/subject/subject.service.ts";
import { seedIndicators } from "../budget-indicator/budget-indicator.service.ts";
import { listIndicators } from "../budget-indicator/budget-indicator.contract.ts";
import { addBudgets, budgetCells, exportBudgets, saveCells } from "./budget.contract.ts";
import { budgetImport } from "./import.contract.ts";
import { COLUMNS } from "./import.service.ts";

const house = await testHouse();
const { db } = house.database;
house.setClock("2026-04-20T10:00:00+08:00");
await seedSubjects({ tx: db }, house.enterpriseId);
await seedIndicators({ tx: db }, house.enterpriseId);
const a = await aVillage(house, { name: "滨江店" });
const b = await aVillage(house, { name: "钱塘店" });
await aVillage(house, { name: "外地店" });
const PERMITS = ["query", "add", "edit", "import", "export"].map((verb) => `136.${verb}` as const);
const as = await house.person({ name: "总部", permits: [...PERMITS], villages: [a, b] });
const rent = (await house.did(listIndicators, { as }, { query: { keyword: "租金收入" } })).list[0]!.id;
const { ids } = await house.did(
  addBudgets,
  { as },
  { body: { villageIds: [a], year: 2026, from: "blank", name: "2026 年预算" } },
);
const id = ids[0]!;

const row = (store: string, indicator: string, values: (string | number)[], year = "2026") => [
  store,
  indicator,
  year,
  ...values,
];
async function send(rows: (string | number)[][]) {
  const bytes = await aBook("预算", [COLUMNS.map((column) => column.title), ...rows]);
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), "预算.xlsx");
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: budgetImport.check.path,
    headers: { "content-type": body.headers.get("content-type")!, authorization: as.token },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  const { data } = answer.json() as { data: { id: number } };
  return house.did(budgetImport.get, { as }, { params: { id: data.id } });
}
const act = (
  call: typeof budgetImport.commit | typeof budgetImport.undo,
  of: { id: number; version: number },
) =>
  house.ask(
    call as typeof budgetImport.commit,
    { as, key: randomUUID() },
    { params: { id: of.id }, body: { version: of.version } },
  );
const values = async () =>
  Object.fromEntries(
    (await house.did(budgetCells, { as }, { params: { id } })).cells.map((c) => [
      `${c.indicatorId} ${c.month}`,
      c.value,
    ]),
  );

test("every wrong cell is named, and of a wrong file nothing is taken", async () => {
  const { errors } = await send([
    row("外地店", "租金收入", ["1"]),
    row("滨江店", "满意度", ["1"]),
    row("滨江店", "利润", ["1"]),
    row("钱塘店", "租金收入", ["1"]),
    row("滨江店", "租金收入", ["1", "一百", "1.234"]),
    row("滨江店", "租金收入", ["2"]),
    row("滨江店", "出租率", ["0.96", "101", "96%"]),
    row("滨江店", "新签套数", ["1.5"], "明年"),
  ]);
  expect(errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [2, "门店", "没有这个门店或无权查看"],
    [3, "指标", "没有这个指标"],
    [4, "指标", "该指标由其他指标计算，不能填写"],
    [5, "门店", "该门店该年度没有草稿版本，请先新建预算或新版本"],
    [6, "2月", "请输入数字"],
    [6, "3月", "最多两位小数"],
    [7, "指标", "与第 6 行重复"],
    [8, "1月", "请写成 96 或 96%，不要写成小数"],
    [8, "2月", "请输入0到100之间的数"],
    [9, "年份", "年份格式不正确，如 2026"],
  ]);
  expect(await values()).toEqual({});
});

test("a right file fills the draft; taken back, the draft is what it was, unless somebody worked on it since", async () => {
  await house.did(
    saveCells,
    { as },
    { params: { id }, body: { cells: [{ indicatorId: rent, month: 1, value: 100, version: 0 }] } },
  );
  const batch = await send([
    row("滨江店", "租金收入", ["300000", "", "310,000.50"]),
    row("滨江店", "occupancy", ["96%"]),
  ]);
  expect(batch).toMatchObject({ state: "ready", changes: 3 });
  const done = await act(budgetImport.commit, batch);
  expect(done.body).toMatchObject({ data: { saved: 3 } });
  const kept = await values();
  expect([kept[`${rent} 1`], kept[`${rent} 2`], kept[`${rent} 3`]]).toEqual([
    30_000_000,
    undefined,
    31_000_050,
  ]);
  const again = await send([row("滨江店", "租金收入", ["300000"])]);
  expect((await act(budgetImport.commit, again)).body.message).toContain("没有修改");
  const version = (done.body as { data: { version: number } }).data.version;
  expect((await act(budgetImport.undo, { id: batch.id, version })).status).toBe(200);
  expect(await values()).toEqual({ [`${rent} 1`]: 100 });

  const more = await send([row("滨江店", "租金收入", ["", "5"])]);
  const taken = await act(budgetImport.commit, more);
  const cell = (await house.did(budgetCells, { as }, { params: { id } })).cells.find((c) => c.month === 2)!;
  await house.did(saveCells, { as }, { params: { id }, body: { cells: [{ ...cell, value: 700 }] } });
  const late = await act(budgetImport.undo, {
    id: more.id,
    version: (taken.body as { data: { version: number } }).data.version,
  });
  expect(late.body.message).toBe("部分单元格在导入后又被修改，不能撤销");
});

test("the template holds the drafts of the chosen stores; the list leaves as it is shown", async () => {
  const file = await house.ask(
    budgetImport.template,
    { as },
    { query: { year: 2026, villageIds: String(a) } },
  );
  const [sheet] = await openBook(file.raw);
  const named = Array.from({ length: 16 }, (_, i) => sheet!.values(i + 2).map(String));
  expect(named[0]!.slice(0, 3)).toEqual(["滨江店", "租金收入", "2026"]);
  expect(named.some((line) => line.includes("利润"))).toBe(false);
  const list = await house.ask(exportBudgets, { as }, {
    query: { year: 2026, columns: "villageName,income,state" },
  } as never);
  expect((await rowsOf(list.raw)).slice(1)).toEqual(
    expect.arrayContaining([expect.arrayContaining(["滨江店", "草稿"])]),
  );
});
