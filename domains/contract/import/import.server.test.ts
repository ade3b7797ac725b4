import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getBill } from "../../finance/bill-list/bill.contract.ts";
import { usePrepaid } from "../../finance/flow/allocate.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { owingReport } from "../../report/owing/owing.contract.ts";
import { listContracts } from "../contract/contract.contract.ts";
import { contractBills, getContract } from "../contract/detail.contract.ts";
import { anImporter, type Importer, aRow } from "./import.sample.ts";

const house = await testHouse();
const { db, pool } = house.database;
let { shop, clerk, sent, commit, batchOf, brought, ledger, balances } = {} as Importer;
beforeAll(async () => {
  ({ shop, clerk, sent, commit, batchOf, brought, ledger, balances } = await anImporter(house));
});

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
  const first = await commit(id, "press-once");
  expect([first.body.data.state, (await commit(id, "press-once")).body]).toMatchObject([
    "done",
    { replayed: true },
  ]);
  expect((await commit(id, "press-again")).body.message).toBe("该批次已导入");

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

test("the number of before is found", async () => {
  const list = await house.did(
    listContracts,
    { as: clerk },
    { query: { kind: "renter", keyword: "LS-0087" } as never },
  );
  expect(list.list.map((c) => c.partyName)).toEqual(["张雅婷"]);
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
  // late fee from the fourth day after the due day to the take-over, when the money was there: 500.00 × 0.05% × 7
  expect(await balances()).toEqual([25_000 + 175, -300_000, 0, 275_000]);
  expect(await ledger()).toEqual([]);
  house.setClock("2026-11-20T09:15:00+08:00");
});
