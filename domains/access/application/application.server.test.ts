import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aPublishedH5, aText, asPerson } from "../../service/h5/h5.sample.ts";
import { publishH5 } from "../../service/h5/h5.service.ts";
import { toldOf } from "../../system/message/message.sample.ts";
import { login } from "../session/session.contract.ts";
import {
  enableApplication,
  listApplications,
  refuseApplication,
  register,
  registerResult,
} from "./application.contract.ts";

const house = await testHouse({ brand: "brand09" });
const { pool } = house.database;
const platform = await house.person({ superType: "0", name: "平台" });
const boss = await house.person({ superType: "1", name: "总经理" });

/** A code as it would have been sent to the phone. */
async function aCode(phone: string): Promise<string> {
  await pool.query(
    `insert into sms_code (phone, type, code_hash, ip, sent_at, expires_at)
     values ($1, 1, $2, '', now(), now() + interval '5 minutes')`,
    [phone, createHash("sha256").update(`${phone} 123456`).digest()],
  );
  return "123456";
}
const body = (more: object = {}) => ({
  companyName: "云栖长租公寓",
  realName: "沈知行",
  account: "yunqi2026",
  phone: "13900002001",
  code: "123456",
  password: "Ruzhu2026!",
  agreed: true as const,
  ...more,
});
const apply = async (more: object = {}) => {
  const sent = body(more);
  await aCode(sent.phone);
  return house.ask(register, {}, { body: sent });
};
const comesIn = async (account: string) => {
  const sha = (text: string) => createHash("sha256").update(text).digest("hex");
  return house.ask(login, {}, { body: { account, password: sha("Ruzhu2026!") } });
};
const found = async (number: string) =>
  (await house.did(listApplications, { as: platform }, { query: { keyword: number } })).list[0]!;

describe("a new customer", () => {
  test("waits until the platform lets them in", async () => {
    const made = (await apply()).body.data;
    expect(made).toMatchObject({ companyName: "云栖长租公寓", account: "yunqi2026", state: "waiting" });
    expect(made.number).toMatch(/^ZC\d{8}-\d{6}$/);
    expect((await comesIn("yunqi2026")).body.message).toBe("账号已停用");
    await house.deliver();
    const { rows } = await pool.query(
      "select title from message m join message_receipt r on r.message_id = m.id where r.operator_id = $1",
      [platform.operatorId],
    );
    expect(rows).toEqual([{ title: "云栖长租公寓 申请注册" }]);
    const { id, version, phone } = await found(made.number);
    expect(phone).toBe("139****2001");
    await house.did(enableApplication, { as: platform }, { params: { id }, body: { version } });
    expect((await comesIn("yunqi2026")).body.data).toMatchObject({ superType: "1" });
    const twice = await house.ask(
      enableApplication,
      { as: platform },
      { params: { id }, body: { version: version + 1 } },
    );
    expect(twice.body.message).toBe("当前状态为“已开通”，不能开通");
    await house.deliver();
    const { rows: subjects } = await pool.query(
      "select count(*)::int n from fee_subject s join register_application a on a.enterprise_id = s.enterprise_id where a.id = $1",
      [id],
    );
    expect(subjects[0].n).toBeGreaterThan(0);
  });

  test("is refused with a reason that they can read, and may apply anew", async () => {
    const again = { account: "chengnan01", phone: "13900002002", companyName: "城南青年社区" };
    const { number } = (await apply(again)).body.data;
    const { id, version } = await found(number);
    const refuse = (reason: string) =>
      house.ask(refuseApplication, { as: platform }, { params: { id }, body: { version, reason } });
    expect((await refuse("")).body.fields).toEqual([{ field: "reason", msg: "请填写原因（2-200字）" }]);
    // whatever they were told meanwhile goes with them
    const { rows } = await pool.query("select id from operator where account = $1", [again.account]);
    await toldOf(house)({ to: [rows[0].id], type: 1, title: "平台公告" });
    expect((await refuse("营业执照不清晰")).status).toBe(200);
    const code = await aCode(again.phone);
    const told = await house.did(registerResult, {}, { body: { phone: again.phone, code } });
    expect(told).toMatchObject({ number, state: "refused", reason: "营业执照不清晰" });
    expect((await apply(again)).status).toBe(200);
  });

  test("takes neither an account nor a phone that somebody has, also at the same moment", async () => {
    const taken = await apply({ account: "YUNQI2026", phone: "13900002001" });
    expect(taken.body.fields).toEqual([
      { field: "account", msg: "该账号已被使用" },
      { field: "phone", msg: "该手机号已被使用" },
    ]);
    const phone = "13900002009";
    await aCode(phone);
    await aCode(phone);
    const both = await Promise.all(
      ["first2026", "second2026"].map((account) => {
        const sent = body({ account, phone });
        return house.ask(register, {}, { body: sent });
      }),
    );
    expect(both.map((a) => a.status).toSorted()).toEqual([200, 400]);
    const { rows } = await pool.query("select count(*)::int n from operator where phone = $1", [phone]);
    expect(rows[0].n).toBe(1);
  });

  test("needs the code that was sent", async () => {
    await aCode("13900002010");
    const wrong = await house.ask(
      register,
      {},
      { body: body({ phone: "13900002010", account: "wrong2026", code: "000000" }) },
    );
    expect(wrong.body.fields).toEqual([{ field: "code", msg: "短信验证码错误或已失效" }]);
  });
});

test("only the platform sees and decides", async () => {
  expect((await house.ask(listApplications, { as: boss }, { query: {} })).body).toMatchObject({
    code: 403,
    message: "只有平台管理员可以审核注册申请",
  });
  const { rows } = await pool.query<{ id: number; version: number }>(
    "select id, version from register_application where state = 'waiting' limit 1",
  );
  const { id, version } = rows[0]!;
  expect(
    (await house.ask(enableApplication, { as: boss }, { params: { id }, body: { version } })).status,
  ).toBe(403);
});

test("a new customer agrees to the versions of that day, which stay with the application", async () => {
  const refused = await apply({ agreed: false });
  expect(refused.body.fields).toEqual([{ field: "agreed", msg: "请阅读并同意用户协议" }]);
  const door = { account: "yuanjing26", phone: "13900002091", companyName: "远景公寓" };
  const early = (await apply(door)).body.data;
  expect((await found(early.number)).agreed).toBe("");
  const user = await aPublishedH5(house, platform, { agreementType: "user" });
  await aPublishedH5(house, platform, { agreementType: "privacy" });
  const publish = (day?: string) =>
    asPerson(house, platform, (act) =>
      publishH5(act, user, {
        title: "用户协议",
        blocks: [aText("条款")],
        effectiveDay: day ?? act.today,
      }),
    );
  await publish();
  // announced for later, not what holds now
  await publish("2099-01-01");
  const next = { account: "yuanjing27", phone: "13900002092", companyName: "远景公寓二期" };
  const { number } = (await apply(next)).body.data;
  expect((await found(number)).agreed).toBe("用户协议第2版、隐私政策第1版");
  expect((await found(early.number)).agreed).toBe("");
});
