import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { anOperator } from "../operator/operator.sample.ts";
import { newCaptcha } from "../session/captcha.service.ts";
import { login, userInfo } from "../session/session.contract.ts";
import { listOutbox, resend, sendVerification } from "../sms/sms.contract.ts";
import jobs from "../sms/sms.job.ts";
import { forgetPassword, updateInfo, updatePassword } from "./password.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const OLD = "Qing2026!";
let n = 0;
const somebody = () => anOperator(house, { account: `Keeper0${++n}`, password: OLD });
const captcha = async () => {
  const { key, answer } = await newCaptcha({ tx: house.database.db, now: new Date() } as never);
  return { imageCodeKey: key, imageCode: answer };
};
const ask = async (phone: string, type: 1 | 2 | 3 | 4 | 5, as?: Person) =>
  house.ask(sendVerification, as ? { as } : {}, { body: { phone, type, ...(await captcha()) } });
/** The code as the phone shows it. */
const codeOf = async (phone: string): Promise<string | undefined> =>
  (
    await pool.query(
      "select params->>'code' code from outbox where recipient = $1 order by id desc limit 1",
      [phone],
    )
  ).rows[0]?.code;
const enter = async (account: string, password: string) =>
  house.ask(login, {}, { body: { account, password: sha(password), ...(await captcha()) } });
/** Whoever holds the token that this log-in answered. */
const signIn = async (account: string): Promise<Person> => {
  const { token } = (await enter(account, OLD)).body.data;
  return { token } as Person;
};
const alive = async (as: Person) => (await house.ask(userInfo, { as })).status === 200;

beforeEach(() => pool.query("delete from login_failure; delete from sms_code; delete from outbox"));

describe("a code", () => {
  test("needs a picture read right, once, and is sent once a minute and ten times a day", async () => {
    const { phone } = await somebody();
    const seen = await captcha();
    const body = { phone, type: 2 as const, ...seen };
    expect(
      (await house.ask(sendVerification, {}, { body: { ...body, imageCode: "????" } })).body,
    ).toMatchObject({
      code: 400,
      message: "图形验证码错误或已失效",
    });
    // a wrong try used it up
    expect((await house.ask(sendVerification, {}, { body })).body.message).toBe("图形验证码错误或已失效");
    expect((await ask(phone, 2)).status).toBe(200);
    expect((await ask(phone, 2)).body.message).toBe("发送过于频繁，请稍后再试");
    await pool.query("update sms_code set sent_at = now() - interval '2 minutes'");
    await pool.query(
      "insert into sms_code (phone, type, code_hash, ip, sent_at, expires_at) select $1, 2, '', 'x', now() - interval '1 hour', now() from generate_series(1, 9)",
      [phone],
    );
    expect((await ask(phone, 2)).status).toBe(429);
  });

  test("is never in the answer, the log or the table as it is, and is answered alike for a number that nobody has", async () => {
    const { phone } = await somebody();
    const known = await ask(phone, 2);
    const unknown = await ask("13900009999", 2);
    expect({ ...unknown.body, requestId: "" }).toEqual({ ...known.body, requestId: "" });
    const code = await codeOf(phone);
    expect(code).toMatch(/^\d{6}$/);
    expect(await codeOf("13900009999")).toBeUndefined();
    // as a word of its own: six digits also occur within a random id
    const told = new RegExp(`\\b${code}\\b`);
    expect(known.raw.toString()).not.toMatch(told);
    const { rows } = await pool.query("select row_to_json(l)::text text from operation_log l");
    expect(rows.map((r) => r.text).join()).not.toMatch(told);
  });

  test("lies in the outbox for whoever runs the platform, and for nobody else", async () => {
    const { phone } = await somebody();
    await ask(phone, 2);
    const { rows } = await pool.query("select id from outbox");
    await perform(house, jobs[0]!, { id: rows[0].id }, "code");
    const code = await codeOf(phone);
    const head = await house.person({ superType: "0" });
    const [message] = (await house.did(listOutbox, { as: head }, { query: {} })).list;
    expect(message).toMatchObject({ state: "sent", text: expect.stringContaining(code!) });
    expect(message!.phone).toContain("****");
    await pool.query("update outbox set state = 'failed' where id = $1", [rows[0].id]);
    const again = { params: { id: rows[0].id } };
    // an administrator of an enterprise reads 平台配置, and neither what left the house nor sends it again
    for (const who of [{ superType: "1" }, { permits: ["94.query", "94.get", "94.edit"] }]) {
      const as = await house.person(who);
      const refused = await house.ask(listOutbox, { as }, { query: {} });
      expect(refused.body).toMatchObject({ code: 403, message: "没有权限执行此操作", data: null });
      expect((await house.ask(resend, { as }, again)).status).toBe(403);
    }
    expect((await house.ask(resend, { as: head }, again)).status).toBe(200);
  });
});

describe("a forgotten password", () => {
  test("is set anew with the code, ends old sessions and lifts a lock; the code works once", async () => {
    const { account, phone, id } = await somebody();
    const before = await signIn(account);
    await pool.query(
      "insert into login_lock select lower(account), '127.0.0.1', 1, now() + interval '15 minutes' from operator where id = $1",
      [id],
    );
    await ask(phone, 2);
    const body = { phone, code: (await codeOf(phone))!, password: "Fresh2027!" };
    expect((await house.ask(forgetPassword, {}, { body: { ...body, password: OLD } })).body.message).toBe(
      "新密码不能与原密码相同",
    );
    expect((await house.ask(forgetPassword, {}, { body })).status).toBe(200);
    expect(await alive(before)).toBe(false);
    expect((await enter(account, "Fresh2027!")).status).toBe(200);
    expect(
      (await house.ask(forgetPassword, {}, { body: { ...body, password: "Again2027!" } })).body.message,
    ).toBe("短信验证码错误或已失效");
  });

  test("takes five tries, then a new code; after five minutes none", async () => {
    const { phone } = await somebody();
    await ask(phone, 2);
    const code = (await codeOf(phone))!;
    const wrong = code === "000000" ? "000001" : "000000";
    const send = (typed: string) =>
      house.ask(forgetPassword, {}, { body: { phone, code: typed, password: "Fresh2027!" } });
    for (let i = 0; i < 5; i++) expect((await send(wrong)).status).toBe(400);
    expect((await send(code)).body.message).toBe("短信验证码错误或已失效");
    await pool.query("update sms_code set sent_at = now() - interval '6 minutes'");
    await ask(phone, 2);
    await pool.query("update sms_code set expires_at = now() - interval '1 second'");
    expect((await send((await codeOf(phone))!)).status).toBe(400);
  });

  test("of a disabled account is set, and the account stays disabled", async () => {
    const { account, phone, id } = await somebody();
    await pool.query("update operator set state = 'disabled' where id = $1", [id]);
    await ask(phone, 2);
    const body = { phone, code: (await codeOf(phone))!, password: "Fresh2027!" };
    expect((await house.ask(forgetPassword, {}, { body })).status).toBe(200);
    expect((await enter(account, "Fresh2027!")).body.message).toBe("账号已停用");
  });
});

describe("one's own account", () => {
  test("gets a new password: this session stays, the others end", async () => {
    const { account, phone } = await somebody();
    const [here, there] = [await signIn(account), await signIn(account)];
    await ask(phone, 5, here);
    const body = { phone, code: (await codeOf(phone))!, password: "Fresh2027!" };
    const weak = await house.ask(updatePassword, { as: here }, { body: { ...body, password: "12345678" } });
    expect(weak.body.fields).toEqual([{ field: "password", msg: "字母、数字和标点符号至少包含两种！" }]);
    for (const [password, msg] of [
      ["rzx1294", "至少8位密码，区分大小写"],
      ["woaini1314", "该密码过于常见，容易被猜到，请换一个"],
    ] as const) {
      const refused = await house.ask(updatePassword, { as: here }, { body: { ...body, password } });
      expect(refused.body.fields).toEqual([{ field: "password", msg }]);
    }
    expect((await house.ask(updatePassword, { as: here }, { body })).status).toBe(200);
    expect([await alive(here), await alive(there)]).toEqual([true, false]);
  });

  test("gets no code for somebody else's phone, and none without a session", async () => {
    const [a, b] = [await somebody(), await somebody()];
    const here = await signIn(a.account);
    expect((await ask(b.phone, 5, here)).body.message).toBe("验证码只能发送到本人的手机");
    expect((await ask(a.phone, 5)).status).toBe(401);
  });

  test("moves to a new phone with the code sent there, by type 3 or 4, and has to sign in again", async () => {
    const { account } = await somebody();
    const taken = await somebody();
    const here = await signIn(account);
    const next = `1390001${String(1000 + n).slice(-4)}`;
    await ask(next, 4, here);
    const body = { code: (await codeOf(next))!, newPhone: next, password: sha(OLD) };
    expect(
      (await house.ask(updateInfo, { as: here }, { body: { ...body, password: sha("wrong") } })).body.message,
    ).toBe("登录密码错误");
    expect((await house.ask(updateInfo, { as: here }, { body })).status).toBe(200);
    expect(await alive(here)).toBe(false);
    const again = await signIn(next);
    await ask(taken.phone, 3, again);
    const other = { code: (await codeOf(taken.phone))!, newPhone: taken.phone, password: sha(OLD) };
    expect((await house.ask(updateInfo, { as: again }, { body: other })).body.fields).toEqual([
      { field: "newPhone", msg: "该手机号已被使用" },
    ]);
  });
});
