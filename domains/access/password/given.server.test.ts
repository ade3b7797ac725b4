import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listOperators, viewAs } from "../operator/operator.contract.ts";
import { listSessions, logout, userInfo } from "../session/session.contract.ts";
import { sendVerification } from "../sms/sms.contract.ts";
import { replaceGivenPassword, updatePassword } from "./password.contract.ts";

const house = await testHouse();
const given = async (who?: Parameters<typeof house.person>[0]) => {
  const as = await house.person(who);
  await house.database.pool.query("update operator set must_change_password = true where id = $1", [
    as.operatorId,
  ]);
  return as;
};
const SENTENCE = "当前密码由管理员设置，请先修改密码再继续操作";

test("a session with a given password may set its own, and do nothing else before", async () => {
  const as = await given({ superType: "1" });
  for (const { status, body } of [
    await house.ask(listOperators, { as }, { query: {} }),
    await house.ask(listSessions, { as }, { query: {} }),
    await house.ask(viewAs, { as }, { params: { id: 1 } }),
  ])
    expect([status, body.reason, body.message]).toEqual([403, "mustChangePassword", SENTENCE]);
  expect((await house.ask(userInfo, { as })).body.data.mustChangePassword).toBe(true);
  const body = { phone: "13800000000", code: "000000", password: "Fresh2027!" };
  expect((await house.ask(updatePassword, { as }, { body })).body.reason).not.toBe("mustChangePassword");
  const sms = { phone: "13800000000", type: 5 as const, imageCode: "AAAA", imageCodeKey: "x" };
  expect((await house.ask(sendVerification, { as }, { body: sms })).body.reason).toBe("captchaWrong");
  expect((await house.ask(replaceGivenPassword, { as }, { body: { password: "Fresh2027!" } })).status).toBe(
    200,
  );
  expect((await house.ask(listOperators, { as }, { query: {} })).status).toBe(200);
});

test("it may also leave, and whoever looks on is not asked", async () => {
  const as = await given();
  const head = await house.person({ superType: "1" });
  const { token } = await house.did(viewAs, { as: head }, { params: { id: as.operatorId } });
  const view = { operatorId: as.operatorId, token };
  expect((await house.ask(listSessions, { as: view }, { query: {} })).status).toBe(200);
  expect((await house.ask(logout, { as })).status).toBe(200);
});

test("of every call, only those that it needs are open to it", () => {
  const open = house.served.filter((s) => s.call.beforeOwnPassword).map((s) => s.call.summary);
  expect(open.toSorted()).toEqual(["修改密码", "当前用户信息", "退出登录", "首次登录修改密码"].toSorted());
});
