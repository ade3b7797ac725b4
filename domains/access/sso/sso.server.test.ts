import { afterAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { anOperator } from "../operator/operator.sample.ts";
import { userInfo } from "../session/session.contract.ts";
import { aProvider } from "./issuer.sample.ts";
import { ssoLogin, startSso } from "./sso.contract.ts";

const client = { id: "console", secret: "a secret of the console" };
const provider = await aProvider(client);
afterAll(() => provider.close());
const house = await testHouse({
  settings: { SSO_ISSUER: provider.issuer, SSO_CLIENT_ID: client.id, SSO_CLIENT_SECRET: client.secret },
});
/** The way to the issuer and back in one browser, which keeps the cookie. */
const codeFor = async (account: string) => {
  const { headers, body } = await house.ask(startSso, {}, {});
  const { searchParams } = await provider.visit(body.data.url, { preferred_username: account });
  const cookie = String(headers["set-cookie"]).split(";")[0]!;
  return { code: searchParams.get("code")!, state: searchParams.get("state")!, cookie };
};
const enter = ({ cookie, ...body }: { cookie?: string; [key: string]: unknown }) =>
  house.ask(ssoLogin, cookie ? { headers: { cookie } } : {}, { body: body as never });
const REFUSED = { code: 400, message: "登录凭证无效或已过期" };

test("whoever the issuer vouches for comes in, with what their roles give", async () => {
  const { account, id } = await anOperator(house);
  const { body } = await enter(await codeFor(account.toUpperCase()));
  expect(body.data).toMatchObject({ operatorId: id, realName: "陈嘉禾" });
  const me = await house.did(userInfo, { as: { token: body.data.token } as Person }, {});
  expect(me.operatorId).toBe(id);
});

test("a code opens the door once, with the state that it was asked with and no other", async () => {
  const { account } = await anOperator(house);
  const given = await codeFor(account);
  const other = await codeFor(account);
  expect((await enter({ ...given, state: `${given.state}x` })).body).toMatchObject(REFUSED);
  expect((await enter({ ...other, code: given.code })).body).toMatchObject(REFUSED);
  expect((await enter(given)).body).toMatchObject(REFUSED);
  const right = await codeFor(account);
  expect((await enter(right)).status).toBe(200);
  expect((await enter(right)).body).toMatchObject(REFUSED);
});

test("a sign-in ends in the browser that began it: a link with somebody else's code and state opens nothing", async () => {
  const { account } = await anOperator(house);
  const [mine, theirs] = [await codeFor(account), await codeFor(account)];
  const { headers } = await house.ask(startSso, {}, {});
  expect(headers["set-cookie"]).toMatch(
    /^sams_sso=[\w-]{43}; Max-Age=600; Path=\/system\/api\/v4\/login; HttpOnly; SameSite=Lax$/,
  );
  expect((await enter({ code: theirs.code, state: theirs.state })).body).toMatchObject(REFUSED);
  const again = await codeFor(account);
  expect((await enter({ ...again, cookie: mine.cookie })).body).toMatchObject(REFUSED);
  expect((await enter(mine)).status).toBe(200);
});

test("a ticket for this brand opens the door once; an old, a foreign and a forged one do not", async () => {
  const { account } = await anOperator(house);
  const person = { preferred_username: account };
  const ticket = await provider.ticket(person, "default");
  expect((await enter({ ticket, source: "portal" })).status).toBe(200);
  expect((await enter({ ticket })).body).toMatchObject(REFUSED);
  expect((await enter({ ticket: await provider.ticket(person, "default", 301) })).body).toMatchObject(
    REFUSED,
  );
  expect((await enter({ ticket: await provider.ticket(person, "brand04") })).body).toMatchObject(REFUSED);
  const stranger = await aProvider(client);
  const forged = await stranger.ticket(person, "default");
  stranger.close();
  expect((await enter({ ticket: forged })).body).toMatchObject(REFUSED);
});

test("somebody unknown here, and somebody whose account is closed, is told so", async () => {
  expect((await enter(await codeFor("nobody9"))).body.message).toBe("未找到对应账号，请联系管理员");
  const { account, id } = await anOperator(house);
  await house.database.pool.query("update operator set state = 'disabled' where id = $1", [id]);
  expect((await enter(await codeFor(account))).body.message).toBe("账号已停用");
});
