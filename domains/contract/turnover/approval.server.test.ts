import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import {
  confirmSales,
  correctSales,
  declareSales,
  editSales,
  listSales,
  previewSales,
} from "./statement.contract.ts";
import { aTurnoverDesk, BANDS } from "./turnover.sample.ts";

const house = await testHouse();
const desk = await aTurnoverDesk(house);
const { as, shop } = desk;
const villages = [shop.villageId];
const admin = await house.person({ superType: "1" });
const manager = await house.person({ villages, name: "陈嘉禾", permits: ["106.query"] });
// not of this store: asked where nobody else can be
const fallback = await house.person({ villages: [], name: "郭晓东" });
const contractId = await desk.aLease(BANDS, 600_000);
await aModule(house, admin, {
  moduleType: "salesStatement",
  name: "营业额审批",
  villageIds: villages,
  fallback,
  processes: [
    {
      name: "出账 1,000 元以上",
      conditions: [{ field: "change", op: "gte", value: 100_000 }],
      nodes: [asking("店长", [manager])],
    },
    otherwise(),
  ],
});
const monthOf = async (no: number) => (await desk.monthsOf(contractId)).months.find((m) => m.no === no)!;
let keys = 0;
const decide = async (id: number, decision: "approve" | "reject", comment = "", who = manager) => {
  const { version } = await house.did(getExamine, { as: who }, { params: { id } });
  const sent = { params: { id }, body: { decision, comment, version } };
  return house.ask(decideExamine, { as: who, key: `decide-sales-${++keys}` }, sent);
};

test("a top-up above the amount waits with the figures that were audited, and is billed by the approval", async () => {
  const id = await desk.declare(contractId, 1, 10_000_000);
  const done = await desk.confirm(id, { gross: 11_000_000 });
  // 50,000 at 8 %, 50,000 at 10 %, 10,000 at 12 %: 10,200.00 over a base of 6,000.00
  expect(done).toMatchObject({ change: 420_000, billNo: null, examineNo: expect.stringMatching(/^SP/) });
  expect(await desk.topUps(contractId)).toEqual([]);
  const waiting = await monthOf(1);
  expect(waiting).toMatchObject({ state: "submitted", frozen: { waitingFor: "陈嘉禾", mine: true } });

  const frozen = { status: 409, body: { reason: "frozen", message: "审批中，不能修改" } };
  const params = { id };
  const version = await desk.version(id);
  const figures = { gross: 1, submit: true, version };
  expect(await house.ask(editSales, { as }, { params, body: figures })).toMatchObject(frozen);
  const back = { reason: "退货漏报", version };
  expect(await house.ask(correctSales, { as }, { params, body: back })).toMatchObject(frozen);
  const { hash } = await house.did(previewSales, { as }, { params, body: {} });
  const again = { previewHash: hash, version };
  const twice = await house.ask(confirmSales, { as, key: "confirm-frozen-one" }, { params, body: again });
  expect(twice).toMatchObject(frozen);

  const examineId = waiting.frozen!.examineId;
  // the list of all shops says that it waits, and leads its submitter there
  const listed = (await house.did(listSales, { as }, { query: {} })).list.find((s) => s.id === id);
  expect(listed).toMatchObject({ frozen: { examineId, waitingFor: "陈嘉禾", opens: true } });
  const seen = await house.did(getExamine, { as: manager }, { params: { id: examineId } });
  expect(seen).toMatchObject({ amount: 420_000, targetId: shop.merchantId, obstacle: null });
  expect(seen.page).toBe(`/configuration/MerchantManage?part=turnover&statement=${id}`);
  expect(seen.keyFacts).toContainEqual(["审定净额", "110,000.00 元"]);
  expect(seen.preview[0]!.rows).toEqual([[11_000_000, 600_000, 1_020_000, 0, 420_000]]);
  expect((await decide(examineId, "approve")).status).toBe(200);
  expect((await desk.topUps(contractId)).map((b) => b.amount)).toEqual([420_000]);
  expect(await monthOf(1)).toMatchObject({ state: "billed", audited: 11_000_000, frozen: null });
});

test("a rejected one waits for confirmation again; a small one is confirmed at once", async () => {
  const id = await desk.declare(contractId, 2, 11_000_000);
  await desk.confirm(id);
  await decide((await monthOf(2)).frozen!.examineId, "reject", "请附收银小票");
  expect(await monthOf(2)).toMatchObject({ state: "submitted", frozen: null });
  const small = await desk.declare(contractId, 3, 7_500_000);
  expect(await desk.confirm(small)).toMatchObject({ change: 50_000, examineNo: null });
});

test("is approved by the stand-in who does not look after the store", async () => {
  const id = await desk.declare(contractId, 4, 11_000_000);
  await house.database.pool.query("update operator set state = 'disabled' where id = $1", [
    manager.operatorId,
  ]);
  await desk.confirm(id);
  const { frozen } = await monthOf(4);
  expect(frozen!.waitingFor).toBe("郭晓东");
  expect((await decide(frozen!.examineId, "approve", "同意", fallback)).status).toBe(200);
  expect(await monthOf(4)).toMatchObject({ state: "billed" });
});

test("what was only estimated does not give way while it waits", async () => {
  const { rows } = await house.database.pool.query<{ id: number }>(
    "select id::int id from sales_statement where contract_id = $1 and month_no = 2",
    [contractId],
  );
  await house.database.pool.query("update sales_statement set source = 'estimated' where id = $1", [
    rows[0]!.id,
  ]);
  await desk.confirm(rows[0]!.id);
  const late = { contractId, monthNo: 2, gross: 9_000_000 };
  const answer = await house.ask(declareSales, { as }, { body: late });
  expect(answer).toMatchObject({ status: 409, body: { reason: "frozen" } });
});
