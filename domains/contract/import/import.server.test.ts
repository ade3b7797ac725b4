import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/house.sample.ts";
import { bookBalance } from "../../finance/bill/bill.sample.ts";
import { getBill } from "../../finance/bill/bill.contract.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { usePrepaid } from "../../finance/flow/prepaid.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { owingReport } from "../../report/owing/owing.contract.ts";
import { listContracts } from "../contract/contract.contract.ts";
import { aRoom, aShop, type Shop } from "../contract/contract.sample.ts";
import { contractBills, getContract } from "../contract/detail.contract.ts";
import { voidContract } from "../signing/signing.contract.ts";
import { commitContractImport, contractImport, undoContractImport } from "./import.contract.ts";
import { aRow, aSheet, dryRun, type SampleRow } from "./import.sample.ts";

const house = await testHouse();
const { db, pool } = house.database;
let shop: Shop, clerk: Person;
beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  shop = await aShop(house);
  const permits = ["9.import", "9.query", "9.get", "#902", "26.get", "114.query"];
  clerk = await house.person({ permits, villages: [shop.villageId] });
});

const sent = async (...rows: SampleRow[]) => dryRun(house, clerk, await aSheet(rows));
const commit = (id: number, key?: string, as = clerk) =>
  house.ask(commitContractImport, { as, ...(key && { key }) }, { body: { id } });
const undo = (id: number) => house.ask(undoContractImport, { as: clerk }, { body: { id } });
const batchOf = (id: number) => house.did(contractImport, { as: clerk }, { params: { id } });
const brought = async (id: number) =>
  (await db.selectFrom("contract").selectAll().where("importId", "=", id).orderBy("id").execute()).map(
    (c) => ({ ...c, id: c.id, partyId: c.partyId! }),
  );
const ledger = async () => (await acting(house, (act) => checkLedger(act, "manual"))).breaks;
const balances = () =>
  Promise.all(["1122", "2241", "2203", "3999"].map((a) => bookBalance(house, a, shop.villageId)));

test("a contract of 3,000.00 since May, paid to the middle of a period, with deposit, arrears and prepaid money", async () => {
  const { id, state } = await sent(aRow({ arrearsDue: "2026-11-10", oldNo: "LS-0087", remark: "老租客" }));
  expect(state).toBe("ready");
  const { totals } = await batchOf(id);
  expect(totals).toMatchObject({
    villages: [{ villageName: "滨江店" }],
    sum: {
      contracts: 1,
      monthlyRent: 300_000,
      deposit: 300_000,
      agreed: 300_000,
      arrears: 50_000,
      prepaid: 25_000,
      dueNow: 0,
      bills: 6,
      newTenants: 1,
    },
  });
  const first = await commit(id, "press");
  expect([first.body.data.state, (await commit(id, "press")).body]).toMatchObject([
    "done",
    { replayed: true },
  ]);
  expect((await commit(id, "again")).body.message).toBe("该批次已导入");

  const [made] = await brought(id);
  const contract = await house.did(getContract, { as: clerk }, { params: { id: made!.id } });
  expect(contract).toMatchObject({
    phase: "living",
    source: "import",
    oldNo: "LS-0087",
    opening: { paidTo: "2026-11-30", takenOn: "2026-11-20" },
    handoverOn: "2026-05-15",
    payText: "押一付一",
    partyName: "张雅婷",
    depositHeld: 300_000,
    overdue: 50_000,
    remark: "老租客",
  });
  // 15 November to 14 December are 30 days; 14 of them are left: 3,000.00 × 14 ÷ 30
  const bills = await house.did(contractBills, { as: clerk }, { params: { id: made!.id } });
  expect(bills.map((b) => [b.title, b.periodStart, b.dueDate, b.amount, b.issued])).toEqual([
    ["期初欠费", null, "2026-11-10", 50_000, true],
    ["第7期租金", "2026-12-01", "2026-12-01", 140_000, false],
    ["第8期租金", "2026-12-15", "2026-12-08", 300_000, false],
    ["第9期租金", "2027-01-15", "2027-01-08", 300_000, false],
    ["第10期租金", "2027-02-15", "2027-02-08", 300_000, false],
    ["第11期租金", "2027-03-15", "2027-03-08", 300_000, false],
    ["第12期租金", "2027-04-15", "2027-04-08", 300_000, false],
  ]);
  expect(bills[1]!.lines[0]!.how).toContain("3,000.00 × 14 ÷ 30 = 1,400.00");

  expect(await balances()).toEqual([50_000, -300_000, -25_000, 275_000]);
  const opening = await house.did(getBill, { as: clerk }, { params: { id: bills[0]!.id } });
  expect(
    opening.entries.map((e) => [e.event, e.date, e.lines.map((l) => [l.account, l.debit, l.credit])]),
  ).toEqual([
    [
      "E30",
      "2026-11-20",
      [
        ["1122", 50_000, 0],
        ["3999", 0, 50_000],
      ],
    ],
  ]);
  const { rows: held } = await pool.query(
    `select l.account, l.debit - l.credit fen from journal_entry e join journal_line l on l.entry_id = e.id
     where e.event = 'E30' and e.source_type = 'contract' and e.source_id = $1 order by l.seq`,
    [made!.id],
  );
  expect(held.map((l) => [l.account, Number(l.fen)])).toEqual([
    ["3999", 300_000],
    ["2241", -300_000],
    ["3999", 25_000],
    ["2203", -25_000],
  ]);
  const owing = await house.did(owingReport, { as: clerk }, { query: { day: "2026-11-20" } as never });
  expect(owing.list).toMatchObject([
    { partyName: "张雅婷", owed: 50_000, deposit: 300_000, prepaid: 25_000 },
  ]);
  expect(await ledger()).toEqual([]);
  for (const [kind, recordId] of [
    ["contract", made!.id],
    ["renter", made!.partyId],
  ] as const) {
    const log = await db
      .selectFrom("businessLog")
      .select("summary")
      .where("kind", "=", kind)
      .where("recordId", "=", recordId)
      .orderBy("id")
      .execute();
    expect(log.at(-1)!.summary).toContain("已付至 2026-11-30，在管押金 3,000.00、欠费 500.00、预存款 250.00");
  }
});

test("the same file again is refused row by row; the prepaid money pays what was owed", async () => {
  const [made] = await db.selectFrom("contract").selectAll().where("oldNo", "=", "LS-0087").execute();
  const { id, state } = await sent(aRow({ oldNo: "LS-0087" }));
  const { errors } = await batchOf(id);
  expect([state, errors.map((e) => `第 ${e.row} 行 ${e.header}：${e.msg}`)]).toEqual([
    "failed",
    [
      `第 2 行 房间：滨江店·3栋·1单元·1203 在 2026-05-15 至 2027-05-14 已被 ${made!.contractNo} 占用`,
      `第 2 行 合同号：已导入为 ${made!.contractNo}`,
    ],
  ]);
  expect((await commit(id)).body.message).toBe("文件有错误，请改正后重新上传");

  house.setClock("2026-11-21T03:00:00+08:00");
  const holder = { villageId: shop.villageId, partyId: made!.partyId! };
  expect(await acting(house, (act) => usePrepaid(act, holder))).toBe(25_000);
  expect(await balances()).toEqual([25_000, -300_000, 0, 275_000]);
  expect(await ledger()).toEqual([]);
  house.setClock("2026-11-20T09:15:00+08:00");
});

test("wrong cells are named by row and column, and nothing is made", async () => {
  await aRoom(house, shop.building, "1301");
  const before = await pool.query("select count(*) from contract");
  const { id, errorCount } = await sent(
    aRow({ room: "1301", phone: "13900000001" }),
    aRow({ room: "3栋-1单元-1302", phone: "13900000002" }),
    aRow({ room: "1301", end: "2026-05-01", phone: "13900000003" }),
    aRow({ room: "1301", village: "别家店", rent: "三千", pay: "月结", paidTo: "2028-01-01", phone: "12" }),
    aRow({
      room: "1301",
      start: "2027-01-01",
      end: "2027-12-31",
      paidTo: "",
      deposit: "-1",
      certNo: "330108199406180000",
    }),
    aRow({ room: "滨江店·3栋·1单元·1301", name: "林晓彤", phone: "13900000005" }),
  );
  const { errors } = await batchOf(id);
  expect(errors.map((e) => [e.row, e.column, e.header, e.msg])).toEqual([
    [3, "B", "房间", "滨江店没有房间“3栋-1单元-1302”"],
    [4, "H", "到期日", "早于起租日"],
    [5, "A", "门店", "没有门店“别家店”，或无权查看；相近的有：滨江店、V1"],
    [5, "D", "手机", "手机格式不正确！"],
    [5, "J", "月租金", "金额格式不正确，最多两位小数"],
    [5, "K", "付款方式", "付款方式应为押X付Y，如 押一付三；付款周期为 1、2、3、6、12 个月或一次性付清"],
    [5, "P", "已付至", "晚于到期日"],
    [6, "F", "证件号", "身份证号格式不正确"],
    [6, "Q", "在管押金", "金额不能小于0"],
    [7, "B", "房间", "与第 2 行的房间和租期重叠"],
  ]);
  expect(errorCount).toBe(10);
  expect((await pool.query("select count(*) from contract")).rows).toEqual(before.rows);
  expect((await dryRun(house, clerk, Buffer.from("no workbook"))).message).toBe("请上传xlsx文件");
});

test("two clerks with overlapping files: one wins, the other is told the row, and nothing of that file is there", async () => {
  for (const name of ["1401", "1402", "1403"]) await aRoom(house, shop.building, name);
  const other = await house.person({ permits: ["9.import"], villages: [shop.villageId] });
  const a = await dryRun(
    house,
    clerk,
    await aSheet([
      aRow({ room: "1401", phone: "13911111111" }),
      aRow({ room: "1402", phone: "13911111112" }),
    ]),
  );
  const b = await dryRun(
    house,
    other,
    await aSheet([
      aRow({ room: "1403", phone: "13911111113" }),
      aRow({ room: "1402", phone: "13911111114" }),
    ]),
  );
  const [one, two] = await Promise.all([commit(a.id, "one"), commit(b.id, "two", other)]);
  expect([one.body.data.state, two.body.data.state].toSorted()).toEqual(["done", "failed"]);
  const [won, lost] = one.body.data.state === "done" ? [a, b] : [b, a];
  const as = lost === a ? clerk : other;
  expect((await brought(won.id)).length).toBe(2);
  const { errors } = await house.did(contractImport, { as }, { params: { id: lost.id } });
  expect(errors).toMatchObject([
    { row: 3, header: "房间", msg: expect.stringContaining("1402 在 2026-05-15 至 2027-05-14 已被 HT") },
  ]);
  expect(await brought(lost.id)).toEqual([]);
  expect(await ledger()).toEqual([]);
});

test("a batch is taken back to nothing held, and its rooms are free; once paid it stays", async () => {
  for (const name of ["1501", "1502"]) await aRoom(house, shop.building, name);
  const before = await balances();
  // paid to the end of October: the November period is due and issued at once
  const lines = [
    aRow({ room: "1501", name: "苏瑾", phone: "13922222221", paidTo: "2026-10-14" }),
    aRow({
      room: "1502",
      name: "蒋南星",
      phone: "13922222222",
      start: "2026-12-01",
      end: "2027-11-30",
      paidTo: "",
      arrears: "",
    }),
  ];
  const bytes = await aSheet(lines);
  const { id } = await dryRun(house, clerk, bytes);
  expect((await batchOf(id)).totals!.sum).toMatchObject({
    contracts: 2,
    arrears: 50_000,
    dueNow: 600_000,
    newTenants: 2,
  });
  await commit(id);
  const [, future] = await brought(id);
  const refused = await house.ask(
    voidContract,
    { as: clerk },
    { params: { id: future!.id }, body: { reason: "签错了", version: 1 } },
  );
  expect(refused.body.message).toContain("已收 3,000.00 元");
  expect((await undo(id)).body.data).toMatchObject({ contracts: 2 });
  expect(await balances()).toEqual(before);
  expect(await ledger()).toEqual([]);
  expect((await brought(id)).map((c) => [c.state, c.voidReason])).toEqual([
    ["voided", expect.stringMatching(/^撤销导入 QC/)],
    ["voided", expect.stringMatching(/^撤销导入 QC/)],
  ]);
  expect((await undo(id)).body.message).toBe("只有已导入的批次可以撤销");

  const again = await dryRun(house, clerk, bytes);
  // who was registered is found by phone and name
  expect((await batchOf(again.id)).totals!.sum).toMatchObject({ contracts: 2, newTenants: 0 });
  await commit(again.id);
  const [paid] = await brought(again.id);
  expect(paid!.partyId).toBe((await brought(id))[0]!.partyId);
  const store = { villageId: shop.villageId, roomId: shop.roomId };
  const { rows } = await pool.query<{ id: number }>(
    "select id from bill where contract_id = $1 and source = 'opening'",
    [paid!.id],
  );
  await take(house, store, await someAccounts(house, store), paid!.partyId, {
    amount: 10_000,
    channel: "cash",
    paidAt: "2026-11-20T09:00:00+08:00",
    bills: [rows[0]!.id],
  });
  expect((await undo(again.id)).body.message).toBe(`1 份合同不能撤销：${paid!.contractNo} 苏瑾已收款`);
  expect(await ledger()).toEqual([]);
  const list = await house.did(
    listContracts,
    { as: clerk },
    { query: { kind: "renter", keyword: "LS-0087" } as never },
  );
  expect(list.list.map((c) => c.partyName)).toEqual(["张雅婷"]);
});
