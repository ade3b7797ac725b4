import { spawn, type ChildProcess } from "node:child_process";
import { on, once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aRow, aSheet } from "../../domains/listing/import/import.sample.ts";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { CHROMIUM, FLAGS } from "../../platform/checks/runner/browser.ts";
import { ROOT } from "../../platform/server/process/settings.ts";
import { pictureOnFailure } from "../browser.sample.ts";

/**
 * The first day of a company on an empty machine, as its people live it: the set-up link, a store, its rooms from a
 * spreadsheet, an account, a tenant, a contract, the money and the day's report. One walk, one database, no short cut.
 */
const dir = fs.mkdtempSync(path.join(os.tmpdir(), "sams-first-day-"));
// root's database runs as another user, who passes through here
fs.chmodSync(dir, 0o711);
const PORT = 8793;
const base = `http://127.0.0.1:${PORT}/sams`;
const STORE = "望江店";
let server: ChildProcess;
let link = "";
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  const env = { ...process.env, MODE: "production", DATA_DIR: dir, PORT: String(PORT), LOG_LEVEL: "silent" };
  server = spawn(process.execPath, [path.join(ROOT, "server.ts")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  // the address stands alone in its line once the server answers; the set-up link comes before it
  for await (const [line] of on(createInterface(server.stdout!), "line", { close: ["close"] })) {
    link ||= /http:\S+#[\w-]{43}/.exec(line)?.[0] ?? "";
    if (line === `${base}/`) break;
  }
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS] });
  afterAll(() => browser.close());
  page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    reducedMotion: "reduce",
  });
  page.setDefaultTimeout(15_000);
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
}, 60_000);
afterAll(async () => {
  if (server.exitCode === null && server.kill("SIGTERM")) await once(server, "exit");
  fs.rmSync(dir, { recursive: true, force: true });
});

beforeEach(() => pictureOnFailure(() => page));

const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const press = (name: string, within: Pick<Page, "getByRole"> = page) =>
  within.getByRole("button", { name, exact: true }).first().click();
const pick = (text: string) => page.locator(".ant-select-item-option", { hasText: text }).first().click();

test("the set-up link makes the company and its first administrator, who signs in", async () => {
  await page.goto(link);
  for (const [label, value] of [
    ["企业名称", "望江公寓管理有限公司"],
    ["管理员姓名", "江望舒"],
    ["登录账号", "wangjiang1"],
    ["手机", "13905710002"],
    ["密码", "Jiang2026!"],
    ["确认密码", "Jiang2026!"],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.locator("button[type=submit]").click();
  await page.getByText("记住账号").waitFor();
  await page.getByLabel("密码", { exact: true }).fill("Jiang2026!");
  await page.locator("button[type=submit]").click();
  await page.waitForURL("**/workbench/WorkbenchPage");
  await page.getByText("江望舒").first().waitFor();
});

test("a district and a store are made", async () => {
  await page.goto(`${base}/configuration/village`);
  await press("区域管理");
  const tree = dialog("区域管理");
  await press("新增区域", tree);
  const one = dialog("新增区域");
  await one.getByLabel("区域名称").fill("杭州市");
  await press("保存", one);
  await tree.getByText("杭州市").waitFor();
  await press("关闭", tree);

  await page.goto(`${base}/configuration/village?action=1`);
  const form = dialog("新增门店");
  await form.getByLabel("门店编码").fill("HZ-WJ");
  await form.getByLabel("门店名称").fill(STORE);
  await form.getByLabel("区域").click();
  await pick("杭州市");
  await form.getByLabel("地址").fill("上城区望江东路 332 号");
  await form.getByLabel("店长").click();
  await pick("江望舒");
  await form.getByLabel("联系电话").fill("0571-88001234");
  await press("保存", form);
  await dialog(STORE).getByText("筹备中").first().waitFor();
});

test("its rooms come from a spreadsheet: three mistakes are told by row and column, corrected it is taken whole", async () => {
  const rows = Array.from({ length: 48 }, (_, i) => aRow(i, STORE));
  const send = async (name: string, of: typeof rows) =>
    page.locator(".imports__drop input").setInputFiles({
      name,
      mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      buffer: await aSheet(of),
    });
  await page.goto(`${base}/configuration/importRooms`);
  const wrong = rows
    .with(2, { ...rows[2]!, listPrice: "三千" })
    .with(7, { ...rows[7]!, door: rows[6]!.door! })
    .with(9, { ...rows[9]!, village: "望海店" });
  await send("房源.xlsx", wrong);
  const batch = page.getByRole("dialog");
  await batch.getByText("共 3 处错误").waitFor();
  await press("关闭", batch);
  await send("房源.xlsx", rows);
  await batch.getByText("48 套房源").waitFor();
  await press("确认导入", batch);
  await press("导入", dialog("确认导入"));
  await batch.getByText("查看房源列表").waitFor();
});

test("without an account the store does not open; with one it does", async () => {
  await page.goto(`${base}/system/ConfigManagement?tab=accounts`);
  await press("新增账户");
  const form = dialog("新增账户");
  await form.getByLabel("账户名称").fill("望江店钱箱");
  await form.getByLabel("类型").click();
  await pick("现金");
  await press("保存", form);
  await page.getByText("账户已新增").waitFor();

  await page.goto(`${base}/configuration/village`);
  await page.getByText(STORE, { exact: true }).first().click();
  const store = dialog(STORE);
  await press("开业", store);
  await press("确定", dialog("开业"));
  await page.getByText("请先配置收款账户").waitFor();
  await press("取消", dialog("开业"));
  await store.getByRole("tab", { name: "收款账户" }).click();
  await press("配置账户", store);
  const binding = dialog(`配置收款账户 · ${STORE}`);
  await binding.getByLabel("支付方式").click();
  await pick("现金");
  await binding.getByLabel("账户", { exact: true }).click();
  await pick("望江店钱箱");
  await press("保存", binding);
  await page.getByText("收款账户已配置").waitFor();
  await press("开业", store);
  await press("确定", dialog("开业"));
  await store.getByText("营业中").first().waitFor();
});

test("a free room of the board is let: the tenant is entered, the bills are shown, the paper is signed", async () => {
  await page.goto(`${base}/configuration/apartment`);
  await page.getByRole("button", { name: /^101/ }).first().click();
  await press("新签合同", page.getByRole("dialog"));
  await press("从今天起租");
  await press("12 个月");
  await press("下一步：客户");
  await press("新建");
  const renter = dialog("新增租客");
  await renter.getByLabel("证件号").fill("330106199203053219");
  await renter.getByLabel("姓名", { exact: true }).fill("顾清和");
  await renter.getByLabel("手机", { exact: true }).fill("13805712345");
  await press("保存", renter);
  await page.getByText("138****2345").first().waitFor();
  await press("下一步：条款");
  await press("下一步：费用");
  await press("下一步：优惠");
  await press("下一步：账单预览");
  await page.getByText("合计（含押金）").waitFor();
  await press("下一步：签署");
  await press("提交签约");
  await press("已核对，提交签约", dialog("顾清和的证件未核验，仍要签约？"));
  const contract = page.getByRole("dialog", { name: /^HT/ });
  await press("确认签署", contract);
  const signing = dialog(/确认线下签署/);
  await signing
    .locator("input[type=file]")
    .setInputFiles({ name: "合同.pdf", mimeType: "application/pdf", buffer: aPdf() });
  await signing.getByRole("button", { name: "移除 合同.pdf" }).waitFor();
  await press("确认签署", signing);
  await page.getByText(/已签署，生成账单 \d+ 张/).waitFor();
});

test("the cashier takes the first money, and the day's report shows it", async () => {
  await page.goto(`${base}/accountManage/addBillFlow`);
  // how it is paid may be said before who pays
  await page.getByRole("radio", { name: "现金" }).click();
  await page.locator(".counter__find input").fill("顾清和");
  await pick("顾清和");
  // one month's deposit and the first quarter at 3,000.00, once what is owed has come
  await expect.poll(async () => (await page.locator(".till__sum").innerText()).trim()).toBe("12,000.00");
  await page.getByRole("button", { name: /^确认收款/ }).click();
  await page.getByText("已收款").first().waitFor();

  await page.goto(`${base}/report/dailyCollectionReport`);
  await page
    .getByRole("row", { name: /12,000\.00/ })
    .first()
    .waitFor();
  await page.goto(`${base}/accountManage/BillListManage?tab=paid`);
  await page.getByText("合计 2 笔").waitFor();
  // the browser notes each refused call itself
  expect(errors.filter((e) => !e.includes("409"))).toEqual([]);
});
