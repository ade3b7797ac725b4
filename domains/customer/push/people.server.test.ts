import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { aCompany } from "../firm/firm.sample.ts";
import { deleteRenter } from "../renter/renter.contract.ts";
import { aRenter } from "../renter/renter.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { exportRecipients, previewPush, pushBuildings, pushPeople, submitPush } from "./push.contract.ts";
import { WRITES, aStoreOf300, type Pushed } from "./push.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
let store: Pushed, su: number, far: number, stranger: Person;
beforeAll(async () => {
  store = await aStoreOf300(house);
  const elsewhere = await aVillage(house);
  stranger = await house.person({ permits: ["18.add"], villages: [elsewhere] });
  su = await aRenter(house, store.village, { name: "苏瑾", phone: "13911112222" });
  far = await aRenter(house, elsewhere, { name: "苏远", phone: "13911113333" });
});

const found = async (as: Person, query: object) =>
  (await house.did(pushPeople, { as }, { query })).map((p) => p.id);

test("people are found by name, initials and the end of a phone, in the own stores, and named by their ids", async () => {
  for (const keyword of ["苏瑾", "sj", "13911112222", "2222"])
    expect(await found(store.clerk, { keyword })).toEqual([su]);
  expect(await found(store.clerk, { keyword: "苏瑾", kind: "company" })).toEqual([]);
  const [one] = await house.did(pushPeople, { as: store.clerk }, { query: { ids: `${su},${far}` } });
  expect(one).toMatchObject({ id: su, phone: "139****2222", villageId: store.village });
  const gone = await aRenter(house, store.village, { name: "苏金", phone: "13911114444" });
  await house.database.pool.query("update renter set merged_into_id = $1 where id = $2", [su, gone]);
  expect(await found(store.clerk, { ids: String(gone) })).toEqual([su]);
  expect(await found(stranger, { keyword: "苏" })).toEqual([far]);
  const buildings = await house.ask(
    pushBuildings,
    { as: stranger },
    { query: { villageIds: String(store.village) } },
  );
  expect(buildings.status).toBe(404);
});

test("those who are named get it alone; whom the rest of the conditions leaves out is counted as 不在范围", async () => {
  const preview = (more: object) =>
    house.did(previewPush, { as: store.clerk }, { body: store.typed({ body: "您好", ...more }) });
  expect(await preview({ ids: [su] })).toMatchObject({ people: 1, skipped: [] });
  expect(await preview({ ids: [su, far] })).toMatchObject({
    people: 1,
    skipped: [{ reason: "不在范围", count: 1 }],
  });
  expect(await preview({ ids: [su], stages: ["living"] })).toMatchObject({
    people: 0,
    skipped: [{ reason: "不在范围", count: 1 }],
  });
  expect(await preview({ exclude: [su] })).toMatchObject({ people: 288 });
});

test("who got what leaves the house as a workbook, masked, with a purpose", async () => {
  const id = await store.submitted({ ids: [su] });
  await store.sent(id);
  const asked = (usage: string) =>
    house.ask(exportRecipients, { as: store.clerk }, {
      params: { id },
      query: { columns: "name,address,state", usage },
    } as never);
  expect((await asked("")).status).toBe(400);
  expect((await asked("核对送达")).status).toBe(200);
  const other = await house.ask(
    exportRecipients,
    { as: await house.person({ permits: ["18.query", "18.export"], villages: [await aVillage(house)] }) },
    { params: { id }, query: { usage: "核对送达" } } as never,
  );
  expect(other.status).toBe(404);
});

test("firms are found by their tags as tenants are", async () => {
  const keeper = await house.person({ permits: ["113.add", "113.edit"], villages: [store.village] });
  await aCompany(house, keeper, store.village, { name: "云栖软件", tags: ["团租"] });
  await aCompany(house, keeper, store.village, { name: "远山贸易" });
  const preview = (tags: string[]) =>
    house.did(
      previewPush,
      { as: store.clerk },
      {
        body: { ...store.typed({ body: "您好" }), kind: "company", tags, channels: ["inApp"] },
      },
    );
  expect(await preview(["团租"])).toMatchObject({ people: 1 });
  expect(await preview([])).toMatchObject({ people: 2 });
});

test("whoever was written to is not deleted: what was said to them stays", async () => {
  const as = await house.person({ permits: ["16.delete"], villages: [store.village] });
  const id = await aRenter(house, store.village, { name: "苏宁", phone: "13911115555" });
  await store.sent(await store.submitted({ ids: [id] }));
  const gone = await house.ask(deleteRenter, { as }, { params: { id }, query: { version: 1 } });
  expect(gone.body).toMatchObject({ code: 409, message: "该租客有 1 条推送或提醒，不能删除" });
});

test("beyond 50,000 nothing is left out unseen: it is refused with the count, also when the audience grew meanwhile", async () => {
  const { pool } = house.database;
  const village = await aVillage(house);
  const as = await house.person({ permits: [...WRITES, "#1801"], villages: [village], name: "周敏" });
  const grow = (count: number) =>
    pool.query(
      `with made as (insert into party (enterprise_id, kind, name, phone)
         select $1, 'renter', '租客', '13800000000' from generate_series(1, $2) returning id)
       insert into party_village (village_id, party_id, because, first_day) select $3, id, 'home', '2026-01-01' from made`,
      [house.enterpriseId, count, village],
    );
  await grow(2);
  const at = "2026-11-20T03:00:00.000Z";
  const { id, version } = await store.made({ villageIds: [village], at }, as);
  await house.did(submitPush, { as }, { params: { id }, body: { version } });
  await grow(49_999);
  const refused = "对象共 50,001 人，一次最多推送 50,000 人，请缩小范围分次发送";
  const body = store.typed({ villageIds: [village] });
  expect((await house.ask(previewPush, { as }, { body })).body.message).toBe(refused);
  const other = await store.made({ villageIds: [village] }, as);
  const sent = { params: { id: other.id }, body: { version: other.version } };
  expect((await house.ask(submitPush, { as }, sent)).body.message).toBe(refused);
  house.setClock("2026-11-20T11:01:00+08:00");
  await store.run("push.due");
  expect(await store.seen(id, as)).toMatchObject({ state: "cancelled", recipients: 0 });
  const { list } = await house.did(listMessages, { as }, { query: {} });
  expect(list[0]).toMatchObject({ title: "推送已取消：停水通知" });
}, 120_000);
