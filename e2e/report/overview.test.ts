import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { filledIn, openBook } from "../../platform/server/sheets/book.sample.ts";
import { dayInZone } from "../../platform/kernel/day.ts";
import { demoPerson, PHONE, story } from "../browser.sample.ts";

/** The dashboard and what it measures against, as head office uses them. */
const { house, base, open } = await story({ rooms: 40 });
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
  await expect.poll(() => wrong.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => wrong.getAttribute("title")).toBe("请输入0到100之间的数");
  await expect.poll(() => page.getByRole("button", { name: /^保存/ }).isDisabled()).toBe(true);
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
  await expect.poll(() => page.locator(".ov__rank tbody tr.ant-table-row").count()).toBe(1);
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
  const empty = await readFile(await (await template).path());
  const given = (await openBook(empty)).find((s) => s.name === "目标值")!.values(2);
  expect(given[0]).toBe(name);
  const line = [...given.slice(0, 3), ...Array.from({ length: 12 }, (_, i) => (i === 6 ? "abc" : "96"))];
  const bring = async () =>
    dialog.locator("input[type=file]").setInputFiles({
      name: "目标.xlsx",
      mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      buffer: await filledIn(empty, "目标值", [line]),
    });
  await bring();
  await dialog.getByText("请输入0到100之间的数（abc）").waitFor();
  await expect.poll(() => dialog.getByRole("button", { name: "确认导入" }).isDisabled()).toBe(true);
  line[9] = "97.5%";
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
  // the old address leaves neither an entry to go back to nor a tab
  const tabs = page.getByRole("navigation", { name: "已打开的页面" });
  await expect.poll(() => tabs.getByText("数据看板").count()).toBe(1);
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  const arrears = page.getByRole("button", { name: "欠费余额明细" });
  const shown = /[\d,]+\.\d\d/.exec(await arrears.innerText())![0];
  await arrears.click();
  await page.waitForURL("**/report/owingReport*");
  await page.getByText(shown, { exact: true }).filter({ visible: true }).first().waitFor();
});

test("a store that its reader does not see is said not to be there, and the page shows the others", async () => {
  const manager = await demoPerson(house, "dianzhang01");
  const { rows } = await house.database.pool.query<{ id: number }>(
    `select v.id from village v join operator o on o.id = $1 where not v.id = any(o.village_ids) order by v.id limit 1`,
    [manager.operatorId],
  );
  const strange = rows[0]?.id ?? 999_999;
  const { page, errors } = await open({ as: manager, size: SIZE });
  await page.goto(`${base}/workbench/overview2?villageIds=${strange}`);
  await page.getByText("记录不存在或无权查看").waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("villageIds")).toBeNull();
  await page.getByRole("button", { name: "欠费余额明细" }).waitFor();
  expect(errors).toEqual([]);
});

test("figures of rooms and contracts open as many records as they say, also from a link", async () => {
  const { page, errors } = await open({ as: head, size: SIZE });
  await page.goto(`${base}/workbench/overview2?grain=year`);
  for (const [card, line, title] of [
    ["空置分布", /^空置合计/, "空置房间"],
    ["在租变动", /^期末在租/, "期末在租"],
  ] as const) {
    const button = page.getByRole("region", { name: card }).getByRole("button", { name: line });
    const count = /\d+/.exec((await button.innerText()).replace(/^.*?\n/, ""))![0];
    await button.click();
    const drawer = page.getByRole("dialog", { name: title });
    await drawer.getByText(`共 ${count} 间`).waitFor();
    await expect.poll(() => drawer.locator("tbody tr").count()).toBe(Math.min(50, Number(count)));
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  }
  await page.goto(`${base}/workbench/overview2?grain=year&records=ending.all`);
  await page
    .getByRole("dialog", { name: "到期合同" })
    .getByText(/^共 \d+ 份/)
    .waitFor();
  expect(errors).toEqual([]);
});

test("the money that fell due opens bills of the same sum", async () => {
  const { page, errors } = await open({ as: head, size: SIZE });
  const last = month.slice(0, 7);
  await page.goto(`${base}/workbench/overview2?basis=billed&from=${last}-01`);
  const billed = page.getByRole("button", { name: "应收明细" });
  const shown = /[\d,]+\.\d\d/.exec(await billed.innerText())![0];
  await billed.click();
  await page.waitForURL("**/accountManage/BillListManage?*");
  // the list says apart what was reduced
  const fen = (yuan: string) => Number(yuan.replaceAll(",", "").replace("−", "-").replace(".", ""));
  const sums = page.locator(".ant-table-summary").filter({ hasText: "全部账单" });
  await expect
    .poll(async () => {
      const [amount = "", adjusted = ""] = (await sums.innerText()).match(/−?[\d,]+\.\d\d/g) ?? [];
      return fen(amount) + fen(adjusted);
    })
    .toBe(fen(shown));
  expect(errors).toEqual([]);
});

test("the map leads from the country to a city and to a store by the keyboard; cities narrow the page", async () => {
  const { page, errors } = await open({ as: head, size: SIZE });
  await page.goto(`${base}/workbench/overview2`);
  const map = page.getByRole("group", { name: "门店地图" });
  const hangzhou = map.getByRole("button", { name: /^杭州，出租率 [\d.]+%，\d+ 间$/ });
  await hangzhou.focus();
  await page.keyboard.press("Enter");
  const store = map.getByRole("button").first();
  await expect.poll(() => store.getAttribute("aria-label")).toMatch(/店，出租率/);
  const name = (await store.getAttribute("aria-label"))!.split("，")[0]!;
  await store.focus();
  await page.keyboard.press("Space");
  await page.waitForURL("**villageIds=*");
  await expect.poll(() => page.locator(".ov__rank tbody tr.ant-table-row").count()).toBe(1);
  await page.locator(".ov__rank tbody").getByText(name).first().waitFor();
  await expect.poll(() => store.getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).searchParams.get("villageIds")).toBeNull();

  const cities = page.getByRole("region", { name: "城市对比" });
  await cities.getByRole("button", { name: "上海" }).click();
  await expect
    .poll(() => cities.getByRole("button", { name: "上海" }).getAttribute("aria-pressed"))
    .toBe("true");
  const shanghai = new URL(page.url()).searchParams.get("villageIds")!.split(",").length;
  await expect.poll(() => page.locator(".ov__rank tbody tr.ant-table-row").count()).toBe(shanghai);
  expect(errors).toEqual([]);
});

test("every block is saved as a picture; the whole screen goes from one part to the next", async () => {
  const { page, errors } = await open({ as: head, size: SIZE });
  await page.goto(`${base}/workbench/overview2`);
  await page
    .getByRole("region", { name: "空置分布" })
    .getByRole("button", { name: /^空置合计/ })
    .waitFor();
  const whole = page.waitForEvent("download");
  await page.getByRole("button", { name: "整页保存图片" }).click();
  expect((await whole).suggestedFilename()).toBe(`数据看板 ${month}.png`);
  for (const title of ["空置分布", "客源转化", "门店地图", "城市对比", "门店出租率"]) {
    const button = page.getByRole("button", { name: `${title}保存图片`, exact: true });
    const box = (await page.getByRole("region", { name: title, exact: true }).boundingBox())!;
    const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
    expect(file.suggestedFilename()).toBe(`${title}.png`);
    const png = await readFile(await file.path());
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(png.readUInt32BE(16)).toBe(Math.ceil(box.width * 2));
    // a blank sheet packs far smaller
    expect(png.length).toBeGreaterThan(5_000);
  }
  const wall = page.locator(".ov");
  await page.clock.install();
  await page.getByRole("button", { name: "投屏" }).click();
  for (const part of ["figures", "pictures", "map", "rank", "figures"]) {
    await expect.poll(() => wall.getAttribute("data-part")).toBe(part);
    await expect.poll(() => page.getByRole("button", { name: "投屏" }).isVisible()).toBe(false);
    await page.clock.runFor(20_000);
  }
  await page.evaluate(() => document.exitFullscreen());
  await page.getByRole("button", { name: "投屏" }).waitFor();
  expect(errors).toEqual([]);
});

test("on a phone in the dark the dashboard stays within the screen", async () => {
  const { page, errors } = await open({ as: head, size: PHONE, theme: "dark" });
  await page.goto(`${base}/workbench/overview2`);
  await page.getByRole("region", { name: "城市对比" }).getByRole("button", { name: "上海" }).waitFor();
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await wide()).toBeLessThanOrEqual(0);
  await page.goto(`${base}/workbench/overview2?records=empty`);
  await page
    .getByRole("dialog", { name: "空置房间" })
    .getByText(/^共 \d+ 间/)
    .waitFor();
  expect(await wide()).toBeLessThanOrEqual(0);
  expect(errors).toEqual([]);
});
