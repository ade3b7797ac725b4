import { expect, test } from "vitest";
import { aDesk, aReservation, reservationOf } from "../../domains/customer/reservation/reservation.sample.ts";
import { aTill } from "../../domains/finance/pay-order/pay-order.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { DESK, PHONE, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const desk = await aDesk(house, { village: "收款码店", permits: ["102.query", "102.get"] });
await aTill(house, desk.villageId);
const today = dayInZone(new Date());
const reserved = async (room: string) =>
  (
    await aReservation(house, desk, {
      roomId: await desk.room(room),
      moveInDay: addDays(today, 5),
      plannedEndDay: addDays(today, 369),
      holdUntil: addDays(today, 4),
    })
  ).id;

test("the clerk shows a code, the customer pays on a phone, and the desk says 已收款 by itself", async () => {
  const id = await reserved("5001");
  const { page, errors } = await open({ as: desk.clerk, size: DESK });
  await page.goto(`${base}/configuration/BookingManagement?tab=reservation&state=&id=${id}`);
  const record = page.getByRole("dialog", { name: /^沈知夏 YD/ });
  await record.getByRole("button", { name: "收定金" }).click();
  await page.getByRole("button", { name: "出示收款码" }).click();
  const code = page.getByRole("dialog", { name: "收款码 沈知夏" });
  await code.locator(".code__box svg").waitFor();
  await code.getByText("¥ 1,000.00").waitFor();
  // whoever takes the money is told that none moves outside
  await code.getByText(/内置收银只在本系统内记账/).waitFor();

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await code.getByRole("button", { name: "复制付款链接" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/sams\/cashier#[\w-]{43}$/);

  const payer = await open({ size: PHONE });
  await payer.page.goto(link);
  await payer.page.getByText("付给 青禾公寓管理有限公司").waitFor();
  await payer.page.getByText("沈*夏").waitFor();
  await payer.page.getByRole("button", { name: "确认付款 ¥1,000.00" }).click();
  await payer.page.getByRole("heading", { name: "付款成功" }).waitFor();

  await code.getByText("已收款", { exact: true }).waitFor();
  await expect.poll(async () => (await reservationOf(house, desk, id)).state).toBe("held");
  await code.getByRole("button", { name: "完成" }).click();
  await record.getByText("已预订", { exact: true }).first().waitFor();

  // the same address again is a receipt, not a second payment
  await payer.page.reload();
  await payer.page.getByRole("heading", { name: "付款成功" }).waitFor();
  const { rows } = await house.database.pool.query(
    "select channel, amount::int from flow where village_id = $1",
    [desk.villageId],
  );
  expect(rows).toEqual([{ channel: "till", amount: 100_000 }]);
  expect([...errors, ...payer.errors]).toEqual([]);
});

test("a code that was taken back says so on the phone", async () => {
  const id = await reserved("5002");
  const { page, errors } = await open({ as: desk.clerk, size: DESK });
  await page.goto(`${base}/configuration/BookingManagement?tab=reservation&state=&id=${id}&act=pay`);
  await page.getByRole("button", { name: "出示收款码" }).click();
  const code = page.getByRole("dialog", { name: "收款码 沈知夏" });
  await code.locator(".code__box svg").waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await code.getByRole("button", { name: "复制付款链接" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await code.getByRole("button", { name: "关闭收款码" }).click();
  await code.waitFor({ state: "detached" });
  const payer = await open({ size: PHONE });
  await payer.page.goto(link);
  await payer.page.getByRole("heading", { name: "收款码已失效" }).waitFor();
  expect((await reservationOf(house, desk, id)).state).toBe("pending");
  expect([...errors, ...payer.errors]).toEqual([]);
});
