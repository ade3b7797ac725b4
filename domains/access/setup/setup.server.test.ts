import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { login, userInfo } from "../session/session.contract.ts";
import { checkSetup, setUp } from "./setup.contract.ts";
import jobs from "./setup.job.ts";

const house = await testHouse();
const { pool } = house.database;

/** Starts the house in production and answers the token of the link it prints, if it prints one. */
async function started(): Promise<string | undefined> {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await perform({ ...house, settings: { ...house.settings, MODE: "production" } }, jobs[0]!, {}, "start");
  const said = out.mock.calls.map(([text]) => String(text)).join("");
  out.mockRestore();
  return /\/sams\/setup#([\w-]{43})\n/.exec(said)?.[1];
}
const body = (token: string) => ({
  token,
  enterpriseName: "青禾公寓管理有限公司",
  realName: "沈青禾",
  account: "Qinghe01",
  phone: "13805710001",
  password: "Qing2026!",
});
const open = async (token: string) => (await house.did(checkSetup, {}, { query: { token } })).open;
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

test("a demo prints no link", async () => {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await perform(house, jobs[0]!, {}, "start");
  expect(out).not.toHaveBeenCalled();
  out.mockRestore();
});

test("the link is kept as a hash and opens for a day", async () => {
  const token = (await started())!;
  const { rows } = await pool.query<{ token_hash: Buffer }>("select token_hash from setup_link");
  expect(rows).toHaveLength(1);
  expect(rows[0]!.token_hash.toString("base64url")).not.toBe(token);
  expect(await open(token)).toBe(true);
  house.setClock(new Date(Date.now() + 86_400_001).toISOString());
  expect(await open(token)).toBe(false);
  expect((await house.ask(setUp, {}, { body: body(token) })).body.message).toBe("链接无效或已过期");
  house.setClock(undefined);
});

test("wrong input is laid on its fields and uses nothing up", async () => {
  const token = (await started())!;
  const wrong = {
    ...body(token),
    enterpriseName: "1",
    realName: "7",
    account: "abc",
    phone: "12",
    password: "11111111",
  };
  const { status, body: said } = await house.ask(setUp, {}, { body: wrong });
  expect(status).toBe(400);
  expect(said.fields).toEqual([
    { field: "enterpriseName", msg: "企业名称长度为2到30个字" },
    { field: "account", msg: "请输入6-20位字母和数字组合" },
    { field: "realName", msg: "姓名长度为2到20个字" },
    { field: "phone", msg: "手机格式不正确！" },
    { field: "password", msg: "字母、数字和标点符号至少包含两种！" },
  ]);
  expect(await open(token)).toBe(true);
});

test("of two people with two links at once one becomes the super administrator, once and for all", async () => {
  const tokens = [(await started())!, (await started())!];
  const answers = await Promise.all(
    tokens.map((token, i) =>
      house.ask(setUp, {}, { body: { ...body(token), account: `Qinghe0${i}`, phone: `1380571000${i}` } }),
    ),
  );
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 400]);
  expect(await started(), "no further link").toBeUndefined();
  expect(await open(tokens[0]!)).toBe(false);
  const { rows } = await pool.query("select super_type, all_villages from operator where super_type = '0'");
  expect(rows).toEqual([{ super_type: "0", all_villages: true }]);
  const logged = await pool.query(
    "select input from operation_log where summary = '初始化系统' and outcome = 'ok'",
  );
  expect(JSON.stringify(logged.rows)).not.toContain("Qing2026!");
  expect(JSON.stringify(logged.rows)).not.toContain(tokens[0]);

  const account = answers.find((a) => a.status === 200)!.body.data.account;
  const entered = await house.did(
    login,
    {},
    { body: { account: account.toUpperCase(), password: sha("Qing2026!") } },
  );
  expect(entered).toMatchObject({ superType: "0", realName: "沈青禾" });
  const info = await house.did(userInfo, { as: { operatorId: entered.id, token: entered.token } });
  expect(info.firstFuncList.length).toBeGreaterThan(10);
});
