import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { filledIn, openBook, type Typed } from "../../../platform/server/sheets/book.sample.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { listRenters } from "../renter/renter.contract.ts";
import { anIdNumber, aRenter, someFlats, twoStores } from "../renter/renter.sample.ts";
import { renterImport } from "./import.contract.ts";

const house = await testHouse();
let a: number, clerk: Person, stranger: Person;
beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, clerk, stranger } = await twoStores(house));
});

type Line = Partial<Record<string, string>>;
let phone = 13_600_000_000;
const person = (name: string, more: Line = {}): Line => ({
  姓名: name,
  手机: String(++phone),
  证件类型: "身份证",
  证件号: anIdNumber(),
  来源: "上门",
  ...more,
});

/** The template with these lines typed in. */
const filled = async (
  lines: Record<string, Typed>[],
  more?: { merged?: string; head?: (title: string) => string },
) => filledIn((await house.ask(renterImport.template, { as: clerk })).raw, "租客", lines, more);

async function send(bytes: Buffer, as = clerk) {
  const form = new FormData();
  form.set("villageId", String(a));
  form.append("file", new Blob([new Uint8Array(bytes)]), "租客.xlsx");
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: renterImport.check.path,
    headers: { "content-type": body.headers.get("content-type")!, authorization: as.token },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return { status: answer.statusCode, body: answer.json() as { message: string; data: { id: number } } };
}
const batch = (id: number) => house.did(renterImport.get, { as: clerk }, { params: { id } });
const renters = async () => (await house.did(listRenters, { as: clerk }, { query: {} })).total;

test("wrong cells are named by row and column, and nothing is made", async () => {
  const known = anIdNumber();
  await aRenter(house, a, { name: "陈嘉禾", certNo: known });
  const twice = anIdNumber();
  const before = await renters();
  const bytes = await filled([
    person("林晓彤"),
    person("王一鸣", { 证件号: "330108199406180000" }),
    person("赵思源", { 来源: "路过" }),
    person("何静怡", { 证件号: twice }),
    person("李沐阳", { 证件号: twice }),
    person("吴子涵", { 证件号: known }),
    person("高远", { 手机: "123" }),
  ]);
  const { body } = await send(bytes);
  const seen = await batch(body.data.id);
  expect(seen).toMatchObject({ state: "failed", rowCount: 7, errorCount: 5 });
  expect(seen.errors.map((e) => [e.row, e.column, e.header, e.msg]).toSorted()).toEqual(
    [
      [3, "D", "证件号", "身份证号格式不正确"],
      [4, "G", "来源", "来源应为：上门、网站、转介绍、房源平台、经纪人、其他"],
      [6, "D", "证件号", "与第 5 行重复"],
      [7, "D", "证件号", "该证件号已登记"],
      [8, "B", "手机", "手机格式不正确！"],
    ].toSorted(),
  );
  expect(
    (
      await house.ask(
        renterImport.commit,
        { as: clerk, key: randomUUID() },
        { params: { id: seen.id }, body: { version: 1 } },
      )
    ).status,
  ).toBe(409);
  expect(await renters()).toBe(before);
  const marked = await house.ask(renterImport.errorFile, { as: clerk }, { params: { id: seen.id } });
  const [sheet] = await openBook(marked.raw);
  expect([sheet!.name, sheet!.note("D3")]).toEqual(["租客", "身份证号格式不正确"]);
  expect(sheet!.format("D3")).toContain('fillId="4"');
});

test("a right file is taken once, and can be taken back while nothing hangs on it", async () => {
  const before = (await renters())!;
  const lines = Array.from({ length: 120 }, () => person("邓若溪", { 标签: "老客户、安静" }));
  const bytes = await filled(lines);
  const id = (await send(bytes)).body.data.id;
  expect(await batch(id)).toMatchObject({ state: "ready", rowCount: 120, errorCount: 0 });
  expect(
    await house.did(renterImport.commit, { as: clerk }, { params: { id }, body: { version: 1 } }),
  ).toMatchObject({ made: 120 });
  expect(await renters()).toBe(before + 120);
  const again = await house.ask(
    renterImport.commit,
    { as: clerk, key: randomUUID() },
    { params: { id }, body: { version: 2 } },
  );
  expect(again.body.message).toBe("该批次已导入");
  expect((await send(bytes)).body.message).toMatch(/^该文件已于 .* 导入（DZ20261120-\d{6}）$/);

  const { list } = await house.did(listRenters, { as: clerk }, { query: { keyword: "邓若溪" } });
  expect(list[0]).toMatchObject({
    tags: ["老客户", "安静"],
    gender: expect.any(String),
    homeVillageName: "滨江店",
  });
  const [room] = await someFlats(house, a, 1);
  const lease = await aLease(house, { villageId: a, roomId: room!, partyId: list[0]!.id });
  const blocked = await house.ask(
    renterImport.undo,
    { as: clerk, key: randomUUID() },
    { params: { id }, body: { version: 2 } },
  );
  expect(blocked.body.message).toBe("1 人不能撤销：邓若溪有合同");
  const { db } = house.database;
  await db.deleteFrom("occupancyRow").where("contractId", "=", lease.id).execute();
  await db.deleteFrom("contract").where("id", "=", lease.id).execute();
  // pressed again because the answer was lost, it answers as the first time
  const [undo, key] = [{ params: { id }, body: { version: 2 } }, randomUUID()];
  const first = await house.did(renterImport.undo, { as: clerk, key }, undo);
  expect(await house.did(renterImport.undo, { as: clerk, key }, undo)).toEqual(first);
  expect(first).toMatchObject({
    removed: 120,
  });
  expect(await renters()).toBe(before);
});

test("who was registered meanwhile sends the whole file back", async () => {
  const line = person("彭文博");
  const id = (await send(await filled([line, person("叶知秋")]))).body.data.id;
  await aRenter(house, a, { name: "彭文博", certNo: line["证件号"]! });
  const before = await renters();
  const refused = await house.ask(
    renterImport.commit,
    { as: clerk, key: randomUUID() },
    { params: { id }, body: { version: 1 } },
  );
  expect(refused.body.message).toBe("第 2 行：该证件号已登记，未导入任何记录");
  expect(await batch(id)).toMatchObject({ state: "failed", errorCount: 1 });
  expect(await renters()).toBe(before);
});

test("formulas, merged cells and missing columns are refused", async () => {
  const formula = await filled([{ ...person("程一帆"), 备注: { formula: "1+1", result: 2 } }]);
  const merged = await filled([person("程一帆")], { merged: "L2:M2" });
  const cut = await filled([person("程一帆")], {
    head: (title) => (title.startsWith("手机") ? "电话" : title),
  });
  const errors = async (bytes: Buffer) =>
    (await batch((await send(bytes)).body.data.id)).errors.map((e) => e.msg);
  expect(await errors(formula)).toEqual(["不支持公式，请粘贴为数值"]);
  expect(await errors(merged)).toEqual(["不支持合并单元格（L2:M2）"]);
  expect(await errors(cut)).toEqual(["无法识别的列：电话", "缺少列：手机"]);
  expect((await send(Buffer.from("not a workbook"))).body.message).toBe("请上传xlsx文件");
});

test("another store sees no batch and cannot import here", async () => {
  const id = (await send(await filled([person("苏瑾")]))).body.data.id;
  expect((await send(await filled([person("蒋南星")]), stranger)).status).toBe(404);
  expect((await house.ask(renterImport.get, { as: stranger }, { params: { id } })).status).toBe(404);
  expect(
    (
      await house.ask(
        renterImport.commit,
        { as: stranger, key: randomUUID() },
        { params: { id }, body: { version: 1 } },
      )
    ).status,
  ).toBe(404);
  expect((await house.did(renterImport.list, { as: stranger }, { query: {} })).total).toBe(0);
  expect((await house.did(renterImport.list, { as: clerk }, { query: {} })).total).toBeGreaterThan(0);
});
