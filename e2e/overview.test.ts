import exceljs from "exceljs";
import { expect, test } from "vitest";
import { dayInZone } from "../platform/kernel/day.ts";
import { demoPerson, story } from "./browser.sample.ts";

/** The dashboard and what it measures against, as head office uses them. */
const { house, base, open } = await story({ rooms: 60 });
const head = await demoPerson(house, "qinghe01");
const SIZE = { width: 1440, height: 900 };
const month = dayInZone(new Date()).slice(0, 7);

test("a block pasted with one wrong word saves nothing; put right, the target stands on the dashboard", async () => {
  await house.database.pool.query("delete from indicator_target");
  const { page, errors } = await open({ as: head, size: SIZE });
  await page.goto(`${base}/overview/TargetConfig`);
  const store = page.locator("table.tg tbody tr").first();
  const name = await store.locator("th").innerText();
  const year = month.slice(0, 4);
  await page.getByLabel(`${name} ${year}-01`).focus();
  const words = Array.from({ length: 12 }, (_, i) => (i === 6 ? "abc" : "96"));
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text", text);
    document.activeElement!.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, words.join("\t"));
  const wrong = page.getByLabel(`${name} ${year}-07`);
  expect(await wrong.getAttribute("aria-invalid")).toBe("true");
  expect(await wrong.getAttribute("title")).toBe("请输入0到100之间的数");
  expect(await page.getByRole("button", { name: /^保存/ }).isDisabled()).toBe(true);
  const kept = () => house.database.pool.query("select count(*)::int n from indicator_target");
  expect((await kept()).rows).toEqual([{ n: 0 }]);

  await wrong.fill("96");
  await page.getByRole("button", { name: "保存 12 格" }).click();
  // months that are over ask why
  const asked = page.getByRole("dialog", { name: "修改历史目标" });
  if (month > `${year}-01`) {
    await asked.locator("textarea").fill("年度目标补录");
    await asked.getByRole("button", { name: "确定" }).click();
  }
  await page.getByText("目标已保存").first().waitFor();
  expect((await kept()).rows).toEqual([{ n: 12 }]);

  await page.getByRole("tab", { name: "完成情况" }).click();
  await page.getByRole("button", { name: `${name} ${month} 看板` }).click();
  await page.waitForURL("**/workbench/overview2?*");
  await page.getByText("目标 96.00%").waitFor();
  await page.getByRole("row", { name: new RegExp(name) }).waitFor();
  expect(await page.locator(".ov__rank tbody tr.ant-table-row").count()).toBe(1);
  await page.getByRole("button", { name: "看全部门店" }).click();
  await expect.poll(() => page.locator(".ov__rank tbody tr.ant-table-row").count()).toBeGreaterThan(1);
  expect(errors).toEqual([]);
});

test("a sheet with one wrong cell changes nothing; put right it is taken, and taken back", async () => {
  const { page, errors } = await open({ as: head, size: SIZE });
  const year = Number(month.slice(0, 4)) + 1;
  await page.goto(`${base}/overview/TargetConfig?year=${year}`);
  const name = await page.locator("table.tg tbody tr").first().locator("th").innerText();
  await page.getByRole("button", { name: "导入", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "导入目标" });
  const template = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "下载模板" }).click();
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(await (await template).path());
  const sheet = book.getWorksheet("目标值")!;
  expect(sheet.getCell(2, 1).value).toBe(name);
  for (let i = 1; i <= 12; i++) sheet.getCell(2, 3 + i).value = i === 7 ? "abc" : "96";
  const bring = async () =>
    dialog.locator("input[type=file]").setInputFiles({
      name: "目标.xlsx",
      mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      buffer: Buffer.from(await book.xlsx.writeBuffer()),
    });
  await bring();
  await dialog.getByText("请输入0到100之间的数（abc）").waitFor();
  expect(await dialog.getByRole("button", { name: "确认导入" }).isDisabled()).toBe(true);
  sheet.getCell(2, 10).value = "97.5%";
  await bring();
  await dialog.getByText("修改 12 格").waitFor();
  await dialog.getByRole("button", { name: /^确认导入/ }).click();
  await page.getByText("已导入 12 格目标").waitFor();
  const july = page.getByLabel(`${name} ${year}-07`);
  await expect.poll(() => july.inputValue()).toBe("97.5");
  await page.getByRole("button", { name: "撤销导入" }).click();
  await page.getByRole("dialog", { name: "撤销导入" }).getByRole("button", { name: "确定" }).click();
  await expect.poll(() => july.inputValue()).toBe("");
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "导出", exact: true }).click();
  expect((await file).suggestedFilename()).toContain("目标值");
  expect(errors).toEqual([]);
});

test("the old address leads to the dashboard with what it carries; a figure leads to its records", async () => {
  const { page } = await open({ as: head, size: SIZE });
  await page.goto(`${base}/workbench/overview?basis=collected`);
  await page.waitForURL("**/workbench/overview2?basis=collected");
  const arrears = page.getByRole("button", { name: "欠费余额明细" });
  const shown = /[\d,]+\.\d\d/.exec(await arrears.innerText())![0];
  await arrears.click();
  await page.waitForURL("**/report/owingReport*");
  await page.getByText(shown, { exact: true }).filter({ visible: true }).first().waitFor();
});
