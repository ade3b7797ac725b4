import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aVillage } from "../../listing/village/village.sample.ts";
import { editTemplate, listTemplates, removeTemplate } from "../../system/template/template.contract.ts";
import {
  addReminder,
  disableReminder,
  editReminder,
  enableReminder,
  getReminder,
  listReminders,
  previewReminder,
  removeReminder,
} from "./reminder.contract.ts";
import { reminding, RULES } from "./reminder.sample.ts";

const TODAY = "2026-11-20";
const house = await testHouse();
house.setClock(`${TODAY}T10:00:00+08:00`);
let at: Awaited<ReturnType<typeof reminding>>;
beforeAll(async () => {
  at = await reminding(house, TODAY);
});

const refused = async (more: object) =>
  (await house.ask(addReminder, { as: at.keeper }, { body: await at.typed(more) })).body.fields?.[0];

describe("a rule says", () => {
  test("what, when, by which way and to whom", async () => {
    expect(await refused({ name: "短" })).toEqual({ field: "name", msg: "规则名称长度为2到30个字" });
    expect(await refused({ offsets: [] })).toEqual({ field: "offsets", msg: "请选择提醒日" });
    expect(await refused({ offsets: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] })).toEqual({
      field: "offsets",
      msg: "提醒日最多10个",
    });
    expect(await refused({ offsets: [-3] })).toMatchObject({ field: "offsets" });
    expect(await refused({ channels: [] })).toEqual({ field: "channels", msg: "请选择渠道" });
    expect(await refused({ channels: ["sms", "email"] })).toEqual({
      field: "templateIds",
      msg: "请选择邮件模板",
    });
    expect(await refused({ receivers: [] })).toEqual({ field: "receivers", msg: "请选择接收人" });
    expect(await refused({ receivers: ["operator"] })).toEqual({ field: "roleIds", msg: "请选择员工角色" });
    expect(await refused({ monthlyCap: 31 })).toEqual({
      field: "monthlyCap",
      msg: "请输入1到30之间的整数",
    });
  });

  test("a text made for its event and its way", async () => {
    const email = await at.template({ channel: "email" });
    expect((await refused({ templateIds: { sms: email } }))!.msg).toMatch(/^模板“催缴\d+”不用于短信$/);
    const ends = await at.template({ event: "contractEnd", body: "{合同编号}将于{到期日}到期" });
    expect((await refused({ templateIds: { sms: ends } }))!.msg).toMatch(/^模板“催缴\d+”不用于账单逾期$/);
    expect((await refused({ templateIds: { sms: 999_999 } }))!.msg).toBe("模板不存在");
    const any = await at.template({ event: "any", body: "{姓名}您好，请缴清{欠费}元" });
    expect(await refused({ templateIds: { sms: any } })).toBeUndefined();
  });

  test("its own name", async () => {
    await house.did(addReminder, { as: at.keeper }, { body: await at.typed({ name: "同名" }) });
    expect(await refused({ name: "同名" })).toEqual({ field: "name", msg: "规则名称已存在" });
  });
});

test("a text that a rule takes stays fit for it", async () => {
  const template = await at.template();
  await at.rule({ templateIds: { sms: template } });
  const { list } = await house.did(
    listTemplates,
    { as: at.keeper },
    { query: { ids: String(template) } as never },
  );
  const row = list[0]!;
  const params = { id: template };
  const edited = (more: object) =>
    house.ask(editTemplate, { as: at.keeper }, { params, body: { ...row, enabled: true, ...more } });
  expect((await edited({ enabled: false })).body.message).toBe("有提醒规则使用了该模板，不能停用或更换事件");
  expect((await edited({ event: "contractEnd", body: "您好" })).status).toBe(409);
  expect((await edited({ channel: "email" })).body.message).toBe(
    "有提醒规则使用了该模板，不能删除或更换渠道",
  );
  const { version } = row;
  const gone = await house.ask(removeTemplate, { as: at.keeper }, { params, query: { version } });
  expect(gone.body.message).toBe("有提醒规则使用了该模板，不能删除或更换渠道");
  expect((await edited({ body: "{姓名}您好，逾期{逾期天数}天" })).status).toBe(200);
});

test("is off until switched on, changed by one at a time, and stays once it has sent", async () => {
  const as = at.keeper;
  const { id } = await house.did(addReminder, { as }, { body: await at.typed() });
  const params = { id };
  const now = () => house.did(getReminder, { as }, { params });
  expect(await now()).toMatchObject({
    state: "off",
    mine: true,
    used: false,
    villageIds: [at.store.villageId],
  });
  const { version } = await now();
  await house.did(enableReminder, { as }, { params, body: { version } });
  const stale = await house.ask(disableReminder, { as }, { params, body: { version } });
  expect(stale.body.message).toBe("数据已被他人修改，请刷新后重试");
  const body = { ...(await at.typed({ offsets: [7, 1] })), version: version + 1 };
  const both = await Promise.all([1, 2].map(() => house.ask(editReminder, { as }, { params, body })));
  expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  expect(await now()).toMatchObject({ offsets: [1, 7], state: "on" });
  await at.debtor("甲", 7);
  await at.run("reminder.due");
  const kept = await house.ask(removeReminder, { as }, { params, query: { version: (await now()).version } });
  expect(kept.body.message).toBe("该规则已发送过消息，不能删除，可改为停用");
  const { id: other } = await house.did(addReminder, { as }, { body: await at.typed() });
  await house.did(removeReminder, { as }, { params: { id: other }, query: { version: 1 } });
  expect((await house.ask(getReminder, { as }, { params: { id: other } })).status).toBe(404);
});

test("a rule for all stores is kept by who sees all of them; of another store's nothing is seen", async () => {
  const other = await aVillage(house);
  const elsewhere = await house.person({ permits: [...RULES], villages: [other] });
  const whole = await house.person({ superType: "1" });
  const denied = await house.ask(
    addReminder,
    { as: at.keeper },
    { body: await at.typed({ villageIds: [] }) },
  );
  expect(denied.status).toBe(403);
  const { id } = await house.did(addReminder, { as: whole }, { body: await at.typed({ villageIds: [] }) });
  const one = await at.rule();
  const seen = async (as = at.keeper) =>
    (await house.did(listReminders, { as }, { query: { pageSize: 100 } })).list;
  expect((await seen()).find((row) => row.id === id)).toMatchObject({
    mine: false,
    villageNames: "全部门店",
  });
  expect((await seen(elsewhere)).map((row) => row.id)).toEqual([id]);
  expect((await house.ask(previewReminder, { as: elsewhere }, { params: { id: one } })).status).toBe(404);
  // what it would say in other stores stays there
  await at.debtor("乙", 3);
  expect((await at.preview(id)).people).toBe(1);
  expect((await at.preview(id, elsewhere)).people).toBe(0);
  const body = { version: 1 };
  expect((await house.ask(enableReminder, { as: at.keeper }, { params: { id }, body })).status).toBe(403);
  await house.did(enableReminder, { as: whole }, { params: { id }, body });
});
