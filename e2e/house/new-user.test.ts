import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { ROOT } from "../../platform/server/process/settings.ts";
import { choose, demoPerson, keepPicture, pictureOnFailure, settling, story } from "../browser.sample.ts";

/**
 * What somebody new does on the first morning, without a manual: a store from a spreadsheet that was saved by
 * LibreOffice, its three mistakes mended by what the page says, the board, an enquiry that takes a room, the contract,
 * and the tenant on the workbench. `PICTURES=1` keeps what they saw for the manual.
 */
const { house, base, open } = await story({ rooms: 40 });
const STORE = "城北店";
const LIMIT_MS = 5 * 60_000;
const today = dayInZone(new Date());
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const file = (name: string) => ({
  name: "城北店房源.xlsx",
  mimeType: XLSX,
  buffer: fs.readFileSync(path.join(ROOT, "e2e", name)),
});

test(
  "a store is imported, mended, reserved, signed and found on the workbench in under five minutes",
  { timeout: LIMIT_MS },
  async () => {
    const boss = await demoPerson(house, "qinghe01");
    const { page, errors } = await open({ as: boss, size: { width: 1440, height: 900 } });
    pictureOnFailure(() => page);
    page.setDefaultTimeout(20_000);
    const settled = settling(page);
    const seen = (name: string) => keepPicture(page, `new-user-${name}`);
    const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
    const press = (name: string, within: Pick<typeof page, "getByRole"> = page) =>
      within.getByRole("button", { name, exact: true }).first().click();
    const option = (text: string | RegExp) =>
      page.locator(".ant-select-dropdown:visible .ant-select-item-option").filter({ hasText: text }).first();
    const pick = (within: ReturnType<typeof dialog>, label: string, text: string | RegExp) =>
      choose(() => within.getByLabel(label, { exact: true }).click(), option(text));
    const began = Date.now();

    // a store with the rooms of a spreadsheet
    await page.goto(`${base}/configuration/village?action=1`);
    const store = dialog("新增门店");
    await store.getByLabel("门店编码").fill("HZ-CB");
    await store.getByLabel("门店名称").fill(STORE);
    await pick(store, "区域", /./);
    await store.getByLabel("地址").fill("拱墅区上塘路 332 号");
    await pick(store, "店长", "陈嘉禾");
    await store.getByLabel("联系电话").fill("0571-88001234");
    await press("保存", store);
    await dialog(STORE).getByText("筹备中").first().waitFor();

    await page.goto(`${base}/configuration/importRooms`);
    const drop = page.locator(".imports__drop input");
    await drop.setInputFiles(file("new-store-with-mistakes.xlsx"));
    const batch = page.getByRole("dialog");
    await batch.getByText("共 3 处错误").waitFor();
    // row, column and what is expected are all there is to go by
    for (const said of ["三千", "朝南南", /与第 \d+ 行重复/]) await batch.getByText(said).first().waitFor();
    await seen("mistakes");
    await press("关闭", batch);
    await drop.setInputFiles(file("new-store.xlsx"));
    await batch.getByText("24 套房源").waitFor();
    await seen("preview");
    await press("确认导入", batch);
    await press("导入", dialog("确认导入"));
    await batch.getByText("查看房源列表").waitFor();

    // it opens with an account for its money
    await page.goto(`${base}/configuration/village`);
    await page.getByText(STORE, { exact: true }).first().click();
    const record = dialog(STORE);
    await record.getByRole("tab", { name: "收款账户" }).click();
    await press("配置账户", record);
    const binding = dialog(`配置收款账户 · ${STORE}`);
    await pick(binding, "支付方式", "现金");
    await choose(() => binding.getByLabel("账户", { exact: true }).click(), option(/./));
    await press("保存", binding);
    await page.getByText("收款账户已配置").waitFor();
    await press("开业", record);
    await press("确定", dialog("开业"));
    await record.getByText("营业中").first().waitFor();

    // the board, and a room for somebody who asks
    const { rows } = await house.database.pool.query<{ id: number }>(
      "select id from village where name = $1",
      [STORE],
    );
    await page.goto(`${base}/configuration/apartment?villageId=${rows[0]!.id}`);
    await page.getByRole("button", { name: /^101/ }).first().waitFor();
    await seen("board");
    await page.goto(`${base}/configuration/BookingManagement?action=1`);
    const lead = dialog("新增客源");
    await lead.getByLabel("姓名").fill("苏念安");
    await lead.getByLabel("手机").fill("13755558888");
    await pick(lead, "来源", "上门");
    await choose(() => lead.getByLabel("意向门店", { exact: true }).click(), option(STORE));
    await page.keyboard.press("Escape");
    await press("保存", lead);
    await settled();
    await press("预订", dialog(/^苏念安 KY/));
    const reserve = dialog("新增预订");
    await pick(reserve, "房间", "102");
    await expect.poll(() => reserve.getByLabel("租金", { exact: true }).inputValue()).toBe("3,000.00");
    await reserve.getByLabel("预计到期").fill(addDays(today, 364));
    await page.keyboard.press("Enter");
    await pick(reserve, "付款方式", "押一付一");
    await reserve.getByLabel("金额").fill("0");
    await press("预订", reserve);
    const kept = dialog(/^苏念安 YD/);
    await kept.getByText("已预订", { exact: true }).first().waitFor();
    await seen("reserved");

    // nothing is typed twice
    await press("转合同", kept);
    await page.getByRole("complementary", { name: "实时账单" }).getByText("6,000.00").first().waitFor();
    for (const step of ["客户", "条款", "费用", "优惠", "账单预览", "签署"]) await press(`下一步：${step}`);
    await press("提交签约");
    await press("已核对，提交签约", dialog("苏念安未登记证件，仍要签约？"));
    const contract = dialog(/^HT/);
    await press("确认签署", contract);
    const sign = dialog(/确认线下签署/);
    await sign.locator("input[type=file]").setInputFiles({
      name: "合同.pdf",
      mimeType: "application/pdf",
      buffer: aPdf(),
    });
    await sign.getByRole("button", { name: "移除 合同.pdf" }).waitFor();
    await press("确认签署", sign);
    await page.getByText(/已签署，生成账单/).waitFor();
    await seen("signed");

    // who moves in today waits on the workbench
    await page.goto(`${base}/workbench/WorkbenchPage`);
    const due = page
      .getByRole("button", { name: /今日入住/ })
      .or(page.getByRole("link", { name: /今日入住/ }))
      .first();
    await due.waitFor();
    await due.click();
    await page.getByText("苏念安").first().waitFor();
    await seen("workbench");
    expect(Date.now() - began).toBeLessThan(LIMIT_MS);
    expect(errors.filter((e) => !e.includes("409"))).toEqual([]);
  },
);
