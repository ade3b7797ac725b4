import { describe, expect, test } from "vitest";
import { z } from "zod";
import { call } from "../../kernel/call.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { login, logout, userInfo } from "../../../domains/access/session/session.contract.ts";
import { testHouse } from "../process/house.sample.ts";

const house = await testHouse();

describe("a call", () => {
  test("without a token is refused with the fixed sentence", async () => {
    const { status, body } = await house.ask(userInfo, {});
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 401, message: "未授权，请重新登录(401)", reason: "signedOut" });
  });

  test("with a token answers in the envelope, and tells what the person may do", async () => {
    const clerk = await house.person({ permits: ["26.query", "26.get", "#2601"], name: "陈嘉禾" });
    const info = await house.did(userInfo, { as: clerk });
    expect(info).toMatchObject({ name: "陈嘉禾", superType: "", villageCount: 0, authorities: [2601] });
    expect(info.firstFuncList).toEqual([{ id: 22 }]);
    expect(info.role.permissions).toEqual([
      { permissionId: 26, actionEntitySet: [{ action: "query" }, { action: "get" }] },
    ]);
  });

  test("ends with the session", async () => {
    const clerk = await house.person();
    await house.did(logout, { as: clerk });
    expect((await house.ask(userInfo, { as: clerk })).status).toBe(401);
  });

  test("lays wrong input on its fields", async () => {
    const { status, body } = await house.ask(login, {}, { body: { account: "", password: "x" } });
    expect(status).toBe(400);
    expect(body.fields).toEqual([
      { field: "account", msg: "请输入账号" },
      { field: "password", msg: "请输入密码" },
    ]);
  });

  test("never leaves a password in the operation log", async () => {
    const secret = "a".repeat(64);
    await house.ask(login, {}, { body: { account: "nobody", password: secret } });
    const { rows } = await house.database.pool.query(
      "select * from operation_log where summary = '登录' order by id desc limit 1",
    );
    expect(rows[0]).toMatchObject({ outcome: "refused", http_status: 400, message: "账号或密码错误" });
    expect(JSON.stringify(rows)).not.toContain(secret);
    await expect(house.database.owner.query("update operation_log set summary = ''")).rejects.toThrow(
      "append-only",
    );
  });
});

test("an unknown address gets a JSON 404", async () => {
  const nowhere = call({
    method: "GET",
    path: "/room/api/v3/nothing",
    summary: "-",
    needs: "public",
    reply: z.null(),
  });
  expect(await house.ask(nowhere, {})).toMatchObject({
    status: 404,
    body: { code: 404, message: "接口不存在" },
  });
});

test("a refusal is an error with a sentence", () => {
  expect(new Refusal("stale", "数据已被他人修改，请刷新后重试").status).toBe(409);
});
