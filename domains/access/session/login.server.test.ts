import { createHash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { anOperator } from "../operator/operator.sample.ts";
import { newCaptcha } from "./captcha.service.ts";
import { storedForm } from "./password.service.ts";
import { login, userInfo } from "./session.contract.ts";
import jobs from "./session.job.ts";

const house = await testHouse();
const { pool } = house.database;
const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const PASSWORD = "Qing2026!";
let n = 0;
const somebody = (more: object = {}) =>
  anOperator(house, { account: `Clerk0${++n}`, password: PASSWORD, ...more });

/** A captcha with its answer, as only the person who sees the picture knows it. */
const captcha = async (at = Date.now()) => {
  const { key, answer } = await newCaptcha({ tx: house.database.db, now: new Date(at) } as never);
  return { imageCodeKey: key, imageCode: answer };
};
const enter = (account: string, password = PASSWORD, code: object = {}) =>
  house.ask(login, {}, { body: { account, password: sha(password), ...code } });
afterEach(() => pool.query("delete from login_failure"));

describe("a person", () => {
  test("signs in with account or phone, whatever the case", async () => {
    const { account, phone } = await somebody();
    for (const name of [account, account.toUpperCase(), account.toLowerCase(), ` ${account} `, phone])
      expect((await enter(name)).status, name).toBe(200);
  });

  test("gets a token that the server keeps only as a hash", async () => {
    const { account } = await somebody();
    const { token } = (await enter(account)).body.data;
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const { rows } = await pool.query("select * from login_session order by id desc limit 1");
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0].token_hash).toEqual(createHash("sha256").update(token).digest());
    const { rows: columns } = await pool.query<{ text: string }>(
      "select row_to_json(l)::text as text from operation_log l",
    );
    expect(columns.map((c) => c.text).join()).not.toContain(token);
  });

  test("is told alike whether account or password is wrong", async () => {
    const { account } = await somebody();
    const wrong = await enter(account, "wrong!");
    const unknown = await enter("nobody1", "wrong!", await captcha());
    const same = {
      status: 400,
      body: { message: "账号或密码错误", reason: "loginRefused", data: { needImageCode: true } },
    };
    expect(wrong).toMatchObject(same);
    expect(unknown).toMatchObject(same);
  });

  test("who logs in while the password is being reset comes in by the new one only", async () => {
    const { id, account } = await somebody();
    const reset = await pool.connect();
    await reset.query("begin");
    const { rows } = await reset.query<{ pid: number }>("select pg_backend_pid() pid");
    await reset.query("update operator set password_hash = $2 where id = $1", [
      id,
      await storedForm("Other2026!"),
    ]);
    const straddling = enter(account);
    await expect
      .poll(async () => {
        const waiting = "select from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))";
        return (await pool.query(waiting, [rows[0]!.pid])).rowCount;
      })
      .toBe(1);
    await reset.query("commit");
    reset.release();
    expect((await straddling).body).toMatchObject({ code: 400, message: "账号或密码错误" });
    const { rowCount } = await pool.query("select from login_session where operator_id = $1", [id]);
    expect(rowCount).toBe(0);
  });

  test("who is disabled does not come in, and an open session ends with it", async () => {
    const { id, account } = await somebody();
    const { token } = (await enter(account)).body.data;
    await pool.query("update operator set state = 'disabled' where id = $1", [id]);
    expect((await enter(account)).body.message).toBe("账号已停用");
    expect((await house.ask(userInfo, { as: { operatorId: id, token } })).status).toBe(401);
  });

  test("has to come again when the seven days are over", async () => {
    const { id, account } = await somebody();
    const as = { operatorId: id, token: (await enter(account)).body.data.token };
    const { rows } = await pool.query<{ days: number }>(
      "select extract(epoch from expires_at - created_at)::float8 / 86400 days from login_session where operator_id = $1",
      [id],
    );
    expect(rows[0]!.days).toBeCloseTo(7, 5);
    expect((await house.ask(userInfo, { as })).status).toBe(200);
    await pool.query("update login_session set expires_at = now() - interval '1 s' where operator_id = $1", [
      id,
    ]);
    expect((await house.ask(userInfo, { as })).body.message).toBe("未授权，请重新登录(401)");
  });

  test("finds the log-in in the log, also the one that failed, without any secret", async () => {
    const { id, account } = await somebody();
    await enter(account);
    await enter(account, "wrong!");
    const { rows } = await pool.query(
      "select outcome, operator_id, enterprise_id, input::text input from operation_log where summary = '登录' order by id desc limit 2",
    );
    const { enterpriseId: enterprise_id } = house;
    expect(rows).toMatchObject([
      { outcome: "refused", operator_id: id, enterprise_id },
      { outcome: "ok", operator_id: id, enterprise_id },
    ]);
    for (const { input } of rows) expect(input).not.toContain(sha(PASSWORD).slice(0, 12));
  });
});

describe("guessing", () => {
  test("meets the captcha after the first failure, which counts once, right or wrong, for two minutes", async () => {
    const { account } = await somebody();
    await enter(account, "wrong!");
    expect((await enter(account)).body.message).toBe("请输入图形验证码");
    const code = await captcha();
    expect((await enter(account, PASSWORD, { ...code, imageCode: "????" })).body.message).toBe(
      "图形验证码错误或已失效",
    );
    expect((await enter(account, PASSWORD, code)).body.message, "used up by the wrong answer").toBe(
      "图形验证码错误或已失效",
    );
    const late = await captcha();
    house.setClock(new Date(Date.now() + 120_001).toISOString());
    expect((await enter(account, PASSWORD, late)).body.message).toBe("图形验证码错误或已失效");
    house.setClock(undefined);
    const good = await captcha();
    const lower = { ...good, imageCode: good.imageCode.toLowerCase() };
    expect((await enter(account, PASSWORD, lower)).status).toBe(200);
    expect((await enter(account, PASSWORD)).status, "success forgets the failures").toBe(200);
  });
});

test("a brand that hashes twice lets the same password in", async () => {
  const { account } = await somebody();
  const twice = await testHouse({ brand: "brand06" });
  const { id, ...row } = (
    await pool.query("select * from operator where lower(account) = $1", [account.toLowerCase()])
  ).rows[0];
  await anOperator(twice, { account, password: PASSWORD });
  expect(id && row.password_hash).toMatch(/^\$argon2id\$/);
  const ask = (password: string) => twice.ask(login, {}, { body: { account, password } });
  expect((await ask(sha(sha(PASSWORD)))).status).toBe(200);
  expect((await ask(sha(PASSWORD))).status).toBe(400);
});

test("what is over is swept away: captchas, old failures, sessions that ended 30 days ago", async () => {
  const { id, account } = await somebody();
  await enter(account);
  await enter(account, "wrong!");
  const { key } = await newCaptcha({ tx: house.database.db, now: new Date() } as never);
  const count = async (table: string) =>
    (await pool.query<{ n: number }>(`select count(*) n from ${table}`)).rows[0]!.n;
  await pool.query(
    "insert into login_session (operator_id, token_hash, expires_at) values ($1, 'a', now() - interval '31 days'), ($1, 'b', now() - interval '29 days')",
    [id],
  );
  const before = await count("login_session");
  await perform(house, jobs[0]!, {}, "sweep");
  expect(await count("login_session")).toBe(before - 1);
  house.setClock(new Date(Date.now() + 2 * 86_400_000).toISOString());
  await perform(house, jobs[0]!, {}, "sweep");
  house.setClock(undefined);
  expect(await count("login_failure")).toBe(0);
  expect((await pool.query("select 1 from captcha where key = $1", [key])).rows).toEqual([]);
});
