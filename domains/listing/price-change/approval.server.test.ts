import { expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import {
  countExamines,
  decideExamine,
  getExamine,
  submitExamine,
  type Decide,
} from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { setRoomPrice } from "../pricing/room-price.contract.ts";
import { room } from "../room-acts/room.contract.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { editChange, getChange, submitChange, withdrawChange } from "./change.contract.ts";
import { aPlan, handedIn, previewed } from "./price-change.sample.ts";

const house = await testHouse({ poolSize: 6 });
house.setClock("2026-11-20T10:00:00+08:00");
const villageId = await aVillage(house);
// a store where nothing needs approval does not let a change of both stores slip by
const freeId = await aVillage(house);
const [at, freeAt] = [await aBuilding(house, villageId), await aBuilding(house, freeId)];
const roomId = (await aFlat(house, at, { name: "1203" })).roomIds[0]!;
const other = (await aFlat(house, at, { name: "1204" })).roomIds[0]!;
const free = (await aFlat(house, freeAt, { name: "101" })).roomIds[0]!;
const permits = ["query", "get", "add", "edit"].map((p) => `6.${p}`);
const villages = [villageId, freeId];
const head = await house.person({ permits: [...permits, "#601"], villages, name: "沈岚" });
const manager = await house.person({ permits: ["6.query"], villages, name: "陈嘉禾" });
const region = await house.person({ permits: ["6.query"], villages, name: "罗佳宁" });
const admin = await house.person({ superType: "1", name: "许承锦" });
const fallback = await house.person({ villages, name: "郭晓东" });
await aModule(house, admin, {
  moduleType: "priceChange",
  name: "批量调价审批",
  villageIds: [villageId],
  fallback,
  processes: [
    {
      name: "5% 以上",
      conditions: [{ field: "percent", op: "gte", value: 5 }],
      nodes: [asking("店长", [manager]), asking("区域经理", [region])],
    },
    otherwise(),
  ],
});

let key = 0;
const examine = (id: number, as: Person) => house.did(getExamine, { as }, { params: { id } });
const decide = async (id: number, as: Person, decision: Decide["decision"], comment = "") => {
  const { version } = await examine(id, as);
  return house.ask(
    decideExamine,
    { as, key: `decide-price-${++key}` },
    { params: { id }, body: { decision, comment, version } },
  );
};
const priceOn = async (day: string, id = roomId) => {
  house.setClock(`${day}T09:00:00+08:00`);
  const { listPrice } = await house.did(room, { as: head }, { params: { id } });
  house.setClock("2026-11-20T10:00:00+08:00");
  return listPrice;
};
const change = (id: number) => house.did(getChange, { as: head }, { params: { id } });
const returned = async () => (await house.did(countExamines, { as: head }, { query: {} })).returned;

test("+8 % needs manager, then region head; the second rejects; submitted again and approved twice the prices stand", async () => {
  const made = await handedIn(house, head, aPlan([villageId], { roomIds: [roomId], value: 8 }));
  expect(made.state).toBe("approving");
  const { examineId, examineNo, waiting } = await change(made.id);
  expect(waiting).toMatchObject({ node: "1/2 店长", waitingFor: "陈嘉禾" });
  expect(made.examineNo).toBe(examineNo);
  const id = examineId!;
  const seen = await examine(id, manager);
  expect(seen).toMatchObject({ mine: true, node: "1/2 店长", amount: 24_000, targetId: made.id });
  expect(seen.keyFacts).toContainEqual(["方式", "标价 +8 %，取整到元"]);
  expect(seen.preview.map((t) => t.title)).toEqual(["合计", "价格分布", "明细"]);
  expect(seen.preview[2]!.rows).toEqual([["滨江店·3栋·1单元·1203", 300_000, 324_000, 24_000]]);

  expect((await decide(id, manager, "approve", "同意")).status).toBe(200);
  expect((await decide(id, region, "reject", "涨幅过大")).status).toBe(200);
  expect(await priceOn("2026-12-01")).toBe(300_000);
  expect(await change(made.id)).toMatchObject({ state: "rejected" });
  expect(await returned()).toBe(1);

  const { version } = await examine(id, head);
  await house.did(submitExamine, { as: head }, { params: { id }, body: { version } });
  expect(await returned()).toBe(0);
  expect(await change(made.id)).toMatchObject({ state: "approving", examineId: id });
  expect((await decide(id, manager, "approve")).status).toBe(200);
  expect(await change(made.id)).toMatchObject({ state: "approving" });
  expect((await decide(id, region, "approve")).status).toBe(200);
  expect(await change(made.id)).toMatchObject({ state: "scheduled" });
  expect(await priceOn("2026-11-30")).toBe(300_000);
  expect(await priceOn("2026-12-01")).toBe(324_000);

  const { steps } = await examine(id, head);
  expect(steps.map((s) => [s.round, s.name, s.state])).toEqual([
    [1, "陈嘉禾", "approved"],
    [1, "罗佳宁", "rejected"],
    [2, "陈嘉禾", "approved"],
    [2, "罗佳宁", "approved"],
  ]);
  const { rows } = await house.database.pool.query(
    "select action from business_log where kind = 'priceChange' and record_id = $1 order by id",
    [made.id],
  );
  expect(rows.map((r) => r.action)).toEqual([
    "新增",
    "提交审批",
    "审批通过",
    "审批驳回",
    "重新提交审批",
    "审批通过",
    "审批通过",
    "生效安排",
  ]);
});

test("below five percent it is carried out at once, and a change of both stores takes the way of the one that asks", async () => {
  const small = await handedIn(house, head, aPlan([villageId], { roomIds: [other], value: 4 }));
  expect(small).toMatchObject({ state: "scheduled", examineNo: null });
  const both = await handedIn(
    house,
    head,
    aPlan([freeId, villageId], { roomIds: [free, other], value: 8, effectiveDay: "2026-12-10" }),
  );
  expect(both.state).toBe("approving");
  const alone = await handedIn(
    house,
    head,
    aPlan([freeId], { roomIds: [free], value: 8, effectiveDay: "2026-12-15" }),
  );
  expect(alone.state).toBe("scheduled");
});

test("a price that moves while it waits leaves only rejecting; its submitter plans anew and hands it in again", async () => {
  const plan = aPlan([villageId], { roomIds: [roomId], value: 8, effectiveDay: "2026-12-20" });
  const made = await handedIn(house, head, plan);
  const id = (await change(made.id)).examineId!;
  await house.did(
    setRoomPrice,
    { as: head },
    { params: { id: roomId }, body: { listPrice: 330_000, effectiveDay: "2026-12-05" } },
  );
  expect((await examine(id, manager)).obstacle).toBe("房价已变化，请重新预览");
  await decide(id, manager, "approve");
  const refused = await decide(id, region, "approve");
  expect([refused.status, refused.body.message]).toEqual([409, "房价已变化，请重新预览"]);
  expect((await decide(id, region, "reject", "价格已变")).status).toBe(200);
  const { version: sent } = await examine(id, head);
  const again = await house.ask(
    submitExamine,
    { as: head, key: "submit-again-1" },
    { params: { id }, body: { version: sent } },
  );
  expect([again.status, again.body.message]).toEqual([409, "房价已变化，请重新预览"]);

  const shown = await change(made.id);
  const { hash } = await previewed(house, head, { ...plan, self: made.id });
  const body = { ...plan, reason: "旺季调价", hash, version: shown.version };
  const { version } = await house.did(editChange, { as: head }, { params: { id: made.id }, body });
  await house.did(submitChange, { as: head }, { params: { id: made.id }, body: { version } });
  const now = await change(made.id);
  expect(now).toMatchObject({ state: "approving" });
  expect(now.examineId).not.toBe(id);

  // only whoever handed it in takes it back
  const foreign = await house.person({ permits, villages, name: "别人" });
  const sentBack = { params: { id: made.id }, body: { version: now.version } };
  const theirs = await house.ask(withdrawChange, { as: foreign }, sentBack);
  expect([theirs.status, theirs.body.message]).toEqual([409, "只有提交人可以撤回"]);
  expect((await house.did(withdrawChange, { as: head }, sentBack)).state).toBe("draft");
});

test("approved after its day, it counts from the day of approval", async () => {
  const plan = aPlan([villageId], { roomIds: [other], value: 10, effectiveDay: "2026-12-25" });
  const made = await handedIn(house, head, plan);
  const id = (await change(made.id)).examineId!;
  await decide(id, manager, "approve");
  house.setClock("2026-12-27T09:00:00+08:00");
  expect((await decide(id, region, "approve")).status).toBe(200);
  expect(await change(made.id)).toMatchObject({ state: "effective", effectiveDay: "2026-12-27" });
});

test("an approver without 601 sees what the lists show, whoever has it sees the lowest prices too", async () => {
  house.setClock("2026-11-20T10:00:00+08:00");
  const { roomIds } = await aFlat(house, at, { name: "1205" });
  const plan = aPlan([villageId], { roomIds, value: 6, applyTo: "both" });
  const { examineId } = await change((await handedIn(house, head, plan)).id);
  const lines = async (as: Person) => (await examine(examineId!, as)).preview[2]!;
  expect((await lines(manager)).columns.map((c) => c.title)).toEqual(["房间", "原标价", "新标价", "变动"]);
  expect((await lines(manager)).rows[0]).toHaveLength(4);
  expect((await lines(head)).columns.map((c) => c.title)).toEqual([
    "房间",
    "原标价",
    "新标价",
    "变动",
    "原底价",
    "新底价",
  ]);
  expect((await lines(head)).rows[0]).toHaveLength(6);

  const set = { mode: "set" as const, value: 280_000, applyTo: "lowest" as const };
  const { roomIds: another } = await aFlat(house, at, { name: "1206" });
  const { id } = await handedIn(house, head, aPlan([villageId], { roomIds: another, ...set }));
  const seenBy = (as: Person) => house.did(getChange, { as }, { params: { id } });
  const reader = await house.person({ permits: ["6.get"], villages });
  expect(await seenBy(reader)).toMatchObject({ ruleText: "统一为指定金额", plan: { value: null } });
  expect((await seenBy(head)).ruleText).toMatch(/^统一为 2,800\.00 元/);
});
