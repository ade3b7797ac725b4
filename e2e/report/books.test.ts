import { expect, test } from "vitest";
import { demoPerson, PHONE, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const lead = await demoPerson(house, "caiwu01");

test("the finance lead reads the money of the month, opens a figure down to its entry, and has the books checked", async () => {
  const { page, errors } = await open({ as: lead, size: { width: 1280, height: 900 } });
  await page.goto(`${base}/report/FinancePage`);
  const money = page.getByRole("region", { name: "资金收支" }).first();
  await money.getByRole("row", { name: /^收款/ }).waitFor();
  await page.getByRole("region", { name: "损益" }).getByRole("row", { name: /^利润/ }).waitFor();
  // what owes is taken apart by its account
  await page
    .getByRole("region", { name: /^债权债务/ })
    .getByRole("row", { name: /应收账款/ })
    .getByRole("link")
    .first()
    .click();
  await page.getByRole("tab", { name: "凭证", selected: true }).waitFor();
  await page
    .getByText(/^PZ\d{8}-/)
    .first()
    .click();
  const drawer = page.locator(".drawer");
  await drawer.getByRole("row", { name: /1122/ }).waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("tab", { name: "科目余额表" }).click();
  // what is shown is from one moment, said once
  await page.locator(".chips__fresh").waitFor({ state: "attached" });
  await page.getByText(/^(未|已)锁账/).waitFor();
  await expect.poll(() => page.locator("span:visible", { hasText: /^数据截至/ }).count()).toBe(1);
  const receivable = page.getByRole("row", { name: /^.*1122/ }).first();
  await receivable.getByRole("button").first().click();
  await page.getByRole("radio", { name: "费用" }).click();
  await page.getByRole("cell", { name: "租金", exact: true }).first().waitFor();

  await page.getByRole("tab", { name: "勾稽检查" }).click();
  await page.getByRole("button", { name: "运行检查" }).click();
  await page.getByText("全部相符").waitFor();
  await page
    .getByRole("row", { name: /T02 应收账款余额等于已出账账单未收/ })
    .getByText("相符")
    .waitFor();

  await page.getByRole("tab", { name: "三流合一" }).click();
  await page.getByRole("row", { name: /^HT/ }).first().waitFor();
  expect(errors).toEqual([]);
});

test("on a phone the money stands in one column after the other", async () => {
  const { page, errors } = await open({ as: lead, size: PHONE });
  await page.goto(`${base}/report/FinancePage`);
  await page.getByRole("region", { name: "资金收支" }).first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(errors).toEqual([]);
});
