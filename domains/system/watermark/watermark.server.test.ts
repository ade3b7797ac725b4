import { expect, test } from "vitest";
import { openBook } from "../../../platform/server/sheets/book.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { unescaped } from "../../../platform/server/sheets/xml-scanner.ts";
import { twoVillages } from "../../access/operator/operator.sample.ts";
import { takeList } from "../download/download.sample.ts";
import { getWatermark, putWatermark, watermarkContent } from "./watermark.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const [here, there] = await twoVillages(house);
const admin = await house.person({ superType: "1" });
const zhang = await house.person({ name: "张三", permits: ["68.query", "68.export"], villages: [here] });
await house.database.pool.query(
  "update operator set phone = '13800001234', account = 'zhangsan' where id = $1",
  [zhang.operatorId],
);
const content = (as = zhang) => house.did(watermarkContent, { as });
const put = async (more: object) => {
  const { version: _, ...now } = await house.did(getWatermark, { as: admin });
  return house.ask(putWatermark, { as: admin }, { body: { ...now, version: _, ...more } });
};
const sheetOf = async () => {
  const [sheet] = await openBook((await takeList(house, zhang)).raw);
  const head = /<oddHeader>(.*?)<\/oddHeader>/.exec(sheet!.xml)?.[1] ?? "";
  return { first: String(sheet!.value("A1")), head: unescaped(head) };
};

test("there is none until somebody turns it on", async () => {
  expect(await content()).toBeNull();
  expect(await house.did(getWatermark, { as: admin })).toMatchObject({ enabled: false, version: 0 });
  expect((await sheetOf()).first).not.toContain("1234");
});

test("an export made by 张三 carries the mark on the sheet and in the print header, pages carry it filled", async () => {
  expect((await put({ enabled: true })).status).toBe(200);
  const mark = "张三 1234 2026-11-20";
  expect(await content()).toMatchObject({ text: mark, opacity: 15 });
  const { first, head } = await sheetOf();
  expect(first).toContain(mark);
  expect(head).toContain(mark);
});

test("every variable is filled; what is none is refused under its field", async () => {
  await put({ content: "{brand}·{account} {realName}" });
  expect((await content())!.text).toBe("智慧公寓·zhangsan 张三");
  const strange = await put({ content: "{idCard}" });
  expect(strange.body).toMatchObject({
    code: 400,
    fields: [{ field: "content", msg: "没有 {idCard} 这个变量" }],
  });
  const pale = await put({ opacity: 31, scopes: [] });
  expect(pale.body.fields!.map((f) => f.field)).toEqual(["opacity", "scopes"]);
});

test("it stands only where it is wanted, for people of the stores it is for", async () => {
  await put({ scopes: ["exports"] });
  expect(await content()).toBeNull();
  await put({ scopes: ["pages"], villageIds: [there] });
  expect(await content()).toBeNull();
  expect(await content(admin)).not.toBeNull();
  await put({ villageIds: [here] });
  expect(await content()).not.toBeNull();
});

test("two who change it at once: the second is told", async () => {
  const now = await house.did(getWatermark, { as: admin });
  expect((await house.ask(putWatermark, { as: admin }, { body: now as never })).status).toBe(200);
  expect((await house.ask(putWatermark, { as: admin }, { body: now as never })).status).toBe(409);
  expect((await house.ask(putWatermark, { as: zhang }, { body: now as never })).status).toBe(403);
});
