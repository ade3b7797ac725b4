import { expect, test } from "vitest";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { aBill, aParty } from "../../domains/finance/bill/bill.sample.ts";
import { readBills } from "../../domains/finance/bill/bills.queries.ts";
import { aTill } from "../../domains/finance/pay-order/pay-order.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { DESK, PHONE, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { villageId, clerk, room } = await aDesk(house, {
  village: "付款店",
  permits: ["26.query", "26.get", "26.add", "102.query", "102.get", "102.add"],
});
await aTill(house, villageId);
const store = { villageId, roomId: await room("6001") };
const partyId = await aParty(house, "张三", { villageId });
const bill = async (id: number) => (await readBills({ tx: house.database.db }, [id]))[0]!;
const today = dayInZone(new Date());
/** A bill that is due in ten days. */
const due = (title: string) => aBill(house, store, partyId, { title, dueDate: addDays(today, 10) });
const BILLS = "/accountManage/BillListManage?tab=all";

test("a link opens a page with every line, and the page becomes the receipt", async () => {
  const a = await due("租金丙");
  const { page, errors } = await open({ as: clerk, size: DESK });
  await page.goto(`${base}${BILLS}&id=${a}`);
  await page.getByRole("dialog").getByRole("button", { name: "发送付款链接" }).click();
  const sending = page.getByRole("dialog", { name: "发送付款链接 张三" });
  await sending.getByRole("button", { name: "发送 1 条短信" }).click();
  await sending.getByText("已发送 1 条，0 条没有发送。").waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await sending.getByRole("button", { name: "复制" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const payer = await open({ size: PHONE });
  await payer.page.goto(link);
  await payer.page.getByRole("button", { name: "去付款 ¥3,000.00" }).waitFor();
  await payer.page.getByRole("button", { name: "去付款 ¥3,000.00" }).click();
  await payer.page.getByRole("button", { name: "确认付款 ¥3,000.00" }).click();
  await payer.page.getByRole("button", { name: "返回账单" }).click();
  await payer.page.getByText("已付款", { exact: true }).waitFor();
  expect((await bill(a)).outstanding).toBe(0);
  expect([...errors, ...payer.errors]).toEqual([]);
});
