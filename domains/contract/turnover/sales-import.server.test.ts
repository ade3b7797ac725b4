import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBook } from "../../../platform/server/sheets/book.sample.ts";
import { aModule, asking } from "../../approval/module/module.sample.ts";
import { sendSheet, sheetBytes } from "../../system/import/import.sample.ts";
import { listSales, salesImport } from "./statement.contract.ts";
import { aTurnoverDesk, BANDS } from "./turnover.sample.ts";

const house = await testHouse();
const { pool } = house.database;
const { shop, aLease, declare, confirm, topUps } = await aTurnoverDesk(house);
const as = await house.person({
  permits: ["107.query", "107.get", "107.edit", "107.import", "#10711"],
  villages: [shop.villageId],
});
const stranger = await house.person({ permits: ["107.query", "107.import"], villages: [] });
type Line = Record<string, string>;
const sent = async (lines: Line[]) =>
  sendSheet(house, as, salesImport, shop.villageId, await sheetBytes("营业额", lines));
const numberOf = async (id: number) =>
  (await pool.query<{ no: string }>("select contract_no no from contract where id = $1", [id])).rows[0]!.no;
const salesOf = async (contractId: number) =>
  (await house.did(listSales, { as }, { query: { pageSize: 200 } })).list
    .filter((s) => s.contractId === contractId)
    .map(({ month, net, state, source }) => [month, net, state, source]);

test("a sheet brings months of shops in whole, each to be confirmed; it is taken back while nothing came of it", async () => {
  const lease = await aLease(BANDS);
  const no = await numberOf(lease);
  const id = await sent([
    { 铺位: no, 月份: "2026-01", 营业额: "120,000.00", 来源: "收银数据" },
    { 铺位: no, 月份: "2026年2月", 营业额: "90000", 退货: "10000", 不计入金额: "0.50", 备注: "春节停业三天" },
  ]);
  expect(await house.did(salesImport.get, { as }, { params: { id } })).toMatchObject({
    state: "ready",
    rowCount: 2,
    errors: [],
  });
  expect(await salesOf(lease)).toEqual([]);
  expect((await house.ask(salesImport.get, { as: stranger }, { params: { id } })).status).toBe(404);
  await house.did(salesImport.commit, { as }, { params: { id }, body: { version: 1 } });
  expect(await salesOf(lease)).toEqual([
    ["2026-02", 7_999_950, "submitted", "declared"],
    ["2026-01", 12_000_000, "submitted", "pos"],
  ]);
  await house.did(salesImport.undo, { as }, { params: { id }, body: { version: 2 } });
  expect(await salesOf(lease)).toEqual([]);

  const again = await sent([{ 铺位: no, 月份: "2026-01", 营业额: "120000" }]);
  await house.did(salesImport.commit, { as }, { params: { id: again }, body: { version: 1 } });
  const { rows } = await pool.query<{ id: string }>("select id from sales_statement where import_id = $1", [
    again,
  ]);
  await confirm(Number(rows[0]!.id));
  expect((await topUps(lease)).map((b) => b.amount)).toEqual([140_000]);
  const late = await house.ask(
    salesImport.undo,
    { as, key: randomUUID() },
    { params: { id: again }, body: { version: 2 } },
  );
  expect([late.status, late.body.message]).toEqual([409, expect.stringContaining("2026-01已确认")]);
});

test("the export of a till comes in with its own headings, as takings of the till", async () => {
  const lease = await aLease(BANDS);
  const no = await numberOf(lease);
  const id = await sent([
    { 店铺: no, 统计月份: "2026-02", 销售金额: "90000", 退款金额: "10000", 客单价: "35.5" },
    { 店铺: no, 统计月份: "2026-01", 销售金额: "120000", 退款金额: "", 客单价: "36" },
  ]);
  const { state, mapping } = await house.did(salesImport.get, { as }, { params: { id } });
  expect([state, mapping!.confirmed, mapping!.from]).toEqual([
    "failed",
    false,
    { shop: "A", month: "B", gross: "C", refunds: "D" },
  ]);
  const columns = Object.entries(mapping!.from).map(([key, at]) => ({ key, at }));
  const body = { columns, fixed: [{ key: "source", text: "收银数据" }] };
  await house.did(salesImport.columns, { as }, { params: { id }, body });
  expect(await house.did(salesImport.get, { as }, { params: { id } })).toMatchObject({
    state: "ready",
    errors: [],
    version: 2,
  });
  await house.did(salesImport.commit, { as }, { params: { id }, body: { version: 2 } });
  expect(await salesOf(lease)).toEqual([
    ["2026-02", 8_000_000, "submitted", "pos"],
    ["2026-01", 12_000_000, "submitted", "pos"],
  ]);
});

test("a month that the spreadsheet made a date of is that month", async () => {
  const lease = await aLease(BANDS);
  const lines = [[await numberOf(lease), new Date("2026-01-01T00:00:00Z"), 120_000]];
  const bytes = await aBook("营业额", [["铺位", "月份", "营业额"], ...lines]);
  const id = await sendSheet(house, as, salesImport, shop.villageId, bytes);
  expect(await house.did(salesImport.get, { as }, { params: { id } })).toMatchObject({
    state: "ready",
    errors: [],
  });
  await house.did(salesImport.commit, { as }, { params: { id }, body: { version: 1 } });
  expect(await salesOf(lease)).toEqual([["2026-01", 12_000_000, "submitted", "declared"]]);
});

test("every wrong cell is named by row and column, and nothing of the file is taken", async () => {
  const lease = await aLease(BANDS);
  const no = await numberOf(lease);
  await declare(lease, 3, 100);
  const id = await sent([
    { 铺位: no, 月份: "2026-03", 营业额: "1.00" },
    { 铺位: no, 月份: "2027-01", 营业额: "1.00" },
    { 铺位: no, 月份: "三月", 营业额: "1.00" },
    { 铺位: "没有这间", 月份: "2026-04", 营业额: "1.00" },
    { 铺位: no, 月份: "2026-05", 营业额: "1.00", 退货: "2.00" },
    { 铺位: no, 月份: "2026-06", 营业额: "一百" },
    { 铺位: no, 月份: "2026-07", 营业额: "5.00" },
    { 铺位: no, 月份: "2026-07", 营业额: "6.00" },
  ]);
  const { state, errors } = await house.did(salesImport.get, { as }, { params: { id } });
  expect(state).toBe("failed");
  expect(errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [2, "月份", "该月已申报，请更正"],
    [3, "月份", "该月不在租期内"],
    [4, "月份", "月份格式应为 2026-11"],
    [5, "铺位", "门店没有铺位或合同“没有这间”"],
    [6, "营业额", "净额不能为负"],
    [7, "营业额", "金额格式不正确，最多两位小数"],
    [9, "月份", "与第 8 行重复"],
  ]);
  const commit = await house.ask(
    salesImport.commit,
    { as, key: randomUUID() },
    { params: { id }, body: { version: 1 } },
  );
  expect([commit.status, commit.body.message]).toEqual([409, "文件有错误，不能导入"]);
  expect(await salesOf(lease)).toHaveLength(1);
});

test("a sheet of which a month waits for approval is not taken back: whoever approves it finds it", async () => {
  const admin = await house.person({ superType: "1" });
  const manager = await house.person({ permits: ["106.query"], villages: [shop.villageId] });
  await aModule(house, admin, {
    moduleType: "salesStatement",
    name: "营业额审批",
    villageIds: [shop.villageId],
    fallback: manager,
    processes: [{ name: "全部", conditions: [], nodes: [asking("店长", [manager])] }],
  });
  const lease = await aLease(BANDS);
  const id = await sent([{ 铺位: await numberOf(lease), 月份: "2026-01", 营业额: "120000" }]);
  await house.did(salesImport.commit, { as }, { params: { id }, body: { version: 1 } });
  const { rows } = await pool.query<{ id: string }>("select id from sales_statement where import_id = $1", [
    id,
  ]);
  expect((await confirm(Number(rows[0]!.id))).examineNo).toMatch(/^SP/);
  const undone = await house.ask(
    salesImport.undo,
    { as, key: randomUUID() },
    { params: { id }, body: { version: 2 } },
  );
  expect([undone.status, undone.body.message]).toEqual([409, expect.stringContaining("2026-01在审批中")]);
  expect(await salesOf(lease)).toEqual([["2026-01", 12_000_000, "submitted", "declared"]]);
});
