import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { filledIn } from "../../../platform/server/sheets/book.sample.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { followLead } from "../lead/acts.contract.ts";
import { listLeads } from "../lead/lead.contract.ts";
import { aLead, aLettingOffice } from "../lead/lead.sample.ts";
import { aRenter } from "../renter/renter.sample.ts";
import { leadImport } from "./import.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:15:00+08:00");
const { here, zhao, stranger } = await aLettingOffice(house);
const clerk = await house.person({
  permits: ["15.import", "15.query", "15.get", "15.edit", "#1502"],
  villages: [here],
  name: "何文员",
});

type Line = Partial<Record<string, string | number>>;
let phone = 13_500_000_000;
const line = (name: string, more: Line = {}): Line => ({
  姓名: name,
  手机: String(++phone),
  来源: "上门",
  ...more,
});

async function send(lines: Line[], as: Person = clerk) {
  const bytes = await filledIn((await house.ask(leadImport.template, { as: clerk })).raw, "客源", lines);
  const form = new FormData();
  form.set("villageId", String(here));
  form.append("file", new Blob([new Uint8Array(bytes)]), "客源.xlsx");
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: leadImport.check.path,
    headers: { "content-type": body.headers.get("content-type")!, authorization: as.token },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return answer.json() as { message: string; code: number; data: { id: number } };
}
const batch = (id: number, as: Person = clerk) => house.did(leadImport.get, { as }, { params: { id } });

test("wrong cells are named by row and column, and nothing is made", async () => {
  await aLead(house, zhao, here, { phone: "13611112222" });
  const { data } = await send([
    line("张一", { 来源: "收音机", 预算下限: "三千" }),
    line("张二", { 手机: "13611112222" }),
    line("张三", { 手机: "13699990000", 负责人: "没有人" }),
    line("张四", { 手机: "13699990000" }),
  ]);
  const { state, errors, errorCount } = await batch(data.id);
  expect(state).toBe("failed");
  expect(errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [2, "预算下限", "金额格式不正确，最多两位小数"],
    [2, "来源", expect.stringContaining("来源应为：")],
    [3, "手机", expect.stringContaining("已有在跟进的客源 KY")],
    [4, "负责人", "没有这位可以负责客源的员工"],
    [5, "手机", "与第 4 行重复"],
  ]);
  expect(errorCount).toBe(5);
  const marked = await house.ask(leadImport.errorFile, { as: clerk }, { params: { id: data.id } });
  expect(marked.raw.subarray(0, 2).toString()).toBe("PK");
  const refused = await house.ask(
    leadImport.commit,
    { as: clerk, key: randomUUID() },
    { params: { id: data.id }, body: { version: 1 } },
  );
  expect(refused.body.message).toBe("文件有错误，不能导入");
  expect((await house.ask(leadImport.get, { as: stranger }, { params: { id: data.id } })).status).toBe(403);
});

test("a good file comes in whole, its owners have theirs, and it goes back while nobody worked on it", async () => {
  const { data } = await send([
    line("李一", { 负责人: "赵思源", 预算下限: 2500, 预算上限: 3500, 户型: "一居", 标签: "近地铁、可短租" }),
    line("李二"),
  ]);
  const { version, state } = await batch(data.id);
  expect(state).toBe("ready");
  const made = await house.did(
    leadImport.commit,
    { as: clerk },
    { params: { id: data.id }, body: { version } },
  );
  expect(made.made).toBe(2);
  const found = async (keyword: string) =>
    (await house.did(listLeads, { as: clerk }, { query: { keyword } })).list[0];
  expect(await found("李一")).toMatchObject({
    ownerName: "赵思源",
    tags: ["近地铁", "可短租"],
    state: "new",
  });
  expect(await found("李二")).toMatchObject({ ownerId: null });
  const again = await house.ask(
    leadImport.commit,
    { as: clerk, key: randomUUID() },
    { params: { id: data.id }, body: { version: version + 1 } },
  );
  expect(again.body.message).toBe("该批次已导入");

  const id = (await found("李一"))!.id;
  await house.did(followLead, { as: zhao }, { params: { id }, body: { kind: "call", content: "已联系" } });
  const undo = () =>
    house.ask(
      leadImport.undo,
      { as: clerk, key: randomUUID() },
      { params: { id: data.id }, body: { version: version + 1 } },
    );
  expect((await undo()).body.message).toBe("1 条客源已有跟进，不能撤销：李一");
  await house.database.pool.query("update lead set state = 'new' where id = $1", [id]);
  expect((await undo()).body.data).toMatchObject({ removed: 2 });
  expect(await found("李二")).toBeUndefined();
});

test("of two tenants with one phone, a row is the one of its name", async () => {
  const shared = { phone: "13688880000" };
  const mother = await aRenter(house, here, { ...shared, name: "周敏" });
  await aRenter(house, here, { ...shared, name: "周小敏" });
  const { data } = await send([line("周敏", { 手机: shared.phone })]);
  const { version } = await batch(data.id);
  await house.did(leadImport.commit, { as: clerk }, { params: { id: data.id }, body: { version } });
  const { rows } = await house.database.pool.query("select renter_id::int id from lead where phone = $1", [
    shared.phone,
  ]);
  expect(rows).toEqual([{ id: mother }]);
});
