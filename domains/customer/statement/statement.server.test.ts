import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { adjustBill, previewAdjust } from "../../finance/bill-acts/acts.contract.ts";
import { seedSubjects } from "../../finance/subject/subject.service.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { readBills } from "../../finance/bill/bills.queries.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { owingReport } from "../../report/owing/owing.contract.ts";
import { companyCalls, getCompany, listCompanies } from "../company/company.contract.ts";
import { aCompany, aFirmBill, aFirmContract, twoFirmStores } from "../firm/firm.sample.ts";
import {
  confirmStatement,
  exportStatement,
  getStatement,
  listCopies,
  statementCopyFile,
  statementPaper,
} from "./statement.contract.ts";

const house = await testHouse();
let a: number, b: number, clerk: Person, stranger: Person, companyId: number, billId: number;
const november = { from: "2026-11-01", to: "2026-11-30" };

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, b, clerk, stranger } = await twoFirmStores(house));
  await seedSubjects({ tx: house.database.db }, house.enterpriseId);
  companyId = await aCompany(house, clerk, a, { name: "云栖软件有限公司" });
  const contract = await aFirmContract(house, {
    villageId: a,
    partyId: companyId,
    kind: "company",
    rooms: 3,
    rent: 280_000,
  });
  const store = { villageId: a, roomId: contract.roomIds[0]! };
  billId = await aFirmBill(house, store, companyId, contract, { dueDate: "2026-11-01", rent: 280_000 });
  const accounts = await someAccounts(house, store);
  await take(house, store, accounts, companyId, {
    amount: 800_000,
    channel: "pos",
    paidAt: "2026-11-03T10:00:00+08:00",
    bills: [billId],
  });
});

const statement = async (period: { from: string; to: string; villageIds?: string }, as = clerk) =>
  house.did(getStatement, { as }, { params: { id: companyId }, query: period });

test("three rooms at 2,800.00, 8,000.00 received: 0 + 8,400 − 8,000 = 400.00 owed, as the list says", async () => {
  const { sums, list, total } = await statement(november);
  expect(sums).toEqual({ opening: 0, billed: 840_000, collected: 800_000, credited: 0, closing: 40_000 });
  expect(total).toBe(3);
  expect(list.reduce((sum, row) => sum + row.closing, 0)).toBe(40_000);
  expect(list.map((row) => row.billed)).toEqual([280_000, 280_000, 280_000]);
  const listed = await house.did(listCompanies, { as: clerk }, { query: { keyword: "云栖" } });
  expect(listed.list[0]).toMatchObject({
    rooms: 3,
    monthlyRent: 840_000,
    arrears: 40_000,
    creditUsed: 40_000,
    stage: "living",
    endDate: "2027-08-31",
  });
  expect(listed.sums).toEqual({ rooms: 3, monthlyRent: 840_000, arrears: 40_000 });
  const reporter = await house.person({ permits: ["114.query"], villages: [a] });
  const owing = await house.did(owingReport, { as: reporter }, { query: { partyId: companyId } });
  expect(owing.sums?.owed).toBe(40_000);
  const summary = await house.did(companyCalls.summary, { as: clerk }, { params: { id: companyId } });
  expect(summary).toMatchObject({ received: 800_000, overdueBills: 1 });
  expect(summary.rooms).toHaveLength(3);
});

test("what stands at the end of one period is what the next begins with", async () => {
  expect((await statement({ from: "2026-10-01", to: "2026-10-31" })).sums).toMatchObject({
    billed: 0,
    closing: 0,
  });
  const half = (await statement({ from: "2026-11-01", to: "2026-11-02" })).sums!;
  expect(half).toMatchObject({ billed: 840_000, collected: 0, closing: 840_000 });
  expect((await statement({ from: "2026-11-03", to: "2026-11-30" })).sums).toEqual({
    opening: half.closing,
    billed: 0,
    collected: 800_000,
    credited: 0,
    closing: 40_000,
  });
  const wrong = await house.ask(
    getStatement,
    { as: clerk },
    { params: { id: companyId }, query: { from: "2026-11-30", to: "2026-11-01" } },
  );
  expect(wrong.body.fields).toEqual([{ field: "to", msg: "截止日不能早于起始日" }]);
});

test("the workbook holds the same rows and sums, the paper is a PDF, and both are for this company's stores", async () => {
  const sent = { params: { id: companyId }, query: november };
  const file = await house.ask(exportStatement, { as: clerk }, sent as never);
  const rows = await rowsOf(file.raw);
  expect(rows.at(-1)).toEqual(expect.arrayContaining([8400, 8000, 400]));
  const paper = await house.ask(statementPaper, { as: clerk }, sent);
  expect(paper.status).toBe(200);
  expect(paper.raw.subarray(0, 5).toString()).toBe("%PDF-");
  expect((await house.ask(getStatement, { as: stranger }, sent)).status).toBe(404);
  expect((await house.ask(statementPaper, { as: stranger }, sent)).status).toBe(404);
  const foreign = { params: { id: companyId }, query: { ...november, villageIds: String(b) } };
  expect((await house.ask(getStatement, { as: clerk }, foreign)).status).toBe(404);
});

test("the stamped copy is kept with what it confirms; one that says something else is refused", async () => {
  const fileId = async (as = clerk) =>
    (await sendFile(house, as, { name: "盖章件.png", bytes: aPng() })).body.data.id;
  const body = { ...november, closing: 50_000, fileId: await fileId() };
  const params = { id: companyId };
  expect(await house.ask(confirmStatement, { as: clerk }, { params, body })).toMatchObject({
    status: 409,
    body: { message: "对账单期末欠款现为 400.00 元，与盖章件不一致，请重新核对" },
  });
  await house.did(
    confirmStatement,
    { as: clerk },
    { params, body: { ...body, closing: 40_000, fileId: await fileId() } },
  );
  const copies = await house.did(listCopies, { as: clerk }, { params });
  expect(copies).toMatchObject([{ fromDay: "2026-11-01", toDay: "2026-11-30", closing: 40_000 }]);
  // one over both stores is neither found nor opened by whoever sees one of them
  const head = await house.person({ permits: ["113.get", "113.edit"], villages: [a, b] });
  const made = await house.did(
    confirmStatement,
    { as: head },
    { params, body: { ...body, closing: 40_000, fileId: await fileId(head) } },
  );
  expect(await house.did(listCopies, { as: clerk }, { params })).toEqual(copies);
  const opened = async (as: Person, copyId: number) =>
    (await house.ask(statementCopyFile, { as }, { params: { ...params, copyId } })).status;
  expect([await opened(head, made.id), await opened(clerk, made.id)]).toEqual([200, 404]);
  expect(await opened(clerk, copies[0]!.id)).toBe(200);
  const { rows } = await house.database.pool.query<{ id: number }>(
    "select file_id id from statement_copy where id = $1",
    [made.id],
  );
  expect((await house.ask(getFile, { as: clerk }, { params: { id: rows[0]!.id } })).status).toBe(404);
});

test("a reduction is a credit of the day it was made", async () => {
  const finance = await house.person({ permits: ["26.get", "26.edit", "#2601"], villages: [a] });
  const [bill] = await readBills({ tx: house.database.db }, [billId]);
  const open = bill!.lines.find((line) => line.outstanding >= 10_000)!;
  const changes = [{ lineId: open.id, mode: "minus" as const, value: 10_000 }];
  const params = { id: billId };
  const { hash } = await house.did(previewAdjust, { as: finance }, { params, body: { changes } });
  const body = { changes, reason: "空调维修补偿", previewHash: hash };
  await house.did(adjustBill, { as: finance }, { params, body });
  // a line of a bill carries the moment of the database, whatever the house's clock says
  const since = { from: "2026-11-01", to: "2099-12-31" };
  expect((await statement(since)).sums).toMatchObject({ credited: 10_000, closing: 30_000 });
  expect(await house.did(getCompany, { as: clerk }, { params: { id: companyId } })).toMatchObject({
    arrears: 30_000,
  });
});
