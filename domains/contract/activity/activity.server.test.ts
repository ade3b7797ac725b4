import { expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { getExamine, decideExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { seedSubjects } from "../../finance/subject/subject.service.ts";
import { acting, aVillage } from "../../listing/village/village.sample.ts";
import * as calls from "./activity.contract.ts";
import { OFFERING, aRunning, anOffer } from "./activity.sample.ts";
import { endOver } from "./activity.service.ts";

const house = await testHouse();
house.setClock("2026-03-01T10:00:00+08:00");
const [here, there] = [await aVillage(house, { name: "滨江店" }), await aVillage(house, { name: "城西店" })];
await seedSubjects({ tx: house.database.db }, house.enterpriseId);
const as = await house.person({ permits: [...OFFERING], villages: [here, there] });
const local = await house.person({ permits: [...OFFERING], villages: [here] });
const far = await house.person({ permits: [...OFFERING], villages: [there] });

const made = (more = {}, villages = [here]) =>
  house.did(calls.addActivity, { as }, { body: anOffer(villages, more) });
const get = (id: number, by: Person = as) => house.did(calls.getActivity, { as: by }, { params: { id } });
const switched = async (call: typeof calls.enableActivity, id: number, by: Person = as) =>
  house.ask(call, { as: by }, { params: { id }, body: { version: (await get(id, by)).version } });
const log = async (id: number) =>
  (
    await house.database.db
      .selectFrom("businessLog")
      .select(["action", "summary"])
      .where("kind", "=", "activity")
      .where("recordId", "=", id)
      .orderBy("id")
      .execute()
  ).map((l) => l.action);

test("an offer is drawn up, changed, switched on and off; what it gives stays from then on", async () => {
  const { id } = await made({ monthTo: 6 });
  const draft = await get(id);
  expect(draft).toMatchObject({
    status: "draft",
    valueText: "95 折 第1–6月",
    scopeText: "滨江店，租客合同，新签",
    percent: 5,
    amount: null,
    contentVersion: 1,
    editable: true,
  });
  const body = {
    ...anOffer([here], { kind: "amount", amount: 20_000, name: "立减 200" }),
    version: draft.version,
  };
  await house.did(calls.editActivity, { as }, { params: { id }, body });
  expect(await get(id)).toMatchObject({
    valueText: "立减 200.00 元",
    amount: 20_000,
    percent: null,
    contentVersion: 2,
  });
  const old = await house.ask(calls.editActivity, { as }, { params: { id }, body });
  expect(old).toMatchObject({ status: 409, body: { message: "数据已被他人修改，请刷新后重试" } });

  expect(await switched(calls.enableActivity, id)).toMatchObject({
    status: 200,
    body: { data: { examineNo: null } },
  });
  const { version } = await get(id);
  const late = await house.ask(calls.editActivity, { as }, { params: { id }, body: { ...body, version } });
  expect(late).toMatchObject({ status: 409, body: { message: "已启用的活动不能修改优惠内容，请复制新建" } });
  const gone = await house.ask(calls.deleteActivity, { as }, { params: { id }, query: { version } });
  expect(gone).toMatchObject({ status: 409, body: { message: "当前状态为“已启用”，不能删除" } });
  expect((await switched(calls.disableActivity as never, id)).status).toBe(200);
  expect((await get(id)).status).toBe("disabled");
  expect((await switched(calls.enableActivity, id)).status).toBe(200);
  expect(await log(id)).toEqual(["新增", "修改", "启用", "停用", "启用"]);
});

test("the database itself keeps what an offer gives once it was switched on", async () => {
  const id = await aRunning(house, as, anOffer([here]));
  await expect(
    house.database.pool.query("update activity set value = 60 where id = $1", [id]),
  ).rejects.toThrow(/stays as it is/);
  await house.database.pool.query("update activity set sign_to = '2027-01-31' where id = $1", [id]);
});

test("a draft is deleted, and one whose last day has passed is not switched on", async () => {
  const { id } = await made();
  const { version } = await get(id);
  await house.did(calls.deleteActivity, { as }, { params: { id }, query: { version } });
  expect((await house.ask(calls.getActivity, { as }, { params: { id } })).status).toBe(404);
  const { id: past } = await made({ signTo: "2026-02-28" });
  expect(await switched(calls.enableActivity, past)).toMatchObject({
    status: 409,
    body: { message: "签约截止日 2026-02-28 已过，请先延长" },
  });
});

test("once it runs only more days and, with 1301, more contracts are given", async () => {
  const id = await aRunning(house, as, anOffer([here], { quota: 10 }));
  const quota = await house.person({ permits: ["13.get", "#1301"], villages: [here] });
  const adjust = async (by: Person, more: object) => {
    const { version, signTo } = await get(id, by);
    return house.ask(
      calls.adjustActivity,
      { as: by },
      { params: { id }, body: { signTo, quota: 10, version, ...more } },
    );
  };
  expect(await adjust(as, { signTo: "2026-12-30" })).toMatchObject({
    status: 400,
    body: { message: "截止日只能延后，现为 2026-12-31" },
  });
  expect((await adjust(as, { signTo: "2027-01-01" })).status).toBe(200);
  expect((await adjust(quota, { signTo: "2027-01-02" })).status).toBe(403);
  expect((await adjust(as, { quota: 11 })).status).toBe(403);
  expect(await adjust(quota, { quota: 9 })).toMatchObject({
    status: 400,
    body: { message: "名额只能增加，现为 10" },
  });
  expect((await adjust(quota, { quota: 11 })).status).toBe(200);
  expect((await adjust(quota, { quota: 0 })).status).toBe(200);
  expect(await adjust(quota, { quota: 12 })).toMatchObject({
    status: 400,
    body: { message: "名额只能增加，现为 不限" },
  });
  expect(await log(id)).toEqual(["新增", "启用", "延长", "名额调整", "名额调整"]);
  const { id: draft } = await made();
  const { version } = await get(draft);
  const early = await house.ask(
    calls.adjustActivity,
    { as },
    { params: { id: draft }, body: { signTo: "2027-01-01", quota: 0, version } },
  );
  expect(early).toMatchObject({ status: 409, body: { message: "当前状态为“草稿”，不能调整" } });
});

test("it ends with its last day, and a later last day opens it again", async () => {
  const id = await aRunning(house, as, anOffer([here], { signTo: "2026-03-05" }));
  house.setClock("2026-03-05T00:05:00+08:00");
  await acting(house, endOver);
  expect((await get(id)).status).toBe("enabled");
  house.setClock("2026-03-06T00:05:00+08:00");
  expect(await acting(house, endOver)).toBe(1);
  expect(await acting(house, endOver)).toBe(0);
  const { status, version } = await get(id);
  expect(status).toBe("ended");
  expect(await switched(calls.enableActivity, id)).toMatchObject({ status: 409 });
  const body = { signTo: "2026-03-06", quota: 0, version };
  await house.did(calls.adjustActivity, { as }, { params: { id }, body });
  expect((await get(id)).status).toBe("enabled");
  house.setClock("2026-03-01T10:00:00+08:00");
});

test("one that was switched off does not come on again by being made longer", async () => {
  const id = await aRunning(house, as, anOffer([here], { signTo: "2026-03-05" }));
  const seen = (await get(id)).version;
  await house.did(calls.disableActivity, { as }, { params: { id }, body: { version: seen } });
  house.setClock("2026-03-06T00:05:00+08:00");
  await acting(house, endOver);
  const late = await switched(calls.enableActivity, id);
  expect(late.body.message).toBe("签约截止日 2026-03-05 已过，请先延长");
  const { version } = await get(id);
  const body = { signTo: "2026-03-31", quota: 0, version };
  await house.did(calls.adjustActivity, { as }, { params: { id }, body });
  expect((await get(id)).status).toBe("disabled");
  house.setClock("2026-03-01T10:00:00+08:00");
});

test("who sees a part of its stores reads it and changes nothing; who sees none finds nothing", async () => {
  const { id } = await made({}, [here, there]);
  expect(await get(id, local)).toMatchObject({
    editable: false,
    villageIds: [here],
    villageNames: "滨江店",
    scopeText: "滨江店 等 2 个门店，租客合同，新签",
  });
  expect(await switched(calls.enableActivity, id, local)).toMatchObject({ status: 403 });
  const { id: mine } = await made({}, [here]);
  expect((await house.ask(calls.getActivity, { as: far }, { params: { id: mine } })).status).toBe(404);
  const { list } = await house.did(calls.listActivities, { as: far }, { query: { pageSize: 200 } });
  expect(list.map((a) => a.id)).toContain(id);
  expect(list.map((a) => a.id)).not.toContain(mine);
  const body = anOffer([here, there]);
  expect((await house.ask(calls.addActivity, { as: far }, { body })).status).toBe(404);
});

test("what it names is the enterprise's own, and a deposit is no fee to lower", async () => {
  const none = await house.ask(
    calls.addActivity,
    { as },
    { body: anOffer([here], { productIds: [999_999] }) },
  );
  expect(none).toMatchObject({ status: 400, body: { message: "请选择产品" } });
  const subjects = await house.database.db
    .selectFrom("feeSubject")
    .select(["id", "code"])
    .where("enterpriseId", "=", house.enterpriseId)
    .execute();
  const fee = (code: string) => subjects.find((s) => s.code === code)!.id;
  const about = (code: string) => ({ body: anOffer([here], { appliesTo: "fees", feeIds: [fee(code)] }) });
  expect(await house.ask(calls.addActivity, { as }, about("key"))).toMatchObject({
    status: 400,
    body: { message: "请选择合同可以收取的费用，押金不能优惠" },
  });
  const { id } = await house.did(calls.addActivity, { as }, about("property"));
  expect(await get(id)).toMatchObject({ feeIds: [fee("property")], valueText: "费用 95 折" });
});

test("the list narrows by store, state, kind, contract and days, and sums the whole filter", async () => {
  const name = "筛选用活动";
  const ids = [
    await aRunning(house, as, anOffer([here], { name, signFrom: "2026-05-01", signTo: "2026-05-31" })),
    (await made({ name, kind: "firstMonths", months: 1, contractKinds: ["company"] }, [there])).id,
  ];
  const found = async (more: object) => {
    const { list } = await house.did(
      calls.listActivities,
      { as },
      { query: { keyword: name, ...more } as never },
    );
    return list.map((a) => ids.indexOf(a.id)).toSorted();
  };
  expect(await found({})).toEqual([0, 1]);
  expect(await found({ villageIds: String(there) })).toEqual([1]);
  expect(await found({ status: "enabled" })).toEqual([0]);
  expect(await found({ kind: "firstMonths" })).toEqual([1]);
  expect(await found({ contractKind: "company" })).toEqual([1]);
  expect(await found({ dayFrom: "2026-06-01" })).toEqual([1]);
  expect(await found({ dayFrom: "2026-05-31", dayTo: "2026-05-31" })).toEqual([0, 1]);
  expect(await found({ dayTo: "2026-04-30" })).toEqual([1]);
  const options = await house.did(calls.activityOptions, { as }, { query: { keyword: name } });
  expect(options.map((o) => o.id)).toEqual(ids.toReversed());
  expect(await house.did(calls.activityOptions, { as }, { query: { ids: String(ids[0]) } })).toEqual([
    { id: ids[0], name, valueText: "95 折" },
  ]);
});

test("the effect on a sample contract is worked out by the same function as in the form", async () => {
  const offer = anOffer([here]);
  const effect = await house.did(
    calls.effectOfActivity,
    { as },
    {
      body: {
        offers: [
          { ...offer, kind: "firstMonths", months: 1 },
          { ...offer, monthTo: 6 },
          { ...offer, kind: "amount", amount: 20_000 },
        ],
        rent: 300_000,
        months: 12,
        cycleMonths: 3,
      },
    },
  );
  expect(effect.bills.map((b) => b.amount)).toEqual([550_000, 855_000, 900_000, 900_000]);
  expect(effect.netMonthlyRent).toBe(267_083);
});

test("switching on waits for approval where that is configured; frozen until then, on with the last approval", async () => {
  const boss = await house.person({ permits: ["13.query"], villages: [here, there], name: "陈嘉禾" });
  const admin = await house.person({ superType: "1" });
  const villageIds = [await aVillage(house, { name: "临平店" })];
  const clerk = await house.person({ permits: [...OFFERING], villages: [here, ...villageIds] });
  await aModule(house, admin, {
    moduleType: "activity",
    name: "优惠活动审批",
    villageIds,
    fallback: admin,
    processes: [otherwise(asking("店长", [boss]))],
  });
  await house.database.pool.query(
    "update operator set village_ids = village_ids || $1::bigint[] where id = $2",
    [villageIds, boss.operatorId],
  );
  const body = anOffer([here, ...villageIds]);
  const { id } = await house.did(calls.addActivity, { as: clerk }, { body });
  const handed = await switched(calls.enableActivity, id, clerk);
  expect(handed).toMatchObject({ status: 200, body: { data: { examineNo: expect.stringMatching(/^SP/) } } });
  const waiting = await get(id, clerk);
  expect(waiting).toMatchObject({ status: "approving", waiting: { node: "1/1 店长", waitingFor: "陈嘉禾" } });
  const { version } = waiting;
  const edit = await house.ask(
    calls.editActivity,
    { as: clerk },
    { params: { id }, body: { ...body, version } },
  );
  expect(edit).toMatchObject({ status: 409, body: { message: "审批中，不能修改" } });
  const again = await switched(calls.enableActivity, id, clerk);
  expect(again).toMatchObject({ status: 409, body: { message: "审批中，不能修改" } });

  const { id: examineId } = await house.database.db
    .selectFrom("examine")
    .select("id")
    .where("targetKind", "=", "activity")
    .where("targetId", "=", id)
    .executeTakeFirstOrThrow();
  const seen = await house.did(getExamine, { as: boss }, { params: { id: examineId } });
  expect(seen.keyFacts).toContainEqual(["优惠", "95 折"]);
  await house.did(
    decideExamine,
    { as: boss, key: "decide-activity-1" },
    { params: { id: examineId }, body: { decision: "approve", comment: "同意", version: seen.version } },
  );
  expect(await get(id, clerk)).toMatchObject({ status: "enabled", waiting: null });
});
