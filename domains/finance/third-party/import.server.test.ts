import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { filledIn, openBook } from "../../../platform/server/sheets/book.sample.ts";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { aStore } from "../bill/bill.sample.ts";
import * as income from "./income.contract.ts";
import { aPartner, onSheet, THIRD_PARTY } from "./third-party.sample.ts";

const house = await testHouse();
house.setClock("2026-03-31T10:00:00+08:00");
let clerk: Person;

const line = (more: object = {}) => ({ 月份: "2026-03", 总额: "1000.00", ...more });
let name: string, partner: string, id: number;
beforeAll(async () => {
  const a = await aStore(house);
  clerk = await house.person({ permits: THIRD_PARTY, villages: [a.villageId] });
  ({ id } = await aPartner(house, clerk, [a.villageId]));
  const { rows } = await house.database.pool.query(
    "select v.name store, t.name partner from village v, third_party t where v.id = $1 and t.id = $2",
    [a.villageId, id],
  );
  [name, partner] = [rows[0].store, rows[0].partner];
});
const send = async (lines: object[]) => {
  const template = (await house.ask(income.sheetImport.template, { as: clerk })).raw;
  const bytes = await filledIn(template, "第三方收入", lines as never);
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), "收入.xlsx");
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: income.sheetImport.check.path,
    headers: { "content-type": body.headers.get("content-type")!, authorization: clerk.token },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return (answer.json() as { data: { id: number } }).data.id;
};
const batch = (id: number) => house.did(income.sheetImport.get, { as: clerk }, { params: { id } });

test("names every wrong cell and takes nothing", async () => {
  const wrong = await send([
    line({ 门店: name, 合作方: partner }),
    line({ 门店: "别的店", 合作方: partner }),
    line({ 门店: name, 合作方: "没有的" }),
    line({ 门店: name, 合作方: partner, 月份: "3月" }),
    line({ 门店: name, 合作方: partner, 月份: "2026-04" }),
    line({ 门店: name, 合作方: partner, 月份: "2025-12" }),
    line({ 门店: name, 合作方: partner, 总额: "十元" }),
  ]);
  const seen = await batch(wrong);
  expect(seen.errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [3, "门店", "没有这个门店，或不在您的管辖范围"],
    [4, "合作方", "没有这个合作方"],
    [5, "月份", "月份格式应为 2026-03"],
    [6, "月份", "月份不能晚于本月"],
    [7, "合作方", "合作协议不在有效期内"],
    [8, "总额", "金额格式不正确，最多两位小数"],
    [8, "合作方", "与第 2 行重复"],
  ]);
  const file = await house.ask(income.sheetImport.errorFile, { as: clerk }, { params: { id: wrong } });
  expect((await openBook(file.raw))[0]!.note("C4")).toBe("没有这个合作方");
});

test("makes a draft of each row, once, and takes them back while they are drafts", async () => {
  const right = await send([
    line({ 门店: name, 合作方: partner }),
    line({ 门店: name, 合作方: partner, 月份: "2026年2月", 总额: 500 }),
  ]);
  expect(await batch(right)).toMatchObject({ state: "ready", amount: 150_000 });
  const done = { params: { id: right }, body: { version: 1 } };
  expect(await house.did(income.sheetImport.commit, { as: clerk }, done)).toMatchObject({ made: 2 });
  const query = { state: "draft", month: "2026-02", thirdPartyId: id } as never;
  const { list } = await house.did(income.listSheets, { as: clerk }, { query });
  expect(list).toMatchObject([{ source: "imported", gross: 50_000, share: 30_000 }]);
  const again = await batch(await send([line({ 门店: name, 合作方: partner, 总额: 7 })]));
  expect(again.errors[0]!.msg).toBe("该门店该月该合作方已有记录");
  await onSheet(house, clerk, income.confirmSheet, list[0]!.id);
  const undo = { params: { id: right }, body: { version: 2 } };
  const held = await house.ask(income.sheetImport.undo, { as: clerk, key: randomUUID() }, undo);
  expect(held.body.message).toMatch(/^1 笔不能撤销：DS.*已确认$/);
});
