import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addAccount } from "../../finance/account/account.service.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { aSeal, DOT } from "../seal/seal.sample.ts";
import * as calls from "./lessor.contract.ts";
import jobs from "./lessor.job.ts";
import { LESSOR_PERMITS, lessorWork } from "./lessor.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const { db } = house.database;
const villageId = await aVillage(house);
const as = await house.person({ permits: LESSOR_PERMITS, villages: [villageId] });
const boss = await house.person({ superType: "0" });
const onlooker = await house.person({ permits: ["95.query", "95.get"], villages: [villageId] });
const { input, code, added, smsCode, tick, start, version, rows, verified, authorise, signed, tokenOf } =
  lessorWork(house, as);

test("a lessor is registered, waits to be verified, and its numbers are masked", async () => {
  const id = await added({ bankName: "工商银行", bankNo: "6222021001001234567" });
  const shown = await house.did(calls.getLessor, { as }, { params: { id } });
  expect(shown).toMatchObject({
    verifyState: "draft",
    authState: "none",
    legalCertNo: "E*******8",
    legalPhone: "138****1111",
    bankNo: "6222****4567",
    state: "enabled",
  });
  const { list } = await house.did(calls.listLessors, { as }, { query: { keyword: shown.creditCode } });
  expect(list).toMatchObject([{ id, villages: 0, seals: 0 }]);
  const stored = await db.selectFrom("lessor").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  expect(Buffer.from(stored.legalCertNoCipher).includes("E12345678")).toBe(false);
});

test.each([
  [{ creditCode: "91330100MA00000010" }, "creditCode", "统一社会信用代码格式不正确"],
  [{ name: " 青禾公寓" }, "name", "企业名称不能以空格开头或结尾"],
  [{ name: "青" }, "name", "企业名称长度为2到30个字"],
  [{ legalPhone: "12345" }, "legalPhone", "请输入正确的手机号"],
  [{ legalCertType: "idCard", legalCertNo: "330106199003074529" }, "legalCertNo", "身份证号格式不正确"],
  [{ agentName: "周经办" }, "agentPhone", "请填写经办人手机"],
  [{ agentPhone: "13800002222" }, "agentName", "请填写经办人"],
  [{ bankName: "工商银行", bankNo: "12" }, "bankNo", "银行卡号格式不正确"],
  [{ licenceFileId: undefined }, "licenceFileId", "请上传图片"],
])("%j is refused under its field", async (more, field, msg) => {
  const body = await input({ creditCode: code(), ...more });
  const { status, body: told } = await house.ask(calls.addLessor, { as }, { body: body as never });
  expect(status).toBe(400);
  expect(told.fields).toContainEqual({ field, msg });
});

test("a credit code stands once in an enterprise", async () => {
  const creditCode = code();
  await added({ creditCode });
  const { body } = await house.ask(calls.addLessor, { as }, { body: await input({ creditCode }) });
  expect(body.fields).toEqual([{ field: "creditCode", msg: "该企业已存在" }]);
});

test("only pictures of at most 10M may be uploaded, whatever they are called", async () => {
  const upload = (bytes: Buffer) =>
    house.app.inject({
      method: "POST",
      url: calls.uploadLegalPapers.path,
      headers: { authorization: as.token, "content-type": "multipart/form-data; boundary=x" },
      payload: Buffer.concat([
        Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
        bytes,
        Buffer.from("\r\n--x--\r\n"),
      ]),
    });
  expect((await upload(DOT)).statusCode).toBe(200);
  expect((await upload(Buffer.from("MZ renamed program"))).json().message).toBe("请上传图片");
  expect(
    (await upload(Buffer.concat([DOT, Buffer.alloc(12 * 1024 * 1024)]))).statusCode,
  ).toBeGreaterThanOrEqual(400);
});

test("loading the page ten times starts nothing; with a key it starts once", async () => {
  tick();
  const id = await added();
  const before = await rows();
  for (let i = 0; i < 10; i++) {
    await house.did(calls.verifyLessor, { as }, { params: { id }, query: {} });
    await house.did(calls.authoriseLessor, { as }, { params: { id }, query: {} });
  }
  expect(await rows()).toBe(before);
  const { status, body } = await house.ask(
    calls.verifyLessor,
    { as },
    { params: { id }, query: { start: "1" } },
  );
  expect([status, body.message]).toEqual([400, "缺少请求编号（Idempotency-Key）"]);
  const looker = { as: onlooker, key: randomUUID() };
  expect(
    (await house.ask(calls.verifyLessor, looker, { params: { id }, query: { start: "1" } })).status,
  ).toBe(403);
  const letter = { as: onlooker, key: randomUUID() };
  expect(
    (await house.ask(calls.authoriseLessor, letter, { params: { id }, query: { start: "1" } })).status,
  ).toBe(403);
  const key = randomUUID();
  for (let i = 0; i < 3; i++) expect((await start(id, key)).body.data).toMatchObject({ state: "verifying" });
  expect(await rows()).toBe(before + 1);
  expect((await start(id, randomUUID())).body.message).toBe("当前状态为“认证中”，不能发起认证");
  expect((await authorise(id)).body.message).toBe("企业通过认证后才能授权");
});

test("the legal person's code verifies; wrong ones are counted and lock", async () => {
  tick();
  const id = await added();
  await start(id, randomUUID());
  const right = await smsCode();
  const wrong = right === "000000" ? "000001" : "000000";
  const confirm = (captcha: string) =>
    house.ask(calls.confirmVerify, { as }, { params: { id }, body: { captcha } });
  for (let i = 0; i < 4; i++) expect((await confirm(wrong)).body.message).toBe("短信验证码错误或已失效");
  expect((await confirm(wrong)).body.message).toBe("验证码错误次数过多，请30分钟后再试");
  expect((await confirm(right)).body.message).toBe("验证码错误次数过多，请30分钟后再试");
  tick(29);
  expect((await house.ask(calls.sendVerifyCode, { as }, { params: { id } })).status).toBe(429);
  tick(2);
  await house.did(calls.sendVerifyCode, { as }, { params: { id } });
  expect((await house.ask(calls.sendVerifyCode, { as }, { params: { id } })).body.message).toBe(
    "发送过于频繁，请稍后再试",
  );
  expect((await confirm(await smsCode())).status).toBe(200);
  expect(await house.did(calls.verifyLessor, { as }, { params: { id }, query: {} })).toMatchObject({
    state: "verified",
    way: "sms",
    request: null,
  });
});

test("a code of one lessor is worth nothing for another with the same phone", async () => {
  tick();
  const [one, two] = [await added(), await added()];
  await start(one, randomUUID());
  tick();
  await start(two, randomUUID());
  const captcha = await smsCode();
  const sent = { params: { id: one }, body: { captcha } };
  expect((await house.ask(calls.confirmVerify, { as }, sent)).body.message).toBe("短信验证码错误或已失效");
});

test("whoever runs the platform decides on papers; a refusal says why and may be answered anew", async () => {
  tick();
  const id = await added();
  await start(id, randomUUID(), { way: "manual" });
  const decide = async (body: object, who = boss) =>
    house.ask(
      calls.decideVerify,
      { as: who },
      { params: { id }, body: { pass: false, reason: "", version: await version(id), ...body } },
    );
  expect((await decide({ pass: true }, as)).status).toBe(403);
  expect((await decide({})).body.fields).toEqual([{ field: "reason", msg: "请填写原因（2-200字）" }]);
  const sent = { params: { id }, body: { captcha: "123456" } };
  expect((await house.ask(calls.confirmVerify, { as }, sent)).body.message).toBe(
    "该企业在等待人工审核，不能用短信核验",
  );
  tick(2);
  expect((await decide({ reason: "执照不清晰" })).status).toBe(200);
  const refused = await house.did(calls.verifyLessor, { as }, { params: { id }, query: {} });
  expect(refused).toMatchObject({ state: "failed", note: "执照不清晰", way: "manual" });
  const [from, to] = [refused.startedAt, refused.endedAt].map((moment) => Date.parse(moment!));
  expect(to! - from!).toBe(2 * 60_000);
  await start(id, randomUUID(), { way: "manual" });
  expect((await decide({ pass: true })).status).toBe(200);
  expect((await decide({ pass: true })).body.message).toBe("当前状态为“已认证”，不能通过认证");
});

test("an amount sent to the bank account is typed back; three wrong ones end it, and the next is another run", async () => {
  tick();
  const account = { bankName: "工商银行", bankNo: "6222021001001234567" };
  const [none, id] = [await added(), await added(account)];
  const state = (of = id) => house.did(calls.verifyLessor, { as }, { params: { id: of }, query: {} });
  const transfer = async (of: number) => (await start(of, randomUUID(), { way: "transfer" })).body;
  expect((await state()).transfers).toBe(false);
  expect((await transfer(id)).message).toBe("没有启用的银行收款账户，不能对公打款");
  await addAccount({ tx: db }, { enterpriseId: house.enterpriseId, name: "基本户", kind: "bank" });
  expect((await transfer(none)).message).toBe("请先填写对公账户的开户行和账号");

  expect((await transfer(id)).data).toMatchObject({
    state: "verifying",
    way: "transfer",
    transfers: true,
    request: { sentAt: null, triesLeft: 3 },
  });
  const params = { id };
  const typed = async (amount: number) =>
    (await house.ask(calls.confirmTransfer, { as }, { params, body: { amount } })).body;
  expect((await typed(1)).message).toBe("平台尚未确认打款，请到账后再提交");
  const sms = { params, body: { captcha: "123456" } };
  expect((await house.ask(calls.confirmVerify, { as }, sms)).body.message).toBe(
    "该企业在等待对公小额打款，不能用短信核验",
  );
  // who types the amount back may not see it, nor say that it was sent
  expect((await house.ask(calls.seeTransfer, { as }, { params })).status).toBe(403);
  expect((await house.ask(calls.sentTransfer, { as }, { params })).status).toBe(403);
  const told = await house.did(calls.seeTransfer, { as: boss }, { params });
  expect(told).toMatchObject({ bankName: "工商银行", account: "6222021001001234567" });
  expect(told.amount).toBeGreaterThanOrEqual(1);
  expect(told.amount).toBeLessThanOrEqual(99);
  await house.did(calls.sentTransfer, { as: boss }, { params });
  expect((await house.ask(calls.sentTransfer, { as: boss }, { params })).body.message).toBe(
    "已确认过打款，请等待企业核对到账金额",
  );

  for (const amount of [0, 100]) expect((await typed(amount)).code).toBe(400);
  const wrong = told.amount === 1 ? 2 : told.amount - 1;
  expect((await typed(wrong)).fields).toEqual([{ field: "amount", msg: "到账金额不一致，还可提交2次" }]);
  // two tabs at once are two tries, not one
  const both = await Promise.all([typed(wrong), typed(wrong)]);
  expect(both.map((b) => b.message).toSorted()).toEqual([
    "到账金额不一致，还可提交1次",
    "打款金额连续3次不一致，认证失败，请重新提交",
  ]);
  expect(await state()).toMatchObject({ state: "failed", note: "打款金额连续3次不一致", request: null });
  expect((await typed(told.amount)).message).toBe("当前状态为“认证失败”，不能通过认证");

  expect((await transfer(id)).data).toMatchObject({ request: { sentAt: null, triesLeft: 3 } });
  const again = await house.did(calls.seeTransfer, { as: boss }, { params });
  await house.did(calls.sentTransfer, { as: boss }, { params });
  expect(await house.did(calls.confirmTransfer, { as }, { params, body: { amount: again.amount } })).toEqual({
    id,
  });
  expect(await state()).toMatchObject({ state: "verified", way: "transfer" });
});

test("once verified only contacts, address and account change; a new account is looked at again", async () => {
  const id = await verified();
  const detail = await house.did(calls.getLessor, { as }, { params: { id } });
  const same = async () => ({
    name: detail.name,
    creditCode: detail.creditCode,
    kind: detail.kind,
    legalName: detail.legalName,
    legalCertType: detail.legalCertType,
    licenceFileId: detail.licence.id,
    legalFrontFileId: detail.legalFront.id,
    legalBackFileId: detail.legalBack.id,
    version: await version(id),
  });
  const edit = async (more: object) =>
    house.ask(calls.editLessor, { as }, { params: { id }, body: { ...(await same()), ...more } });
  const refused = "已认证的企业只能修改经办人、注册地址和对公账户";
  expect((await edit({ name: "别家公司" })).body.fields).toEqual([{ field: "name", msg: refused }]);
  expect((await edit({ legalPhone: "13900009999" })).body.fields).toEqual([
    { field: "legalPhone", msg: refused },
  ]);
  expect(
    (await edit({ address: "文一路 1 号", agentName: "周经办", agentPhone: "13800002222" })).status,
  ).toBe(200);
  expect((await edit({ version: 1 })).status).toBe(409);
  expect((await house.did(calls.getLessor, { as }, { params: { id } })).verifyState).toBe("verified");
  expect((await edit({ bankName: "工商银行", bankNo: "6222021001001234567" })).status).toBe(200);
  expect((await house.did(calls.getLessor, { as }, { params: { id } })).verifyState).toBe("verifying");
  expect((await edit({ address: "文二路" })).body.message).toBe("企业认证中，暂不能修改；可先撤回认证");
  // nobody has looked at the new account: taking the run back is no way past that
  await house.did(calls.cancelVerify, { as }, { params: { id } });
  const back = await house.did(calls.getLessor, { as }, { params: { id } });
  expect(back).toMatchObject({ verifyState: "draft", verifiedAt: null });
});

test("one that was refused is not verified again by taking the next run back, and stays as its letter names it", async () => {
  const id = await verified();
  const params = { id };
  const { data } = (await authorise(id)).body;
  expect((await signed(tokenOf(data!.link))).status).toBe(200);
  const detail = () => house.did(calls.getLessor, { as }, { params });
  const edit = async (more: object) => {
    const { name, creditCode, kind, legalName, legalCertType, licence, legalFront, legalBack, version } =
      await detail();
    const files = {
      licenceFileId: licence.id,
      legalFrontFileId: legalFront.id,
      legalBackFileId: legalBack.id,
    };
    const body = { name, creditCode, kind, legalName, legalCertType, ...files, version, ...more };
    return house.ask(calls.editLessor, { as }, { params, body: body as never });
  };
  expect((await edit({ bankName: "工商银行", bankNo: "6222021001001234567" })).status).toBe(200);
  const refusal = { pass: false, reason: "账户户名不一致", version: await version(id) };
  await house.did(calls.decideVerify, { as: boss }, { params, body: refusal });
  expect(await detail()).toMatchObject({ verifyState: "failed", authState: "authorised" });
  expect((await edit({ name: "别家公司" })).body.fields).toEqual([
    { field: "name", msg: "已授权的企业只能修改经办人、注册地址和对公账户，请先撤销授权" },
  ]);
  await start(id, randomUUID(), { way: "manual" });
  await house.did(calls.cancelVerify, { as }, { params });
  expect(await detail()).toMatchObject({ verifyState: "draft", verifiedAt: null });
  const revoke = { reason: "企业资料更换", version: await version(id) };
  await house.did(calls.revokeAuthorisation, { as }, { params, body: revoke });
  expect((await edit({ name: "别家公司", bankName: "工商银行" })).status).toBe(200);
});

test("the end of an authorisation is told 30 days before, once, and stops stamping the day after", async () => {
  const id = await verified();
  await db
    .updateTable("lessor")
    .set({ authState: "authorised", authFrom: "2026-03-12", authTo: "2026-12-31", authKinds: ["renter"] })
    .where("id", "=", id)
    .execute();
  const on = async (day: string) => {
    house.setClock(`${day}T08:15:00+08:00`);
    for (const job of jobs) await perform(house, job, {}, "morning");
    const { list } = await house.did(listMessages, { as }, { query: {} });
    return list.filter((m) => m.bizId === id).length;
  };
  expect(await on("2026-11-30")).toBe(0);
  expect(await on("2026-12-01")).toBe(1);
  expect(await on("2026-12-31")).toBe(1);
  expect((await house.did(calls.getLessor, { as }, { params: { id } })).authState).toBe("authorised");
  await on("2027-01-01");
  expect((await house.did(calls.getLessor, { as }, { params: { id } })).authState).toBe("expired");
});

test("switched off it signs nothing; what nothing was signed under may be deleted", async () => {
  const id = await added();
  const disabled = { params: { id }, body: { version: await version(id) } };
  await house.did(calls.disableLessor, { as }, disabled);
  expect((await house.ask(calls.disableLessor, { as }, disabled)).body.message).toBe(
    "当前状态为“停用”，不能停用",
  );
  await house.did(calls.enableLessor, { as }, { params: { id }, body: { version: await version(id) } });
  await aSeal(house, { lessorId: id, villageIds: [villageId], operatorIds: [as.operatorId] });
  const removal = { params: { id }, query: { version: await version(id) } };
  const { pool } = house.database;
  await pool.query(
    `insert into sign_trial (enterprise_id, village_id, seal_id, hash, name, phone, paper, file_id, document_hash, pages, expires_at, created_by)
      select $1, $2, id, '\\x01', '张三', '13900001111', '{}', image_file_id, repeat('0', 64), 1, now(), $3 from seal where lessor_id = $4`,
    [house.enterpriseId, villageId, as.operatorId, id],
  );
  const held = await house.ask(calls.deleteLessor, { as, key: crypto.randomUUID() }, removal);
  expect([held.status, held.body.message]).toEqual([409, "该企业的印章已用于试签，不能删除，可停用"]);
  await pool.query("delete from sign_trial");
  await house.did(calls.deleteLessor, { as }, removal);
  expect((await house.ask(calls.getLessor, { as }, { params: { id } })).status).toBe(404);
});
