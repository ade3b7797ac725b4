import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { story } from "../browser.sample.ts";

/** The first minutes of a clerk's, a cashier's and a store manager's day: what they see, where they stand, what comes next. */
const { open, base } = await story();

/** From the address alone, by the keyboard alone, to the workbench. */
async function arrive(page: Page, account: string, name: string): Promise<void> {
  await page.goto(`${base}/`);
  await page.waitForURL("**/user/login*");
  const field = page.getByLabel("账号", { exact: true });
  await expect.poll(() => field.evaluate((el) => el === document.activeElement)).toBe(true);
  await page.keyboard.type(account);
  await page.keyboard.press("Tab");
  await page.keyboard.type("demo2026");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/workbench/WorkbenchPage");
  await page.getByRole("heading", { name: new RegExp(`好，${name}$`) }).waitFor();
}

const todo = (page: Page) => page.getByRole("region", { name: "待办" });
const tileOf = (page: Page, title: string) => todo(page).locator("a").filter({ hasText: title });
const countOf = async (page: Page, title: string) =>
  Number(await tileOf(page, title).locator("b").first().innerText());
const figures = (page: Page) =>
  page.getByRole("region", { name: "今日数据" }).locator(".cells__k").allInnerTexts();
/** The keyboard is inside the layer that has just opened. */
async function inside(page: Page, layer: string): Promise<void> {
  await expect
    .poll(() => page.evaluate((at) => document.activeElement?.closest(at) !== null, layer))
    .toBe(true);
}
const starts = (page: Page) =>
  page.getByRole("region", { name: "快捷操作" }).locator(".quick").getByRole("button").allInnerTexts();
const firstRow = (page: Page) => page.locator(".sheet tbody tr.ant-table-row").first();

test("a clerk finds whom to call today, writes down what was said, and has one less to call", async () => {
  const { page, errors } = await open();
  await arrive(page, "zulin01", "赵思源");
  await tileOf(page, "今日待跟进").waitFor();
  const waiting = await countOf(page, "今日待跟进");
  expect(waiting).toBeGreaterThan(0);
  // rooms and leads are the clerk's, money is not
  await expect.poll(() => figures(page)).toEqual(expect.arrayContaining(["今日出租率", "空置间数"]));
  await expect.poll(() => figures(page)).not.toContain("今日实收");

  await expect.poll(() => starts(page).then((all) => all.slice(0, 2))).toEqual(["新增客源", "新签合同"]);

  await tileOf(page, "今日待跟进").click();
  await page.waitForURL("**/configuration/BookingManagement?*follow=due*");
  await page.getByText(`共 ${waiting} 条`).waitFor();
  await firstRow(page).locator(".linkish").first().click();
  await inside(page, ".drawer");
  const record = page.locator(".drawer");
  // what to do with a customer stands on top, what was said last below
  await record.getByRole("button", { name: "预约看房" }).waitFor();
  await record.getByLabel("跟进内容").fill("约了周末到店看两套朝南的一居");
  await record.getByRole("button", { name: "记录跟进" }).click();
  await page.getByText("跟进已记录").first().waitFor();
  await record.getByText("约了周末到店看两套朝南的一居").last().waitFor();
  await page.keyboard.press("Escape");

  await page
    .getByRole("menuitem", { name: "工作台" })
    .or(page.getByRole("link", { name: "工作台" }))
    .first()
    .click();
  await expect.poll(() => countOf(page, "今日待跟进")).toBe(waiting - 1);
  expect(errors).toEqual([]);
});

test("a cashier takes what is overdue in cash and comes to the receipt", async () => {
  const { page, errors } = await open();
  await arrive(page, "chuna01", "胡俊杰");
  await expect.poll(() => figures(page)).toEqual(expect.arrayContaining(["今日实收", "欠费余额"]));
  await expect.poll(() => starts(page)).toEqual(["收款"]);
  const late = await countOf(page, "逾期账单");
  expect(late).toBeGreaterThan(0);
  await tileOf(page, "逾期账单").click();
  await page.waitForURL("**/accountManage/BillListManage?*tab=overdue*");
  await page.getByText(`合计 ${late} 笔`, { exact: true }).waitFor();
  await firstRow(page).getByRole("button", { name: "收款", exact: true }).click();

  // the customer and what is due are chosen, the sum is there; how it was paid is all that is asked
  await page.waitForURL("**/accountManage/addBillFlow?*billId=*");
  await expect.poll(() => page.locator(".till__sum").innerText()).toMatch(/[1-9]/);
  await page.getByRole("radio", { name: "现金" }).click();
  await page.getByRole("button", { name: /^确认收款/ }).click();
  await page
    .getByText(/已收款 [\d,]+\.\d\d 元/)
    .first()
    .waitFor();
  await page.getByText("经办人：胡俊杰").waitFor();
  await page.getByRole("button", { name: "打印收据" }).waitFor();

  // and the next customer, at the same counter
  await page.getByRole("button", { name: "继续记账" }).click();
  await page.locator(".counter__find input").waitFor();
  expect(errors).toEqual([]);
});

test("what a transfer is booked for and nobody confirmed yet is said before it is taken again", async () => {
  const { page, errors } = await open();
  await arrive(page, "chuna01", "胡俊杰");
  await page.goto(`${base}/accountManage/BillListManage?tab=overdue`);
  await firstRow(page).getByRole("button", { name: "收款", exact: true }).click();
  await page.waitForURL("**/accountManage/addBillFlow?*billId=*");
  const counter = page.url();
  const go = page.getByRole("button", { name: /^确认收款/ });
  await expect.poll(() => page.locator(".till__sum").innerText()).toMatch(/[1-9]/);
  const sum = await page.locator(".till__sum").innerText();
  await page.getByRole("radio", { name: "银行转账" }).click();
  await go.click();
  await page.getByText("已登记，待另一人确认到账").waitFor();
  await page.goto(counter);
  await page.getByText(`已登记 ${sum} 待确认到账，请勿重复收款`).waitFor();
  // whatever stands above it, the button is in sight
  const { height } = page.viewportSize()!;
  await expect.poll(async () => (await go.boundingBox())!.y + 40).toBeLessThan(height);
  expect(errors).toEqual([]);
});

test("nobody stands before an empty tab while another has something", async () => {
  const { page } = await open();
  await arrive(page, "chuna01", "胡俊杰");
  await page.goto(`${base}/accountManage/RefundManage`);
  const tabs = page.getByRole("tablist", { name: "分类" });
  // nothing waits for approval, some of it for payment
  await expect.poll(() => tabs.getByRole("tab").first().innerText()).toMatch(/\D0$/);
  await expect.poll(() => tabs.getByRole("tab", { selected: true }).innerText()).toMatch(/[1-9]$/);
  await firstRow(page).waitFor();
  // who wants to see the empty one may
  await tabs.getByRole("tab").first().click();
  await page.getByText("该分类下没有记录").waitFor();

  const boss = await open();
  await arrive(boss.page, "admin2026", "周敏");
  await boss.page.goto(`${base}/configuration/BookingManagement`);
  await boss.page.getByRole("tab", { name: "全部客源", selected: true }).waitFor();
  await boss.page.getByRole("tab", { name: "我的客源" }).click();
  await boss.page.getByRole("tab", { name: "我的客源", selected: true }).waitFor();
});

test("a store manager sees the day's figures, signs the contract that waits, and it is to be billed", async () => {
  const { page, errors } = await open();
  await arrive(page, "dianzhang01", "陈嘉禾");
  await expect
    .poll(() => figures(page))
    .toEqual(expect.arrayContaining(["今日实收", "今日新签", "今日出租率", "空置间数", "欠费余额"]));
  const waiting = await countOf(page, "待签署合同");
  await tileOf(page, "待签署合同").click();
  await page.waitForURL("**/contract/RenterContractPage?*tab=signing*");
  await firstRow(page).getByRole("button", { name: "确认签署" }).click();
  const signing = page.getByRole("dialog", { name: /^确认线下签署/ });
  await signing.waitFor();
  await inside(page, ".drawer");
  // what signing will make is on view before it is done
  await signing.getByText("签约应收").first().waitFor();
  await signing
    .locator("input[type=file]")
    .setInputFiles({ name: "合同.pdf", mimeType: "application/pdf", buffer: aPdf() });
  await signing.getByRole("button", { name: "移除 合同.pdf" }).waitFor();
  await signing.getByRole("button", { name: "确认签署" }).click();
  await page.getByText(/已签署，生成账单 \d+ 张/).waitFor();

  await page.goto(`${base}/workbench/WorkbenchPage`);
  await todo(page).waitFor();
  if (waiting === 1) await expect.poll(() => tileOf(page, "待签署合同").count()).toBe(0);
  else await expect.poll(() => countOf(page, "待签署合同")).toBe(waiting - 1);
  expect(errors).toEqual([]);
});
