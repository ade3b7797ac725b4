import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { seedSubjects } from "../../finance/subject/subject.service.ts";
import { addContact, listContacts } from "../../party/contact/contact.contract.ts";
import { addTitle, listTitles } from "../../party/title/title.contract.ts";
import { companyCalls, getCompany, listCompanies } from "../company/company.contract.ts";
import { creditUse } from "../company/credit.service.ts";
import { getStatement } from "../statement/statement.contract.ts";
import {
  aCompany,
  aContactTyped,
  aCreditCode,
  aFirmBill,
  aFirmContract,
  twoFirmStores,
} from "./firm.sample.ts";

const house = await testHouse();
const { db } = house.database;
let a: number, clerk: Person, stranger: Person;

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, clerk, stranger } = await twoFirmStores(house));
  await seedSubjects({ tx: house.database.db }, house.enterpriseId);
});

async function two(name: string) {
  const creditCode = aCreditCode();
  const keepId = await aCompany(house, clerk, a, { name: `${name}有限公司`, tags: ["重点"] });
  const goneId = await aCompany(house, clerk, a, {
    name: `${name}公司`,
    creditCode,
    address: "文一西路 1 号",
    tags: ["老客户"],
    contacts: [{ ...aContactTyped, name: "吴会计", phone: "13800002222" }],
  });
  return { keepId, goneId, creditCode };
}

test("contracts and bills of both are found under the one kept, and no money record is rewritten", async () => {
  const { keepId, goneId, creditCode } = await two("并购");
  const contract = await aFirmContract(house, {
    villageId: a,
    partyId: goneId,
    kind: "company",
    rooms: 2,
    rent: 280_000,
  });
  const store = { villageId: a, roomId: contract.roomIds[0]! };
  const billId = await aFirmBill(house, store, goneId, contract, { dueDate: "2026-11-01", rent: 280_000 });
  await house.did(
    addTitle,
    { as: clerk },
    { body: { partyId: goneId, kind: "company", title: "并购公司", taxNo: creditCode } },
  );
  const pair = { keepId, goneId };
  expect(await house.did(companyCalls.mergePreview, { as: clerk }, { body: pair })).toEqual({
    refusal: null,
    contracts: 1,
    bills: 1,
    flows: 0,
    contacts: 1,
    titles: 1,
    accounts: 0,
    papers: 0,
  });
  const body = {
    ...pair,
    keepVersion: 1,
    goneVersion: 1,
    take: ["number" as const, "address" as const],
    reason: "同一企业重复登记",
  };
  await house.did(companyCalls.merge, { as: clerk }, { body });
  // whoever still looks at the preview is told that there is nothing left to merge
  expect(await house.did(companyCalls.mergePreview, { as: clerk }, { body: pair })).toMatchObject({
    refusal: "请选择两条不同的企业记录",
  });

  // a contract of the record that went uses the limit of the one that was kept
  await house.database.pool.query("update company set credit_limit = 500000 where id = $1", [keepId]);
  await house.database.pool.query("update company set credit_limit = 99000000 where id = $1", [goneId]);
  for (const id of [keepId, goneId])
    expect(await creditUse({ tx: house.database.db } as never, id)).toMatchObject({
      limit: 500_000,
      used: 560_000,
    });

  const { list } = await house.did(listCompanies, { as: clerk }, { query: { keyword: "并购" } });
  expect(list).toMatchObject([
    {
      id: keepId,
      name: "并购有限公司",
      creditCode,
      rooms: 2,
      monthlyRent: 560_000,
      arrears: 560_000,
      tags: ["重点", "老客户"],
    },
  ]);
  // the address of the alias opens the record kept
  expect(await house.did(getCompany, { as: clerk }, { params: { id: goneId } })).toMatchObject({
    id: keepId,
    address: "文一西路 1 号",
    mergedFrom: [{ id: goneId }],
  });
  const summary = await house.did(companyCalls.summary, { as: clerk }, { params: { id: keepId } });
  expect(summary.contracts.map((c) => c.contractNo)).toEqual([contract.no]);
  const period = { from: "2026-11-01", to: "2026-11-30" };
  const statement = await house.did(getStatement, { as: clerk }, { params: { id: keepId }, query: period });
  expect(statement.sums?.closing).toBe(560_000);
  for (const table of ["contract", "bill"] as const) {
    const id = table === "bill" ? billId : contract.id;
    const row = await db.selectFrom(table).select("partyId").where("id", "=", id).executeTakeFirstOrThrow();
    expect(row.partyId).toBe(goneId);
  }
  const contacts = await house.did(listContacts, { as: clerk }, { query: { partyId: keepId } });
  expect(contacts.map((c) => [c.name, c.main])).toEqual([
    ["钱经理", true],
    ["吴会计", false],
  ]);
  expect(await house.did(listTitles, { as: clerk }, { query: { partyId: keepId } })).toHaveLength(1);
  const alias = { body: { partyId: goneId, name: "新联系人", phone: "13800003333" } };
  expect((await house.ask(addContact, { as: clerk }, alias)).status).toBe(404);
});

test("two merges the other way round at once: one is done, the other is told that the record has changed", async () => {
  const { keepId, goneId } = await two("对撞");
  const wish = (keep: number, gone: number) =>
    house.ask(
      companyCalls.merge,
      { as: clerk },
      { body: { keepId: keep, goneId: gone, keepVersion: 1, goneVersion: 1, reason: "同一企业" } },
    );
  const answers = await Promise.all([wish(keepId, goneId), wish(goneId, keepId)]);
  const [first, second] = answers.map((x) => x.status).toSorted();
  expect(first).toBe(200);
  // whoever reads after the other has finished finds the alias gone
  expect([404, 409]).toContain(second);
  const { total } = await house.did(listCompanies, { as: clerk }, { query: { keyword: "对撞" } });
  expect(total).toBe(1);
});

test("a record does not merge with itself, nor do others' records with one's own", async () => {
  const { keepId, goneId } = await two("外人");
  const body = { keepId, goneId: keepId, keepVersion: 1, goneVersion: 1, reason: "同一企业" };
  expect((await house.ask(companyCalls.merge, { as: clerk }, { body })).body.message).toBe(
    "请选择两条不同的企业记录",
  );
  const both = { ...body, goneId };
  expect((await house.ask(companyCalls.merge, { as: stranger }, { body: both })).status).toBe(404);
  expect(
    (await house.ask(companyCalls.mergePreview, { as: stranger }, { body: { keepId, goneId } })).status,
  ).toBe(404);
});
