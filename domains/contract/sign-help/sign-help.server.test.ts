import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { aLessor, aSeal } from "../seal/seal.sample.ts";
import { signChecklist } from "./sign-help.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const { db } = house.database;
const [here, there] = [await aVillage(house, { name: "东门店" }), await aVillage(house, { name: "西门店" })];
const as = await house.person({ permits: ["95.query"], villages: [here, there] });

const asked = async (villageId?: number) => {
  const rows = await house.did(signChecklist, { as }, { query: villageId ? { villageId } : {} });
  return Object.fromEntries(rows.map((r) => [r.key, [r.state, r.said]]));
};

test("on an empty enterprise everything is missing, with what to do first", async () => {
  expect(await asked()).toEqual({
    lessor: ["missing", "还没有登记企业"],
    verified: ["missing", "还没有企业通过认证"],
    authorised: ["missing", "还没有有效的签署授权"],
    seal: ["missing", "还没有启用的合同专用章或公章"],
    certificate: ["look", "首次盖章时生成系统自签证书，非第三方认证机构颁发"],
    template: ["look", "未发布模板，按内置文本签署：租客合同、企业合同、商户合同"],
    signer: ["done", "2 个门店均有人任职"],
    sms: ["missing", "使用内置发件箱，短信不会发出"],
  });
});

test("each step turns as it is done, store by store", async () => {
  const lessorId = await aLessor(house);
  expect(await asked()).toMatchObject({
    lessor: ["done", "青禾公寓管理有限公司"],
    verified: ["done", "已认证：青禾公寓管理有限公司"],
    authorised: ["done", "青禾公寓管理有限公司，授权至 2026-12-31"],
    seal: ["missing", "还没有启用的合同专用章或公章"],
  });
  await aSeal(house, { lessorId, villageIds: [here], operatorIds: [] });
  expect((await asked())["seal"]).toEqual(["missing", "没有可用印章：西门店"]);
  expect((await asked(here))["seal"]).toEqual(["done", "1 枚印章，覆盖全部门店"]);
  const { id } = await db
    .insertInto("documentTemplate")
    .values({
      enterpriseId: house.enterpriseId,
      code: "A",
      name: "租客模板",
      docKind: "renterContract",
      contractKind: "renter",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db.insertInto("documentTemplateVillage").values({ templateId: id, villageId: here }).execute();
  const version = { templateId: id, no: 1, html: "<p>租</p>", hash: "h" };
  await db
    .insertInto("templateVersion")
    .values({ ...version, effectiveFrom: "2026-03-01", publishedAt: "2026-03-01T00:00:00Z" })
    .execute();
  expect((await asked(here))["template"]).toEqual(["look", "未发布模板，按内置文本签署：企业合同、商户合同"]);
  expect((await asked(there))["template"]![1]).toContain("租客合同");
});

test("an authorisation that ends within a month wants a look, one that has ended is missing", async () => {
  house.setClock("2026-12-05T10:00:00+08:00");
  expect((await asked())["authorised"]).toEqual(["look", "青禾公寓管理有限公司，授权至 2026-12-31"]);
  house.setClock("2027-01-01T10:00:00+08:00");
  expect((await asked())["authorised"]).toEqual(["missing", "还没有有效的签署授权"]);
  expect((await asked(here))["seal"]![0]).toBe("missing");
  house.setClock("2026-03-12T10:00:00+08:00");
});

test("a store beyond the caller's is not there, another page's code opens nothing", async () => {
  const other = await house.person({ permits: ["95.query"], villages: [here] });
  const sent = { query: { villageId: there } };
  expect((await house.ask(signChecklist, { as: other }, sent)).status).toBe(404);
  const clerk = await house.person({ permits: ["9.query"], villages: [here] });
  expect((await house.ask(signChecklist, { as: clerk }, { query: {} })).status).toBe(403);
});
