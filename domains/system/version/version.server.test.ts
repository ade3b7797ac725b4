import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addVersion, deleteVersion, editVersion, listVersions } from "./version.contract.ts";

const house = await testHouse();
const root = await house.person({ superType: "0" });
const boss = await house.person({ superType: "1" });
const clerk = await house.person();
const note = {
  releaseTime: "2026-11-20 10:00:00",
  version: "v7.0.1",
  type: "新功能",
  module: "消息中心",
  content: "铃铛与消息中心上线",
};
const list = async (query: object = {}) => (await house.did(listVersions, { as: clerk }, { query })).list;

test("only whoever runs the platform writes notes; everybody reads them, newest first", async () => {
  for (const as of [boss, clerk]) {
    const refused = await house.ask(addVersion, { as }, { body: note });
    expect(refused).toMatchObject({ status: 403, body: { code: 403 } });
  }
  const { id } = await house.did(addVersion, { as: root }, { body: note });
  await house.did(
    addVersion,
    { as: root },
    { body: { ...note, version: "v7.0.2", releaseTime: "2026-12-01 09:30:00" } },
  );
  expect(await list()).toMatchObject([{ version: "v7.0.2" }, { ...note, id }]);
  expect(await list({ to: "2026-11-20", module: "消息" })).toMatchObject([{ version: "v7.0.1" }]);

  const changed = { ...note, id, content: "铃铛、消息中心与公告上线" };
  expect((await house.ask(editVersion, { as: boss }, { body: changed })).status).toBe(403);
  await house.did(editVersion, { as: root }, { body: changed });
  expect(await list({ version: "v7.0.1" })).toMatchObject([changed]);

  const params = { id };
  expect((await house.ask(deleteVersion, { as: boss }, { params })).status).toBe(403);
  await house.did(deleteVersion, { as: root }, { params });
  expect((await house.ask(deleteVersion, { as: root }, { params })).status).toBe(404);
  expect(await list()).toHaveLength(1);
});

test("each field has its own sentence", async () => {
  const said = async (body: object) => {
    const { body: answer } = await house.ask(addVersion, { as: root }, { body: body as never });
    return Object.fromEntries((answer.fields ?? []).map((f) => [f.field, f.msg]));
  };
  expect(await said({})).toEqual({
    releaseTime: "请选择发布时间",
    version: "请输入版本号",
    module: "请输入模块",
    type: "请输入类型",
    content: "请输入相关内容",
  });
  expect(await said({ ...note, version: "长".repeat(65), content: "<script>" })).toMatchObject({
    version: "长度为1到64个字",
    content: expect.stringContaining("特殊字符"),
  });
});
