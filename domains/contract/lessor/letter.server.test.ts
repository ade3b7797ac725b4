import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting, aVillage } from "../../listing/village/village.sample.ts";
import { aSeal } from "../seal/seal.sample.ts";
import { holdSeal, sealFor } from "../seal/seal.service.ts";
import * as calls from "./lessor.contract.ts";
import { LESSOR_PERMITS, lessorWork } from "./lessor.sample.ts";
import * as letter from "./letter.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const { db } = house.database;
const villageId = await aVillage(house);
const as = await house.person({ permits: LESSOR_PERMITS, villages: [villageId] });
const { smsCode, tick, version, verified, scope, authorise, tokenOf, signed } = lessorWork(house, as);

test("authorised by the legal person's signature on the letter, the seal may be set; revoked, it may not", async () => {
  const id = await verified();
  expect((await authorise(id, { ...scope, to: "2029-03-12" })).body.fields).toEqual([
    { field: "to", msg: "授权期限最长3年" },
  ]);
  expect((await authorise(id, { ...scope, from: "2026-03-11" })).body.fields).toEqual([
    { field: "from", msg: "授权开始不能早于今天" },
  ]);
  const started = (await authorise(id)).body.data;
  expect(started).toMatchObject({ state: "pending" });
  expect((await authorise(id)).body.message).toBe("当前状态为“授权中”，不能发起授权");
  const token = tokenOf(started.link);
  expect(await house.did(letter.readLetter, {}, { params: { token } })).toEqual({
    state: "open",
    maskedName: "青禾******公司",
  });
  const paper = { params: { token }, body: { last4: "5678" } };
  expect((await house.ask(letter.letterDocument, {}, paper)).raw.subarray(0, 5).toString()).toBe("%PDF-");

  const sealId = await aSeal(house, { lessorId: id, villageIds: [villageId], operatorIds: [as.operatorId] });
  const to = { villageId, contractKind: "renter" as const };
  await expect(acting(house, (act) => sealFor(act, to))).rejects.toThrow("企业尚未完成签署授权");
  const { status, body } = await signed(token);
  expect(status).toBe(200);
  expect((await signed(token).catch((e: Error) => e.message)).toString()).toContain("授权书已签署");
  const result = () => house.did(letter.authResult, {}, { query: { key: body.data.key } });
  expect(await result()).toMatchObject({ id, maskedName: "青禾******公司", state: "done", to: "2027-03-11" });
  expect(await acting(house, (act) => sealFor(act, to))).toMatchObject({ id: sealId });
  await expect(acting(house, (act) => sealFor(act, { ...to, contractKind: "merchant" }))).rejects.toThrow(
    "企业授权不包含该类合同",
  );

  const neutral = await house.did(letter.authResult, {}, { query: { key: "nobody's" } });
  const was = async (verifyState: string, verifyNote = "") => {
    await db.updateTable("lessor").set({ verifyState, verifyNote }).where("id", "=", id).execute();
    return result();
  };
  expect(await was("verifying", "对公账户变更")).toMatchObject({ state: "verifying", reason: "" });
  expect(await was("failed", "执照不清晰")).toMatchObject({ state: "failed", reason: "执照不清晰" });
  expect(await was("verified")).toMatchObject({ state: "done", reason: "" });

  const revoke = async (reason: string) =>
    house.ask(
      calls.revokeAuthorisation,
      { as },
      { params: { id }, body: { reason, version: await version(id) } },
    );
  expect((await revoke("")).status).toBe(400);
  expect((await revoke("更换经办人")).status).toBe(200);
  expect(await house.did(calls.authoriseLessor, { as }, { params: { id }, query: {} })).toMatchObject({
    state: "revoked",
    note: "更换经办人",
    revokedAt: expect.stringMatching(/^20\d\d-/) as string,
  });
  expect(await result()).toMatchObject({ state: "ended", reason: "" });
  tick(31);
  expect(await result()).toEqual(neutral);
  expect(neutral).toMatchObject({ id: null, maskedName: "", state: null });
  await expect(acting(house, (act) => holdSeal(act, sealId, to))).rejects.toThrow("企业授权已撤销");
  expect((await revoke("再次撤销")).body.message).toBe("当前状态为“已撤销”，不能撤销授权");
  const log = await db
    .selectFrom("businessLog")
    .select("action")
    .where("kind", "=", "lessor")
    .where("recordId", "=", id)
    .orderBy("id")
    .execute();
  expect(log.map((l) => l.action)).toEqual([
    "新建企业",
    "发起认证",
    "通过认证",
    "发起授权",
    "签署授权书",
    "撤销授权",
  ]);
});

test("the page opens to who knows the last four places, and locks after three wrong ones", async () => {
  const id = await verified();
  const token = tokenOf((await authorise(id)).body.data.link);
  const open = (last4: string) => house.ask(letter.openLetter, {}, { params: { token }, body: { last4 } });
  const { creditCode } = await house.did(calls.getLessor, { as }, { params: { id } });
  expect((await open(creditCode.slice(-4))).status).toBe(200);
  for (let i = 0; i < 2; i++)
    expect((await open("0000")).body.message).toBe("证件号或统一社会信用代码后4位不正确");
  expect((await open("0000")).body.message).toBe("输入错误次数过多，请30分钟后再试");
  expect((await open("5678")).status).toBe(429);
  tick(31);
  expect((await open("5678")).status).toBe(200);
});

test("a letter that takes the place of one that holds begins today; one that is cancelled leaves what was", async () => {
  const id = await verified();
  await signed(tokenOf((await authorise(id)).body.data.link));
  const later = await authorise(id, { ...scope, from: "2026-04-01" });
  expect(later.body.fields).toEqual([
    { field: "from", msg: "现有授权至 2027-03-11，签署后由新授权代替，请从今天开始" },
  ]);
  const authState = async () => (await house.did(calls.getLessor, { as }, { params: { id } })).authState;
  expect((await authorise(id, { ...scope, to: "2028-03-11" })).status).toBe(200);
  await house.did(calls.cancelAuthorisation, { as }, { params: { id } });
  expect(await authState()).toBe("authorised");
  const body = { reason: "更换经办人", version: await version(id) };
  await house.did(calls.revokeAuthorisation, { as }, { params: { id }, body });
  expect((await authorise(id, { ...scope, from: "2026-04-01" })).status).toBe(200);
  expect(await authState()).toBe("pending");
  await house.did(calls.cancelAuthorisation, { as }, { params: { id } });
  expect(await authState()).toBe("revoked");
});

test("a link that was sent anew, cancelled or has passed is worth nothing", async () => {
  const id = await verified();
  const first = tokenOf((await authorise(id)).body.data.link);
  const second = tokenOf((await house.did(calls.resendLetter, { as }, { params: { id } })).link);
  const state = async (token: string) =>
    (await house.did(letter.readLetter, {}, { params: { token } })).state;
  expect([await state(first), await state(second)]).toEqual(["expired", "open"]);
  tick(72 * 60);
  expect(await state(second)).toBe("expired");
  const sent = { params: { token: second }, body: { last4: "5678" } };
  expect((await house.ask(letter.openLetter, {}, sent)).body.message).toBe(
    "签署链接已过期，请联系企业经办人重新发送",
  );
  await house.did(calls.cancelAuthorisation, { as }, { params: { id } });
  expect(await state(second)).toBe("revoked");
  expect((await house.did(calls.getLessor, { as }, { params: { id } })).authState).toBe("none");
});

test("two sign the same letter at once: one signature", async () => {
  const id = await verified();
  const token = tokenOf(
    (await authorise(id, { ...scope, from: "2026-03-20", to: "2027-03-19" })).body.data.link,
  );
  const { documentHash } = await house.did(
    letter.openLetter,
    {},
    { params: { token }, body: { last4: "5678" } },
  );
  tick();
  await house.did(letter.sendLetterCode, {}, { params: { token }, body: { last4: "5678" } });
  const body = { last4: "5678", captcha: await smsCode(), documentHash };
  const other = { ...body, documentHash: "0".repeat(64) };
  expect((await house.ask(letter.signLetter, {}, { params: { token }, body: other })).body.message).toBe(
    "授权书内容已更新，请使用新链接",
  );
  const both = await Promise.all(
    [1, 2].map(() => house.ask(letter.signLetter, {}, { params: { token }, body })),
  );
  expect(both.map((b) => b.status).toSorted()).toEqual([200, 409]);
});
