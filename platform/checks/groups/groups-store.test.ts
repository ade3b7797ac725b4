import { expect, test } from "vitest";
import { z } from "zod";
import { KEEPER, wechatAccount } from "../../../domains/finance/account/account.sample.ts";
import { aStore } from "../../../domains/finance/bill/bill.sample.ts";
import { takeList } from "../../../domains/system/download/download.sample.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { groupOf, paged, withId } from "./groups.ts";

const house = await testHouse();
const { good, everyOne } = groupOf(
  house,
  new RegExp(
    [
      "^/room/api/v3/housing(Village/options|District)$",
      "^/system/api/v3/dic/(customer|asset|facility)/",
      "^/system/api/v3/(watermarkConfig|fileOperate)/",
      "^/system/api/indicator(/|$)",
      "^/billing/api/v3/merchantAccount(/|$)",
    ].join("|"),
  ),
);
const { villageId } = await aStore(house);
const as = await house.person({
  permits: [
    ...KEEPER,
    ...["111", "117"].flatMap((page) => ["query", "add", "edit", "delete"].map((a) => `${page}.${a}`)),
    ...["138.query", "138.edit", "257.query", "68.query", "68.export"],
  ],
  villages: [villageId],
});
const named = z.object({ id: z.number().int(), name: z.string() });
const state = z.object({ version: z.number().int() });
const some = <R extends z.ZodType>(row: R) => z.array(row).min(1);

test("villages as options, and districts", async () => {
  const options = await good("GET", "/room/api/v3/housingVillage/options", { as }, some(named));
  expect(options.map((v) => v.id)).toEqual([villageId]);
  await good("GET", "/room/api/v3/housingDistrict", { as }, some(named));
});

test("words about customers: listed, added, changed, deleted", async () => {
  const path = "/system/api/v3/dic/customer";
  const body = { group: "source", name: "地铁广告" };
  const { id } = await good("POST", `${path}/add`, { as, body }, withId);
  const params = { id };
  await good("PUT", `${path}/{id}`, { as, params, body: { name: "公交广告", version: 1 } }, z.null());
  const query = { group: "source", keyword: "公交广告" };
  const { list } = await good("GET", `${path}/list`, { as, query }, paged(named));
  expect(list).toEqual([{ id, name: "公交广告" }]);
  await good("DELETE", `${path}/{id}`, { as, params }, z.null());
});

test("words about assets: listed, added, changed, deleted", async () => {
  const path = "/system/api/v3/dic/asset";
  const body = { name: "人体工学椅", category: "furniture", unit: "把", price: 39_900 };
  const { id } = await good("POST", `${path}/add`, { as, body }, withId);
  const params = { id };
  await good("PUT", `${path}/{id}`, { as, params, body: { name: "电脑椅", version: 1 } }, z.null());
  const query = { keyword: "电脑椅" };
  const { list } = await good("GET", `${path}/list`, { as, query }, paged(named));
  expect(list).toEqual([{ id, name: "电脑椅" }]);
  await good("DELETE", `${path}/{id}`, { as, params }, z.null());
});

test("the facilities of a village", async () => {
  const query = { villageId };
  await good("GET", "/system/api/v3/dic/facility/village", { as, query }, some(named));
});

test("the mark over the pages, the kinds of downloads and what was downloaded", async () => {
  await good("GET", "/system/api/v3/watermarkConfig/content", { as }, z.null());
  const path = "/system/api/v3/fileOperate/download";
  const kinds = await good("GET", `${path}/types`, { as }, some(z.object({ type: z.string() })));
  expect(kinds.length).toBeGreaterThan(1);
  await takeList(house, as);
  const row = z.object({ operatorName: z.string(), rows: z.number() });
  await good("GET", `${path}/records`, { as }, paged(row));
});

test("figures: of roles, chosen, given back; their rules read and changed", async () => {
  const path = "/system/api/indicator";
  const code = z.object({ code: z.string() });
  expect((await good("GET", path, { as }, some(code))).length).toBeGreaterThan(5);
  const roles = () =>
    good(
      "GET",
      `${path}/roles`,
      { as },
      some(state.extend({ roleId: z.number(), codes: z.array(z.string()) })),
    );
  const { roleId, codes } = (await roles())[0]!;
  const chosen = { roleId, codes: codes.slice(0, 2), version: 0 };
  const { version } = await good("PUT", `${path}/role/indicators`, { as, body: chosen }, state);
  expect((await roles()).find((r) => r.roleId === roleId)!.codes).toEqual(chosen.codes);
  await good("DELETE", `${path}/role/{id}`, { as, params: { id: roleId }, query: { version } }, z.null());
  expect((await roles()).find((r) => r.roleId === roleId)!.codes).toEqual(codes);
  const rule = z.looseObject({ code: z.string(), greenFrom: z.number(), amberFrom: z.number() });
  const rules = () => good("GET", `${path}/rule`, { as }, some(rule));
  const { title: _, kind: __, ...first } = (await rules())[0]!;
  await good("PUT", `${path}/rule`, { as, body: { ...first, greenFrom: first.greenFrom + 1 } }, state);
  expect((await rules())[0]!.greenFrom).toBe(first.greenFrom + 1);
});

const accounts = "/billing/api/v3/merchantAccount";
const terminal = { terminal: "h5", appId: "wx0123456789abcdef" };

test("accounts: added, listed three ways, read, changed, their AppIDs and pay types, deleted", async () => {
  const { id } = await good("POST", accounts, { as, body: wechatAccount({ appIds: [terminal] }) }, withId);
  const params = { id };
  const all = { as, query: { pageSize: 10 } };
  expect((await good("GET", accounts, all, paged(named))).list).toContainEqual({ id, name: "微信商户号" });
  for (const path of ["getAll", "platform"] as const)
    expect(await good("GET", `${accounts}/${path}`, { as }, some(named))).toContainEqual({
      id,
      name: "微信商户号",
    });
  const ids = z.array(z.object({ terminal: z.string(), appId: z.string() }));
  expect(await good("GET", `${accounts}/platform/{id}/appIdConfig`, { as, params }, ids)).toEqual([terminal]);
  const ways = some(z.object({ terminal: z.string(), payTypes: some(z.object({ payType: z.string() })) }));
  await good("GET", `${accounts}/terminal/payType/platform`, { as }, ways);
  const { version } = await good("GET", `${accounts}/{id}`, { as, params }, named.extend(state.shape));
  const body = { ...wechatAccount({ name: "微信一号" }), version };
  await good("PUT", `${accounts}/{id}`, { as, params, body }, withId);
  const now = await good("GET", `${accounts}/{id}`, { as, params }, named.extend(state.shape));
  expect(now.name).toBe("微信一号");
  await good("DELETE", `${accounts}/{id}`, { as, params, query: { version: now.version } }, z.null());
});

test("the accounts of a village: given, listed, changed, taken away", async () => {
  const added = async (body: object) => (await good("POST", accounts, { as, body }, withId)).id;
  const first = await added(wechatAccount());
  const second = await added(wechatAccount({ name: "微信二号", mchId: "1600000002" }));
  const path = `${accounts}/village`;
  const place = { villageId, terminal: "counter", payType: "wechat", merchantAccountId: first };
  const { id } = await good("POST", path, { as, body: place }, withId);
  const row = state.extend({ id: z.number(), merchantAccountId: z.number() });
  const of = async () =>
    (await good("GET", path, { as, query: { villageId } }, z.array(row))).find((b) => b.id === id);
  const { version } = (await of())!;
  await good("PUT", path, { as, body: { id, merchantAccountId: second, version } }, withId);
  const changed = (await of())!;
  expect(changed.merchantAccountId).toBe(second);
  const villages = some(z.object({ villageId: z.number(), bindings: some(row) }));
  const [mine] = await good("GET", `${path}/list`, { as }, villages);
  expect(mine!.villageId).toBe(villageId);
  await good("DELETE", path, { as, query: { id, version: changed.version } }, z.null());
  expect(await of()).toBeUndefined();
});

everyOne();
