import { beforeAll, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { countExamines, decideExamine, listExamines } from "../../approval/examine/examine.contract.ts";
import examineJobs from "../../approval/examine/examine.job.ts";
import { updateModule } from "../../approval/module/module.contract.ts";
import { asking, otherwise } from "../../approval/module/module.sample.ts";
import type { ProcessInput } from "../../approval/module/process.contract.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { type Approved, anApprovedStore } from "./approval.sample.ts";

const house = await testHouse({ poolSize: 6 });
let world: Approved;
let roleId: number;
let pair: Person[];
beforeAll(async () => {
  world = await anApprovedStore(house);
  const { pool } = house.database;
  const role = await pool.query<{ id: number }>(
    "insert into role (enterprise_id, name) values ($1, '区域经理') returning id",
    [house.enterpriseId],
  );
  roleId = role.rows[0]!.id;
  pair = [world.manager, world.region];
  const department = await pool.query<{ id: number }>("select id from department limit 1");
  for (const person of pair)
    await pool.query(
      "insert into operator_assignment (operator_id, department_id, role_id) values ($1, $2, $3)",
      [person.operatorId, department.rows[0]!.id, roleId],
    );
});

/** From now on every void goes through these nodes. */
async function nodes(...given: ProcessInput["nodes"]): Promise<void> {
  const { rows } = await house.database.pool.query<{ version: number }>(
    "select version from module where id = $1",
    [world.moduleId],
  );
  const body = {
    name: "账单作废审批",
    fallbackOperatorId: world.fallback.operatorId,
    processes: [otherwise(...given)],
    version: rows[0]!.version,
  };
  await house.did(updateModule, { as: world.admin }, { params: { id: world.moduleId }, body });
}
const proposed = async () => (await world.voiding(await world.bill(80_000))).examineId;
const setState = (person: Person, state: string) =>
  house.database.pool.query("update operator set state = $2 where id = $1", [person.operatorId, state]);
const run = async (name: string) =>
  perform(
    house,
    examineJobs.find((j) => j.name === name)!,
    {},
    "test",
  );

test("a role node that asks all needs both of its people", async () => {
  await nodes(asking("区域经理", [], { by: "role", roleId, mode: "all" }));
  const id = await proposed();
  expect((await world.examine(id, world.manager)).waitingFor).toBe("陈嘉禾、罗佳宁");
  await world.decide(id, world.manager, "approve");
  expect(await world.examine(id, world.region)).toMatchObject({ state: "approving", mine: true });
  await world.decide(id, world.region, "approve");
  expect((await world.examine(id, world.region)).state).toBe("approved");
});

test("of two who may both decide and press at once, one decides and the other hears who it was", async () => {
  await nodes(asking("区域经理", pair));
  const id = await proposed();
  const { version } = await world.examine(id, world.manager);
  const press = (as: Person, decision: "approve" | "reject") =>
    house.ask(
      decideExamine,
      { as, key: `pressed-by-${as.operatorId}` },
      { params: { id: id! }, body: { decision, comment: "同时处理", version } },
    );
  const both = await Promise.all([press(world.manager, "approve"), press(world.region, "reject")]);
  expect(both.map((a) => a.status).toSorted()).toEqual([200, 409]);
  const won = both[0].status === 200 ? "陈嘉禾" : "罗佳宁";
  expect(both.find((a) => a.status === 409)!.body.message).toBe(`该审批已由 ${won} 处理`);
  const after = await world.examine(id, world.clerk);
  expect(after.steps.filter((s) => ["approved", "rejected"].includes(s.state))).toHaveLength(1);
});

test("sent back, an earlier node is asked again and the way goes on from there", async () => {
  await nodes(asking("店长", [world.manager]), asking("区域经理", [world.region]));
  const id = await proposed();
  await world.decide(id, world.manager, "approve");
  const silent = await world.decide(id, world.region, "return", { toOrder: 1 });
  expect(silent.body.fields?.[0]).toEqual({ field: "comment", msg: "请填写原因（2-200字）" });
  const nowhere = await world.decide(id, world.region, "return", { comment: "请核对金额" });
  expect(nowhere.body.fields?.[0]).toEqual({ field: "toOrder", msg: "请选择退回到的节点" });
  await world.decide(id, world.region, "return", { toOrder: 1, comment: "请核对金额" });
  expect(await world.examine(id, world.manager)).toMatchObject({ round: 2, node: "1/2 店长", mine: true });
  await world.decide(id, world.manager, "approve");
  await world.decide(id, world.region, "approve");
  const done = await world.examine(id, world.clerk);
  expect(done.state).toBe("approved");
  expect(done.steps.map((s) => `${s.round} ${s.name} ${s.state}`)).toEqual([
    "1 陈嘉禾 approved",
    "1 罗佳宁 returned",
    "2 陈嘉禾 approved",
    "2 罗佳宁 approved",
  ]);
});

test("it is handed to somebody who may open the bill; for somebody else only with the code for it", async () => {
  await nodes(asking("店长", [world.manager]));
  const id = await proposed();
  const to = (operatorId: number) => ({ toOperatorId: operatorId, comment: "我在休假" });
  const blind = await house.person({ villages: [world.store.villageId], name: "新人" });
  const wrong = await world.decide(id, world.manager, "transfer", to(blind.operatorId));
  expect(wrong.body.fields?.[0]?.field).toBe("toOperatorId");
  const other = { ...to(world.region.operatorId), fromOperatorId: world.manager.operatorId };
  const watcher = await house.person({ villages: [world.store.villageId], permits: ["49.query"] });
  expect((await world.decide(id, watcher, "transfer", other)).status).toBe(403);
  const relay = await house.person({ villages: [world.store.villageId], permits: ["49.query", "#4901"] });
  expect((await world.decide(id, relay, "transfer", other)).status).toBe(200);
  expect(await world.examine(id, world.region)).toMatchObject({ mine: true, waitingFor: "罗佳宁" });
  // the code counts in one's own stores only, also for who was asked before the store was taken away
  const { pool } = house.database;
  const gone = await house.person({ villages: [world.store.villageId], permits: ["#4901"], name: "调走的" });
  await nodes(asking("店长", [world.manager, gone]));
  const later = await proposed();
  await pool.query("update operator set village_ids = '{}' where id = $1", [gone.operatorId]);
  expect((await world.decide(later, gone, "transfer", other)).status).toBe(403);
  await world.decide(id, world.region, "approve");
  expect((await world.examine(id, world.manager)).state).toBe("approved");
});

test("what somebody decides and says is under their own name, whoever waits beside them", async () => {
  await nodes(asking("店长", [world.manager, world.region]));
  const id = await proposed();
  const said = { comment: "金额不对", fromOperatorId: world.manager.operatorId };
  expect((await world.decide(id, world.region, "reject", said)).status).toBe(200);
  const { steps } = await world.examine(id, world.clerk);
  expect(steps.map((s) => [s.name, s.comment]).toSorted()).toEqual([
    ["罗佳宁", "金额不对"],
    ["陈嘉禾", ""],
  ]);
});

test("it is not handed to who submitted it, is disabled, works in another store or for another enterprise", async () => {
  await nodes(asking("店长", [world.manager]));
  const id = await proposed();
  const { pool } = house.database;
  const away = await house.person({ permits: ["26.query"], name: "别店" });
  const left = await house.person({ villages: [world.store.villageId], permits: ["26.query"], name: "离职" });
  await setState(left, "disabled");
  const foreign = await house.person({ superType: "1", name: "别家" });
  await pool.query(
    `with e as (insert into enterprise (name) values ('别家公寓') returning id)
     update operator set enterprise_id = e.id from e where operator.id = $1`,
    [foreign.operatorId],
  );
  for (const { operatorId } of [world.clerk, left, away, foreign]) {
    const sent = { toOperatorId: operatorId, comment: "我在休假" };
    const { body } = await world.decide(id, world.manager, "transfer", sent);
    expect(body.fields?.[0]?.msg).toBe("请选择在职、可查看该门店且有该页面权限的人员，不能是提交人");
  }
});

test("the list stands in the order that is asked for: by amount, by day, and as it comes what waits longest first", async () => {
  await nodes(asking("店长", [world.fallback]));
  const ids: number[] = [];
  for (const [amount, time] of [
    [70_000, "11:00"],
    [90_000, "11:01"],
    [80_000, "11:02"],
  ] as const) {
    house.setClock(`2026-03-20T${time}:00+08:00`);
    ids.push((await world.voiding(await world.bill(amount))).examineId!);
  }
  const [low, high, middle] = ids;
  const listed = async (query: object) =>
    (
      await house.did(
        listExamines,
        { as: world.fallback },
        { query: { box: "mine", pageSize: 200, ...query } },
      )
    ).list
      .map((e) => e.id)
      .filter((e) => ids.includes(e));
  expect(await listed({ sort: "amount", order: "asc" })).toEqual([low, middle, high]);
  expect(await listed({ sort: "amount", order: "desc" })).toEqual([high, middle, low]);
  expect(await listed({ sort: "submittedAt", order: "desc" })).toEqual([middle, high, low]);
  expect(await listed({})).toEqual([low, high, middle]);
  house.setClock("2026-03-20T10:00:00+08:00");
});

test("who is disabled gives way to the fallback approver, also when that happens while they are asked", async () => {
  await nodes(asking("店长", [world.manager]));
  await setState(world.manager, "disabled");
  const id = await proposed();
  expect((await world.examine(id, world.fallback)).waitingFor).toBe("郭晓东");
  await setState(world.manager, "active");
  const later = await proposed();
  await setState(world.manager, "disabled");
  await run("examine.replace");
  expect(await world.examine(later, world.fallback)).toMatchObject({ mine: true, waitingFor: "郭晓东" });
  await setState(world.manager, "active");
  await setState(world.fallback, "disabled");
  await nodes(asking("店长", [world.clerk]));
  const bill = await world.bill(80_000);
  await expect(world.voiding(bill)).rejects.toThrow("没有可用的审批人，请联系管理员调整审批配置");
  await setState(world.fallback, "active");
});

test("who sees the store no more decides nothing there and gives way to the fallback approver", async () => {
  const { db } = house.database;
  const scope = (villageIds: number[]) =>
    db.updateTable("operator").set({ villageIds }).where("id", "=", world.manager.operatorId).execute();
  const { villageIds } = await db
    .selectFrom("operator")
    .select("villageIds")
    .where("id", "=", world.manager.operatorId)
    .executeTakeFirstOrThrow();
  await nodes(asking("店长", [world.manager]));
  const id = await proposed();
  await scope([]);
  for (const decision of ["approve", "reject"] as const) {
    const refused = await world.decide(id, world.manager, decision, { comment: "不同意" });
    expect(refused.body).toMatchObject({
      code: 409,
      message: "您已不能查看该门店，请转交给能查看该门店的人员审批",
    });
  }
  await run("examine.replace");
  expect(await world.examine(id, world.fallback)).toMatchObject({ mine: true, waitingFor: "郭晓东" });
  await scope(villageIds);
});

test("after the hours of its node its people are reminded, once each time, and it counts as late", async () => {
  await nodes(asking("店长", [world.manager], { remindHours: 2 }));
  const id = await proposed();
  const reminded = async () =>
    (await world.told(world.manager)).filter((t) => t === "审批催办：作废账单").length;
  const before = await reminded();
  await run("examine.remind");
  expect(await reminded()).toBe(before);
  house.setClock("2026-03-20T12:30:00+08:00");
  await run("examine.remind");
  await run("examine.remind");
  expect(await reminded()).toBe(before + 1);
  expect(await world.examine(id, world.manager)).toMatchObject({ late: true, waited: 2 });
  const { mine, late } = await house.did(countExamines, { as: world.manager }, { query: {} });
  const list = await house.did(listExamines, { as: world.manager }, { query: { box: "mine" } });
  expect(list.total).toBe(mine);
  expect(late).toBeGreaterThan(0);
  house.setClock("2026-03-20T10:00:00+08:00");
});

test("a bill that is void by another way takes its approval with it", async () => {
  await nodes(asking("店长", [world.manager]));
  const bill = await world.bill(80_000);
  const { examineId } = await world.voiding(bill);
  const { voidBills } = await import("../bill/bill.service.ts");
  const { acting } = await import("../../listing/village/village.sample.ts");
  await acting(house, (act) => voidBills(act, [bill], "合同作废"));
  expect((await world.examine(examineId, world.clerk)).state).toBe("void");
  expect(await world.told(world.clerk)).toContain("审批已作废：作废账单");
});

test("what an approved act wrote into the business log names its approval, what nobody had to approve names none", async () => {
  await nodes(asking("店长", [world.manager]));
  const id = (await proposed())!;
  await world.decide(id, world.manager, "approve");
  const { examineNo, targetId } = await house.database.db
    .selectFrom("examine")
    .select(["examineNo", "targetId"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const params = { kind: "bill", recordId: targetId };
  const { list } = await house.did(recordHistory, { as: world.admin }, { params, query: { pageSize: 100 } });
  const named = list.filter((line) => line.examineId === id && line.examineNo === examineNo);
  expect(named.map((line) => line.action)).toContain("作废");
  expect(named.length).toBeGreaterThan(1);
  const free = await world.bill(80_000);
  const { list: plain } = await house.did(
    recordHistory,
    { as: world.admin },
    { params: { kind: "bill", recordId: free }, query: {} },
  );
  expect(plain.every((line) => line.examineNo === "")).toBe(true);
});
