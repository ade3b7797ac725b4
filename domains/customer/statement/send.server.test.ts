import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { seedSubjects } from "../../finance/subject/subject.service.ts";
import { previewPush } from "../push/push.contract.ts";
import { aCompany, aFirmBill, aFirmContract, aMerchant, twoFirmStores } from "../firm/firm.sample.ts";
import { sendStatementMail, statementReceivers } from "./statement.contract.ts";

const house = await testHouse();
const { pool } = house.database;
let a: number, clerk: Person, stranger: Person, companyId: number;
const november = { from: "2026-11-01", to: "2026-11-30" };
const contact = (name: string, more: object = {}) => ({
  name,
  phone: "13700000001",
  getsBills: true,
  ...more,
});

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, clerk, stranger } = await twoFirmStores(house));
  await seedSubjects({ tx: house.database.db }, house.enterpriseId);
  companyId = await aCompany(house, clerk, a, {
    name: "云栖软件有限公司",
    contacts: [
      contact("钱经理", { main: true, email: "qian@example.com" }),
      contact("沈会计", { email: "shen@example.com" }),
      contact("沈会计助理", { email: "Shen@example.com" }),
      contact("没有邮箱"),
      contact("不收账单", { email: "none@example.com", getsBills: false }),
    ],
  });
  const contract = await aFirmContract(house, {
    villageId: a,
    partyId: companyId,
    kind: "company",
    rooms: 3,
    rent: 280_000,
  });
  const store = { villageId: a, roomId: contract.roomIds[0]! };
  await aFirmBill(house, store, companyId, contract, { dueDate: "2026-11-01", rent: 280_000 });
});

const send = (id = companyId, as = clerk) =>
  house.ask(sendStatementMail, { as }, { params: { id }, body: november });
const mails = async () =>
  (
    await pool.query<{ recipient: string; subject: string; body: string; fileId: number }>(
      `select recipient, subject, body, file_id "fileId" from outbox where source = 'statement' order by id`,
    )
  ).rows;

test("whoever gets the bills is named before, those without an address too", async () => {
  const { receivers, kept } = await house.did(
    statementReceivers,
    { as: clerk },
    { params: { id: companyId } },
  );
  expect(receivers.map((c) => [c.name, c.email])).toEqual([
    ["钱经理", "qian@example.com"],
    ["沈会计", "shen@example.com"],
    ["沈会计助理", "Shen@example.com"],
    ["没有邮箱", ""],
  ]);
  expect(kept).toBe(true);
});

test("pressed twice at once, a statement goes once to each address, as PDF, and the record says so", async () => {
  const twice = await Promise.all([send(), send()]);
  expect(twice.map((answer) => answer.body.data.sent as number).toSorted()).toEqual([0, 2]);
  expect(twice.map((answer) => answer.body.data.already as number).toSorted()).toEqual([0, 2]);
  const sent = await mails();
  expect(sent.map((m) => m.recipient)).toEqual(["qian@example.com", "shen@example.com"]);
  expect(sent[0]!.subject).toBe("对账单 云栖软件有限公司 2026-11-01 至 2026-11-30");
  expect(sent[0]!.body).toContain("钱经理：");
  expect(sent[0]!.body).toContain("期末欠款 8,400.00 元");
  const files = await pool.query("select name, type from stored_file where id = $1", [sent[0]!.fileId]);
  expect(files.rows).toEqual([
    { name: "对账单_云栖软件有限公司_2026-11-01_2026-11-30.pdf", type: "application/pdf" },
  ]);
  const log = await pool.query(
    "select summary from business_log where kind = 'company' and record_id = $1 and action = '对账'",
    [companyId],
  );
  expect(log.rows).toEqual([{ summary: "2026-11-01 至 2026-11-30 对账单邮件发送给钱经理、沈会计" }]);
  // what was sent over many stores is not there for whoever sees one of them
  const open = { params: { id: sent[0]!.fileId } };
  expect((await house.ask(getFile, { as: stranger }, open)).status).toBe(404);
  expect((await house.ask(getFile, { as: clerk }, open)).status).toBe(404);
});

test("the same figures go again the next day", async () => {
  house.setClock("2026-11-21T09:15:00+08:00");
  expect((await send()).body.data).toEqual({ sent: 2, already: 0 });
  expect(await mails()).toHaveLength(4);
  house.setClock("2026-11-20T09:15:00+08:00");
});

test("without an address nothing is sent; another store's company is not there", async () => {
  const bare = await aCompany(house, clerk, a, { name: "青山测绘有限公司" });
  expect(await send(bare)).toMatchObject({
    status: 409,
    body: { message: "没有填写邮箱的账单接收人，请先在联系人中勾选接收账单并填写邮箱" },
  });
  expect((await send(companyId, stranger)).status).toBe(404);
  const reader = await house.person({ permits: ["113.get"], villages: [a] });
  expect((await send(companyId, reader)).status).toBe(403);
});

test("a push by e-mail reaches companies and merchants at their main contact", async () => {
  await aMerchant(house, clerk, a, {
    contacts: [contact("店长", { main: true, email: "dian@example.com" })],
  });
  const writer = await house.person({ permits: ["18.query", "18.get", "18.add"], villages: [a] });
  const reached = async (kind: "company" | "merchant") =>
    house.did(
      previewPush,
      { as: writer },
      {
        body: {
          title: "停水通知",
          category: "notice",
          channels: ["email"],
          body: "周六上午停水，请提前储水",
          kind,
          villageIds: [a],
        },
      },
    );
  expect(await reached("company")).toMatchObject({ people: 1, skipped: [{ reason: "无邮箱", count: 1 }] });
  expect(await reached("merchant")).toMatchObject({ people: 1, messages: 1, skipped: [] });
});
