import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CONSTANTS, TEXTS } from "../../platform/checks/specification/texts.ts";
import { house as table } from "../../screens.ts";
import { choose, demoPerson, fromAvatar, PHONE, story } from "../browser.sample.ts";

/** Tabs, display settings, version notes and copying: the frame as specification sections 2, 5 and 8 say. */
const { house, base, open } = await story({ rooms: 40 });
const boss = await demoPerson(house, "admin2026");
const HOME = "/workbench/WorkbenchPage";

const tabs = (page: Page) => page.getByRole("navigation", { name: "已打开的页面" });
const titles = (page: Page) => tabs(page).locator(".tab > button:first-child").allTextContents();
/** Opens pages by their addresses, each until its tab is lit. */
async function visit(page: Page, ...paths: string[]) {
  for (const path of paths) {
    await page.evaluate((to) => {
      history.pushState({}, "", to);
      dispatchEvent(new PopStateEvent("popstate", { state: {} }));
    }, `/sams${path}`);
    const { title } = table.screens.find((s) => s.path === path)!;
    await tabs(page).locator(".tab.on", { hasText: title }).waitFor();
  }
}
async function fromTab(page: Page, title: string, label: string) {
  const tab = tabs(page).getByRole("button", { name: title, exact: true });
  const item = page.getByRole("menuitem", { name: label, exact: true });
  await choose(() => tab.click({ button: "right" }), item);
  await item.waitFor({ state: "hidden" });
}

test("tabs close to the left, to the right, all others, singly; the last one stays, and each says why nothing happens", async () => {
  const { page } = await open({ as: boss });
  await page.goto(base + HOME);
  await tabs(page).locator(".tab.on").waitFor();
  await visit(page, "/configuration/village", "/contract/RenterContractPage", "/system/OperationLog");
  await visit(page, "/msgManage/manageHome");
  await expect.poll(() => titles(page)).toEqual(["工作台", "门店管理", "租客合同", "操作日志", "消息中心"]);
  await fromTab(page, "工作台", "关闭左侧");
  await page.getByText(TEXTS["tabs.noLeft"][0], { exact: true }).waitFor();
  await fromTab(page, "消息中心", "关闭右侧");
  await page.getByText(TEXTS["tabs.noRight"][0], { exact: true }).waitFor();
  await fromTab(page, "租客合同", "关闭左侧");
  await expect.poll(() => titles(page)).toEqual(["租客合同", "操作日志", "消息中心"]);
  await page.reload();
  await expect.poll(() => titles(page), { timeout: 20_000 }).toEqual(["租客合同", "操作日志", "消息中心"]);
  await tabs(page).getByRole("button", { name: "操作日志", exact: true }).click();
  await page.waitForURL("**/system/OperationLog");
  await fromTab(page, "操作日志", "关闭右侧");
  await expect.poll(() => titles(page)).toEqual(["租客合同", "操作日志"]);
  await visit(page, "/msgManage/manageHome");
  await fromTab(page, "消息中心", "关闭当前");
  await expect.poll(() => titles(page)).toEqual(["租客合同", "操作日志"]);
  await fromTab(page, "租客合同", "关闭其他");
  await expect.poll(() => titles(page)).toEqual(["租客合同"]);
  await page.waitForURL("**/contract/RenterContractPage");
  for (const close of ["关闭当前", "关闭其他"]) {
    await fromTab(page, "租客合同", close);
    await page.getByText(TEXTS["tabs.last"][0], { exact: true }).first().waitFor();
  }
  await tabs(page).getByRole("button", { name: "关闭租客合同" }).click();
  expect(await titles(page)).toEqual(["租客合同"]);
  await expect.poll(() => page.title()).toBe("租客合同 - 智慧公寓");
});

test("a menu shows what one may open, with what waits there; its own path opens the first page of it, that of an empty one nothing", async () => {
  const { rows } = await house.database.pool.query<{ village: number; waiting: number }>(
    "select (select min(id)::int from village) village, (select count(*)::int from bank_line where free > 0) waiting",
  );
  const { village, waiting } = rows[0]!;
  expect(waiting).toBeGreaterThan(0);
  const as = await house.person({ permits: ["23.query", "97.query"], villages: [village] });
  const { page, errors } = await open({ as });
  await page.goto(`${base}/accountManage`);
  await page.waitForURL("**/accountManage/accountSummary");
  const menu = page.locator(".branch");
  await menu.getByLabel(`${waiting} 条待处理`).waitFor();
  expect(await menu.locator("li > a").allInnerTexts()).toEqual(["账户汇总", `对公流水认领\n${waiting}`]);
  expect(await menu.locator(".menu__badge").count()).toBe(1);
  await page.goto(`${base}/system`);
  await page.getByRole("heading", { name: "抱歉，您访问的页面不存在或没有权限" }).waitFor();
  expect(errors).toEqual([]);
});

test("whoever has chosen nothing gets a fixed header and side, the default colour, tabs and Chinese; each choice is kept at once", async () => {
  const { page } = await open({ as: boss });
  await page.goto(base + HOME);
  const look = () => page.evaluate(() => ({ ...document.documentElement.dataset }));
  const primary = () =>
    page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue("--primary").trim().toUpperCase(),
    );
  await tabs(page).waitFor();
  await expect
    .poll(look)
    .toMatchObject({ layout: "side", width: "fluid", head: "fixed", side: "fixed", weak: "false" });
  expect(await primary()).toBe(CONSTANTS["color.primary"][0]);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(CONSTANTS["locale.default"][0]);
  const side = page.locator("aside.side, .side").first();
  expect((await side.boundingBox())!.width).toBe(Number(CONSTANTS["sider.expanded"][0]));
  await page.getByRole("button", { name: "收起菜单" }).click();
  await expect
    .poll(async () => (await side.boundingBox())!.width)
    .toBe(Number(CONSTANTS["sider.collapsed"][0]));
  await page.getByRole("button", { name: "展开菜单" }).click();

  await fromAvatar(page, "显示设置");
  const drawer = page.getByRole("dialog", { name: "显示设置" });
  const kept = () =>
    page.evaluate(() => {
      const key = Object.keys(localStorage).find((k) => /^sig__.*settings/.test(k));
      return key ? (JSON.parse(localStorage.getItem(key)!) as { value: object }).value : {};
    });
  for (const [name, key, value] of [
    ["固定页头", "fixedHeader", false],
    ["固定侧栏", "fixedSide", false],
    ["下滑隐藏页头", "hideHeader", true],
    ["色弱模式", "weak", true],
    ["多标签", "tabs", false],
  ] as const) {
    await drawer.getByRole("switch", { name }).click();
    await expect.poll(kept, { message: name }).toMatchObject({ [key]: value });
  }
  await drawer.getByRole("radio", { name: "#0E7C66" }).click();
  await drawer.getByText("顶部菜单", { exact: true }).click();
  await expect.poll(look).toMatchObject({ layout: "top", head: "hiding", side: "flowing", weak: "true" });
  await page.reload();
  await page.locator("button.me").waitFor();
  await expect.poll(look).toMatchObject({ layout: "top", head: "hiding", side: "flowing", weak: "true" });
  expect(await primary()).toBe("#0E7C66");
  await expect.poll(() => tabs(page).count()).toBe(0);
  await fromAvatar(page, "显示设置");
  await drawer.getByRole("button", { name: "恢复默认" }).click();
  await expect
    .poll(look)
    .toMatchObject({ layout: "side", width: "fluid", head: "fixed", side: "fixed", weak: "false" });
  await expect.poll(primary).toBe(CONSTANTS["color.primary"][0]);
  await tabs(page).waitFor();
});

test("what is copied is told, and what cannot be copied as well", async () => {
  const { page, context } = await open({ as: boss });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${base}/configuration/RenterManage`);
  await page.locator("tbody tr.ant-table-row a, tbody tr.ant-table-row .linkish").first().click();
  const drawer = page.locator(".drawer");
  await drawer.getByRole("button", { name: "复制", exact: true }).waitFor();
  const name = (await drawer.locator("h2 .cut").innerText()).trim();
  await drawer.getByRole("button", { name: "复制", exact: true }).click();
  await page.getByText(TEXTS["copy.ok"][0], { exact: true }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(name);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("closed"));
    document.execCommand = () => false;
  });
  await drawer.getByRole("button", { name: "复制", exact: true }).click();
  await page.getByText(TEXTS["copy.failed"][0], { exact: true }).waitFor();
});

const NOTE = { 发布时间: "2026-11-30 10:00:00", 版本号: "v7.0.9", 模块: "账单", 类型: "优化" };

test("version notes: each field has its sentence, the dialog closes when it is done, and the list is fresh", async () => {
  const { page } = await open({ as: boss });
  await page.goto(base + HOME);
  await page.locator(".version").getByText(TEXTS["version.label"][0]).click();
  const drawer = page.getByRole("dialog", { name: TEXTS["versionDrawer.title"][0] });
  expect(Math.round((await drawer.locator(".drawer__in").boundingBox())!.width)).toBe(
    Number(CONSTANTS["drawer.version.width"][0]),
  );
  await drawer.getByRole("button", { name: "新增版本" }).click();
  const form = page.getByRole("dialog", { name: "新增版本" });
  const field = (label: string) => form.getByLabel(label, { exact: true });
  const wrong = (label: string, text: string) =>
    form
      .locator(".fi", { has: page.getByLabel(label, { exact: true }) })
      .getByRole("alert")
      .getByText(text, { exact: true })
      .waitFor();
  await form.getByRole("button", { name: "确定" }).click();
  await wrong("发布时间", TEXTS["version.releaseTime.required"][0]);
  await wrong("版本号", TEXTS["version.version.required"][0]);
  await wrong("内容", TEXTS["version.content.required"][0]);
  await wrong("模块", "请输入模块");
  await wrong("类型", "请输入类型");
  // on leaving the field
  for (const [label, most] of [
    ["版本号", 64],
    ["类型", 64],
    ["模块", 200],
    ["内容", 200],
  ] as const) {
    await field(label).fill("@版本");
    await field(label).blur();
    await wrong(label, "不能以特殊字符开头");
    await field(label).fill("a<b");
    await field(label).blur();
    await wrong(label, "不能包含 < > \\ ^ ` 等符号");
    // nobody can type more than 200 characters there
    if (label === "内容") continue;
    await field(label).fill("长".repeat(most + 1));
    await field(label).blur();
    await wrong(label, label === "版本号" ? TEXTS["version.version.length"][0] : `长度为1到${most}个字`);
  }
  expect(await field("内容").evaluate((box) => [box.tagName, box.getAttribute("rows")])).toEqual([
    "TEXTAREA",
    "3",
  ]);
  await expect.poll(() => field("内容").getAttribute("maxlength")).toBe("200");

  for (const [label, value] of Object.entries(NOTE)) {
    await field(label).fill(value);
    if (label === "发布时间") await page.keyboard.press("Enter");
  }
  await field("内容").fill("账单导出更快");
  await form.getByRole("button", { name: "确定" }).click();
  await page.getByText(TEXTS["version.added"][0], { exact: true }).waitFor();
  await form.waitFor({ state: "detached" });
  await drawer.getByText("账单导出更快").waitFor();

  await drawer.getByRole("button", { name: "编辑 v7.0.9" }).click();
  const edit = page.getByRole("dialog", { name: "编辑版本" });
  await edit.getByLabel("内容", { exact: true }).fill("账单导出更快也更全");
  await edit.getByRole("button", { name: "确定" }).click();
  await page.getByText(TEXTS["version.edited"][0], { exact: true }).waitFor();
  await edit.waitFor({ state: "detached" });
  await drawer.getByText("账单导出更快也更全").waitFor();

  const clerk = await open({ as: await demoPerson(house, "chuna01") });
  await clerk.page.goto(base + HOME);
  await clerk.page.locator(".version").click();
  const theirs = clerk.page.getByRole("dialog", { name: TEXTS["versionDrawer.title"][0] });
  await theirs.getByText("账单导出更快也更全").waitFor();
  await expect.poll(() => theirs.getByRole("button", { name: /新增|编辑|删除/ }).count()).toBe(0);

  // a phone has no room for the link: the notes stand in the menu of the avatar
  const onPhone = await open({ as: boss, size: PHONE });
  await onPhone.page.goto(base + HOME);
  await fromAvatar(onPhone.page, "版本说明");
  await onPhone.page.getByText("账单导出更快也更全").waitFor();

  await drawer.getByRole("button", { name: "删除 v7.0.9" }).click();
  const asks = page.getByRole("dialog", { name: "删除版本" });
  expect((await asks.locator(".dialog__in").boundingBox())!.width).toBe(
    Number(CONSTANTS["dialog.deleteVersion.width"][0]),
  );
  await asks.getByRole("button", { name: "删除" }).click();
  await page.getByText(TEXTS["version.deleted"][0], { exact: true }).waitFor();
  await asks.waitFor({ state: "detached" });
  await expect.poll(() => drawer.getByText("账单导出更快也更全").count()).toBe(0);
});
