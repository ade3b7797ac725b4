import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBook, openBook } from "../../../platform/server/sheets/book.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import type { Code } from "../indicator/figure.rules.ts";
import { exportTargets, targetImport } from "./import.contract.ts";
import { COLUMNS } from "./import.rules.ts";
import { saveTargets, targetChanges, targets } from "./target.contract.ts";

const house = await testHouse();
const { pool } = house.database;
house.setClock("2026-04-20T10:00:00+08:00");
const a = await aVillage(house, { name: "滨江店" });
const b = await aVillage(house, { name: "钱塘店" });
await aVillage(house, { name: "外地店" });
const PERMITS = ["139.query", "139.edit", "139.import", "139.export"] as const;
const as = await house.person({ name: "总部", permits: [...PERMITS], villages: [a, b] });
const other = await house.person({ permits: [...PERMITS], villages: [a] });
const code = "occupancyRate" as const;

beforeEach(() => pool.query("delete from indicator_target"));

const year = (store: string, values: (string | number)[], more: { 指标?: string; 年份?: string } = {}) => [
  store,
  more.指标 ?? "出租率",
  more.年份 ?? "2027",
  ...values,
];

async function send(rows: (string | number)[][], note = "", who: Person = as) {
  const bytes = await aBook("目标值", [COLUMNS.map((column) => column.title), ...rows]);
  const form = new FormData();
  form.set("note", note);
  form.append("file", new Blob([new Uint8Array(bytes)]), "目标.xlsx");
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: targetImport.check.path,
    headers: { "content-type": body.headers.get("content-type")!, authorization: who.token },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  const { data } = answer.json() as { data: { id: number } };
  return house.did(targetImport.get, { as: who }, { params: { id: data.id } });
}
const commit = ({ id, version }: { id: number; version: number }, who = as) =>
  house.ask(targetImport.commit, { as: who, key: randomUUID() }, { params: { id }, body: { version } });
const kept = async (villageId: number, of: Code = code) =>
  (await house.did(targets, { as }, { query: { year: 2027, code: of } }))
    .find((v) => v.villageId === villageId)!
    .cells.map((cell) => cell.value);
const twelve = (value: string | number) => Array.from({ length: 12 }, () => value);

test("twelve values with one abc: the cell is named, and nothing is saved", async () => {
  const values = twelve("96").with(6, "abc");
  const batch = await send([year("滨江店", twelve("95")), year("钱塘店", values)]);
  expect(batch).toMatchObject({ state: "failed", rowCount: 2, errorCount: 1, changes: 0 });
  expect(batch.errors).toEqual([
    { row: 3, column: "J", header: "7月", value: "abc", msg: "请输入0到100之间的数" },
  ]);
  expect((await commit(batch)).body).toMatchObject({ code: 409, message: "文件有错误，不能导入" });
  expect(await kept(a)).toEqual(Array.from({ length: 12 }, () => null));
  expect(await kept(b)).toEqual(Array.from({ length: 12 }, () => null));
  const marked = await house.ask(targetImport.errorFile, { as }, { params: { id: batch.id } });
  expect(marked.raw.subarray(0, 2).toString()).toBe("PK");
});

test("whose year of what a row is must be right, too: all that is wrong is named at once", async () => {
  const { errors } = await send([
    year("外地店", ["96"]),
    year("滨江店", ["96"], { 指标: "满意度" }),
    year("滨江店", ["96"], { 年份: "明年" }),
    year("滨江店", ["96"]),
    year("滨江店", ["97"]),
    year("钱塘店", ["0.96", "100000000"]),
    year("钱塘店", ["100000000", "1.234"], { 指标: "实收" }),
    year("钱塘店", ["96"], { 年份: "2026" }),
  ]);
  expect(errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [2, "门店", "没有这个门店或无权查看"],
    [3, "指标", "没有这个指标"],
    [4, "年份", "年份格式不正确，如 2026"],
    [6, "门店", "与第 5 行重复"],
    [7, "1月", "请写成 96 或 96%，不要写成小数"],
    [7, "2月", "请输入0到100之间的数"],
    [8, "1月", "金额过大"],
    [8, "2月", "金额格式不正确，最多两位小数"],
    [9, "1月", "修改历史目标请填写原因"],
  ]);
});

test("a right file is taken whole, kept with who did it, and taken back while nobody changed it since", async () => {
  await house.did(
    saveTargets,
    { as },
    { body: { code, cells: [{ villageId: a, month: "2027-01", value: 0.9, version: 0 }] } },
  );
  const batch = await send([
    year("滨江店", ["96%", "", 97]),
    year("钱塘店", ["294,000.00"], { 指标: "实收" }),
  ]);
  expect(batch).toMatchObject({ state: "ready", changes: 3, errors: [] });
  expect(await kept(a)).toEqual([0.9, ...Array.from({ length: 11 }, () => null)]);
  const done = (await commit(batch)).body.data as { id: number; saved: number; version: number };
  expect(done.saved).toBe(3);
  expect((await kept(a)).slice(0, 3)).toEqual([0.96, null, 0.97]);
  expect((await kept(b, "collected"))[0]).toBe(29_400_000);
  const [store] = await house.did(targets, { as }, { query: { year: 2027, code, villageIds: String(a) } });
  expect(store!.cells[0]).toMatchObject({ source: "import" });
  const { list } = await house.did(targetChanges, { as }, { query: { villageIds: String(a), code } });
  expect(list[0]).toMatchObject({ byName: "总部", month: "2027-03", before: "—", after: "97.00%" });
  expect((await commit({ ...batch, version: done.version })).body.message).toBe("该批次已导入");

  const undo = () =>
    house.ask(
      targetImport.undo,
      { as, key: randomUUID() },
      { params: { id: done.id }, body: { version: done.version } },
    );
  const change = (value: number, version: number) =>
    house.did(
      saveTargets,
      { as },
      { body: { code, cells: [{ villageId: a, month: "2027-03", value, version }] } },
    );
  await change(0.98, 1);
  expect((await undo()).body).toMatchObject({ code: 409, message: "1 格目标在导入后又被修改，不能撤销" });
  expect((await kept(a))[0]).toBe(0.96);
});

test("taken back, every cell is what it was", async () => {
  await house.did(
    saveTargets,
    { as },
    { body: { code, cells: [{ villageId: a, month: "2027-01", value: 0.9, version: 0 }] } },
  );
  const batch = await send([year("滨江店", ["96", "97"])]);
  const { id, version } = (await commit(batch)).body.data as { id: number; version: number };
  const undone = await house.did(targetImport.undo, { as }, { params: { id }, body: { version } });
  expect(undone.restored).toBe(2);
  expect((await kept(a)).slice(0, 2)).toEqual([0.9, null]);
});

test("two files over the same cells at once: the second is told, and changes nothing", async () => {
  const [one, two] = [await send([year("滨江店", ["91", "91"])]), await send([year("滨江店", ["92", "92"])])];
  const both = await Promise.all([commit(one), commit(two)]);
  expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  expect(both.find((answer) => answer.status === 409)!.body.message).toBe(
    "部分目标已被他人修改，请刷新后重试",
  );
  const [first, second] = (await kept(a)).slice(0, 2);
  expect(first).toBe(second);
});

test("a past month with its reason is taken; a target of the budget is not overwritten", async () => {
  const past = await send([year("滨江店", ["96"], { 年份: "2026" })], "年初补录");
  expect((await commit(past)).status).toBe(200);
  const { rows } = await pool.query<{ id: number }>(
    `insert into budget_indicator (enterprise_id, code, name, kind, unit, basis, source, agg, better, order_no)
     values ($1, 'cash', '实收', 'income', 'yuan', 'cash', '{"by": "children"}', 'sum', 'up', 1) returning id`,
    [house.enterpriseId],
  );
  await pool.query(
    `insert into indicator_target (code, village_id, month, value, source, budget_indicator_id)
     values ('collected', $1, '2027-01-01', 29400000, 'budget', $2)`,
    [a, rows[0]!.id],
  );
  const same = await send([year("滨江店", ["294000"], { 指标: "实收" })]);
  expect((await commit(same)).body.message).toBe("文件与现有目标相同，没有修改");
  const { errors } = await send([year("滨江店", ["300000"], { 指标: "实收" })]);
  expect(errors.map((e) => e.msg)).toEqual(["该月目标由预算带入，不能修改"]);
});

test("the template holds the year as it stands and comes back unchanged; the export shows the same", async () => {
  await house.did(
    saveTargets,
    { as },
    { body: { code, cells: [{ villageId: a, month: "2027-01", value: 0.965, version: 0 }] } },
  );
  const query = { year: 2027, code };
  const file = await house.ask(targetImport.template, { as }, { query });
  const [year] = await openBook(file.raw);
  const lines = [2, 3].map((n) => year!.values(n).map((value) => value ?? ""));
  expect(lines.map((line) => line.slice(0, 4))).toEqual([
    ["滨江店", "出租率", "2027", "96.5%"],
    ["钱塘店", "出租率", "2027"],
  ]);
  const again = await send(lines);
  expect(again).toMatchObject({ changes: 0, errors: [], rowCount: 2 });
  const sheet = await house.ask(exportTargets, { as }, { query } as never);
  expect((await rowsOf(sheet.raw)).slice(2)).toEqual(
    expect.arrayContaining([expect.arrayContaining(["滨江店", "出租率", "2027", "%", 96.5])]),
  );
});

test("a file is there for whoever brought it; who lacks the action is refused", async () => {
  const batch = await send([year("滨江店", ["96"])]);
  expect((await house.ask(targetImport.get, { as: other }, { params: { id: batch.id } })).status).toBe(404);
  expect((await commit(batch, other)).status).toBe(404);
  const editor = await house.person({ permits: ["139.query", "139.edit"], villages: [a] });
  expect((await commit(batch, editor)).status).toBe(403);
});

test("whoever brought files sees them with how far each is, and takes one back from there", async () => {
  const batch = await send([year("滨江店", ["96"])]);
  await commit(batch);
  await send([year("滨江店", ["abc"])]);
  const { list, total } = await house.did(targetImport.list, { as }, { query: { pageSize: 2 } });
  expect(list.map((b) => [b.state, b.rowCount, b.errorCount, b.createdName])).toEqual([
    ["failed", 1, 1, "总部"],
    ["done", 1, 0, "总部"],
  ]);
  expect(total).toBeGreaterThan(2);
  expect((await house.did(targetImport.list, { as: other }, { query: {} })).list).toEqual([]);
  const { id, version } = list[1]!;
  await house.did(targetImport.undo, { as }, { params: { id }, body: { version } });
  expect((await kept(a))[0]).toBe(null);
});
