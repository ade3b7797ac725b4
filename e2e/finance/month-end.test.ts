import fs from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { bankFile } from "../../domains/finance/corporate/corporate.sample.ts";
import { invoiceOf } from "../../domains/finance/invoice/invoice.sample.ts";
import { alipayBill, wechatBill } from "../../domains/finance/statement/statement.sample.ts";
import { addDays } from "../../platform/kernel/day.ts";
import { choose, keepPicture, moveTo, PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";
import { aMonthLived, file, inView } from "./month-end.sample.ts";

/**
 * What an accountant does with the month before: the statements of WeChat Pay, Alipay and the bank are brought in, their
 * differences dealt with and transfers claimed, a rent is invoiced, and both sides of the month are accrued, declared,
 * exported and locked.
 */
const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const { clerk, rent, today, month, day, at } = await aMonthLived(house);
const { page, errors } = await open({ as: clerk });
const settled = settling(page);
/** A trial that is asked for once more while its act is taken is refused, and the browser notes that. */
const wrong = () => errors.filter((e) => !e.includes("409"));
beforeEach(() => pictureOnFailure(() => page));
const row = (text: string | RegExp) => page.getByRole("row").filter({ hasText: text });
const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const tab = (name: string | RegExp) => page.getByRole("tab", { name });

test("WeChat's and Alipay's days are brought in, their differences shown and dealt with", async () => {
  const bill = wechatBill([
    { no: "SKA", at, amount: 635_000, fee: 3810 },
    { no: "SKD", at, amount: 8_000, fee: 48 },
    { no: "SKC", at, amount: 19_900, fee: 119 },
  ]);
  const drawer = dialog("导入对账单");
  const bring = (name: string, text: string) =>
    drawer.locator("input[type=file]").setInputFiles(file(name, text));
  await page.goto(`${base}/accountManage/accountCheck?month=${month}`);
  await page.getByRole("button", { name: `门店微信收款 ${day} 未导入` }).click();
  await bring("账单.csv", bill.replace("`80.00", "`8o.00"));
  await drawer.getByRole("alert").filter({ hasText: "文件有 1 处错误，没有导入任何流水" }).waitFor();
  await drawer.getByRole("cell", { name: "金额格式错误" }).waitFor();
  // each of several files is read, taken or refused by itself
  const both = [file("坏账单.csv", bill.replace("`80.00", "`8o.00")), file("账单.csv", bill)];
  await drawer.locator("input[type=file]").setInputFiles(both);
  const brought = (text: string) => drawer.getByRole("row").filter({ hasText: text }).last();
  await brought("3 行，新增 3").filter({ hasText: "可以导入" }).waitFor();
  await drawer.getByRole("button", { name: "导入", exact: true }).click();
  await brought("：共 3 行，新增 3，重复 0").filter({ hasText: "已导入 DZ" }).waitFor();
  await brought("坏账单.csv").filter({ hasText: "文件有 1 处错误" }).waitFor();
  await drawer.getByRole("button", { name: "关闭", exact: true }).last().click();
  await drawer.waitFor({ state: "hidden" });
  await page.getByText(/1 个账户日有差异，差额 421.00；\d+ 个账户日未导入/).waitFor();

  await page.getByRole("button", { name: `门店支付宝 ${day} 未导入` }).click();
  const days = [day, addDays(day, 1)] as const;
  await bring("支付宝.csv", alipayBill([{ no: "ZFA", at, amount: 280_000, fee: 1680 }], [], "\r\n", days));
  await drawer.getByText("共 1 行，新增 1，重复 0").waitFor();
  await drawer.getByRole("button", { name: "导入", exact: true }).click();
  await drawer.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: new RegExp(`^门店支付宝 ${day} 已平`) }).waitFor();

  await page.getByRole("button", { name: new RegExp(`^门店微信收款 ${day} 有差异，3 笔待处理`) }).click();
  await page.getByText("差额 421.00 = 系统有渠道无 500.00 + 渠道有系统无 -80.00 + 金额不符 1.00").waitFor();
  await settled();
  await keepPicture(page, "differences");
  await row("42000SKD").getByRole("button", { name: "补录流水" }).click();
  await dialog("补录流水").getByText(`门店微信收款 ${day} 收款 80.00 元`).waitFor();
  await dialog("补录流水").getByRole("button", { name: "取消" }).click();
  for (const [text, action, note] of [
    ["42000SKB", "确认有效", "客户现场已付，渠道次日补单"],
    ["42000SKD", "非本系统交易", "门店自用收款"],
    ["42000SKC", "确认有效", "少收一元，下期补"],
  ] as const) {
    await row(text).getByRole("button", { name: action, exact: true }).click();
    const form = dialog(action);
    await form.getByLabel("说明").fill(note);
    await form.getByRole("button", { name: action, exact: true }).click();
    await form.waitFor({ state: "hidden" });
    await row(text).getByText(note).waitFor();
  }
  await tab("对账日历").click();
  await page.getByRole("button", { name: new RegExp(`^门店微信收款 ${day} 已平`) }).waitFor();
  await tab("导入批次").click();
  await row("微信交易账单（全部）").waitFor();
  expect(wrong()).toEqual([]);
});

test("a transfer is claimed as suggested, undone and claimed again; what the channel paid out is marked", async () => {
  await moveTo(page, "/accountManage/CorporateFlow");
  await page.getByRole("button", { name: "导入流水" }).first().click();
  const importing = dialog("导入对公流水");
  await importing.getByRole("combobox").fill("对公账户");
  await page
    .locator(".ant-select-dropdown:visible .ant-select-item-option")
    .filter({ hasText: "对公账户" })
    .first()
    .click();
  const lines = [
    { day, amount: 1_000_000, name: "宏远商贸", account: "6222021234567890123", summary: "房租" },
    { day, amount: 631_190, name: "财付通支付科技有限公司", summary: "商户结算" },
    { day, amount: 3000, name: "外人公司", account: "6222021234567890999", summary: "货款" },
  ];
  // this bank calls the day by a name of its own
  const odd = bankFile(lines).toString().replace("交易日期", "记账时点");
  await importing.locator("input[type=file]").setInputFiles(file("流水.csv", odd));
  await importing.getByRole("alert").filter({ hasText: "无法识别的账单格式" }).waitFor();
  await importing.getByRole("button", { name: "设置列对应" }).click();
  const mapping = importing.getByRole("region", { name: "设置列对应" });
  await mapping.getByText("请选择交易日期").waitFor();
  await mapping.getByRole("combobox", { name: "交易日期列" }).click();
  await page
    .locator(".ant-select-dropdown:visible .ant-select-item-option")
    .filter({ hasText: "记账时点" })
    .click();
  await mapping.getByRole("button", { name: "按此读取" }).click();
  await importing.getByText("共 3 行，新增 3，重复 0").waitFor();
  await mapping.getByRole("textbox", { name: "模板名称" }).fill("海港银行网银");
  await mapping.getByRole("button", { name: "保存模板" }).click();
  await mapping.waitFor({ state: "hidden" });
  await importing.getByText("海港银行网银（第 1 版").waitFor();
  // the file is about the day before too, on which nothing moved
  const begins = importing.getByPlaceholder("开始");
  await expect.poll(() => begins.inputValue()).toBe(day);
  await begins.fill(addDays(day, -1));
  await begins.press("Enter");
  await importing.getByPlaceholder("结束").press("Enter");
  await importing.getByRole("button", { name: "导入", exact: true }).click();
  await importing.waitFor({ state: "hidden" });
  await page.getByText(/自动识别 1 笔渠道结算或缴款，请确认/).waitFor();
  const { rows: files } = await pool.query(
    "select date_from::text, date_to::text from statement order by id desc limit 1",
  );
  expect(files).toEqual([{ date_from: addDays(day, -1), date_to: day }]);

  // the tenant's name and the amount of the bill say whose it is
  const claim = async () => {
    await row("宏远商贸").getByText("户名一致，金额等于账单").waitFor();
    await row("宏远商贸").getByRole("button", { name: "认领", exact: true }).click();
    const form = dialog("认领对公流水");
    await form.getByText("支付账单 10,000.00").waitFor();
    await keepPicture(page, "claim");
    await form.getByRole("button", { name: "试算认领" }).click();
    const confirm = dialog("确认认领");
    await confirm.getByText(`记账日 ${today}，款项日期 ${day}`).waitFor();
    await confirm.getByRole("button", { name: "认领 10,000.00" }).click();
    await form.waitFor({ state: "hidden" });
  };
  await claim();
  await tab(/^已认领/).click();
  await row("宏远商贸").getByText(`${day} 00:00`).click();
  await row(/RL\d/).getByRole("button").first().click();
  await page.getByRole("button", { name: "撤销认领" }).click();
  const undo = dialog(/^撤销认领/);
  await undo.getByRole("textbox").fill("认错了客户");
  await undo.getByRole("button", { name: "撤销认领" }).click();
  await undo.waitFor({ state: "hidden" });
  await dialog("宏远商贸").getByText("已撤销").first().waitFor();
  await page.keyboard.press("Escape");
  await dialog("宏远商贸").waitFor({ state: "hidden" });
  // the line has its money again
  await tab(/^未认领/).click();
  await claim();

  const settlement = row("6,311.90").filter({ hasText: "财付通" });
  await settlement.getByRole("button", { name: "标记无需认领" }).click();
  const mark = dialog("标记无需认领");
  // it is booked with who holds the channel's account: the store's own, not the company's that is suggested
  await mark.getByRole("combobox", { name: "渠道账户" }).fill("门店微信收款");
  await page
    .locator(".ant-select-dropdown:visible .ant-select-item-option")
    .filter({ hasText: "门店微信收款" })
    .click();
  await mark.getByRole("button", { name: "标记", exact: true }).click();
  await mark.waitFor({ state: "hidden" });
  await settled();
  await tab(/^无需认领/).click();
  await settlement.getByText(`${day} 00:00`).click();
  const line = dialog("财付通支付科技有限公司");
  await line.getByRole("tab", { name: /^无需认领/ }).click();
  await line.getByRole("cell", { name: "渠道结算", exact: true }).first().waitFor();
  await page.keyboard.press("Escape");
  await line.waitFor({ state: "hidden" });
  expect(wrong()).toEqual([]);
});

test("a paid rent is invoiced from its bill, made by the job, shown on the bill and taken back in part", async () => {
  const bill = dialog(/^ZD/);
  await moveTo(page, `/accountManage/BillListManage?tab=all&id=${rent}`);
  await bill.getByText("6,350.00").first().waitFor();
  await settled();
  const act = bill.getByRole("button", { name: "开票", exact: true });
  if (!(await act.isVisible())) await bill.getByRole("button", { name: /更多/ }).click();
  await page.getByText("开票", { exact: true }).last().click();
  const form = dialog("申请开票 张三");
  await form.getByText("减按1.5%").waitFor();
  await form.getByLabel(/本次开票/).fill("6400");
  await form.getByText("本次开票不能超过可开金额").first().waitFor();
  await form.getByLabel(/本次开票/).fill("6350");
  await form.getByText("税额 90.71").waitFor();
  await settled();
  await keepPicture(page, "invoice");
  await form.getByRole("button", { name: "提交开票" }).click();
  await form.waitFor({ state: "detached" });
  const newest = async () =>
    (
      await pool.query<{ id: number; state: string }>(
        "select id, state from invoice order by id desc limit 1",
      )
    ).rows[0]!;
  await expect.poll(async () => (await newest()).state, { timeout: 20_000 }).toBe("issued");
  const { id } = await newest();
  const { invoiceNo } = await invoiceOf(house, clerk, id);
  await moveTo(page, `/accountManage/BillListManage?tab=all&id=${rent}`);
  await bill.getByRole("tab", { name: "发票" }).click();
  await bill.getByText(invoiceNo!).waitFor();

  await moveTo(page, `/accountManage/InvoiceManage?tab=issued&id=${id}`);
  const drawer = dialog(new RegExp(`^${invoiceNo}`));
  await drawer.getByText("样票：由内置模拟平台生成").waitFor();
  await settled();
  await drawer.getByRole("button", { name: "红冲", exact: true }).click();
  const red = dialog(/^红冲/);
  await red.getByLabel(/本次红冲/).fill("1000");
  await red.getByText("税额 14.29").waitFor();
  await red.getByText("销售折让").click();
  await settled();
  await red.getByRole("button", { name: "红冲", exact: true }).click();
  await red.waitFor({ state: "detached" });
  await expect
    .poll(async () => (await invoiceOf(house, clerk, id)).state, { timeout: 20_000 })
    .toBe("partRed");
  await moveTo(page, `/accountManage/InvoiceManage?bills=${rent}`);
  await form.getByText("1,000.00").first().waitFor();
  await page.keyboard.press("Escape");
  expect(wrong()).toEqual([]);
});

/** The record of vouchers that is open. */
const vouchers = () =>
  page
    .getByRole("dialog")
    .filter({ has: page.getByText("账簿借方") })
    .last();

/** Makes the vouchers of the income that is in order, and opens them. */
async function generate() {
  const close = dialog(`月结店 ${month} 收入月结`);
  await close.getByRole("button", { name: "生成凭证" }).click();
  await close.getByText("已生成").waitFor();
  await close.getByRole("link", { name: /^GZ/ }).click();
  await settled();
  return vouchers();
}

/** Exports the vouchers as CSV, which locks the month: its lines as account and amount, debit above nothing. */
async function exported(record: ReturnType<typeof vouchers>): Promise<[string, number][]> {
  await record.getByRole("button", { name: "导出锁账" }).click();
  const ask = dialog(`导出锁账 月结店 ${month}`);
  await ask.getByText("导出后该月锁账").waitFor();
  await choose(
    () => ask.getByRole("combobox").click(),
    page.locator(".ant-select-item-option:visible").getByText("CSV", { exact: true }),
  );
  const downloading = page.waitForEvent("download");
  await ask.getByRole("button", { name: "导出并锁账" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toContain(`凭证_${month}_月结店`);
  await record.getByText("已导出").first().waitFor();
  const [head, ...lines] = fs
    .readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  const columns = head!.replace("\uFEFF", "").split(",");
  return lines.map((text) => {
    const cells = text.split(",").map((cell) => cell.replaceAll('"', ""));
    const of = (name: string) => cells[columns.indexOf(name)]!;
    return [of("科目"), Math.round((Number(of("借方")) - Number(of("贷方"))) * 100)];
  });
}

test("the month's income is accrued and declared, its vouchers exported to the fen, and it is locked", async () => {
  await moveTo(page, `/accountManage/PostState?year=${month.slice(0, 4)}`);
  await page.getByRole("button", { name: new RegExp(`^月结店 ${month} 未生成`) }).click();
  const close = dialog(`月结店 ${month} 收入月结`);
  const check = (title: string) => close.getByRole("listitem").filter({ hasText: title });
  await check("本月收入已计提").getByText("未通过").waitFor();
  await check("对公流水都已认领").getByText("1 笔未认领，合计 30.00").waitFor();
  await check("对账差异已处理").getByText("通过", { exact: true }).waitFor();
  await keepPicture(page, "month-close");
  await check("本月收入已计提").getByRole("button", { name: "计提" }).click();
  await check("本月收入已计提").getByText("通过", { exact: true }).waitFor();
  // of 273.57 in all, 90.71 went with the invoice, of which the red letter gave back 14.29
  await check("未开票税金已申报").getByText("3 笔待申报，税额 197.15").waitFor();
  await check("未开票税金已申报").getByRole("button", { name: "申报" }).click();
  await check("未开票税金已申报").getByText("通过", { exact: true }).waitFor();
  const runs = check("账务自检无异常").getByRole("button", { name: "运行自检" });
  if (await runs.isVisible()) await runs.click();
  await check("账务自检无异常").getByText("通过", { exact: true }).waitFor();
  const record = await generate();
  await record.getByRole("region", { name: "收入确认" }).getByText("18,876.43").first().waitFor();
  await keepPicture(page, "vouchers");
  const lines = await exported(record);
  const debits = lines.reduce((sum, [, fen]) => sum + Math.max(fen, 0), 0);
  const credits = lines.reduce((sum, [, fen]) => sum - Math.min(fen, 0), 0);
  // billed 19,150.00, received 9,850.00 and laid on bills 9,150.00, at the bank 16,341.90, of it from the channel 6,311.90,
  // recognised 19,150.00, declared 197.15
  expect([debits, credits]).toEqual([8_015_095, 8_015_095]);
  const of = (account: string) => lines.filter(([a]) => a === account).reduce((sum, [, fen]) => sum + fen, 0);
  expect({ rent: of("6001"), tax: of("2221"), owed: of("1122"), bank: of("1002") }).toEqual({
    rent: -1_887_643,
    tax: -19_715,
    owed: 1_000_000,
    bank: 1_634_190,
  });
  await record.getByRole("button", { name: "填写总账凭证号" }).click();
  const booking = dialog(`填写总账凭证号 月结店 ${month}`);
  await booking.getByLabel("总账凭证号").fill("记-0312");
  await booking.getByRole("button", { name: "保存" }).click();
  await record.getByText("已入账").first().waitFor();
  await page.keyboard.press("Escape");
  // the list begins with the month that is being closed
  await tab("过账年历").click();
  await tab("过账单").click();
  await expect.poll(() => new URL(page.url()).searchParams.get("month")).toBe(month);
  await row("月结店").filter({ hasText: "已入账" }).first().waitFor();
  expect(wrong()).toEqual([]);
});

test("a cost is spread by what each store has, and the side of costs is closed too", async () => {
  await moveTo(page, `/accountManage/PostStateCost?list=costs&month=${month}`);
  const cost = row("洁净保洁");
  await cost.getByRole("button", { name: "分摊" }).click();
  const spread = dialog(/^分摊 ZD/);
  await spread.getByLabel("分摊门店").click();
  await page.getByTitle("月结店").last().click();
  await page.keyboard.press("Escape");
  await spread.getByRole("cell", { name: "600.00" }).first().waitFor();
  await spread.getByRole("button", { name: "分摊", exact: true }).click();
  await cost.getByText("套数").waitFor();
  await tab("过账年历").click();
  // many stores at once, by a job that says what came of each
  await page.getByRole("button", { name: "批量生成" }).click();
  const making = dialog("批量生成过账单");
  await making.getByLabel("门店").click();
  await page.getByTitle("月结店").last().click();
  await page.keyboard.press("Escape");
  await making.getByRole("button", { name: "生成" }).click();
  const result = dialog("批量生成结果");
  await result.getByText(`${month} 已生成 1 张过账单，0 个门店没有生成。`).waitFor();
  await result.getByRole("link", { name: /^GZ/ }).click();
  await settled();
  const lines = await exported(vouchers());
  // the fees of WeChat Pay, 38.10 + 3.00 + 1.20, and of Alipay
  expect(lines.filter(([account]) => /^6/.test(account)).toSorted()).toEqual([
    ["6401", 60_000],
    ["6602", 1_680],
    ["6602", 4_230],
  ]);
  expect(lines.reduce((sum, [, fen]) => sum + fen, 0)).toBe(0);
  expect(wrong()).toEqual([]);
});

test("on a phone the same can be read and nothing sticks out", async () => {
  const phone = await open({ as: clerk, size: PHONE, theme: "dark" });
  const sticksOut = () => phone.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  const fits = async () => expect(await sticksOut()).toBe(false);
  await phone.page.goto(`${base}/accountManage/accountCheck?month=${month}`);
  await phone.page.getByRole("button", { name: new RegExp(`^门店微信收款 ${day} 已平`) }).waitFor();
  await fits();
  await moveTo(phone.page, "/accountManage/accountCheck");
  expect(await inView(phone.page.getByRole("button", { name: `门店微信收款 ${today} 未导入` }))).toBe(true);
  await moveTo(phone.page, "/accountManage/CorporateFlow");
  await phone.page.getByText("外人公司").first().waitFor();
  await fits();
  await moveTo(phone.page, "/accountManage/InvoiceManage?tab=all");
  await phone.page.getByText(/^FP/).first().waitFor();
  await fits();
  await moveTo(phone.page, `/accountManage/PostState?year=${month.slice(0, 4)}`);
  await phone.page.getByRole("button", { name: new RegExp(`^月结店 ${month} 已入账`) }).waitFor();
  await fits();
  expect(phone.errors).toEqual([]);
});

test("a fee subject is mapped, with its 19 digits, and the configuration says how it stands", async () => {
  const { page: wide, errors: others } = await open({ as: await house.person({ superType: "1" }) });
  const calm = settling(wide);
  await wide.goto(`${base}/system/EinvoiceConf`);
  await wide.getByText("青禾公寓管理有限公司").first().click();
  const drawer = wide.getByRole("dialog", { name: /^青禾/ });
  await drawer.getByRole("row", { name: /网费/ }).getByText("设置").click();
  const form = wide.getByRole("dialog", { name: "科目映射 · 网费" });
  await form.getByLabel("税收分类编码").fill("123");
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("请输入19位税收分类编码").waitFor();
  await form.getByLabel("税收分类编码").fill("3030100000000000000");
  await calm();
  await form.getByRole("button", { name: "保存" }).click();
  await form.waitFor({ state: "detached" });
  await drawer.getByRole("row", { name: /网费/ }).getByText("3030100000000000000").waitFor();
  expect(others).toEqual([]);
});
