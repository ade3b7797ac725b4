import { expect, test } from "vitest";
import { addRole, getRole } from "../../domains/access/role/role.contract.ts";
import { choose, demoPerson, pictureOnFailure, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const head = await demoPerson(house, "admin2026");
const SIZE = { width: 1440, height: 900 };
const PASSWORD = "Qing2026!";

test("who was slower than a colleague goes on from what the colleague saved, with their own words kept", async () => {
  const { page } = await open({ as: head, size: SIZE });
  pictureOnFailure(() => page);
  const { pool } = house.database;
  const slower = async (tab: string, row: RegExp, mine: string) => {
    await page.goto(`${base}/system/AuthorityManagement?tab=${tab}`);
    await page.getByRole("row", { name: row }).getByRole("button", { name: "编辑", exact: true }).click();
    const form = page.getByRole("dialog");
    const box = form.getByLabel(mine, { exact: true });
    await box.fill(`${await box.inputValue()}甲`);
    return { form, box };
  };
  const goesOn = async ({ form, box }: Awaited<ReturnType<typeof slower>>) => {
    await form.getByRole("button", { name: "保存" }).click();
    await form.getByRole("button", { name: "载入最新数据" }).click();
    await form
      .getByText(/已载入最新数据，您填写的内容已保留/)
      .first()
      .waitFor();
    expect(await box.inputValue()).toMatch(/甲$/);
  };
  const role = await slower("roles", /租赁顾问/, "角色名称");
  await pool.query("update role set remark = '同事填写', version = version + 1 where name = '租赁顾问'");
  await goesOn(role);
  expect(await role.form.getByLabel("备注", { exact: true }).inputValue()).toBe("同事填写");
  await role.form.getByRole("button", { name: "保存" }).click();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);

  const person = await slower("staff", /zulin01/, "姓名");
  await pool.query(
    "update operator set email = 'tongshi@example.com', version = version + 1 where account = 'zulin01'",
  );
  await goesOn(person);
  expect(await person.form.getByLabel("邮箱", { exact: true }).inputValue()).toBe("tongshi@example.com");
});

test("of a role only what its editor has can be changed, and the form says so of the rest", async () => {
  const { id: roleId } = await house.did(
    addRole,
    { as: head },
    { body: { name: "报修组长", remark: "", keys: ["54.query", "54.add"] } },
  );
  const editor = await house.person({
    permits: ["46.query", "46.get", "46.edit", "54.query"],
    name: "运营助理",
  });
  const { page } = await open({ as: editor, size: SIZE });
  pictureOnFailure(() => page);
  await page.goto(`${base}/system/AuthorityManagement?tab=roles`);
  await page
    .getByRole("row", { name: /报修组长/ })
    .getByRole("button", { name: "编辑", exact: true })
    .click();
  const form = page.getByRole("dialog", { name: "编辑角色 报修组长" });
  await form.getByLabel("搜索功能").fill("报修管理");
  const box = (name: string) => form.getByLabel(`报修管理 ${name}`, { exact: true });
  await box("查询").uncheck();
  expect(await box("新增").isChecked()).toBe(true);
  expect(await box("新增").isDisabled()).toBe(true);
  expect(await form.getByTitle("不能收回超出自身的权限").count()).toBe(1);
  await form.getByText("− 1 项：报修管理 查询").waitFor();
  await form.getByRole("button", { name: "保存" }).click();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  expect((await house.did(getRole, { as: head }, { params: { id: roleId } })).keys).toContain("54.add");
});

test("a role with few functions, given to a person: they sign in and find just that", async () => {
  const { page, errors } = await open({ as: head, size: SIZE });
  pictureOnFailure(() => page);
  await page.goto(`${base}/system/AuthorityManagement?tab=roles`);
  await page.getByRole("button", { name: "新增角色" }).click();
  const role = page.getByRole("dialog", { name: "新增角色" });
  await role.getByLabel("角色名称").fill("租客查看");
  await role.getByLabel("搜索功能").fill("租客管理");
  await role.getByLabel("租客管理 查询", { exact: true }).check();
  await role.getByLabel("租客管理 详情", { exact: true }).check();
  await role.getByText("+ 2 项：租客管理 查询、租客管理 详情").waitFor();
  await role.getByRole("button", { name: "保存" }).click();
  await page.getByRole("row", { name: /租客查看/ }).waitFor();

  await page.getByRole("tab", { name: "员工" }).click();
  await page.getByRole("button", { name: "新增员工" }).click();
  const form = page.getByRole("dialog", { name: "新增员工" });
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("请输入6-20位字母和数字组合").or(form.getByText("请输入账号")).first().waitFor();
  await form.getByLabel("账号", { exact: true }).fill("qiantai01");
  await form.getByLabel("姓名").fill("林小满");
  await form.getByLabel("手机").fill("13905718801");
  await form.getByLabel("密码").fill(PASSWORD);
  await form.getByLabel("第1行部门").click();
  await page.locator(".ant-select-item-option", { hasText: "门店运营" }).click();
  await form.getByLabel("第1行角色").click();
  await page.locator(".ant-select-item-option", { hasText: "租客查看" }).click();
  await form.getByLabel("门店", { exact: true }).click();
  await page.locator(".ant-select-item-option", { hasText: "滨江店" }).click();
  await form.getByLabel("邮箱").click();
  // a list on its way out would take the click for itself
  await expect.poll(() => page.locator(".ant-select-dropdown:visible").count()).toBe(0);
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByText("员工已新增").waitFor();
  await page.getByRole("row", { name: /qiantai01/ }).waitFor();
  expect(errors).toEqual([]);

  // their first password was given; here they have chosen their own
  await house.database.pool.query(
    "update operator set must_change_password = false where account = 'qiantai01'",
  );
  const theirs = await open({ size: SIZE });
  await theirs.page.goto(`${base}/user/login`);
  await theirs.page.getByLabel("账号", { exact: true }).fill("qiantai01");
  await theirs.page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await theirs.page.locator("button[type=submit]").click();
  const menu = theirs.page.getByRole("navigation", { name: "主菜单" });
  await menu.getByText("客户管理").waitFor();
  await expect.poll(() => menu.getByText("财务管理").count()).toBe(0);
  await expect.poll(() => menu.getByText("系统管理").count()).toBe(0);
  await theirs.page.goto(`${base}/configuration/RenterManage`);
  await theirs.page.getByRole("table").first().waitFor();
  await expect.poll(() => theirs.page.getByRole("button", { name: "新增租客" }).count()).toBe(0);
  await theirs.page.goto(`${base}/system/AuthorityManagement`);
  await theirs.page.waitForURL("**/404");
});

test("an administrator looks on as a person, changes nothing, and comes back", async () => {
  const { page } = await open({ as: head, size: SIZE });
  await page.goto(`${base}/system/AuthorityManagement`);
  const row = page.getByRole("row", { name: /dianzhang01/ });
  await choose(
    () => row.getByRole("button", { name: "更多操作" }).click(),
    page.getByRole("menuitem", { name: "以其身份查看" }),
  );
  await page.getByRole("button", { name: "开始查看" }).click();
  await page.getByText(/以 陈嘉禾 的身份查看/).waitFor();
  const menu = page.getByRole("navigation", { name: "主菜单" });
  await menu.getByText("房源管理").waitFor();
  await expect.poll(() => menu.getByText("权限管理").count()).toBe(0);
  await page.getByRole("button", { name: "结束", exact: true }).click();
  await page.waitForURL("**/system/AuthorityManagement");
  await page.getByRole("row", { name: /dianzhang01/ }).waitFor();
  await expect.poll(() => page.getByText(/的身份查看/).count()).toBe(0);
});

test("a menu takes its new name and leaves the side when it is hidden", async () => {
  const { page } = await open({ as: head, size: SIZE });
  await page.goto(`${base}/system/MenuManagePage?keyword=业务日志&level=2`);
  const row = page.getByRole("row", { name: /业务日志/ });
  await row.getByRole("button", { name: "编辑" }).click();
  const form = page.getByRole("dialog", { name: "编辑 业务日志" });
  await form.getByLabel("名称").fill("业务动态");
  await form.getByRole("button", { name: "保存" }).click();
  const menu = page.getByRole("navigation", { name: "主菜单" });
  await menu.getByText("业务动态").waitFor();
  await page.goto(`${base}/system/BusinessLog`);
  await expect.poll(() => page.title()).toBe("业务动态 - 智慧公寓");

  await page.goto(`${base}/system/MenuManagePage?keyword=业务动态&level=2`);
  await page
    .getByRole("row", { name: /业务动态/ })
    .getByRole("button", { name: "更多操作" })
    .click();
  await page.getByRole("menuitem", { name: "隐藏" }).click();
  await page.getByText("已隐藏").waitFor();
  await expect.poll(() => menu.getByText("业务动态").count()).toBe(0);
  await page.goto(`${base}/system/BusinessLog`);
  await page.getByRole("heading", { name: "业务动态" }).waitFor();
});

test("a path without the function leads to /404, which names the function and whom to ask; menu, tabs and the way back stay", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "dianzhang01"), size: SIZE });
  await page.goto(`${base}/configuration/RenterManage`);
  await page.getByRole("heading", { name: "租客管理" }).waitFor();
  await page.goto(`${base}/system/AuthorityManagement`);
  await page.waitForURL("**/sams/404");
  await page.getByText("抱歉，您访问的页面不存在或没有权限").waitFor();
  await page.getByText("“权限管理”需要权限：权限管理（46）").waitFor();
  await page.getByText(/^可以联系：.*（企业管理员）/).waitFor();
  await page.getByText("/system/AuthorityManagement", { exact: true }).waitFor();
  await page.getByRole("navigation", { name: "主菜单" }).getByText("房源管理").waitFor();
  await page.getByRole("navigation", { name: "已打开的页面" }).getByText("租客管理").waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "租客管理" }).waitFor();

  await page.goto(`${base}/nothing/here`);
  await page.getByText("系统中没有这个页面，请检查地址是否完整").waitFor();
  await expect.poll(() => page.getByText(/^可以联系/).count()).toBe(0);
  await page.getByRole("link", { name: "返回工作台" }).click();
  await page.waitForURL("**/workbench/WorkbenchPage");

  // the path of a menu opens the first of its pages that is permitted
  await page.goto(`${base}/renter`);
  await page.waitForURL("**/configuration/RenterManage");
  expect(errors).toEqual([]);

  const boss = await open({ as: head, size: SIZE });
  await boss.page.goto(`${base}/system/PlatformConf?tab=dead`);
  await boss.page.getByRole("row", { name: /\/nothing\/here/ }).waitFor();
});

test("an ordinary operator has no quick actions; the same person as head of the enterprise has three, and they lead there", async () => {
  const seen = async () => (await open({ as: await demoPerson(house, "dianzhang02"), size: SIZE })).page;
  const before = await seen();
  await before.goto(`${base}/workbench/WorkbenchPage`);
  await before
    .getByRole("heading", { name: "常用功能" })
    .or(before.getByText("常用功能").first())
    .first()
    .waitFor();
  await expect.poll(() => before.getByRole("button", { name: "快捷操作" }).count()).toBe(0);

  await house.database.pool.query("update operator set super_type = '1' where account = 'dianzhang02'");
  const page = await seen();
  await page.goto(`${base}/workbench/WorkbenchPage`);
  const opens = () => page.getByRole("button", { name: "快捷操作" }).click();
  await opens();
  const items = page.locator(".ant-dropdown-menu-item");
  await expect.poll(() => items.allInnerTexts()).toEqual(["新增门店", "新增预订", "记一笔"]);
  await items.filter({ hasText: "新增预订" }).click();
  await page.waitForURL("**/configuration/BookingManagement?*");
  await page.getByRole("dialog", { name: /客源/ }).waitFor();
});

test("a role is copied with as much of it as one may give", async () => {
  const boss = await house.person({ superType: "1" });
  const keys = ["16.query", "16.get"];
  await house.did(addRole, { as: boss }, { body: { name: "前台查看", remark: "", keys } });
  const permits = ["46.query", "46.get", "46.add", "16.query"] as const;
  const { page, errors } = await open({ as: await house.person({ permits: [...permits] }), size: SIZE });
  await page.goto(`${base}/system/AuthorityManagement?tab=roles`);
  const row = page.getByRole("row", { name: /^前台查看/ });
  await row.getByRole("button", { name: "复制" }).click();
  const copy = page.getByRole("dialog", { name: "复制角色" });
  await copy.getByText("+ 1 项：租客管理 查询").waitFor();
  await copy.getByRole("button", { name: "保存" }).click();
  await copy.waitFor({ state: "detached" });
  const { rows } = await house.database.pool.query(
    "select f.key from role r join role_function f on f.role_id = r.id where r.name = '前台查看副本' order by 1",
  );
  expect(rows.map((r) => r.key)).toEqual(["14", "16", "16.query"]);
  expect(errors).toEqual([]);
});

test("a filter that holds a store that is no longer one's own says so instead of a number, and is cleared", async () => {
  const { rows } = await house.database.pool.query<{ id: number }>(
    "select id from village where state = 'open' order by id limit 3",
  );
  const [gone, ...own] = rows.map((r) => r.id);
  const clerk = await house.person({ permits: ["26.query"], villages: own, name: "值班店员" });
  const { page } = await open({ as: clerk, size: SIZE });
  pictureOnFailure(() => page);
  await page.goto(`${base}/accountManage/BillListManage?tab=all&villageIds=${gone}`);
  await page.getByText("门店：不在您范围内的门店").waitFor();
  expect(await page.locator(".ant-select", { hasText: "不在您范围内的门店" }).count()).toBe(1);
  await page.getByRole("button", { name: "清除门店" }).click();
  await expect.poll(() => page.getByText("不在您范围内的门店").count()).toBe(0);
});
