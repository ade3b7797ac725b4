import { createHash, randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { aStaff } from "../../../domains/access/operator/operator.sample.ts";
import { newCaptcha } from "../../../domains/access/session/captcha.service.ts";
import { checkBlackList } from "../../../domains/customer/blacklist/blacklist.contract.ts";
import { typedRule } from "../../../domains/customer/commission/commission.sample.ts";
import { addRule } from "../../../domains/customer/commission-rule/rule.contract.ts";
import { createHttp } from "../../server/http/http.ts";
import { testHouse } from "../../server/process/house.sample.ts";

/**
 * Passwords, codes, tokens and certificate numbers are sent to the real server by every way there is; afterwards no log, no
 * note, no kept answer and no line that the server printed holds one of them.
 */
const house = await testHouse();
const { pool } = house.database;
const printed: string[] = [];
const logTo = new Writable({
  write: (line: Buffer, _encoding, done) => {
    printed.push(String(line));
    done();
  },
});
const app = await createHttp(house, house.served, { logLevel: "debug", perMinute: 0, logTo });
afterAll(() => app.close());

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const PASSWORDS = ["Qing2026!", "Fresh2027!", "Again2028!", "Given2029!", "Wrong2030!"];
const CERTIFICATE = "11010519491231002X";
const PHONE = "13900007007";
const CARD = "6222020200011234567";
const secrets = new Set([...PASSWORDS, ...PASSWORDS.map(sha), CERTIFICATE, PHONE, CARD]);
const staff = await aStaff(house);
const call = async (method: "GET" | "POST" | "PUT", url: string, payload?: object, token?: string) => {
  const headers = { ...(token && { authorization: token }), "idempotency-key": randomUUID() };
  const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
};
const picture = async () => {
  const { key, answer } = await newCaptcha({ tx: house.database.db, now: new Date() } as never);
  return { imageCodeKey: key, imageCode: answer };
};
const v3 = "/system/api/v3";
const v4 = "/system/api/v4/login";
const enter = async (account: string, password: string) => {
  await pool.query("delete from login_failure");
  const { body } = await call("POST", v4, { account, password: sha(password) });
  secrets.add(body.data.token);
  return body.data.token as string;
};
async function coded(phone: string, type: number, token?: string): Promise<string> {
  await pool.query("delete from sms_code");
  await call("POST", `${v4}/sendVerification`, { phone, type, ...(await picture()) }, token);
  const { rows } = await pool.query("select params->>'code' code from outbox order by id desc limit 1");
  secrets.add(rows[0].code);
  return rows[0].code;
}

test("of all that the entrance hears, nothing is written down", async () => {
  const account = "keeper2026";
  const id = await staff.added({ account, phone: PHONE, password: PASSWORDS[0] });
  await call("POST", v4, { account, password: sha("Wrong2030!") });
  let token = await enter(account, "Qing2026!");
  const forgotten = { phone: PHONE, code: await coded(PHONE, 2), password: "Fresh2027!" };
  // a right code beside a wrong password is refused, and opens the door at the next try
  const refused = await call("POST", `${v4}/forgetPassword`, { ...forgotten, password: "Qing2026!" });
  expect(refused.body.message).toBe("新密码不能与原密码相同");
  expect((await call("POST", `${v4}/forgetPassword`, forgotten)).status).toBe(200);
  token = await enter(account, "Fresh2027!");
  const own = { phone: PHONE, code: await coded(PHONE, 5, token), password: "Again2028!" };
  expect((await call("PUT", `${v3}/operator/updatePassword`, own, token)).status).toBe(200);
  const next = {
    code: await coded("13900008008", 4, token),
    newPhone: "13900008008",
    password: sha("Again2028!"),
  };
  expect((await call("PUT", `${v3}/login/updateInfo`, next, token)).status).toBe(200);
  const ticket = `${randomUUID()}.${randomUUID()}.${randomUUID()}`;
  secrets.add(ticket);
  await call("POST", `${v4}/ssoLogin`, { ticket });
  const version = await staff.versionOf(id);
  const reset = await call("PUT", `${v3}/operator/${id}/resetPassword`, { version }, staff.boss.token);
  expect(reset.status).toBe(200);
  secrets.add(reset.body.data.password).add(sha(reset.body.data.password));
  const view = await call("POST", `${v3}/operator/${id}/viewAs`, {}, staff.boss.token);
  expect(view.status).toBe(200);
  secrets.add(view.body.data.token);
});

test("nor of what is said about renters: certificates and phones, right or wrong, in fields or in the middle of a text", async () => {
  const renter = {
    name: "林小满",
    phone: PHONE,
    certType: "idCard",
    source: "web",
    homeVillageId: staff.here,
    certNo: CERTIFICATE,
    remark: `身份证 ${CERTIFICATE}，电话${PHONE}`,
  };
  const url = "/customer/api/v3/renter";
  const said: { code: number; fields?: { field: string }[] }[] = [];
  for (const payload of [renter, { ...renter, certNo: `${CERTIFICATE}1` }, { ...renter, phone: `${PHONE}x` }])
    said.push((await call("POST", url, payload, staff.boss.token)).body);
  expect(said.map((s) => [s.code, s.fields?.[0]?.field])).toEqual([
    [200, undefined],
    [400, "certNo"],
    [400, "phone"],
  ]);
  await call(
    "GET",
    `${checkBlackList.path}?certNo=${CERTIFICATE}&phone=${PHONE}`,
    undefined,
    staff.boss.token,
  );
  await call("GET", `${url}?keyword=${CERTIFICATE}`, undefined, staff.boss.token);
  const nobody = await house.person();
  expect((await call("GET", `${url}?keyword=${CERTIFICATE}`, undefined, nobody.token)).status).toBe(403);
});

test("nor of bank cards: of agents, tenants and refunds, right or wrong, by whatever key a program sends them", async () => {
  const bank = { bankHolder: "林小满", bankName: "招商银行", bankNo: CARD };
  const { body: rule } = await call("POST", addRule.path, typedRule(), staff.boss.token);
  expect(rule.code, rule.message).toBe(200);
  const agent = {
    ruleId: rule.data.id,
    name: "林小满",
    phone: "13900009009",
    certNo: CERTIFICATE,
    villageIds: [staff.here],
    ...bank,
  };
  const { body } = await call("POST", "/customer/api/v3/agent", agent, staff.boss.token);
  expect(body.code, body.message).toBe(200);
  const shown = await call("GET", `/customer/api/v3/agent/${body.data.id}`, undefined, staff.boss.token);
  expect(shown.body.data).toMatchObject({ bankNo: "6222****4567", certNo: "1101**********002X" });
  const refund = {
    source: "prepaid",
    sourceId: 1,
    villageId: staff.here,
    payeeAccount: CARD,
    cardNo: CARD,
  };
  for (const [url, payload] of [
    ["/customer/api/v3/agent", { ...agent, bankNo: `${CARD}x` }],
    ["/billing/api/v3/refund", refund],
    ["/customer/api/v3/bankAccount", { partyId: 1, holder: "林小满", bank: "招商银行", number: CARD }],
    ["/customer/api/v3/agent", { ...agent, phone: "1", bankHolder: `卡号${CARD}` }],
  ] as const)
    await call("POST", url, payload, staff.boss.token);
});

/** Those that stand in a text; the six digits of a code by themselves, and not as part of a hash, a number or a moment. */
const heldIn = (text: string) => {
  const said = text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+/g, "");
  const holds = (s: string) =>
    /^\d{6}$/.test(s) ? new RegExp(`(?<![0-9a-f])${s}(?![0-9a-f])`).test(said) : text.includes(s);
  return [...secrets].filter(holds);
};

test("a code is found in a text, and not where its digits stand by chance", () => {
  secrets.add("807002");
  for (const text of ["验证码807002，5分钟内有效", '{"code":"807002"}', "code=807002&x"])
    expect(heldIn(text), text).toEqual(["807002"]);
  for (const text of ["2026-11-29T16:01:00.807002+08:00", "9f807002", "1795807002123"])
    expect(heldIn(text), text).toEqual([]);
  secrets.delete("807002");
});

test.each(["operation_log", "business_log", "idempotency_key", "message", "login_session", "sms_code"])(
  "%s holds none of it",
  async (table) => {
    const { rows } = await pool.query<{ text: string }>(
      `select row_to_json(t)::text as text from ${table} t`,
    );
    if (!["idempotency_key", "message"].includes(table)) expect(rows.length).toBeGreaterThan(0);
    expect(heldIn(rows.map(({ text }) => text).join("\n"))).toEqual([]);
  },
);

test("what the server printed holds none of it, and no query of an address", () => {
  const all = printed.join("");
  expect(all).toContain("forgetPassword");
  expect(heldIn(all)).toEqual([]);
  expect(all).not.toMatch(/\?(certNo|keyword)=/);
});
