import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { openBook } from "../../../platform/server/sheets/book.sample.ts";
import { aForm, aShop } from "../contract/contract.sample.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { previewBook, previewContract } from "./preview.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const as = shop.clerk;

test("the bills of a draft come as a workbook, line by line with their sum, for who works there", async () => {
  const { id, contractNo } = await house.did(createContract, { as }, { body: aForm(shop) });
  const { added } = await house.did(previewContract, { as }, { body: { id } });
  const reply = await house.ask(previewBook, { as }, { params: { id } });
  expect(decodeURIComponent(String(reply.headers["content-disposition"]))).toContain(
    `账单明细_${contractNo}`,
  );
  const [sheet] = await openBook(reply.raw);
  const rows = sheet!.rows.map((row) => row.values);
  const lines = added.flatMap((bill) => bill.lines);
  expect(rows.length).toBe(lines.length + 2);
  expect(rows.slice(1, -1).map((row) => row[7])).toEqual(lines.map((line) => line.amount / 100));
  expect(rows[1]).toEqual(expect.arrayContaining(["签约当日", lines[0]!.subject, lines[0]!.how]));
  expect(rows.at(-1)![7]).toBe(added.reduce((sum, bill) => sum + bill.amount, 0) / 100);

  const stranger = await house.person({ permits: ["9.query", "9.add"], villages: [] });
  expect((await house.ask(previewBook, { as: stranger }, { params: { id } })).status).toBe(404);
});
