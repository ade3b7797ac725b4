import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, from, otherwise } from "../../approval/module/module.sample.ts";
import { seedSubjects } from "../../finance/subject/subject.service.ts";
import { aCompany, aFirmBill, aFirmContract, twoFirmStores, typedCompany } from "../firm/firm.sample.ts";
import { companyCalls, editCompany, getCompany, listCompanies, setCredit } from "./company.contract.ts";

const house = await testHouse();
let a: number, b: number, clerk: Person, boss: Person, chief: Person;

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, b, clerk } = await twoFirmStores(house));
  await seedSubjects({ tx: house.database.db }, house.enterpriseId);
  boss = await house.person({ permits: ["113.query", "113.get"], villages: [a], name: "陈店长" });
  chief = await house.person({ superType: "1", name: "王总" });
});

const credit = (id: number, version: number, more: object = {}) =>
  house.ask(
    setCredit,
    { as: clerk },
    {
      params: { id },
      body: { creditDays: 30, creditLimit: 2_000_000, version, reason: "签约三年", ...more },
    },
  );
const read = (id: number) => house.did(getCompany, { as: clerk }, { params: { id } });

test("without a process the terms hold at once; who owes more than the limit is found", async () => {
  const id = await aCompany(house, clerk, a, { name: "额度企业" });
  expect((await credit(id, 1)).body.data).toEqual({ examineId: null });
  expect(await read(id)).toMatchObject({
    creditDays: 30,
    creditLimit: 2_000_000,
    creditShare: 0,
    version: 2,
  });
  expect((await credit(id, 1)).body.message).toBe("数据已被他人修改，请刷新后重试");
  expect((await credit(id, 2)).body.message).toBe("账期和授信额度没有变化");
  const contract = await aFirmContract(house, {
    villageId: a,
    partyId: id,
    kind: "company",
    rooms: 1,
    rent: 2_500_000,
  });
  const over = () => house.did(listCompanies, { as: clerk }, { query: { credit: "over" } });
  expect((await over()).total).toBe(0);
  const store = { villageId: a, roomId: contract.roomIds[0]! };
  await aFirmBill(house, store, id, contract, { dueDate: "2026-11-01", rent: 2_500_000 });
  expect((await over()).list).toMatchObject([{ id, creditUsed: 2_500_000, creditShare: 1.25 }]);
});

test("two who set the credit at once: one does, the other is told that the record has changed", async () => {
  const id = await aCompany(house, clerk, a, { name: "同时企业" });
  const answers = await Promise.all([credit(id, 1), credit(id, 1, { creditDays: 60 })]);
  expect(answers.map((x) => x.status).toSorted()).toEqual([200, 409]);
  expect((await read(id)).version).toBe(2);
});

test("where a village asks for it, a higher limit waits for its manager and the record is frozen meanwhile", async () => {
  await aModule(house, chief, {
    moduleType: "companyCredit",
    name: "授信审批",
    villageIds: [a, b],
    fallback: chief,
    processes: [from(1_000_000, asking("店长", [boss])), otherwise()],
  });
  const id = await aCompany(house, clerk, a, { name: "审批企业" });
  expect((await credit(id, 1, { creditLimit: 500_000 })).body.data).toEqual({ examineId: null });
  const { examineId } = (await credit(id, 2)).body.data as { examineId: number };
  expect(await read(id)).toMatchObject({
    creditLimit: 500_000,
    approving: true,
    frozen: { examineId, waitingFor: "陈店长" },
  });
  const edit = { ...typedCompany(a, clerk.operatorId, { name: "改名企业" }), version: 2 };
  for (const refused of [
    await house.ask(editCompany, { as: clerk }, { params: { id }, body: edit }),
    await credit(id, 2, { creditLimit: null }),
    await house.ask(companyCalls.remove, { as: clerk }, { params: { id }, query: { version: 2 } }),
  ])
    expect(refused).toMatchObject({ status: 409, body: { message: "审批中，不能修改" } });
  const examine = await house.did(getExamine, { as: boss }, { params: { id: examineId } });
  expect(examine).toMatchObject({ title: "调整授信 审批企业", amount: 2_000_000 });
  await house.did(
    decideExamine,
    { as: boss },
    { params: { id: examineId }, body: { decision: "approve", version: examine.version } },
  );
  expect(await read(id)).toMatchObject({ creditLimit: 2_000_000, creditDays: 30, frozen: null });
});

test("credit needs its own code and answers nobody outside the company's stores", async () => {
  const id = await aCompany(house, clerk, a, { name: "无权企业" });
  const sent = { params: { id }, body: { creditDays: 1, version: 1, reason: "试试看" } };
  const plain = await house.person({ permits: ["113.edit", "113.get"], villages: [a] });
  expect((await house.ask(setCredit, { as: plain }, sent)).status).toBe(403);
  const stranger = await house.person({ permits: ["#11302"], villages: [b] });
  expect((await house.ask(setCredit, { as: stranger }, sent)).status).toBe(404);
});
