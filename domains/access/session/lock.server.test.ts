import { createHash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { anOperator } from "../operator/operator.sample.ts";
import { getOperator, listOperators, resetPassword, unlockOperator } from "../operator/operator.contract.ts";
import { newCaptcha } from "./captcha.service.ts";
import { login, userInfo } from "./session.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const PASSWORD = "Qing2026!";
const LOCKED = "账号已锁定，请联系管理员解锁";
let n = 0;
const somebody = () => anOperator(house, { account: `Guessed0${++n}`, password: PASSWORD });
const captcha = async (at = Date.now()) => {
  const { key, answer } = await newCaptcha({ tx: house.database.db, now: new Date(at) } as never);
  return { imageCodeKey: key, imageCode: answer };
};
const enter = (account: string, password = PASSWORD, code: object = {}) =>
  house.ask(login, {}, { body: { account, password: sha(password), ...code } });
const fail = async (account: string, at?: number) => enter(account, "wrong!", await captcha(at));
/** The same from another address. */
const from = async (remoteAddress: string, account: string, password = PASSWORD, code?: object) =>
  house.app.inject({
    method: "POST",
    url: login.path,
    payload: { account, password: sha(password), ...(code ?? (await captcha())) },
    remoteAddress,
  });
afterEach(() => pool.query("delete from login_failure; delete from login_lock"));

describe("guessing", () => {
  test("locks the account after five failures in 15 minutes, even for the right password, at the address they came from", async () => {
    const { id, account, phone } = await somebody();
    const other = await somebody();
    const as = { operatorId: id, token: (await enter(account)).body.data.token };
    for (let i = 0; i < 4; i++) expect((await fail(account)).body.message).toBe("账号或密码错误");
    expect((await fail(account)).body).toMatchObject({ message: LOCKED, data: { lockedMinutes: 15 } });
    for (const name of [account, phone])
      expect((await enter(name, PASSWORD, await captcha())).body.message).toBe(LOCKED);
    expect((await house.ask(userInfo, { as })).status, "who is at work goes on working").toBe(200);
    expect((await enter(other.account)).status, "nobody else").toBe(200);
    expect((await from("203.0.113.9", account)).statusCode, "the person, from elsewhere").toBe(200);
  });

  test("is seen and lifted by an administrator", async () => {
    const { id, account } = await somebody();
    for (let i = 0; i < 5; i++) await fail(account);
    const admin = await house.person({ permits: ["46.query", "46.get", "46.enable"] });
    const stateOf = async () => {
      const { list } = await house.did(listOperators, { as: admin }, { query: { ids: [id] as never } });
      return list[0]!.state;
    };
    expect(await stateOf()).toBe("locked");
    const found = await house.did(listOperators, { as: admin }, { query: { state: ["locked"] as never } });
    expect(found.list.map((o) => o.id)).toEqual([id]);
    const { locks, state } = await house.did(getOperator, { as: admin }, { params: { id } });
    expect([state, locks.map((l) => l.ip)]).toEqual(["locked", ["127.0.0.1"]]);
    await house.did(unlockOperator, { as: admin }, { params: { id } });
    expect(await stateOf()).toBe("active");
    expect((await enter(account)).status).toBe(200);
    expect((await house.ask(unlockOperator, { as: admin }, { params: { id } })).body.message).toBe(
      "账号未锁定",
    );
  });

  test("is forgotten with the password that was forgotten", async () => {
    const { id, account } = await somebody();
    for (let i = 0; i < 5; i++) await fail(account);
    const as = await house.person({ permits: ["46.edit"] });
    const { password } = await house.did(resetPassword, { as }, { params: { id }, body: { version: 1 } });
    expect((await enter(account, password)).status).toBe(200);
  });

  test("locks for 15 minutes, then twice as long each time, and asks the captcha in between", async () => {
    const { account } = await somebody();
    let at = Date.now();
    for (const minutes of [15, 30, 60]) {
      house.setClock(new Date(at).toISOString());
      for (let i = 0; i < 4; i++) await fail(account, at);
      expect((await fail(account, at)).body.data).toMatchObject({ lockedMinutes: minutes });
      at += minutes * 60_000 - 1000;
      house.setClock(new Date(at).toISOString());
      expect((await enter(account, PASSWORD, await captcha(at))).body.message).toBe(LOCKED);
      at += 2000;
      house.setClock(new Date(at).toISOString());
      expect((await enter(account)).body.message).toBe("请输入图形验证码");
    }
    expect((await enter(account, PASSWORD, await captcha(at))).status).toBe(200);
    house.setClock(undefined);
  });

  test("from many addresses locks the account for strangers; the person comes in from where they always do", async () => {
    const { account } = await somebody();
    expect((await from("198.51.100.1", account)).statusCode).toBe(200);
    for (let i = 0; i < 50; i++) await from(`203.0.113.${i}`, account, "wrong!");
    expect((await from("203.0.113.99", account)).json().message).toBe(LOCKED);
    expect((await from("198.51.100.1", account)).statusCode).toBe(200);
    expect((await from("203.0.113.99", account)).json().message, "still").toBe(LOCKED);
  });

  test("at one account asks the captcha of that account alone", async () => {
    const [mistyped, other] = [await somebody(), await somebody()];
    await enter(mistyped.account, "wrong!");
    expect((await enter(other.account)).status).toBe(200);
    expect((await enter(mistyped.account)).body.message).toBe("请输入图形验证码");
    expect((await from("203.0.113.9", mistyped.account, PASSWORD, {})).json().message).toBe(
      "请输入图形验证码",
    );
  });

  test("by account and by phone count together", async () => {
    const { account, phone } = await somebody();
    for (let i = 0; i < 4; i++) await fail(i % 2 ? account : phone);
    expect((await fail(account)).body.message).toBe(LOCKED);
  });

  test("in parallel gets no extra tries", async () => {
    const { account } = await somebody();
    const codes = await Promise.all(Array.from({ length: 12 }, () => captcha()));
    await enter(account, "wrong!");
    await Promise.all(codes.map((code) => enter(account, "wrong!", code)));
    expect((await enter(account, PASSWORD, await captcha())).body.message).toBe(LOCKED);
    const { rows: counted } = await pool.query<{ n: number }>(
      "select count(*) n from login_failure where account = $1",
      [account.toLowerCase()],
    );
    expect(counted[0]!.n).toBeLessThanOrEqual(5);
  });

  test("failures older than 15 minutes no longer count", async () => {
    const { account } = await somebody();
    for (let i = 0; i < 4; i++) await fail(account);
    await pool.query("update login_failure set at = at - interval '16 minutes'");
    expect((await fail(account)).body.message).toBe("账号或密码错误");
  });
});
