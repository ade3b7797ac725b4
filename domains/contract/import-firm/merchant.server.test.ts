import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { readWorkbook } from "../../../platform/server/sheets/workbook-reader.ts";
import { aCreditCode } from "../../customer/firm/firm.sample.ts";
import { contractBills, getContract } from "../contract/detail.contract.ts";
import { aShopRoom, someRooms } from "../contract/firm.sample.ts";
import { listMerchantContracts } from "../firm/firm-list.contract.ts";
import { merchantOpening } from "../import/import.contract.ts";
import { anImporter, type Importer, type SampleRow } from "../import/import.sample.ts";
import { FIRM_SHEETS } from "./columns.rules.ts";

const house = await testHouse();
const { db, pool } = house.database;
let { shop, clerk, sent, commit, undo, batchOf, brought, ledger, balances } = {} as Importer;
beforeAll(async () => {
  ({ shop, clerk, sent, commit, undo, batchOf, brought, ledger, balances } = await anImporter(
    house,
    "merchant",
    FIRM_SHEETS.merchant,
  ));
  for (const name of ["101", "102", "105"]) await aShopRoom(house, shop, name, "45.00");
  await someRooms(house, shop, ["1601", "1602"]);
  const [store] = await someRooms(house, shop, ["B01"]);
  await db.updateTable("room").set({ kind: "storage" }).where("id", "=", store!).execute();
});

const CODE = aCreditCode();
/** 8,000.00 + 6,000.00 a month for two years, paid month by month to the end of November. */
const first = (more: SampleRow = {}): SampleRow => ({
  village: "滨江店",
  room: "101",
  name: "晨光早餐店",
  brand: "晨光早餐",
  category: "餐饮",
  creditCode: CODE,
  contactName: "孙晓梅",
  contactPhone: "0571-88001234",
  openOn: "2026-05-15",
  start: "2026-05-01",
  end: "2028-04-30",
  rent: 8000,
  pay: "押二付一",
  paidTo: "2026-11-30",
  deposit: 28_000,
  arrears: 500,
  prepaid: 250,
  oldNo: "SH-1",
  ...more,
});
const more = (row: SampleRow, oldNo = "SH-1"): SampleRow => ({ village: "滨江店", oldNo, ...row });
const errorsOf = async (id: number) => (await batchOf(id)).errors.map((e) => `${e.row} ${e.header} ${e.msg}`);

test("a merchant of two shops and a store room comes in with all its balances, and goes with its batch", async () => {
  const before = await balances();
  const { id, state } = await sent(
    first(),
    more({ room: "102", rent: 6000 }),
    more({ room: "B01", rent: 200 }),
    more({ room: "102", arrears: 300, arrearsSubject: "电费", arrearsDue: "2026-11-05" }),
  );
  expect([state, await errorsOf(id)]).toEqual(["ready", []]);
  expect((await batchOf(id)).totals!.sum).toMatchObject({
    contracts: 1,
    rooms: 3,
    monthlyRent: 1_420_000,
    deposit: 2_800_000,
    // 押二: less is held than was agreed
    agreed: 2_840_000,
    arrears: 80_000,
    prepaid: 25_000,
    // that of December falls due on the 24th
    dueNow: 0,
    bills: 17,
    newTenants: 1,
  });
  expect((await commit(id)).body.data.state).toBe("done");
  const [made] = await brought(id);
  const at = { params: { id: made!.id } };
  const contract = await house.did(getContract, { as: clerk }, at);
  expect(contract).toMatchObject({
    kind: "merchant",
    phase: "living",
    partyName: "晨光早餐店",
    depositHeld: 2_800_000,
    overdue: 30_000,
  });
  const { list } = await house.did(
    listMerchantContracts,
    { as: clerk },
    { query: { source: "import" } as never },
  );
  expect(list).toMatchObject([
    {
      id: made!.id,
      shopName: "晨光早餐",
      category: "餐饮",
      openOn: "2026-05-15",
      rentKind: "fixed",
      currentRent: 1_420_000,
      contactName: "孙晓梅",
    },
  ]);
  const bills = await house.did(contractBills, { as: clerk }, at);
  expect(bills.slice(0, 4).map((b) => [b.title, b.periodStart, b.dueDate, b.amount, b.issued])).toEqual([
    ["期初欠费·电费", null, "2026-11-05", 30_000, true],
    ["期初欠费", null, "2026-11-20", 50_000, true],
    ["第8期租金", "2026-12-01", "2026-11-24", 1_420_000, false],
    ["第9期租金", "2027-01-01", "2026-12-25", 1_420_000, false],
  ]);
  const after = await balances();
  expect(after.map((fen, i) => fen - before[i]!)).toEqual([80_000, -2_800_000, -25_000, 2_745_000]);
  expect(await ledger()).toEqual([]);
  const { rows: leases } = await pool.query(
    "select r.name from occupancy_row o join room r on r.id = o.room_id where o.contract_id = $1 order by 1",
    [made!.id],
  );
  expect(leases.length).toBe(3);

  expect((await undo(id)).body.data).toMatchObject({ contracts: 1 });
  expect(await balances()).toEqual(before);
  expect(await ledger()).toEqual([]);
  const { rows: left } = await pool.query(
    `select (select count(*) from occupancy_row where contract_id = $1)::int leases,
      (select count(*) from bill where contract_id = $1 and voided_at is null)::int bills`,
    [made!.id],
  );
  expect(left).toEqual([{ leases: 0, bills: 0 }]);
  const { rows: told } = await pool.query(
    "select distinct kind from business_log where action = '撤销导入' order by 1",
  );
  expect(told.map((line) => line.kind)).toEqual(["contract", "contractImport", "merchant", "room"]);
});

test("who trades in person is registered under a certificate, and found by it or by name", async () => {
  const certNo = "11010119900307109X";
  const own = { name: "山海书店", brand: "", creditCode: "", certNo, category: "生活服务" };
  const { id, state } = await sent(first({ room: "105", ...own, oldNo: "SH-2" }));
  expect([state, await errorsOf(id)]).toEqual(["ready", []]);
  await commit(id);
  const [made] = await brought(id);
  const { rows } = await pool.query(
    "select m.subject, f.cert_type, f.credit_code, f.cert_no_masked from merchant m join firm f on f.id = m.id where m.id = $1",
    [made!.partyId],
  );
  expect(rows).toMatchObject([{ subject: "individual", cert_type: "idCard", credit_code: null }]);
  expect(rows[0].cert_no_masked).not.toContain("199003");
  await undo(id);
  for (const by of [{ certNo }, { certNo: "" }]) {
    const again = await sent(
      first({ room: "105", ...own, ...by, category: "", contactName: "", contactPhone: "", oldNo: "SH-3" }),
    );
    expect(await errorsOf(again.id)).toEqual([]);
    expect((await batchOf(again.id)).totals!.sum.newTenants).toBe(0);
  }
  // somebody else may have a shop of the same name
  const other = await sent(
    first({ room: "105", ...own, certNo: "", creditCode: aCreditCode(), oldNo: "SH-4" }),
  );
  expect((await batchOf(other.id)).totals!.sum.newTenants).toBe(1);
  const wrong = await sent(first({ room: "105", ...own, name: "别的书店", oldNo: "SH-5" }));
  expect(await errorsOf(wrong.id)).toEqual(["2 证件号 该证件号已登记在其他商户名下，请核对"]);
});

test("what is wrong is named by row and column, and nothing comes in", async () => {
  const { id, state } = await sent(
    first({ room: "1601", oldNo: "SH-6" }),
    first({ room: "B01", oldNo: "SH-7" }),
    first({ openOn: "2028-05-01", oldNo: "SH-8" }),
    more({ room: "1602", rent: 100 }, "SH-8"),
    first({ room: "105", name: "新来的店", creditCode: aCreditCode(), category: "", oldNo: "SH-9" }),
    first({
      room: "102",
      name: "另一家店",
      creditCode: aCreditCode(),
      certNo: "330108199406180011",
      oldNo: "SH-10",
    }),
    first({
      room: "102",
      name: "又一家店",
      creditCode: aCreditCode(),
      category: "夜市",
      oldNo: "SH-11",
      start: "2029-01-01",
      end: "2029-12-31",
      paidTo: "",
    }),
  );
  expect(state).toBe("failed");
  expect(await errorsOf(id)).toEqual([
    "2 铺位 商户合同只能租铺位，滨江店·3栋·1单元·1601 请签租客或企业合同",
    "3 铺位 请选择铺位，车位和储藏间只能随铺出租",
    "4 开业日 晚于到期日",
    "5 铺位 商户合同只能租铺位，滨江店·3栋·1单元·1602 请签租客或企业合同",
    "6 业态 没有登记过该商户，请填写业态",
    "7 证件号 填写了统一社会信用代码的商户不填证件号",
    "8 业态 业态中没有“夜市”",
  ]);
  expect((await commit(id)).body.message).toBe("文件有错误，请改正后重新上传");
  expect(await brought(id)).toEqual([]);
});

test("twenty shops are one contract, twenty-one are not", async () => {
  for (let i = 1; i <= 21; i++) await aShopRoom(house, shop, `3${String(i).padStart(2, "0")}`);
  const rows = Array.from({ length: 21 }, (_, i) =>
    i
      ? more({ room: `3${String(i + 1).padStart(2, "0")}`, rent: 100 }, "SH-20")
      : first({ room: "301", oldNo: "SH-20" }),
  );
  expect((await sent(...rows.slice(0, 20))).state).toBe("ready");
  const { id } = await sent(...rows);
  expect(await errorsOf(id)).toEqual(["2 铺位 一份商户合同最多20个铺位"]);
});

test("the template offers the trades of the dictionary, and says what is not taken over", async () => {
  const { raw } = await house.ask(merchantOpening.template, { as: clerk }, {});
  const [, words, rules] = (await readWorkbook(raw))!;
  const offered = (await Array.fromAsync(words!.rows())).map((row) => row.cells.get(2)?.text);
  expect(offered.slice(0, 2)).toEqual(["业态", "餐饮"]);
  const told = (await Array.fromAsync(rules!.rows())).map((row) => row.cells.get(2)?.text ?? "");
  expect(told.some((text) => text.startsWith("只导入固定租金的合同；按营业额扣点"))).toBe(true);
});
