import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aScopeOf } from "../../access/operator/operator.sample.ts";
import {
  addModule,
  configurableVillages,
  disableModule,
  editModule,
  getModule,
  listModules,
  removeModule,
  trialModule,
  updateModule,
  updateVillages,
} from "./module.contract.ts";
import { listExamines, moduleTypes } from "../examine/examine.contract.ts";
import { aModule, asking, from, otherwise } from "./module.sample.ts";
import { addProcess, editNode, removeProcess } from "./process.contract.ts";

const house = await testHouse();
let here: number, there: number;
let admin: Person, local: Person, chief: Person, second: Person, fallback: Person;
let id: number;

beforeAll(async () => {
  ({ here, there } = await aScopeOf(house));
  admin = await house.person({ superType: "1", name: "许承锦" });
  local = await house.person({ villages: [here], permits: ["49.query", "49.edit", "49.add", "49.delete"] });
  chief = await house.person({ villages: [here, there], name: "陈嘉禾" });
  second = await house.person({ villages: [here], name: "罗佳宁" });
  fallback = await house.person({ villages: [here, there], name: "郭晓东" });
  const made = await aModule(house, admin, {
    villageIds: [here],
    fallback,
    processes: [from(100_000, asking("店长", [chief]), asking("总部", [second])), otherwise()],
  });
  id = made.id;
});

const detail = (as = admin) => house.did(getModule, { as }, { params: { id } });

test("only kinds of acts that are really connected are offered", async () => {
  const types = await house.did(moduleTypes, { as: admin });
  expect(types.map((t) => t.title).toSorted()).toEqual(
    [
      "作废账单",
      "租客合同签约",
      "合同变更",
      "续租",
      "换房",
      "转租",
      "企业合同签约",
      "商户合同签约",
      "合同作废",
      "线下签署",
      "营业额确认",
      "减免调整账单",
      "低于底价预订",
      "没收定金",
      "确认第三方收入",
      "滞纳金减免",
      "核销账单",
      "冲销流水",
      "补录流水",
      "支出",
      "信息推送",
      "调整企业授信",
      "调价",
      "优惠活动",
      "佣金结算",
      "退款",
      "对公认领",
      "短款核损",
      "开票",
      "预算",
      "退房",
      "档案借出",
    ].toSorted(),
  );
  expect(types.find((t) => t.type === "billVoid")).toMatchObject({
    group: "财务",
    modules: 1,
    fields: [{ key: "amount", title: "金额", kind: "money" }],
  });
});

test("a trial says which lane is taken and whom it asks", async () => {
  const ask = (amount: number, villageId = here) =>
    house.did(
      trialModule,
      { as: admin },
      { body: { moduleType: "billVoid", villageId, values: { amount } } },
    );
  expect(await ask(100_000)).toMatchObject({
    process: 0,
    condition: "金额 ≥ 1,000.00 元",
    nodes: [
      { name: "店长", people: ["陈嘉禾"] },
      { name: "总部", people: ["罗佳宁"] },
    ],
  });
  expect(await ask(99_999)).toMatchObject({ process: 1, processName: "默认流程", nodes: [] });
  expect(await ask(100_000, there)).toMatchObject({ moduleId: null, nodes: [] });
});

test("a village belongs to one module of a type; the picker names the one that has it", async () => {
  const second = await house.ask(
    addModule,
    { as: admin },
    {
      body: {
        moduleType: "billVoid",
        name: "另一份",
        villageIds: [here, there],
        fallbackOperatorId: fallback.operatorId,
        processes: [otherwise()],
      },
    },
  );
  expect([second.status, second.body.fields]).toEqual([
    400,
    [{ field: "villageIds", msg: "该门店已在审批 账单作废审批 中配置" }],
  ]);
  const villages = await house.did(
    configurableVillages,
    { as: admin },
    { params: { moduleType: "billVoid" }, query: {} },
  );
  expect(villages.find((v) => v.id === here)?.takenBy).toBe("账单作废审批");
  expect(villages.find((v) => v.id === there)?.takenBy).toBeNull();
});

test("one switched off governs nothing, and one of another kind governs only its own", async () => {
  const trial = async (moduleType: string) =>
    (
      await house.did(
        trialModule,
        { as: admin },
        { body: { moduleType, villageId: there, values: { amount: 1 } } },
      )
    ).moduleName;
  const made = await aModule(house, admin, {
    moduleType: "refund",
    name: "退款审批",
    villageIds: [there],
    fallback,
    processes: [otherwise(asking("店长", [chief]))],
  });
  expect([await trial("refund"), await trial("billVoid")]).toEqual(["退款审批", ""]);
  const { version } = await house.did(getModule, { as: admin }, { params: { id: made.id } });
  await house.did(disableModule, { as: admin }, { params: { id: made.id }, body: { version } });
  expect(await trial("refund")).toBe("");
  await house.did(removeModule, { as: admin }, { params: { id: made.id } });
});

test("one configuration holds stores of one enterprise only, also for who runs the platform", async () => {
  const platform = await house.person({ superType: "0", name: "平台" });
  const { rows } = await house.database.pool.query<{ id: number }>(
    `with e as (insert into enterprise (name) values ('别家公寓') returning id)
     insert into village (enterprise_id, code, name, mode, district_id, address, manager_id, phone, opening_day)
     select e.id, code, name, mode, district_id, address, manager_id, phone, opening_day from e, village v
     where v.id = $1 returning id`,
    [here],
  );
  const { version } = await detail();
  const set = (villageIds: number[]) =>
    house.ask(updateVillages, { as: platform }, { params: { id }, body: { villageIds, version } });
  expect((await set([here, rows[0]!.id])).body.fields).toEqual([
    { field: "villageIds", msg: "一份审批配置只能包含同一企业的门店" },
  ]);
  expect((await set([here])).status).toBe(200);
});

test("processes that cannot be told apart are refused under the process; a stale edit changes nothing", async () => {
  const { version } = await detail();
  const body = {
    name: "账单作废审批",
    fallbackOperatorId: fallback.operatorId,
    processes: [
      from(100_000, asking("店长", [chief])),
      { ...from(100_000, asking("总部", [second])), name: "重复流程" },
      otherwise(),
    ],
    version,
  };
  const wrong = await house.ask(updateModule, { as: admin }, { params: { id }, body });
  expect(wrong.body.fields).toEqual([
    { field: "processes.1.conditions", msg: "条件与流程 1000 元以上 相同" },
  ]);
  const stale = await house.ask(
    editModule,
    { as: admin },
    { params: { id }, body: { name: "改名", version: version + 7 } },
  );
  expect([stale.status, stale.body.message]).toEqual([409, "数据已被他人修改，请刷新后重试"]);
});

test("a process is added before the default and taken away again; a node is edited; the default stays", async () => {
  const before = await detail();
  const { version } = await house.did(
    addProcess,
    { as: admin },
    {
      body: {
        moduleId: id,
        version: before.version,
        ...from(900_000, asking("总部", [second])),
      },
    },
  );
  const after = await detail();
  expect(after.processes.map((p) => [p.name, p.isDefault])).toEqual([
    ["1000 元以上", false],
    ["9000 元以上", false],
    ["默认流程", true],
  ]);
  const node = after.processes[0]!.nodes[0]!;
  await house.did(
    editNode,
    { as: admin },
    { params: { id: node.id }, body: { ...asking("店长或总部", [chief, second], { mode: "all" }), version } },
  );
  expect((await detail()).processes[0]!.nodes[0]).toMatchObject({
    name: "店长或总部",
    mode: "all",
    people: [{ name: "陈嘉禾" }, { name: "罗佳宁" }],
  });
  await house.did(removeProcess, { as: admin }, { params: { id: after.processes[1]!.id } });
  const kept = await house.ask(removeProcess, { as: admin }, { params: { id: after.processes[2]!.id } });
  expect([kept.status, kept.body.message]).toEqual([409, "默认流程不能删除"]);
});

test("what waits is counted by module, as the list that opens from it shows it", async () => {
  const other = await aModule(house, admin, {
    name: "另一门店作废审批",
    villageIds: [there],
    fallback,
    processes: [otherwise(asking("店长", [chief]))],
  });
  for (const [n, moduleId, villageId] of [
    [1, id, here],
    [2, other.id, there],
    [3, other.id, there],
  ])
    await house.database.pool.query(
      `insert into examine (examine_no, enterprise_id, module_type, module_id, target_kind, target_id, title, village_id,
         payload, preview_hash, process_snapshot, state, current_order, submitter_id, submitted_at, node_since)
       values ($1, $2, 'billVoid', $3, 'bill', $6, '作废账单', $4, '{}', '', '{"nodes": [{"name": "店长"}]}', 'approving', 1, $5, now(), now())`,
      [`SP20261120-00000${n}`, house.enterpriseId, moduleId, villageId, admin.operatorId, n],
    );
  const reader = await house.person({ villages: [here, there], permits: ["49.query"] });
  const both = (await house.did(listModules, { as: reader }, { query: { moduleType: "billVoid" } })).list;
  expect(both.map((m) => [m.id, m.open])).toEqual(
    expect.arrayContaining([
      [id, 1],
      [other.id, 2],
    ]),
  );
  for (const { moduleType, villageIds, open } of both) {
    const query = { box: "all", types: moduleType, villageIds, state: ["approving"] } as never;
    expect((await house.did(listExamines, { as: reader }, { query })).total).toBe(open);
  }
  // who sees one of its stores is told of what waits there
  const { list } = await house.did(listModules, { as: local }, { query: { moduleType: "billVoid" } });
  expect(list.map((m) => m.open)).toEqual([1]);
  const held = await house.ask(removeModule, { as: admin }, { params: { id: other.id } });
  expect([held.status, held.body.message]).toEqual([409, "有 2 条审批进行中"]);
  await house.database.pool.query("delete from examine");
  await house.did(removeModule, { as: admin }, { params: { id: other.id } });
});

test("the database itself refuses a module without its default, or with the default not last", async () => {
  const { pool } = house.database;
  await expect(
    pool.query("delete from process where module_id = $1 and is_default", [id]),
  ).rejects.toMatchObject({ constraint: "module_default_last" });
  await expect(
    pool.query("update process set order_num = 50 where module_id = $1 and not is_default", [id]),
  ).rejects.toMatchObject({ constraint: "module_default_last" });
});

test("who manages only some of its villages sees the module and its own villages, and cannot change it", async () => {
  const { version } = await detail();
  await house.did(
    updateVillages,
    { as: admin },
    { params: { id }, body: { villageIds: [here, there], version } },
  );
  const seen = await detail(local);
  expect([seen.villageCount, seen.villages.map((v) => v.id), seen.editable]).toEqual([2, [here], false]);
  const refused = await house.ask(removeModule, { as: local }, { params: { id } });
  expect(refused.status).toBe(403);
  const stranger = await house.person({ permits: ["49.query"] });
  expect((await house.did(listModules, { as: stranger }, { query: {} })).list).toEqual([]);
  expect((await house.ask(getModule, { as: stranger }, { params: { id } })).status).toBe(404);
});
