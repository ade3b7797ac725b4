import { afterAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { anOperator } from "../operator/operator.sample.ts";
import { aProvider } from "./issuer.sample.ts";
import { ssoLogin } from "./sso.contract.ts";

const client = { id: "console", secret: "a secret of the console" };
const provider = await aProvider(client);
afterAll(() => provider.close());
const houseBy = (claim: string) =>
  testHouse({
    settings: {
      SSO_ISSUER: provider.issuer,
      SSO_CLIENT_ID: client.id,
      SSO_CLIENT_SECRET: client.secret,
      SSO_CLAIM: claim,
    },
  });
const [phones, emails] = [await houseBy("phone_number"), await houseBy("email")];
const enter = async (house: typeof phones, person: Record<string, string | boolean>) => {
  const ticket = await provider.ticket(person, "default");
  return (await house.ask(ssoLogin, {}, { body: { ticket } })).body.message;
};
const UNKNOWN = "未找到对应账号，请联系管理员";

test("numbers are compared with their country: +1 380-000-1001 is not 13800001001", async () => {
  await anOperator(phones, { phone: "13800001001" });
  const said = (phone_number: string) => enter(phones, { phone_number, phone_number_verified: true });
  for (const number of [
    "+1 380-000-1001",
    "+13800001001",
    "001 380 000 1001",
    "+852 13800001001",
    "8613800001001",
    "3800001001",
    "+86 013800001001",
    "+8613800001001;ext=1",
    "1x3800001001",
    "",
  ])
    expect(await said(number), number).toBe(UNKNOWN);
  for (const number of ["+8613800001001", "+86 138-0000-1001", "0086 138 0000 1001", "13800001001"])
    expect(await said(number), number).toBe("ok");
});

test("a number or an address that the issuer has not verified opens nothing", async () => {
  await anOperator(phones, { phone: "13800001002" });
  const phone_number = "+8613800001002";
  const unproved: Record<string, string | boolean>[] = [
    {},
    { phone_number_verified: false },
    { phone_number_verified: "true" },
  ];
  for (const proof of unproved)
    expect(await enter(phones, { phone_number, ...proof })).toBe(
      "您在统一认证平台登记的手机号尚未验证，请验证后再登录",
    );
  await anOperator(emails, { email: "chen@example.com" });
  expect(await enter(emails, { email: "Chen@example.com" })).toBe(
    "您在统一认证平台登记的邮箱尚未验证，请验证后再登录",
  );
  expect(await enter(emails, { email: "Chen@example.com", email_verified: true })).toBe("ok");
});
