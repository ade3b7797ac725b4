import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { acting, aVillage } from "../../listing/village/village.sample.ts";
import { ownCertificate } from "../seal/certificate.service.ts";
import { aLessor, aSeal } from "../seal/seal.sample.ts";
import { checkedPdf } from "../../../platform/server/pdf/pdf-check.ts";
import { signedFile, signResult } from "../esign/esign.contract.ts";
import { SAID } from "../esign/esign.rules.ts";
import { codeSent, INK } from "../esign/esign.sample.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import * as trial from "../sign-trial/trial.contract.ts";
import { HELP_TEXTS } from "./help-texts.rules.ts";
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
    trial: ["look", "还没有完成过试签"],
    stores: ["missing", "还没有门店可以发起电子签署"],
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
  expect((await asked())["stores"]).toEqual(["look", "1 个门店已启用，未启用：西门店"]);
  expect((await asked(here))["seal"]).toEqual(["done", "1 枚印章，覆盖全部门店"]);
  expect((await asked(here))["stores"]).toEqual(["done", "1 个门店均已启用"]);
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

test("the deployment's certificate is named with its last day and what it is not; an imported one wants a look before it ends", async () => {
  const ownId = await acting(house, ownCertificate);
  const own = await db
    .selectFrom("sealCertificate")
    .selectAll()
    .where("id", "=", ownId)
    .executeTakeFirstOrThrow();
  const last = dayInZone(new Date(own.validTo));
  expect(own.subject).toContain("CN=电子合同签署（自签证书）");
  // it is followed by a new one before it ends
  expect((await asked())["certificate"]).toEqual([
    "done",
    `自签证书：文件防篡改有效，非第三方认证机构颁发，需要第三方证书请导入或选择外部服务商。主体 ${own.subject}，有效期至 ${last}`,
  ]);
  const { id: sealId, lessorId } = await db.selectFrom("seal").selectAll().executeTakeFirstOrThrow();
  const { id: _, ...rest } = own;
  const importedAs = async (validTo: string) => {
    const { id } = await db
      .insertInto("sealCertificate")
      .values({ ...rest, lessorId, source: "imported", validTo })
      .returning("id")
      .executeTakeFirstOrThrow();
    await db.updateTable("seal").set({ certificateId: id }).where("id", "=", sealId).execute();
    return (await asked())["certificate"];
  };
  expect(await importedAs("2026-04-11T00:00:00+08:00")).toEqual([
    "look",
    "已导入第三方证书，有效期至 2026-04-11",
  ]);
  expect(await importedAs("2026-04-12T00:00:00+08:00")).toEqual([
    "done",
    "已导入第三方证书，有效期至 2026-04-12",
  ]);
  await db.updateTable("seal").set({ certificateId: null }).execute();
});

test("an authorisation that ends within a month wants a look, one that has ended is missing", async () => {
  house.setClock("2026-12-05T10:00:00+08:00");
  expect((await asked())["authorised"]).toEqual(["look", "青禾公寓管理有限公司，授权至 2026-12-31"]);
  house.setClock("2027-01-01T10:00:00+08:00");
  expect((await asked())["authorised"]).toEqual(["missing", "还没有有效的签署授权"]);
  expect((await asked(here))["seal"]![0]).toBe("missing");
  expect((await asked(here))["stores"]![0]).toBe("missing");
  house.setClock("2026-03-12T10:00:00+08:00");
});

test("a store beyond the caller's is not there, another page's code opens nothing", async () => {
  const other = await house.person({ permits: ["95.query"], villages: [here] });
  const sent = { query: { villageId: there } };
  expect((await house.ask(signChecklist, { as: other }, sent)).status).toBe(404);
  const clerk = await house.person({ permits: ["9.query"], villages: [here] });
  expect((await house.ask(signChecklist, { as: clerk }, { query: {} })).status).toBe(403);
});

test("the help says of tenants under age and of fresh links what the product does", () => {
  const { legal, messages, questions } = HELP_TEXTS;
  const young = legal.filter((text) => text.includes("18 周岁"));
  expect(young).toEqual([expect.stringMatching(/链接发给监护人，监护人输入租客证件号后四位/)]);
  expect(new Map<string, string>(questions).get("链接过期了怎么办？")).toContain("重新打开、阅读和签署");
  expect(new Map<string, string>(messages).get(SAID.revoked)).toMatch(/^员工重新发送了链接/);
  expect(new Map<string, string>(questions).get("验证码输错了怎么办？")).toMatch(/5 分钟.+30 分钟/);
});

describe("a sample is signed to try everything", () => {
  const PHONE = "13900005678";
  const MAY = ["95.query", "95.edit"];
  let n = 0;
  /** A store with a seal of its own, and who may set it. */
  async function aDesk() {
    const villageId = await aVillage(house, { name: `试签店${++n}` });
    const clerk = await house.person({ permits: MAY, villages: [villageId], name: "何印" });
    const lessorId = await aLessor(house);
    await aSeal(house, { lessorId, villageIds: [villageId], operatorIds: [clerk.operatorId] });
    const body = { villageId, name: "张三丰", phone: PHONE };
    return { villageId, clerk, body };
  }
  const tokenOf = ({ path }: { path: string }) => ({ token: path.split("/").at(-1)! });
  async function opened(params: { token: string }) {
    const { device } = await house.did(trial.openTrial, {}, { params, body: { last4: "5678" } });
    const { hash } = await house.did(trial.trialDocument, {}, { params, query: { device } });
    return { device, documentHash: hash, agreed: true as const, handwriting: INK };
  }

  test("on a phone, to the page of the result and a file whose signature is good; no contract comes of it", async () => {
    const { clerk, body, villageId } = await aDesk();
    const sent = await house.did(trial.startTrial, { as: clerk }, { body });
    expect(sent).toMatchObject({ phone: "139****5678", last4Of: "phone" });
    const params = tokenOf(sent);
    expect(await house.did(trial.trialPage, {}, { params })).toMatchObject({
      title: "房屋租赁合同（试签样张）",
      signer: "张*",
      last4Of: "phone",
      state: "open",
    });
    const stranger = await house.ask(trial.openTrial, {}, { params, body: { last4: "0000" } });
    expect([stranger.status, stranger.body.message]).toEqual([400, "手机号后四位不正确，还可尝试2次"]);
    const how = await opened(params);
    const file = await house.ask(trial.trialDocumentFile, {}, { params, query: { device: how.device } });
    expect(textOfPdf(file.raw)).toContain("试签样张");
    await house.did(trial.sendTrialCode, {}, { params, body: { device: how.device } });
    const wrong = await house.ask(trial.signTrial, {}, { params, body: { ...how, captcha: "000000" } });
    expect(wrong.body.message).toBe("短信验证码错误或已失效，还可尝试4次");
    const signing = { ...how, captcha: await codeSent(house, PHONE) };
    // pressed twice it is signed once, and both see the result
    const both = await Promise.all(
      [1, 2].map(() => house.ask(trial.signTrial, {}, { params, body: signing })),
    );
    expect(both.map((a) => a.status)).toEqual([200, 200]);
    const { resultKey } = await house.did(trial.openTrial, {}, { params, body: { last4: "5678" } });
    const query = { key: resultKey! };
    expect(await house.did(signResult, {}, { query })).toMatchObject({
      kind: "done",
      contractNo: "试签样张",
      signers: [
        { role: "承租方", name: "张*", state: "已签署" },
        { role: "出租方", state: "已签署" },
      ],
      due: [],
      fileState: "ready",
    });
    const closed = await house.ask(signedFile, {}, { query });
    expect(checkedPdf(closed.raw)).toMatchObject({ signed: true, whole: true, valid: true });
    expect(textOfPdf(closed.raw)).toContain("电子签署证明");
    expect((await house.ask(signedFile, {}, { query })).status).toBe(410);
    const { rows } = await house.database.pool.query(
      "select (select count(*)::int from contract) contracts, (select count(*)::int from seal_use where village_id = $1 and reason = '试签') uses",
      [villageId],
    );
    expect(rows).toEqual([{ contracts: 0, uses: 1 }]);
    const checked = await house.did(signChecklist, { as: clerk }, { query: { villageId } });
    expect(checked.find((c) => c.key === "trial")).toMatchObject({
      state: "done",
      said: "最近一次试签完成于 2026-03-12",
    });
  });

  test("may be refused, runs out, and is said no to ten times a day, without a seal, and to who may not set it", async () => {
    const { clerk, body, villageId } = await aDesk();
    const start = (who = clerk, at: object = body) =>
      house.ask(trial.startTrial, { as: who }, { body: at as typeof body });
    const params = tokenOf((await start()).body.data as { path: string });
    const { device } = await opened(params);
    const said = { device, reason: "只是看看" };
    const { key } = await house.did(trial.refuseTrial, {}, { params, body: said });
    expect(await house.did(signResult, {}, { query: { key } })).toMatchObject({
      kind: "refused",
      reason: "只是看看",
      fileState: "none",
    });
    expect((await house.ask(trial.trialPage, {}, { params })).body.message).toBe("已拒绝签署");
    const late = tokenOf((await start()).body.data as { path: string });
    house.setClock("2026-03-15T10:00:01+08:00");
    const expired = await house.ask(trial.trialPage, {}, { params: late });
    expect([expired.status, expired.body.message]).toEqual([410, "签署链接已过期，请联系管家重新发送"]);

    const other = await house.person({ permits: MAY, villages: [villageId] });
    expect((await start(other)).body.message).toMatch(
      /^样张会盖“合同专用章\d+”，请由该印章的可用人员发起试签$/,
    );
    const reader = await house.person({ permits: ["95.query"], villages: [villageId] });
    expect((await start(reader)).status).toBe(403);
    expect((await start(clerk, { ...body, villageId: here })).status).toBe(404);
    const bare = await aVillage(house, { name: "无章店" });
    const boss = await house.person({ permits: MAY, villages: [bare] });
    expect((await start(boss, { ...body, villageId: bare })).body.message).toBe(
      "该门店没有可用的印章，请在合同配置的印章中为门店设置",
    );
    for (let i = 0; i < trial.TRIALS_A_DAY; i++) expect((await start()).status).toBe(200);
    const most = await start();
    expect([most.status, most.body.message]).toEqual([409, "24小时内最多试签10次，请稍后再试"]);
    house.setClock("2026-03-12T10:00:00+08:00");
  });
});
