import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { acting, aVillage } from "../../listing/village/village.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { hashed, withPassword } from "../account/account.sample.ts";
import { aStore, type Store } from "../bill/bill.sample.ts";
import {
  addConf,
  copyConf,
  disableConf,
  editConf,
  enableConf,
  getConf,
  listConfs,
  listItems,
  removeItem,
  setConfKeys,
  setItem,
  testConf,
  trialConf,
} from "./einvoice.contract.ts";
import { tellExpiring } from "./einvoice.job.ts";
import { aConfBody, CONF_PERMITS, ITEMS, SELLER_NO } from "./einvoice.sample.ts";

const house = await testHouse();
const { pool } = house.database;
let store: Store;
let admin: Person;
let clerk: Person;
let id: number;
beforeAll(async () => {
  house.setClock("2026-03-15T10:00:00+08:00");
  store = await aStore(house);
  admin = await house.person({ superType: "1" });
  clerk = await house.person({
    permits: CONF_PERMITS.filter((p) => p !== "#10101"),
    villages: [store.villageId],
  });
});
const subjectOf = async (code: string) =>
  (
    await pool.query<{ id: number }>("select id from fee_subject where code = $1 and enterprise_id = $2", [
      code,
      house.enterpriseId,
    ])
  ).rows[0]!.id;
const first = (body: { fields?: { field: string; msg: string }[]; message: string }) =>
  body.fields?.[0] ?? body.message;
const detail = () => house.did(getConf, { as: admin }, { params: { id } });

test("an enterprise has one configuration, a store is in one only, and what is typed is judged", async () => {
  const add = async (more: object, as = admin) =>
    house.ask(addConf, { as }, { body: aConfBody([store.villageId], more) });
  expect(first((await add({ taxNo: "91330106MA2B2ABC70" })).body)).toEqual({
    field: "taxNo",
    msg: "请输入正确的统一社会信用代码",
  });
  expect(first((await add({ phone: "12" })).body)).toEqual({ field: "phone", msg: "手机号或座机格式不正确" });
  expect(first((await add({ account: "12a" })).body)).toMatchObject({ field: "account" });
  const other = await aStore(house);
  // who sees some stores alone does not set up those of all
  expect((await add({}, clerk)).status).toBe(403);
  // of the company that the store belonged to before
  await pool.query(
    `with other as (insert into enterprise (name) values ('另一家企业') returning id),
       conf as (insert into einvoice_config
           (enterprise_id, driver, seller_name, tax_no, default_kind, per_invoice_limit, invoice_basis, drawer)
         select id, 'manual', '另一家企业', $2, 'general', 1000000, 'paid', '开票员' from other returning id)
     insert into einvoice_village select $1, id from conf`,
    [store.villageId, SELLER_NO],
  );
  expect(first((await add({})).body)).toEqual({ field: "villageIds", msg: "门店已属于其他开票配置" });
  await pool.query("delete from einvoice_config");
  const made = await add({});
  id = made.body.data.id;
  expect(first((await add({ villageIds: [other.villageId] })).body)).toEqual({
    field: "enterpriseId",
    msg: "该企业已有配置",
  });
  expect((await house.did(listConfs, { as: admin }, { query: {} })).list).toMatchObject([
    { id, driver: "simulator", villages: 1, state: "disabled", perInvoiceLimit: 10_000_000 },
  ]);
  const of = async (enterpriseId: number) =>
    (await house.did(listConfs, { as: admin }, { query: { enterpriseId } as never })).list.length;
  expect([await of(house.enterpriseId), await of(house.enterpriseId + 1)]).toEqual([1, 0]);
});

test("subjects are mapped with 19 digits; deposits and what is collected for others are locked", async () => {
  const set = async (code: string, more: object = {}) =>
    house.ask(
      setItem,
      { as: admin },
      {
        params: { id },
        body: {
          ...ITEMS.property,
          feeSubjectId: await subjectOf(code),
          fromDay: "2026-01-01",
          version: 0,
          ...more,
        },
      },
    );
  expect(first((await set("rent", { itemCode: "123" })).body)).toEqual({
    field: "itemCode",
    msg: "请输入19位税收分类编码",
  });
  expect(first((await set("deposit")).body)).toEqual({
    field: "feeSubjectId",
    msg: "押金、定金、代收科目不开票",
  });
  const enable = async () =>
    house.ask(enableConf, { as: admin }, { params: { id }, body: { version: (await detail()).version } });
  expect((await enable()).body.message).toBe("请先维护科目映射：租金");
  expect((await set("rent", ITEMS.rent)).status).toBe(200);
  expect((await set("rent", { ...ITEMS.rent, itemName: "住房租金", fromDay: "2026-06-01" })).status).toBe(
    200,
  );
  expect((await enable()).status).toBe(200);
  const items = await house.did(listItems, { as: admin }, { params: { id } });
  const of = (code: string) => items.find((i) => i.code === code)!;
  expect(of("rent")).toMatchObject({
    locked: false,
    usual: "减按1.5%",
    now: { itemName: "租金", element: "lease" },
  });
  expect(of("rent").later).toMatchObject([{ fromDay: "2026-06-01", itemName: "住房租金" }]);
  expect(of("electric")).toMatchObject({ locked: true, now: null });
  // two people who look at the same day: the second hears of the first
  const { version } = of("rent").now!;
  const renamed = { ...ITEMS.rent, itemName: "房租" };
  expect((await set("rent", { ...renamed, version })).status).toBe(200);
  expect((await set("rent", { ...ITEMS.rent, version })).body.reason).toBe("stale");
  expect((await set("rent", { ...ITEMS.rent, version: 0 })).body.reason).toBe("stale");
  expect((await set("rent", { ...ITEMS.rent, version: version + 1 })).status).toBe(200);
  // what holds from a later day on can be taken back, what holds already not
  const rent = async () =>
    (await house.did(listItems, { as: admin }, { params: { id } })).find((i) => i.code === "rent")!;
  const back = async (item: { fromDay: string; version: number }) => {
    const query = { feeSubjectId: of("rent").feeSubjectId, fromDay: item.fromDay, version: item.version };
    const { status, body } = await house.ask(removeItem, { as: admin }, { params: { id }, query });
    return [status, body.reason];
  };
  const [later] = of("rent").later;
  expect(await back((await rent()).now!)).toEqual([409, "notAllowed"]);
  expect(await back({ ...later!, version: later!.version + 1 })).toEqual([409, "stale"]);
  expect(await back(later!)).toEqual([200, undefined]);
  expect(await rent()).toMatchObject({ now: { itemName: "租金" }, later: [] });
  expect(await back(later!)).toEqual([409, "stale"]);
});

test("the driver says who the seller is: another tax number does not fit", async () => {
  const told = await house.did(testConf, { as: admin }, { params: { id } });
  expect(told).toMatchObject({ taxNo: SELLER_NO });
  expect((await house.ask(testConf, { as: clerk }, { params: { id } })).status).toBe(403);
  await pool.query("update enterprise set credit_code = '91330108MA27XYW10P' where id = $1", [
    house.enterpriseId,
  ]);
  const wrong = await house.ask(testConf, { as: admin }, { params: { id } });
  expect([wrong.status, wrong.body.message]).toEqual([409, "税号与服务商返回不一致"]);
  await pool.query("update enterprise set credit_code = null where id = $1", [house.enterpriseId]);
});

test("a trial is a paper and nothing else", async () => {
  const { raw } = await house.ask(
    trialConf,
    { as: admin },
    { params: { id }, query: { amount: 300_000, kind: "general" } },
  );
  expect(raw.subarray(0, 5).toString()).toBe("%PDF-");
  const { rows } = await pool.query("select count(*)::int n from einvoice_sample");
  expect(rows[0].n).toBe(0);
});

test("keys are only for a provider, and never shown", async () => {
  const body = {
    version: (await detail()).version,
    appKey: "SD58692",
    appSecret: "E9D2BC5A",
    password: "0".repeat(64),
  };
  const wrong = await house.ask(setConfKeys, { as: admin, key: randomUUID() }, { params: { id }, body });
  expect(wrong.body.message).toBe("只有服务商开票需要密钥");
});

test("what is being made keeps its configuration on", async () => {
  const { rows } = await pool.query("select id from party limit 1");
  const party =
    rows[0]?.id ??
    (
      await pool.query(
        "insert into party (enterprise_id, kind, name) values ($1, 'renter', '张三') returning id",
        [house.enterpriseId],
      )
    ).rows[0].id;
  await pool.query(
    `insert into invoice (apply_no, serial_no, direction, kind, enterprise_id, config_id, village_id, party_id, driver,
       title_type, title, amount, tax, state)
     values ('FP1', 'FP1', 'blue', 'general', $1, $2, $3, $4, 'simulator', 'person', '张三', 100, 1, 'issuing')`,
    [house.enterpriseId, id, store.villageId, party],
  );
  const off = async () =>
    house.ask(disableConf, { as: admin }, { params: { id }, body: { version: (await detail()).version } });
  expect((await off()).body.message).toBe("有 1 张发票正在开具");
  await pool.query("delete from invoice");
  expect((await off()).status).toBe(200);
});

test("what is changed stands in the log with old and new", async () => {
  const { rows } = await pool.query(
    "select action, summary from business_log where kind = 'einvoice' order by id",
  );
  expect(rows.map((r) => r.action)).toEqual(
    expect.arrayContaining(["新增", "科目映射", "启用", "测试连接", "停用"]),
  );
});

test("another address of the provider takes #10101 and the password, and its keys are set anew", async () => {
  const change = async (as: Person, more: object) => {
    const { creditWarn, ...now } = await detail();
    const body = { ...aConfBody(now.villageIds), ...now, creditWarn, ...more, version: now.version };
    return house.ask(editConf, { as }, { params: { id }, body });
  };
  const all = (await pool.query("select id::int from village where enterprise_id = $1", [house.enterpriseId]))
    .rows;
  const villages = all.map((v) => v.id as number);
  const editor = await house.person({ permits: CONF_PERMITS.filter((p) => p !== "#10101"), villages });
  const keeper = await house.person({ permits: CONF_PERMITS, villages });
  await withPassword(house, keeper.operatorId);
  expect((await change(editor, { driver: "provider" })).status).toBe(200);
  const keys = { appKey: "SD58692", appSecret: "E9D2BC5A", password: hashed() };
  const { version } = await detail();
  expect(
    (await house.ask(setConfKeys, { as: keeper }, { params: { id }, body: { ...keys, version } })).status,
  ).toBe(200);
  await pool.query("insert into einvoice_key (config_id, name, sealed) values ($1, 'accessToken', 'x')", [
    id,
  ]);
  const endpoint = "https://invoice.example.com";
  expect(first((await change(editor, { endpoint: "http://invoice.example.com" })).body)).toEqual({
    field: "endpoint",
    msg: "请输入 https 开头的接口地址",
  });
  expect((await change(editor, { endpoint, password: hashed() })).status).toBe(403);
  expect(first((await change(keeper, { endpoint })).body)).toEqual({
    field: "password",
    msg: "请输入登录密码",
  });
  expect((await change(keeper, { endpoint, password: hashed("other") })).status).toBe(400);
  const kept = async () =>
    (await pool.query("select name from einvoice_key where config_id = $1", [id])).rows.length;
  expect([(await detail()).keysSet, await kept()]).toEqual([true, 3]);
  expect((await change(editor, { drawer: "罗佳宁" })).status).toBe(200);
  expect((await change(keeper, { endpoint, password: hashed() })).status).toBe(200);
  const after = await detail();
  expect([after.endpoint, after.keysSet, after.state, await kept()]).toEqual([
    endpoint,
    false,
    "disabled",
    0,
  ]);
  const told = await pool.query(
    "select 1 from business_log l where kind = 'einvoice' and to_jsonb(l)::text like '%' || $1 || '%'",
    [hashed()],
  );
  expect(told.rows).toEqual([]);
  expect((await change(editor, { driver: "simulator" })).status).toBe(200);
});

test("what one enterprise has is carried over to another that has nothing, without keys", async () => {
  const boss = await house.person({ superType: "0" });
  const { rows } = await pool.query(
    "insert into enterprise (name) values ('复制目标公司') returning id::int id",
  );
  const enterpriseId = rows[0].id as number;
  const manager = await house.person();
  await pool.query("update operator set enterprise_id = $1 where id = $2", [
    enterpriseId,
    manager.operatorId,
  ]);
  const villageIds = [await aVillage(house, { enterpriseId, managerId: manager.operatorId })];
  const body = { enterpriseId, sellerName: "复制目标公司", taxNo: SELLER_NO, villageIds };
  const made = await house.did(copyConf, { as: boss }, { params: { id }, body });
  const copy = await house.did(getConf, { as: boss }, { params: { id: made.id } });
  const { perInvoiceLimit, drawer, defaultKind } = await detail();
  expect(copy).toMatchObject({
    enterpriseId,
    sellerName: "复制目标公司",
    perInvoiceLimit,
    drawer,
    defaultKind,
    state: "disabled",
    keys: [],
  });
});

const real = await testHouse({ settings: { MODE: "production" } });
test("samples are not for the real thing", async () => {
  const there = await aStore(real);
  const boss = await real.person({ superType: "1" });
  const { body } = await real.ask(addConf, { as: boss }, { body: aConfBody([there.villageId]) });
  expect(first(body)).toEqual({ field: "driver", msg: "模拟开票只能在演示环境使用，请选择其他开票方式" });
});

test("a certificate that ends is told of 30, 7 and 1 days before, once each, to who may set keys", async () => {
  await pool.query(
    "update einvoice_config set cert_expires_on = '2026-06-30', enabled = true where id = $1",
    [id],
  );
  const told = async (as: Person) =>
    (await house.did(listMessages, { as }, { query: {} as never })).list
      .map((one) => one.title)
      .filter((title) => title.includes("证书"))
      .toReversed();
  for (const day of ["2026-05-30", "2026-06-01", "2026-06-20", "2026-06-24", "2026-06-29", "2026-07-01"]) {
    house.setClock(`${day}T09:00:00+08:00`);
    await acting(house, tellExpiring);
  }
  expect(await told(admin)).toEqual([
    expect.stringMatching(/电子发票的证书还有 29 天到期$/),
    expect.stringMatching(/电子发票的证书还有 6 天到期$/),
    expect.stringMatching(/电子发票的证书还有 1 天到期$/),
  ]);
  expect(await told(clerk)).toEqual([]);
});
