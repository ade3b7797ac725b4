import { beforeAll, expect, test } from "vitest";
import { filledIn, openBook } from "../../../platform/server/sheets/book.sample.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aParty } from "../bill/bill.sample.ts";
import { aBilledStore, type Billed } from "../bill/billed.sample.ts";
import { listBills } from "../bill-list/bill.contract.ts";
import { billImport } from "./import.contract.ts";

const house = await testHouse();
let world: Billed, clerk: Person, store: string, door: string;
beforeAll(async () => {
  world = await aBilledStore(house);
  clerk = await house.person({ permits: ["26.query", "#2605"], villages: [world.store.villageId] });
  const { rows } = await house.database.pool.query<{ store: string; door: string }>(
    "select v.name store, r.full_name door from room r join village v on v.id = r.village_id where r.id = $1",
    [world.store.roomId],
  );
  store = rows[0]!.store;
  door = rows[0]!.door.slice(rows[0]!.door.indexOf("·") + 1);
});

type Line = Partial<Record<string, string | number | Date>>;
const line = (more: Line = {}): Line => ({
  门店: store,
  房间或合同号: door,
  客户: "李四",
  费用科目: "电费",
  计费期起: "2026-02-01",
  计费期止: "2026-02-28",
  应收日: "2026-03-25",
  金额: "126.50",
  ...more,
});

/** The template with these lines typed in. */
const filled = async (lines: Line[]) =>
  filledIn((await house.ask(billImport.template, { as: clerk })).raw, "账单", lines);

async function send(bytes: Buffer, as = clerk) {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), "账单.xlsx");
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: billImport.check.path,
    headers: { "content-type": body.headers.get("content-type")!, authorization: as.token },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return { status: answer.statusCode, body: answer.json() as { message: string; data: { id: number } } };
}
const batch = (id: number) => house.did(billImport.get, { as: clerk }, { params: { id } });
const imported = async () =>
  (await house.did(listBills, { as: clerk }, { query: { source: "import" } as never })).list;

test("wrong cells are named by row and column, and no bill is made", async () => {
  const bytes = await filled([
    line(),
    line({ 门店: "别的店" }),
    line({ 房间或合同号: "9栋·901" }),
    line({ 客户: "王五" }),
    line({ 费用科目: "车位费用" }),
    line({ 计费期止: "2026-01-31", 金额: "12.345" }),
    line({ 应收日: "3月" }),
    line({ 房间或合同号: "HT20260101-000099" }),
    line({ 房间或合同号: "HT20260101-000007", 客户: "王五" }),
    line({ 费用科目: "押金" }),
    line(),
  ]);
  const { body } = await send(bytes);
  const seen = await batch(body.data.id);
  expect(seen).toMatchObject({ state: "failed", rowCount: 11 });
  expect(seen.errors.map((e) => [e.row, e.column, e.header, e.msg])).toEqual([
    [3, "A", "门店", "没有这个门店，或不在您的管辖范围"],
    [4, "B", "房间或合同号", "该门店没有这个房间"],
    [5, "C", "客户", "该门店没有这位客户"],
    [6, "D", "费用科目", "没有这个费用科目，或已停用"],
    [7, "H", "金额", "请输入正确的金额（最多两位小数）"],
    [7, "F", "计费期止", "计费期止不能早于计费期起"],
    [8, "G", "应收日", "应收日格式不正确，应如 2026-03-01"],
    [9, "B", "房间或合同号", "该门店没有这份合同"],
    [10, "C", "客户", "与合同不符，该合同的租客是 "],
    [11, "B", "房间或合同号", "押金、定金须填写合同号"],
    [12, "D", "费用科目", "与第 2 行重复"],
  ]);
  const commit = { params: { id: seen.id }, body: { version: 1 } };
  const refused = await house.ask(billImport.commit, { as: clerk, key: "commit-wrong" }, commit);
  expect([refused.status, refused.body.message]).toEqual([409, "文件有错误，不能导入"]);
  expect(await imported()).toEqual([]);
  const file = await house.ask(billImport.errorFile, { as: clerk }, { params: { id: seen.id } });
  const [sheet] = await openBook(file.raw);
  expect([sheet!.name, sheet!.note("B4")]).toEqual(["账单", "该门店没有这个房间"]);
});

test("a right file becomes one bill for each row, once", async () => {
  const bytes = await filled([
    line({ 备注: "2月电表 1020-1131" }),
    line({ 房间或合同号: "ht20260101-000007", 费用科目: "押金", 金额: 500, 应收日: new Date("2026-04-01") }),
  ]);
  const { id } = (await send(bytes)).body.data;
  expect(await batch(id)).toMatchObject({ state: "ready", rowCount: 2, errorCount: 0, amount: 62_650 });
  const sent = { params: { id }, body: { version: 1 } };
  expect(await house.did(billImport.commit, { as: clerk }, sent)).toEqual({ id, made: 2 });
  expect((await imported()).map((b) => [b.title, b.amount, b.dueDate, b.partyName, b.contractNo])).toEqual([
    ["押金", 50_000, "2026-04-01", "李四", "HT20260101-000007"],
    ["电费", 12_650, "2026-03-25", "李四", null],
  ]);
  expect((await send(bytes)).body.message).toMatch(/^该文件已于 .* 导入（DR20260320-\d{6}）$/);
  const again = await send(await filled([line()]));
  expect((await batch(again.body.data.id)).errors[0]!.msg).toMatch(/^已有相同的账单 ZD/);
});

test("a bill of a contract takes the late-fee terms that the contract has agreed, another those of the store", async () => {
  const { pool } = house.database;
  await pool.query("update contract set terms = terms || $1 where contract_no = 'HT20260101-000007'", [
    { graceDays: 10, lateFeeDailyRate: "0.03", lateFeeCapPercent: 30 },
  ]);
  const month = { 计费期起: "2026-03-01", 计费期止: "2026-03-31" };
  const bytes = await filled([
    line({ ...month, 房间或合同号: "HT20260101-000007" }),
    line({ ...month, 费用科目: "水费" }),
  ]);
  const { id } = (await send(bytes)).body.data;
  await house.did(billImport.commit, { as: clerk }, { params: { id }, body: { version: 1 } });
  const { rows } = await pool.query(
    "select title, grace_days, late_fee_rate, late_fee_cap from bill where source = 'import' and source_id = $1 order by id",
    [id],
  );
  expect(rows.map(Object.values)).toEqual([
    ["电费", 10, "0.000300", "0.3000"],
    ["水费", 3, "0.000500", "1.0000"],
  ]);
});

test("people of one name are told apart; what changed since the check stops the whole file", async () => {
  await aParty(house, "赵敏", { villageId: world.store.villageId });
  const two = [line({ 客户: "赵敏", 金额: 10 }), line({ 金额: 11 })];
  const { id } = (await send(await filled(two))).body.data;
  expect((await batch(id)).state).toBe("ready");
  await aParty(house, "赵敏", { villageId: world.store.villageId, phone: "13900002222" });
  const before = (await imported()).length;
  const late = await house.ask(
    billImport.commit,
    { as: clerk, key: "too-late-now" },
    { params: { id }, body: { version: 1 } },
  );
  expect([late.status, late.body.message]).toEqual([
    409,
    "第 2 行：有 2 位客户同名，请填写合同号，未导入任何账单",
  ]);
  expect((await imported()).length).toBe(before);
  expect((await batch(id)).state).toBe("failed");
  const other = await house.person({ permits: ["#2605"], villages: [world.store.villageId] });
  expect((await house.ask(billImport.get, { as: other }, { params: { id } })).status).toBe(404);
});

test("a contract that is voided while its bills are imported stops the whole file", async () => {
  const { db, pool } = house.database;
  const number = "HT20260101-000007";
  const set = (tx: typeof db, state: string) =>
    tx.updateTable("contract").set({ state }).where("contractNo", "=", number).execute();
  const { id } = (await send(await filled([line({ 房间或合同号: number, 金额: 77 })]))).body.data;
  expect((await batch(id)).state).toBe("ready");
  const before = (await imported()).length;
  let late: ReturnType<typeof commit> | undefined;
  const commit = () =>
    house.ask(
      billImport.commit,
      { as: clerk, key: "commit-voided" },
      { params: { id }, body: { version: 1 } },
    );
  await db.transaction().execute(async (tx) => {
    await set(tx, "voided");
    late = commit();
    const waits =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await pool.query(waits)).rowCount, { timeout: 10_000 }).toBe(1);
  });
  expect((await late!).body.message).toBe(`合同 ${number} 已作废，请核对后重新导入`);
  expect((await imported()).length).toBe(before);
  await set(db, "effective");
});
