import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { anOperator } from "../../../domains/access/operator/operator.sample.ts";
import { newCaptcha } from "../../../domains/access/session/captcha.service.ts";
import { login, userInfo } from "../../../domains/access/session/session.contract.ts";
import { sendVerification } from "../../../domains/access/sms/sms.contract.ts";
import { newToken } from "../../server/pipeline/session.ts";
import { testHouse } from "../../server/process/house.sample.ts";

/**
 * Guessing at the door. Lock, captcha and codes have their own tests beside them (login.server.test.ts,
 * password.server.test.ts); here is what somebody could learn or win by going around them.
 */
const house = await testHouse();
const { pool } = house.database;
const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const PASSWORD = "Qing2026!";
const picture = async () => {
  const { key, answer } = await newCaptcha({ tx: house.database.db, now: new Date() } as never);
  return { imageCodeKey: key, imageCode: answer };
};
const enter = (account: string, password = PASSWORD, more: object = {}) =>
  house.ask(login, {}, { body: { account, password: sha(password), ...more } });
beforeEach(() =>
  pool.query("delete from login_failure; delete from login_lock; delete from sms_code; delete from outbox"),
);

test("six tries at a name that nobody has are answered like six tries at somebody's", async () => {
  const { account } = await anOperator(house);
  const answers = async (name: string) => {
    const said: { status: number; message: string; reason: string | undefined; data: unknown }[] = [];
    await pool.query("delete from login_failure");
    for (let i = 0; i < 6; i++) {
      const { status, body } = await enter(name, `guess${i}!`, i ? await picture() : {});
      said.push({ status, message: body.message, reason: body.reason, data: body.data });
    }
    return said;
  };
  const known = await answers(account);
  expect(await answers("nobody2026")).toEqual(known);
  expect(known.map((answer) => answer.message)).toEqual([
    ...Array(4).fill("账号或密码错误"),
    ...Array(2).fill("账号已锁定，请联系管理员解锁"),
  ]);
});

test("a wrong password takes about as long for a name that nobody has", async () => {
  const { account } = await anOperator(house);
  const took = async (name: string) => {
    const times: number[] = [];
    for (let i = 0; i < 9; i++) {
      await pool.query("delete from login_failure");
      const began = performance.now();
      await enter(name, "wrong!");
      times.push(performance.now() - began);
    }
    return times.toSorted((a, b) => a - b)[4]!;
  };
  await took(account);
  const ratio = (await took(account)) / (await took("nobody2027"));
  expect(ratio).toBeGreaterThan(0.3);
  expect(ratio).toBeLessThan(3);
});

test("one password tried on many people meets the captcha from the fourth on, known or not, for its address only", async () => {
  const people = await Promise.all([1, 2, 3].map(() => anOperator(house)));
  for (const account of [people[0]!.account, "nobody2028", people[2]!.account])
    expect((await enter(account, "Spring2026!")).body.message, account).toBe("账号或密码错误");
  for (const account of [people[1]!.account, "nobody2029"])
    expect((await enter(account, "Spring2026!")).body.message, account).toBe("请输入图形验证码");
  const elsewhere = await house.app.inject({
    method: "POST",
    url: login.path,
    payload: { account: people[1]!.account, password: sha(PASSWORD) },
    remoteAddress: "203.0.113.9",
  });
  expect(elsewhere.statusCode).toBe(200);
});

test("a picture that was read once opens nothing else", async () => {
  const { account, phone } = await anOperator(house);
  await enter(account, "wrong!");
  const seen = await picture();
  expect((await enter(account, "wrong!", seen)).body.message).toBe("账号或密码错误");
  expect((await enter(account, PASSWORD, seen)).body.message).toBe("图形验证码错误或已失效");
  const code = await house.ask(sendVerification, {}, { body: { phone, type: 2, ...seen } });
  expect(code.body.message).toBe("图形验证码错误或已失效");
});

test("codes are sent 30 times an hour to an address, however many numbers it names, and each number keeps its own count", async () => {
  const send = async (phone: string, remoteAddress: string) =>
    (
      await house.app.inject({
        method: "POST",
        url: sendVerification.path,
        payload: { phone, type: 2, ...(await picture()) },
        remoteAddress,
      })
    ).statusCode;
  for (let i = 0; i < 30; i++) expect(await send(`1380000${1000 + i}`, "203.0.113.7")).toBe(200);
  expect(await send("13800002000", "203.0.113.7")).toBe(429);
  expect(await send("13800002000", "203.0.113.8")).toBe(200);
  expect(await send("13800002000", "203.0.113.9"), "within its minute, from anywhere").toBe(429);
});

test("a token brought along to the log-in is never the token after it", async () => {
  const { account } = await anOperator(house);
  const planted = newToken();
  const body = { account, password: sha(PASSWORD) };
  const how = { headers: { authorization: planted, cookie: `hzsk_token=${planted}` } };
  const [one, two] = [
    (await house.ask(login, how, { body })).body.data.token,
    (await house.ask(login, how, { body })).body.data.token,
  ];
  expect(new Set([planted, one, two]).size).toBe(3);
  const asked = (token: string) => house.ask(userInfo, { as: { operatorId: 0, token } });
  expect((await asked(planted)).status).toBe(401);
  expect((await asked(one)).status).toBe(200);
});

test("the same log-in asked twice under one request number is two log-ins, and no answer of it is kept", async () => {
  const { account } = await anOperator(house);
  const body = { account, password: sha(PASSWORD) };
  const how = { key: "a-number-of-a-request" };
  const tokens = [
    (await house.ask(login, how, { body })).body.data.token,
    (await house.ask(login, how, { body })).body.data.token,
  ];
  expect(tokens[0]).not.toBe(tokens[1]);
  expect((await pool.query("select * from idempotency_key")).rows).toEqual([]);
});
