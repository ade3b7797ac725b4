import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { openBook } from "../../../platform/server/sheets/book.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getBill } from "../../finance/bill-list/bill.contract.ts";
import { aRoom, aShop } from "../contract/contract.sample.ts";
import { contractBills, getContract } from "../contract/detail.contract.ts";
import { contractImportResult, undoContractImport } from "./import.contract.ts";
import { anImporter, type Importer, aRow, aSheet, dryRun, type SampleRow } from "./import.sample.ts";

const house = await testHouse();
const { pool } = house.database;
let { shop, clerk, sent, commit, batchOf, brought, ledger, balances } = {} as Importer;
beforeAll(async () => {
  ({ shop, clerk, sent, commit, batchOf, brought, ledger, balances } = await anImporter(house));
  for (const name of ["1601", "1602"]) await aRoom(house, shop.building, name);
});

/** One more open bill of a contract, as people type it below. */
const more = (oldNo: string, bill: SampleRow): SampleRow => ({ village: "滨江店", oldNo, ...bill });
const october = { arrearsFrom: "2026-10-01", arrearsTo: "2026-10-31" };
const FIRST = { room: "1601", name: "苏瑾", phone: "13922222221", oldNo: "LS-1" };
const lines = () => [
  aRow({ ...FIRST, arrearsDue: "2026-11-10", ...october, arrearsPaid: 2500 }),
  more("LS-1", {
    arrears: 126.5,
    arrearsSubject: "电费",
    ...october,
    arrearsDue: "2026-11-05",
    remark: "10月电表",
  }),
  aRow({ room: "1602", name: "蒋南星", phone: "13922222222", oldNo: "LS-2", arrears: "", prepaid: "" }),
  more("LS-1", { arrears: 90, arrearsSubject: "物业费", arrearsPaid: 60, deposit: 0, room: "1601" }),
  more("LS-2", { arrears: 8.05, arrearsSubject: "水费" }),
];

test("several open bills of a contract come in with it, and go with its batch", async () => {
  const before = await balances();
  const { id, state } = await sent(...lines());
  expect(state).toBe("ready");
  // 500.00 + 126.50 + 90.00 + 8.05 in the column of what is owed; what was paid before is none of it
  const sums = { contracts: 2, deposit: 600_000, arrears: 72_455, prepaid: 25_000 };
  expect((await batchOf(id)).totals!.sum).toMatchObject(sums);
  expect((await commit(id)).body.data.state).toBe("done");

  const [first, second] = await brought(id);
  // in the file as it comes back each row stands beside its contract, those of further open bills beside the same
  const { raw } = await house.ask(contractImportResult, { as: clerk }, { params: { id } });
  const [sheet] = await openBook(raw);
  const beside = [1, 2, 3, 4, 5, 6].map((row) => sheet!.values(row).at(-1));
  const [one, two] = [first!.contractNo, second!.contractNo];
  expect(beside).toEqual(["合同号", one, one, two, one, two]);
  const at = { params: { id: first!.id } };
  const bills = (await house.did(contractBills, { as: clerk }, at)).filter((b) => b.title.startsWith("期初"));
  expect(bills.map((b) => [b.title, b.periodStart, b.periodEnd, b.dueDate, b.amount, b.issued])).toEqual([
    ["期初欠费·电费", "2026-10-01", "2026-10-31", "2026-11-05", 12_650, true],
    ["期初欠费", "2026-10-01", "2026-10-31", "2026-11-10", 50_000, true],
    ["期初欠费·物业费", null, null, "2026-11-20", 9_000, true],
  ]);
  const shown = (n: number) => house.did(getBill, { as: clerk }, { params: { id: bills[n]!.id } });
  expect((await shown(1)).lines[0]!.said[0]).toEqual([
    "算式",
    "接管日 2026-11-20 前的欠费，按导入表格：原金额 3,000.00 − 接管前已收 2,500.00 = 500.00",
  ]);
  const electric = await shown(0);
  expect(electric.remark).toBe("10月电表");
  expect(electric.lines[0]!.said[0]![1]).toBe("接管日 2026-11-20 前的欠费，按导入表格");
  expect(electric.entries.map((e) => [e.event, e.lines.map((l) => [l.account, l.debit - l.credit])])).toEqual(
    [
      [
        "E30",
        [
          ["1122", 12_650],
          ["3999", -12_650],
        ],
      ],
    ],
  );
  const contract = await house.did(getContract, { as: clerk }, at);
  expect([contract.opening!.arrears, contract.overdue]).toEqual([71_650, 62_650]);
  const other = await house.did(getContract, { as: clerk }, { params: { id: second!.id } });
  expect(other.opening).toMatchObject({ arrears: 805, deposit: 300_000, prepaid: 0 });
  const after = await balances();
  expect(after.map((fen, i) => fen - before[i]!)).toEqual([72_455, -600_000, -25_000, 552_545]);
  expect(await ledger()).toEqual([]);

  await house.did(undoContractImport, { as: clerk, key: randomUUID() }, { body: { id } });
  expect(await balances()).toEqual(before);
  const { rows } = await pool.query(
    "select count(*)::int n from bill b join contract c on c.id = b.contract_id where c.import_id = $1 and b.voided_at is null",
    [id],
  );
  expect(rows).toEqual([{ n: 0 }]);
  expect(await ledger()).toEqual([]);
});

test("a wrong open bill is named by row and column, and nothing of the file comes in", async () => {
  const { id, state } = await sent(
    aRow({ ...FIRST, arrearsDue: "2026-11-10", property: 90 }),
    more("LS-9", { arrears: 1 }),
    more("LS-1", { arrears: 1, arrearsSubject: "车位费用" }),
    more("LS-1", { arrears: 1, arrearsSubject: "押金" }),
    more("LS-1", { arrears: 1, arrearsFrom: "2026-11-01", arrearsTo: "2026-11-30" }),
    more("LS-1", { arrears: 1, arrearsFrom: "2026-11-01", arrearsTo: "2026-12-01" }),
    more("LS-1", {
      arrears: 1,
      arrearsSubject: "物业费",
      arrearsFrom: "2026-12-01",
      arrearsTo: "2026-12-01",
    }),
    more("LS-1", { arrears: 1, arrearsSubject: "电费", arrearsFrom: "2026-12-01", arrearsTo: "2026-12-01" }),
    more("LS-1", { arrears: 500, arrearsDue: "2026-11-10" }),
    more("LS-1", { arrears: 2, deposit: 3000, name: "林晓彤" }),
    more("LS-1", {}),
    more("LS-1", { arrears: 0 }),
    { oldNo: "LS-1", arrears: 3 },
    aRow({ ...FIRST, room: "1602" }),
    more("LS-1", { arrears: 500, arrearsDue: "2026-11-10", arrearsSubject: "租金" }),
  );
  expect(state).toBe("failed");
  const twice = "与第 2 行重复；同一合同的其他欠费另起一行，只填门店、合同号和欠费";
  expect((await batchOf(id)).errors.map((e) => `${e.row} ${e.header} ${e.msg}`)).toEqual([
    "3 合同号 文件中没有这个合同号的合同行，请填写起租日、到期日和月租金",
    "4 欠费科目 没有这个费用科目，或已停用",
    "5 欠费科目 未收的押金、定金请在导入后新增账单",
    "7 欠费期止 晚于已付至 2026-11-30，之后的计费期由合同出账",
    "8 欠费期止 晚于已付至 2026-11-30，之后的计费期由合同出账",
    "10 欠费 与第 2 行的欠费重复",
    "11 租客 与第 2 行（同一合同）不一致，可以留空",
    "11 在管押金 只在第 2 行（同一合同）填写",
    "12 欠费 请填写欠费",
    "13 欠费 金额必须大于0",
    "14 门店 请填写门店",
    `15 合同号 ${twice}`,
    "16 欠费 与第 2 行的欠费重复",
  ]);
  expect((await commit(id)).body.message).toBe("文件有错误，请改正后重新上传");
  expect(await brought(id)).toEqual([]);
});

test("an open bill does not find a contract row of another store", async () => {
  const far = await aShop(house);
  const stranger = await house.person({ permits: ["9.import"], villages: [far.villageId] });
  const { id } = await dryRun(house, clerk, await aSheet([more("LS-1", { village: "滨江店2", arrears: 1 })]));
  expect((await batchOf(id)).errors[0]!.msg).toMatch(/^没有门店“滨江店2”，或无权查看/);
  const theirs = await dryRun(house, stranger, await aSheet(lines()));
  expect([theirs.state, theirs.errorCount]).toEqual(["failed", 5]);
});
