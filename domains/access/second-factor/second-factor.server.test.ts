import { createHash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getOperator, listOperators, resetSecondFactor, viewAs } from "../operator/operator.contract.ts";
import { anOperator } from "../operator/operator.sample.ts";
import { newCaptcha } from "../session/captcha.service.ts";
import { entered } from "../session/session.service.ts";
import { login, userInfo } from "../session/session.contract.ts";
import { base32, codeOf, stepAt, stepOf, uriOf } from "../session/totp.service.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  readRequirement,
  readSecondFactor,
  requireSecondFactor,
} from "./second-factor.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const PASSWORD = "Qing2026!";
/** The beginning of a time step; sessions are judged by the database's own clock, so it lies near. */
const START = Math.floor(Date.now() / 30_000) * 30_000;
const seconds = (n: number) => new Date(START + n * 1000);
const clockAt = (n: number) => house.setClock(seconds(n).toISOString());
const codeAt = (secret: string, n: number) => codeOf(secret, stepAt(seconds(n)));
const enter = (account: string, more: object = {}, password = PASSWORD) =>
  house.ask(login, {}, { body: { account, password: sha(password), ...more } });

/** A captcha with its answer: from the first failure on it goes along. */
async function picture(at: number) {
  const { key, answer } = await newCaptcha({ tx: house.database.db, now: seconds(at) } as never);
  return { imageCodeKey: key, imageCode: answer };
}

/** Somebody who has signed in with the password alone. */
async function somebody() {
  const { id, account } = await anOperator(house);
  const as = { operatorId: id, token: (await enter(account)).body.data.token };
  return { id, account, as };
}
/** The same with a second factor that was switched on at second 0. */
async function enrolled() {
  clockAt(0);
  const person = await somebody();
  const { secret, uri } = await house.did(
    beginSecondFactor,
    { as: person.as },
    { body: { password: sha(PASSWORD) } },
  );
  const { recoveryCodes } = await house.did(
    confirmSecondFactor,
    { as: person.as },
    { body: { code: codeAt(secret, 0) } },
  );
  return { ...person, secret, uri, recoveryCodes };
}
const required = (on: boolean) =>
  pool.query("update enterprise set second_factor_required = $1 where id = $2", [on, house.enterpriseId]);

afterEach(async () => {
  house.setClock(undefined);
  await required(false);
  await pool.query("delete from login_failure");
  await pool.query("delete from login_lock");
});

test("the codes are those of RFC 6238, and clocks may differ by one step", () => {
  const secret = base32(Buffer.from("12345678901234567890"));
  expect(secret).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  for (const [at, code] of [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ] as const)
    expect(codeOf(secret, stepAt(new Date(at * 1000))), String(at)).toBe(code);
  const first = 1_111_111_080;
  const taken = (away: number) => stepOf(secret, "081804", new Date((first + away) * 1000)) !== undefined;
  expect([-30, -1, 0, 29, 30, 59].map(taken)).toEqual([true, true, true, true, true, true]);
  expect([-31, 60].map(taken)).toEqual([false, false]);
  expect(uriOf("智慧 公寓", "a b", "ABCD")).toBe(
    "otpauth://totp/%E6%99%BA%E6%85%A7%20%E5%85%AC%E5%AF%93:a%20b?secret=ABCD&issuer=%E6%99%BA%E6%85%A7%20%E5%85%AC%E5%AF%93",
  );
});

test("it takes the password to begin and a code to switch on; other sessions end, nothing secret is written down", async () => {
  clockAt(0);
  const { id, account, as } = await somebody();
  const other = { operatorId: id, token: (await enter(account)).body.data.token };
  const begin = (password: string) =>
    house.ask(beginSecondFactor, { as }, { body: { password: sha(password) } });
  expect((await begin("wrong!")).body.fields).toEqual([{ field: "password", msg: "登录密码错误" }]);
  await pool.query("delete from login_failure");
  const { secret, uri } = (await begin(PASSWORD)).body.data;
  expect(uri).toContain(`:${account}?secret=${secret}&`);
  expect((await enter(account)).status, "shown is not switched on").toBe(200);
  const confirm = (code: string) => house.ask(confirmSecondFactor, { as }, { body: { code } });
  expect((await confirm("000000")).body.fields).toMatchObject([{ field: "code" }]);
  clockAt(601);
  expect((await confirm(codeAt(secret, 601))).body.reason).toBe("notBegun");
  clockAt(0);
  const { recoveryCodes } = (await confirm(codeAt(secret, 0))).body.data;
  expect(new Set(recoveryCodes).size).toBe(10);
  expect((await house.ask(userInfo, { as })).status).toBe(200);
  expect((await house.ask(userInfo, { as: other })).status).toBe(401);
  expect((await begin(PASSWORD)).body.reason).toBe("alreadyOn");
  expect(await house.did(readSecondFactor, { as }, {})).toMatchObject({ on: true, recoveryCodes: 10 });

  const { rows } = await pool.query<{ text: string }>(`
    select to_jsonb(l)::text as text from operation_log l union all select to_jsonb(f)::text from second_factor f
    union all select to_jsonb(c)::text from recovery_code c union all select to_jsonb(b)::text from business_log b`);
  const written = rows.map((row) => row.text).join();
  expect(written).toContain("开启两步验证");
  for (const hidden of [secret, Buffer.from(secret).toString("hex"), ...recoveryCodes])
    expect(written).not.toContain(hidden);
  // as a word of its own: six digits also occur within a random id
  expect(written).not.toMatch(new RegExp(`\\b${codeAt(secret, 0)}\\b`));
});

test("the log-in asks for a code, takes each once, and a recovery code once", async () => {
  const { account, secret, recoveryCodes } = await enrolled();
  clockAt(60);
  expect((await enter(account)).body).toMatchObject({
    reason: "secondFactor",
    message: "请输入动态验证码",
    data: { needImageCode: false },
  });
  const code = codeAt(secret, 60);
  expect((await enter(account, { dynamicCode: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200);
  expect((await enter(account, { dynamicCode: code })).body.reason, "a code is good once").toBe(
    "secondFactor",
  );
  await pool.query("delete from login_failure");
  clockAt(90);
  expect((await enter(account, { dynamicCode: codeAt(secret, 30) })).status, "older than the last").toBe(400);
  await pool.query("delete from login_failure");
  expect((await enter(account, { dynamicCode: recoveryCodes[0]!.toLowerCase() })).status).toBe(200);
  expect((await enter(account, { dynamicCode: recoveryCodes[0]! })).status).toBe(400);
});

test("wrong codes lock like wrong passwords, and a right password alone forgets none of them", async () => {
  const { account, secret } = await enrolled();
  clockAt(60);
  const tried: unknown[] = [];
  for (let n = 0; n < 5; n++) {
    await enter(account, await picture(60));
    tried.push((await enter(account, { ...(await picture(60)), dynamicCode: "000000" })).body.data);
  }
  expect(tried).toEqual([
    ...Array.from({ length: 4 }, () => ({ needImageCode: true })),
    { needImageCode: true, lockedMinutes: 15 },
  ]);
  const later = 17 * 60;
  clockAt(later);
  const right = { ...(await picture(later)), dynamicCode: codeAt(secret, later) };
  expect((await enter(account, right)).status).toBe(200);
});

test("a code switches it off, also a recovery code, and a wrong one counts", async () => {
  const { as, account, secret, recoveryCodes } = await enrolled();
  clockAt(60);
  const end = (code: string) => house.ask(endSecondFactor, { as }, { body: { code } });
  expect((await end("000000")).body.fields).toMatchObject([{ field: "code" }]);
  const { rows } = await pool.query("select 1 from login_failure where account = $1", [account]);
  expect(rows).toHaveLength(1);
  expect((await end(codeAt(secret, 60))).status).toBe(200);
  expect((await end(codeAt(secret, 60))).body.reason).toBe("notOn");
  expect((await enter(account)).status).toBe(200);
  expect((await enter(account, { dynamicCode: recoveryCodes[0]! })).status, "not looked at").toBe(200);
});

test("where the enterprise demands it, whoever has none may do nothing but switch it on", async () => {
  clockAt(0);
  const head = await house.person({ superType: "1" });
  const clerk = await house.person({ permits: ["46.edit"] });
  const demand = { body: { required: true } };
  expect((await house.ask(requireSecondFactor, { as: clerk }, demand)).status).toBe(403);
  const { id, as } = await somebody();
  const before = await house.did(readRequirement, { as: head }, {});
  await house.did(requireSecondFactor, { as: head }, demand);

  const list = () => house.ask(listOperators, { as }, { query: {} });
  expect((await list()).body).toMatchObject({ code: 403, reason: "mustEnrol" });
  expect((await house.ask(listOperators, { as: head }, { query: {} })).body.reason).toBe("mustEnrol");
  expect((await house.ask(userInfo, { as })).body.data.mustEnrol).toBe(true);
  const { secret } = await house.did(beginSecondFactor, { as }, { body: { password: sha(PASSWORD) } });
  await house.did(confirmSecondFactor, { as }, { body: { code: codeAt(secret, 0) } });
  expect((await list()).status).toBe(200);
  expect((await house.ask(userInfo, { as })).body.data.mustEnrol).toBe(false);
  await required(false);
  const after = await house.did(readRequirement, { as: head }, {});
  expect([before.required, after.without]).toEqual([false, before.without - 1]);

  const none = await house.person();
  const { token } = await house.did(viewAs, { as: head }, { params: { id: none.operatorId } });
  await required(true);
  const view = { operatorId: none.operatorId, token };
  expect((await house.ask(listOperators, { as: view }, { query: {} })).status, "who looks on").toBe(200);
  await required(false);
  expect((await house.did(getOperator, { as: head }, { params: { id } })).secondFactor).toBe(true);
});

test("who came in through an identity provider is neither asked nor held: its own factors count", async () => {
  const { id } = await enrolled();
  const { id: other } = await anOperator(house);
  await required(true);
  for (const operatorId of [id, other]) {
    const { token } = await house.database.db.transaction().execute(async (tx) => {
      const operator = await tx
        .selectFrom("operator")
        .selectAll()
        .where("id", "=", operatorId)
        .executeTakeFirstOrThrow();
      const from = { requestId: "sample", ip: "", userAgent: "" };
      return entered(actOf(house, tx, nobody, from), operator, true);
    });
    const as = { operatorId, token };
    expect((await house.ask(listOperators, { as }, { query: {} })).status).toBe(200);
  }
});

test("of every call, only those that it needs are open to who must switch it on", () => {
  const open = house.served.filter((s) => s.call.beforeSecondFactor).map((s) => s.call.summary);
  expect(open.toSorted()).toEqual(["当前用户信息", "退出登录", "绑定两步验证", "开启两步验证"].toSorted());
});

test("an administrator resets it for somebody who lost the phone, nobody their own", async () => {
  const { id, account, as } = await enrolled();
  const head = await house.person({ superType: "1" });
  const reset = async (who: number) => {
    const { version } = await house.did(getOperator, { as: head }, { params: { id: who } });
    return house.ask(resetSecondFactor, { as: head }, { params: { id: who }, body: { version } });
  };
  expect((await reset(head.operatorId)).body.reason).toBe("notAllowed");
  expect((await reset(id)).status).toBe(200);
  expect((await house.ask(userInfo, { as })).status).toBe(401);
  expect((await enter(account)).status).toBe(200);
  expect((await reset(id)).body.message).toBe("该员工没有开启两步验证");
});
