import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { anOperator } from "../../../domains/access/operator/operator.sample.ts";
import { newCaptcha } from "../../../domains/access/session/captcha.service.ts";
import { aProvider } from "../../../domains/access/sso/issuer.sample.ts";
import { ACTIONS } from "../../kernel/call.ts";
import { type Person, testHouse } from "../../server/process/house.sample.ts";
import { groupOf, withId } from "./groups.ts";

const client = { id: "console", secret: "a secret of the console" };
const provider = await aProvider(client);
afterAll(() => provider.close());
const house = await testHouse({
  brand: "brand09",
  settings: { SSO_ISSUER: provider.issuer, SSO_CLIENT_ID: client.id, SSO_CLIENT_SECRET: client.secret },
});
const { pool } = house.database;
const { good, blob, everyOne } = groupOf(
  house,
  /^\/system\/api\/v[34]\/login|^\/user\/info$|^\/system\/api\/v3\/operator\/updatePassword$/,
);

const PASSWORD = "Qing2026!";
const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const picture = async () => {
  const { key, answer } = await newCaptcha({ tx: house.database.db, now: new Date() } as never);
  return { imageCodeKey: key, imageCode: answer };
};
/** Asks for a code by the call, and reads it where the phone would show it. */
async function coded(phone: string, type: number, as?: Person): Promise<string> {
  await pool.query("delete from sms_code");
  const body = { phone, type, ...(await picture()) };
  await good("POST", "/system/api/v4/login/sendVerification", { ...(as && { as }), body }, z.null());
  const { rows } = await pool.query<{ code: string }>(
    "select params->>'code' code from outbox where recipient = $1 order by id desc limit 1",
    [phone],
  );
  return rows[0]!.code;
}
const entry = z.array(withId);
const result = z.object({
  token: z.string().min(20),
  realName: z.string().min(1),
  firstFuncList: entry,
  secFuncList: entry,
});
const enter = async (account: string, password = PASSWORD): Promise<Person> => {
  const body = { account, password: sha(password) };
  const { token } = await good("POST", "/system/api/v4/login", { body }, result);
  return { operatorId: 0, token };
};

test("the log-in answers token, name and the functions by id, which are those of the user info", async () => {
  const { account } = await anOperator(house, { superType: "1" });
  const body = { account, password: sha(PASSWORD) };
  const { token, realName, firstFuncList, secFuncList } = await good(
    "POST",
    "/system/api/v4/login",
    { body },
    result,
  );
  expect(realName).toBe("陈嘉禾");
  expect(firstFuncList.length).toBeGreaterThan(3);
  const info = await good(
    "GET",
    "/user/info",
    { as: { operatorId: 0, token } },
    z.object({
      name: z.string(),
      avatar: z.string(),
      role: z.object({
        permissions: z.array(
          z.object({
            permissionId: z.number().int(),
            actionEntitySet: z.array(z.object({ action: z.enum(ACTIONS) })).optional(),
          }),
        ),
      }),
    }),
  );
  expect(info.name).toBe(realName);
  expect(info.role.permissions.map((p) => p.permissionId)).toEqual(secFuncList.map((f) => f.id));
  expect(info.role.permissions.find((p) => p.permissionId === 6)?.actionEntitySet).toContainEqual({
    action: "add",
  });
});

test("a picture comes as an image whose key stands after '=' in content-disposition", async () => {
  const { type, disposition, bytes } = await blob("/system/api/v4/login/getImage");
  expect(type).toMatch(/^image\//);
  expect(bytes.length).toBeGreaterThan(100);
  const key = disposition.split("=")[1]!;
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect((await pool.query("select 1 from captcha where key = $1", [key])).rows).toHaveLength(1);
});

test("whoever the issuer vouches for comes in with the same answer", async () => {
  const { account } = await anOperator(house);
  // a code is bound to the browser that asked for it; from other programs people come with a ticket
  const body = { ticket: await provider.ticket({ preferred_username: account }, "brand09") };
  await good("POST", "/system/api/v4/login/ssoLogin", { body }, result);
});

test("a new customer registers with a code", async () => {
  const phone = "13900002001";
  const body = {
    companyName: "云栖长租公寓",
    realName: "沈知行",
    account: "yunqi2026",
    phone,
    code: await coded(phone, 1),
    password: PASSWORD,
    agreed: true,
  };
  await good("POST", "/system/api/v3/login/register", { body }, withId);
});

test("a forgotten password is set anew, one's own changed, both numbers for a new phone work", async () => {
  const { account, phone } = await anOperator(house);
  const forgotten = { phone, code: await coded(phone, 2), password: "Fresh2027!" };
  await good("POST", "/system/api/v4/login/forgetPassword", { body: forgotten }, z.null());
  const as = await enter(account, "Fresh2027!");
  const own = { phone, code: await coded(phone, 5, as), password: "Again2028!" };
  await good("PUT", "/system/api/v3/operator/updatePassword", { as, body: own }, z.null());
  for (const [type, newPhone] of [
    [3, "13900003003"],
    [4, "13900004004"],
  ] as const) {
    const now = await enter(account, "Again2028!");
    const code = await coded(newPhone, type, now);
    const body = { code, newPhone, name: "陈嘉禾", password: sha("Again2028!") };
    await good("PUT", "/system/api/v3/login/updateInfo", { as: now, body }, z.null());
  }
});

test("whoever logs out is out", async () => {
  const { account } = await anOperator(house);
  const as = await enter(account);
  await good("POST", "/system/api/v4/login/logout", { as }, z.null());
  const { statusCode } = await house.app.inject({
    url: "/user/info",
    headers: { authorization: as.token },
  });
  expect(statusCode).toBe(401);
});

everyOne();
