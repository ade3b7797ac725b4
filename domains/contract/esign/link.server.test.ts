import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { listOutbox } from "../../access/sms/sms.contract.ts";
import { payByLink, readPayLink } from "../../finance/checkout/checkout.contract.ts";
import { payTill } from "../../finance/pay-order/pay-order.contract.ts";
import { aTill } from "../../finance/pay-order/pay-order.sample.ts";
import { sendLog } from "../../customer/send-log/send-log.contract.ts";
import { getContract } from "../contract/detail.contract.ts";
import { withdrawContract } from "../signing/signing.contract.ts";
import jobs from "./esign.job.ts";
import {
  cancelSigning,
  contractSignings,
  openSigning,
  resendSigning,
  sendSignCode,
  setSeal,
  signByParty,
  signDocument,
  signDocumentFile,
  signPage,
  startSigning,
  payDue,
  signResult,
  waitingSeals,
} from "./esign.contract.ts";
import {
  aSigningShop,
  codeSent,
  INK,
  LAST4,
  linkOf,
  readyToSign,
  started,
  toSign,
  partySigns,
} from "./esign.sample.ts";
import { randomUUID } from "node:crypto";

const house = await testHouse();
const NOW = "2026-03-12T10:00:00+08:00";
const at = (minutes: number) =>
  house.setClock(new Date(new Date(NOW).getTime() + minutes * 60_000).toISOString());
at(0);
const { pool } = house.database;
const shop = await aSigningShop(house);
const as = shop.clerk;
const page = (token: string) => house.ask(signPage, {}, { params: { token } });
const open = (token: string, last4 = LAST4) =>
  house.ask(openSigning, {}, { params: { token }, body: { last4 } });
const saidOf = async (answer: Promise<{ status: number; body: { message: string } }>) => {
  const { status, body } = await answer;
  return [status, body.message];
};
const stateOf = async (id: number) => (await house.did(getContract, { as }, { params: { id } })).state;
const signings = (id: number) => house.did(contractSignings, { as }, { params: { id } });

describe("a link", () => {
  test("and the code for it stand in the send log of the tenant, neither of them readable", async () => {
    const { id, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    const { captcha } = await readyToSign(house, token, partyId);
    await house.deliver();
    const service = await house.person({ permits: ["18.query"], villages: [shop.villageId] });
    const { list } = await house.did(sendLog, { as: service }, { query: { partyId } });
    expect(list).toMatchObject([
      { source: "验证码", body: "短信验证码：••••••", channel: "sms" },
      { source: "业务通知", channel: "sms" },
    ]);
    for (const { body } of list) {
      expect(body).toContain("••••••");
      expect(body).not.toContain(captcha);
      expect(body).not.toContain(token);
    }
  });

  test("lies in the database only as a hash, and in no log", async () => {
    const { id } = await toSign(house, shop);
    const token = await started(house, as, id);
    expect(token).toMatch(/^[\w-]{22}$/);
    await open(token, "0000");
    await page(token);
    const { rows } = await pool.query<{ text: string }>(
      "select k::text from sign_key k union all select l::text from operation_log l union all select b::text from business_log b",
    );
    expect(rows.filter((row) => row.text?.includes(token))).toEqual([]);
    const { rows: lines } = await pool.query(
      "select path from operation_log where summary = '验证签署人身份' order by id desc limit 1",
    );
    expect(lines).toEqual([{ path: "/contract/api/v3/esign/***/open" }]);
  });

  test("that is none, has run out, or was taken back says so", async () => {
    expect(await saidOf(page("x".repeat(22)))).toEqual([404, "链接无效，请核对短信中的链接"]);
    const { id } = await toSign(house, shop);
    const token = await started(house, as, id);
    at(72 * 60 - 1);
    expect((await page(token)).status).toBe(200);
    at(72 * 60);
    expect(await saidOf(page(token))).toEqual([410, "签署链接已过期，请联系管家重新发送"]);
    await perform(house, jobs[0]!, {}, "expire");
    expect(await signings(id)).toMatchObject([{ state: "expired", failReason: "签署链接已过期" }]);
    expect(await saidOf(page(token))).toEqual([410, "签署链接已过期，请联系管家重新发送"]);
    const { links } = await house.did(resendSigning, { as }, { params: { id } });
    expect(await saidOf(page(token))).toEqual([410, "合同内容已更新，请使用新链接"]);
    const fresh = links[0]!.path.split("/").at(-1)!;
    await house.did(cancelSigning, { as }, { params: { id }, body: { reason: "改为线下" } });
    expect(await saidOf(page(fresh))).toEqual([410, "签署已撤销"]);
    at(0);
  });

  test("is revoked by the next one and by a withdrawal", async () => {
    const { id } = await toSign(house, shop);
    const token = await started(house, as, id);
    const { links } = await house.did(resendSigning, { as }, { params: { id } });
    expect(await saidOf(page(token))).toEqual([410, "签署已撤销"]);
    const next = links[0]!.path.split("/").at(-1)!;
    expect((await page(next)).status).toBe(200);
    await house.did(withdrawContract, { as }, { params: { id }, body: { reason: "条款有误" } });
    expect(await stateOf(id)).toBe("draft");
    expect(await saidOf(page(next))).toEqual([410, "签署已撤销"]);
  });

  test("goes to the phone that was corrected meanwhile, and the code with it", async () => {
    const { id, partyId } = await toSign(house, shop);
    await started(house, as, id);
    await pool.query("update party set phone = '13912340001' where id = $1", [partyId]);
    const { links } = await house.did(resendSigning, { as }, { params: { id } });
    expect(links).toMatchObject([{ phone: "139****0001" }]);
    const token = links[0]!.path.split("/").at(-1)!;
    expect(await linkOf(house, partyId)).toBe(token);
    // a phone that nobody could be reached by does not take the place of one that was good
    await pool.query("update party set phone = '' where id = $1", [partyId]);
    const again = await house.did(resendSigning, { as }, { params: { id } });
    expect(again.links).toMatchObject([{ phone: "139****0001" }]);
    await pool.query("update party set phone = '13912340001' where id = $1", [partyId]);
    await partySigns(house, again.links[0]!.path.split("/").at(-1)!, partyId);
    expect(await signings(id)).toMatchObject([{ signers: [{ state: "signed" }, {}] }]);
  });

  test("is begun once at a time, and only by who may", async () => {
    const { id } = await toSign(house, shop);
    await started(house, as, id);
    expect(await saidOf(house.ask(startSigning, { as }, { params: { id } }))).toEqual([
      409,
      "该合同正在电子签署中，请重新发送链接或先撤销签署",
    ]);
    const reader = await house.person({ permits: ["9.query", "9.get"], villages: [shop.villageId] });
    expect((await house.ask(startSigning, { as: reader }, { params: { id } })).status).toBe(403);
    const stranger = await house.person({ permits: ["9.query", "9.get", "#901"] });
    expect((await house.ask(contractSignings, { as: stranger }, { params: { id } })).status).toBe(404);
    expect((await house.ask(resendSigning, { as: stranger }, { params: { id } })).status).toBe(404);
  });

  test("needs a certificate and, under age, a guardian who can be reached", async () => {
    const one = await toSign(house, shop);
    await pool.query("update renter set cert_no_masked = null, cert_type = null where id = $1", [
      one.partyId,
    ]);
    expect(await saidOf(house.ask(startSigning, { as }, { params: { id: one.id } }))).toEqual([
      409,
      "张三未登记证件号，请先登记证件后再发起电子签署",
    ]);
    const young = async (birthday: string, guardian = "", guardianPhone = "") => {
      await pool.query(
        `update renter set cert_no_masked = '310***********1234', birthday = $2, guardian_name = $3, guardian_phone = $4
         where id = $1`,
        [one.partyId, birthday, guardian, guardianPhone],
      );
      return (await house.ask(startSigning, { as }, { params: { id: one.id } })).body.message;
    };
    expect(await young("2008-03-13")).toBe("承租方未满18周岁，需监护人签署，请先登记监护人及其手机号");
    expect(await young("2008-03-13", "高峰", "010-62345678")).toBe(
      "监护人高峰没有登记有效的手机号，请先修改后再发起电子签署",
    );
    expect(await young("2008-03-12")).toBe("ok");
  });
});

test("for a tenant under age the guardian gets the link, names the tenant's certificate and signs in his stead", async () => {
  const { id, partyId } = await toSign(house, shop);
  await pool.query(
    "update renter set birthday = '2009-05-01', guardian_name = '高峰', guardian_phone = '13900001111' where id = $1",
    [partyId],
  );
  const { links } = await house.did(startSigning, { as }, { params: { id } });
  expect(links).toMatchObject([{ name: "高峰", phone: "139****1111" }]);
  const params = { token: links[0]!.path.split("/").at(-1)! };
  expect((await page(params.token)).body.data).toMatchObject({ signer: "高*", last4Of: "ward" });
  expect(await saidOf(open(params.token, "0000"))).toEqual([400, "承租人证件号后四位不正确，还可尝试2次"]);
  const { device } = await house.did(openSigning, {}, { params, body: { last4: LAST4 } });
  const document = await house.did(signDocument, {}, { params, query: { device } });
  expect(document.phone).toBe("139****1111");
  await house.did(sendSignCode, {}, { params, body: { device } });
  const captcha = await codeSent(house, "13900001111");
  const agreed = { device, captcha, documentHash: document.hash, agreed: true as const, handwriting: INK };
  const { key } = await house.did(signByParty, {}, { params, body: agreed });
  const name = "高*（监护人，代承租人签署）";
  expect((await house.did(signResult, {}, { query: { key } })).signers[0]).toMatchObject({
    role: "承租方",
    name,
  });
  const { list } = await house.did(waitingSeals, { as: shop.keeper }, { query: {} });
  const flow = list.find((task) => task.contractId === id)!;
  await house.did(setSeal, { as: shop.keeper }, { params: { id: flow.id }, body: {} });
  expect(await stateOf(id)).toBe("effective");
  expect((await signings(id))[0]!.signers[0]!.name).toBe("高峰（监护人，代承租人签署）");
  const { rows } = await pool.query<{ summary: string }>(
    "select summary from business_log where record_id = $1 and action = '客户签署'",
    [id],
  );
  expect(rows[0]!.summary).toContain(`签署人 ${name}（139****1111）电子签署`);
});

describe("who opens it", () => {
  test("has three tries at the last four characters, then waits half an hour", async () => {
    const { id } = await toSign(house, shop);
    const token = await started(house, as, id);
    expect(await saidOf(open(token, "0000"))).toEqual([400, "证件号后四位不正确，还可尝试2次"]);
    expect(await saidOf(open(token, "0000"))).toEqual([400, "证件号后四位不正确，还可尝试1次"]);
    expect(await saidOf(open(token, "0000"))).toEqual([423, "验证次数过多，请30分钟后再试"]);
    expect(await saidOf(open(token))).toEqual([423, "验证次数过多，请30分钟后再试"]);
    expect((await house.did(signPage, {}, { params: { token } })).lockedMinutes).toBe(30);
    at(29);
    expect((await open(token)).status).toBe(423);
    at(30);
    expect((await open(token)).status).toBe(200);
    at(0);
  });

  test("reads nothing on a device that did not", async () => {
    const { id } = await toSign(house, shop);
    const other = await toSign(house, shop);
    const token = await started(house, as, id);
    const { device } = await house.did(
      openSigning,
      {},
      { params: { token: await started(house, as, other.id) }, body: { last4: LAST4 } },
    );
    for (const wrong of ["x".repeat(22), device]) {
      const asked = { params: { token }, query: { device: wrong } };
      expect(await saidOf(house.ask(signDocument, {}, asked))).toEqual([403, "请先输入证件号后四位"]);
      expect((await house.ask(signDocumentFile, {}, asked)).status).toBe(403);
    }
    const mine = await house.did(openSigning, {}, { params: { token }, body: { last4: LAST4 } });
    const document = await house.did(signDocument, {}, { params: { token }, query: { device: mine.device } });
    expect(document.facts.map((f) => f.title)).toEqual([
      "房间",
      "租期",
      "月租金",
      "押金",
      "签约应付",
      "合同总额",
    ]);
    expect(document.blocks[0]).toMatchObject({ kind: "title", text: "房屋租赁合同" });
    const file = await house.ask(signDocumentFile, {}, { params: { token }, query: { device: mine.device } });
    expect(file.raw.subarray(0, 5).toString()).toBe("%PDF-");
  });
});

describe("the code", () => {
  test("is for this document, wrong five times it locks for half an hour", async () => {
    const { id, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    const body = await readyToSign(house, token, partyId);
    const send = (more: Partial<typeof body> = {}) =>
      house.ask(signByParty, {}, { params: { token }, body: { ...body, ...more } });
    const wrong = body.captcha === "000000" ? "000001" : "000000";
    for (const left of [4, 3, 2, 1])
      expect(await saidOf(send({ captcha: wrong }))).toEqual([
        400,
        `短信验证码错误或已失效，还可尝试${left}次`,
      ]);
    expect(await saidOf(send({ captcha: wrong }))).toEqual([423, "验证码错误次数过多，请30分钟后再试"]);
    expect(await saidOf(send())).toEqual([423, "验证码错误次数过多，请30分钟后再试"]);
    expect(
      await saidOf(house.ask(sendSignCode, {}, { params: { token }, body: { device: body.device } })),
    ).toEqual([423, "验证码错误次数过多，请30分钟后再试"]);
    at(30);
    // the code itself is used up
    expect((await send()).status).toBe(400);
    at(0);
  });

  test("stays locked although the last four characters are tried too often meanwhile", async () => {
    const { id, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    const body = await readyToSign(house, token, partyId);
    const send = (more: Partial<typeof body> = {}) =>
      house.ask(signByParty, {}, { params: { token }, body: { ...body, ...more } });
    const wrong = body.captcha === "000000" ? "000001" : "000000";
    for (let tries = 0; tries < 5; tries++) await send({ captcha: wrong });
    at(5);
    for (let tries = 0; tries < 3; tries++) await open(token, "0000");
    const locked = [423, "验证码错误次数过多，请30分钟后再试"];
    const { device } = body;
    expect(await saidOf(house.ask(sendSignCode, {}, { params: { token }, body: { device } }))).toEqual(
      locked,
    );
    expect(await saidOf(send())).toEqual(locked);
    expect(await saidOf(open(token))).toEqual([423, "验证次数过多，请30分钟后再试"]);
    expect((await house.did(signPage, {}, { params: { token } })).lockedMinutes).toBe(30);
    at(35);
    expect((await open(token)).status).toBe(200);
    at(0);
  });

  test("is good for five minutes, and no other document's", async () => {
    const { id, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    const body = await readyToSign(house, token, partyId);
    const send = (more: Partial<typeof body> = {}) =>
      house.ask(signByParty, {}, { params: { token }, body: { ...body, ...more } });
    expect(await saidOf(send({ documentHash: "0".repeat(64) }))).toEqual([
      409,
      "合同内容已更新，请使用新链接",
    ]);
    at(5);
    expect((await send()).body.message).toBe("短信验证码错误或已失效，还可尝试4次");
    at(0);
    await pool.query("update sign_flow set document_hash = $2 where contract_id = $1", [id, "1".repeat(64)]);
    expect((await send({ documentHash: "1".repeat(64) })).body.message).toBe(
      "短信验证码错误或已失效，还可尝试3次",
    );
  });

  test("says how long it is good, as the store's settings have it", async () => {
    const { id, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    await pool.query("update sign_flow set sms_minutes = 12 where contract_id = $1", [id]);
    const { captcha } = await readyToSign(house, token, partyId);
    const platform = await house.person({ superType: "0" });
    const { list } = await house.did(listOutbox, { as: platform }, { query: {} });
    expect(list.map((m) => m.text).filter((text) => text.includes(captcha))).toEqual([
      `验证码 ${captcha}，12 分钟内有效`,
    ]);
  });

  test("is sent again after a minute, and then only to who reads a picture", async () => {
    const { id, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    const { device } = await readyToSign(house, token, partyId);
    const again = (more = {}) =>
      house.ask(sendSignCode, {}, { params: { token }, body: { device, ...more } });
    expect(await saidOf(again())).toEqual([400, "请输入图形验证码"]);
    expect(await saidOf(again({ imageCode: "AAAA", imageCodeKey: "x" }))).toEqual([
      400,
      "图形验证码错误或已失效",
    ]);
    const picture = async () => {
      const key = randomUUID();
      const { createHash } = await import("node:crypto");
      await pool.query(
        "insert into captcha (key, answer_hash, expires_at) values ($1, $2, now() + interval '50 years')",
        [key, createHash("sha256").update("AB12").digest()],
      );
      return { imageCode: "ab12", imageCodeKey: key };
    };
    expect(await saidOf(again(await picture()))).toEqual([429, "发送过于频繁，请稍后再试"]);
    at(1.1);
    expect((await again(await picture())).status).toBe(200);
    at(0);
  });
});

test("what is due on signing is paid from the result where the store takes money by phone", async () => {
  at(0);
  const auto = await aSigningShop(house, { autoSeal: true });
  const { id, partyId } = await toSign(house, auto);
  const key = await partySigns(house, await started(house, auto.clerk, id), partyId);
  const result = () => house.did(signResult, {}, { query: { key } });
  expect(await result()).toMatchObject({ kind: "done", online: false, dueTotal: 1_400_000 });
  await aTill(house, auto.villageId);
  expect(await result()).toMatchObject({ online: true, payTo: [] });

  const { path } = await house.did(payDue, {}, { body: { key } });
  const token = path.split("#")[1]!;
  const { bills } = await house.did(readPayLink, {}, { params: { token }, query: {} });
  expect(bills.reduce((sum, b) => sum + b.owed, 0)).toBe(1_400_000);
  const body = { billIds: bills.map((b) => b.id), total: 1_400_000, by: "page" as const };
  for (const order of await house.did(payByLink, {}, { params: { token }, body }))
    await house.did(payTill, {}, { params: { token: order.token } });
  expect(await result()).toMatchObject({ online: false, due: [], dueTotal: 0 });
  expect((await house.ask(payDue, {}, { body: { key } })).body.message).toBe("首期应付已付清");
  expect((await house.ask(payDue, {}, { body: { key: "x".repeat(22) } })).status).toBe(404);
});
