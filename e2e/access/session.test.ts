import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CONSTANTS, TEXTS } from "../../platform/checks/specification/texts.ts";
import { demoPerson, fromAvatar, story } from "../browser.sample.ts";

/** How a session begins, lasts and ends, and where an address leads (specification sections 2, 4 and 9). */
const { house, base, open, signIn } = await story({ rooms: 40 });
const { pool } = house.database;
const WEEK = Number(CONSTANTS["token.ttl.ms"][0]);
const HOME = `${base}/workbench/WorkbenchPage`;

const kept = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);
const at = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

test("the token is kept in its cookie and locally for 7 days, the flag of its end is cleared, and after 7 days it is gone", async () => {
  const { page, context } = await open();
  await page.clock.install();
  await page.goto(`${base}/user/login`);
  await page.evaluate(() => localStorage.setItem("sig__tokenTimeout", '{"value":true,"until":null}'));
  const before = Date.now();
  await signIn(page, "chuna01");
  const { value, until } = JSON.parse((await kept(page, "sig__token"))!) as { value: string; until: number };
  expect(Math.abs(until - before - WEEK)).toBeLessThan(60_000);
  const cookie = (await context.cookies(`${base}/`)).find((c) => c.name === CONSTANTS["token.cookie"][0])!;
  expect(cookie).toMatchObject({ value, path: CONSTANTS["router.base"][0], sameSite: "Lax" });
  expect(Math.abs(cookie.expires * 1000 - before - WEEK)).toBeLessThan(60_000);
  expect(await kept(page, "sig__tokenTimeout")).toBeNull();
  const local = async (key: string) => JSON.parse((await kept(page, `sig__${key}`))!).value;
  await page.locator("button.me").waitFor();
  expect(await local("serviceIdentifier")).toBe("default");
  expect(await local("userInfo")).toMatchObject({ name: "胡俊杰" });
  expect(await local("authorityList")).toEqual((await local("userInfo")).authorities);
  const { rows } = await pool.query("select phone from operator where account = 'chuna01'");
  expect(await kept(page, CONSTANTS["local.phone"][0])).toBe(rows[0].phone);
  expect(await kept(page, CONSTANTS["local.superType"][0])).toBe("");

  // the browser lets go of the cookie by its own clock; what is kept here goes by the page's
  await context.clearCookies();
  await page.clock.fastForward(WEEK - 120_000);
  await page.goto(`${base}/msgManage/manageHome`);
  await page.getByRole("heading", { name: "消息中心" }).waitFor();
  await page.clock.fastForward(180_000);
  await page.goto(`${base}/msgManage/manageHome`);
  await page.waitForURL("**/user/login?redirect=%2FmsgManage%2FmanageHome");
  await expect.poll(() => kept(page, "sig__token")).toBeNull();
});

test("the cookie alone opens the door as well", async () => {
  const who = await demoPerson(house, "chuna01");
  const { page, context } = await open();
  await context.addCookies([{ name: "hzsk_token", value: who.token, url: `${base}/` }]);
  await page.goto(HOME);
  await page.locator("button.me").getByText("胡俊杰").waitFor();
});

test("logging out asks, waits for the server, forgets everything and loads anew 16 ms later", async () => {
  const { page, context } = await open();
  await page.clock.install();
  await signIn(page, "shenji01");
  await page.evaluate(() => Object.assign(window, { before: true }));
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/login/logout", async (route) => {
    await held;
    await route.continue();
  });
  await fromAvatar(page, "退出登录");
  const question = page.getByRole("dialog", { name: TEXTS["logout.title"][0] });
  await question.getByText(TEXTS["logout.body"][0]).waitFor();
  const yes = question.getByRole("button", { name: "确定" });
  await yes.click();
  await expect.poll(() => yes.getAttribute("aria-busy")).toBe("true");
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  answer();
  await expect.poll(() => kept(page, "sig__token")).toBeNull();
  for (const key of ["sig__userInfo", "sig__authorityList", "hzsk_supertype", "hzsk_phone"])
    expect(await kept(page, key), key).toBeNull();
  expect((await context.cookies(`${base}/`)).map((c) => c.name)).not.toContain("hzsk_token");
  await page.clock.runFor(10);
  expect(await page.evaluate(() => "before" in window)).toBe(true);
  await page.clock.runFor(16);
  await page.waitForURL("**/user/login*");
  const { rows } = await pool.query(
    "select s.ended_at from login_session s join operator o on o.id = s.operator_id where o.account = 'shenji01'",
  );
  expect(rows.every((r) => r.ended_at)).toBe(true);
});

test("after the login one goes where one wanted to, inside this console only", async () => {
  const { page } = await open();
  const enter = async (redirect: string) => {
    await page.goto(`${base}/user/login?redirect=${encodeURIComponent(redirect)}`);
    await page.getByLabel("账号", { exact: true }).fill("qinghe01");
    await page.getByLabel("密码", { exact: true }).fill("demo2026");
    await page.locator("button[type=submit]").click();
    await page.waitForURL((url) => !url.pathname.endsWith("/user/login"));
    const to = at(page);
    await page.evaluate(() => localStorage.clear());
    await page.context().clearCookies();
    return to;
  };
  expect(await enter("/system/OperationLog?pageNo=2")).toBe("/sams/system/OperationLog?pageNo=2");
  for (const foreign of ["https://evil.example", "/\\evil.example"])
    expect(await enter(foreign), foreign).toBe("/sams/workbench/WorkbenchPage");
});

test("a signed-in person does not see the login page; nobody's unknown address ends at the login, theirs at /404 with menu and tabs", async () => {
  const nobody = await open();
  await nobody.page.goto(`${base}/system/OperationLog?pageNo=2`);
  await nobody.page.waitForURL("**/user/login?redirect=%2Fsystem%2FOperationLog%3FpageNo%3D2");

  const { page } = await open({ as: await demoPerson(house, "chuna01") });
  await page.goto(`${base}/user/login`);
  await page.waitForURL(HOME);
  const titled = async (title: string) => {
    await expect.poll(() => page.title(), { timeout: 20_000 }).toBe(`${title} - ${TEXTS["title.page"][0]}`);
  };
  await titled("工作台");
  await page.goto(`${base}/accountManage/BillListManage`);
  await titled("账单管理");
  for (const path of ["/nothing/here", "/system/AuthorityManagement"]) {
    await page.evaluate((to) => {
      history.pushState({}, "", to);
      dispatchEvent(new PopStateEvent("popstate", { state: {} }));
    }, `/sams${path}`);
    await page.waitForURL(`${base}/404`);
    await page.getByRole("heading", { name: "抱歉，您访问的页面不存在或没有权限" }).waitFor();
    await page.getByText(path, { exact: true }).waitFor();
    await page.getByRole("navigation", { name: "主菜单" }).getByText("财务管理").waitFor();
    await page.getByRole("navigation", { name: "已打开的页面" }).getByText("账单管理").waitFor();
  }
  await titled("页面不存在");
  await page.goto(`${base}/objectAssociation`);
  await page.getByText("当前版本尚未提供“智能物联”").waitFor();
  await nobody.page.goto(`${base}/404`);
  await expect.poll(() => nobody.page.title()).toBe(`页面不存在 - ${TEXTS["title.page"][0]}`);
  await page.getByRole("link", { name: "返回工作台" }).click();
  await page.waitForURL(HOME);
});

test("the greeting follows the hour", async () => {
  const { page } = await open({ as: await demoPerson(house, "chuna01") });
  const said = async (hour: number) => {
    await page.clock.setFixedTime(`2026-11-20T${String(hour).padStart(2, "0")}:30:00+08:00`);
    await page.goto(HOME);
    return (await page.locator("button.me").innerText()).split("，")[0]!.trim().slice(-3);
  };
  expect([await said(8), await said(13), await said(20)]).toEqual(["早上好", "中午好", "晚上好"]);
});

test("whose permissions do not come is told so, and can try again", async () => {
  const { page } = await open({ as: await demoPerson(house, "chuna01") });
  await page.route("**/user/info", async (route) => {
    const answer = await route.fetch();
    const { data, ...body } = await answer.json();
    await route.fulfill({ response: answer, json: { ...body, data: { ...data, role: {} } } });
  });
  await page.goto(HOME);
  await page.getByText("getInfo: roles must be a non-null array!").waitFor();
  await page.unroute("**/user/info");
  await page.getByRole("button", { name: "重试" }).click();
  await page.getByRole("heading", { name: "工作台" }).waitFor();
});

test("who stays with a form when the session has ended is told so at every try, and saves it after a log-in elsewhere", async () => {
  const { page, context } = await open();
  await signIn(page, "qinghe01");
  await page.goto(`${base}/system/AuthorityManagement`);
  await page.getByRole("button", { name: "新增部门" }).click();
  const form = page.getByRole("dialog", { name: "新增部门" });
  await form.getByLabel("名称").fill("前厅部");
  page.on("dialog", (leaving) => void leaving.dismiss());
  await pool.query("update login_session set ended_at = now() where ended_at is null");
  const save = form.getByRole("button", { name: "保存" });
  const said = form.getByText("登录已失效，填写的内容没有保存。请在新窗口中重新登录，再回到这里保存").first();
  await save.click();
  await said.waitFor();
  // the page would load anew, and the person stays
  await page.waitForTimeout(2000);
  await form.getByLabel("名称").fill("前厅接待部");
  await save.click();
  await expect.poll(() => save.getAttribute("aria-busy")).not.toBe("true");
  await said.waitFor();
  expect(await kept(page, "sig__token")).toBeNull();

  const other = await context.newPage();
  await signIn(other, "qinghe01");
  await save.click();
  await form.waitFor({ state: "detached" });
  const { rows } = await pool.query("select name from department where name like '前厅%'");
  expect(rows).toEqual([{ name: "前厅接待部" }]);
});

test("once somebody else has come in by another window, this one shows nothing of the one before", async () => {
  const { page, context } = await open();
  await signIn(page, "qinghe01");
  await page.goto(`${base}/configuration/village`);
  await page.getByRole("row", { name: /虹桥店/ }).waitFor();
  const other = await context.newPage();
  await other.goto(HOME);
  await fromAvatar(other, "退出登录");
  await other.getByRole("button", { name: "确定" }).click();
  await signIn(other, "dianzhang01");
  await page.locator("button.me").getByText("陈嘉禾").waitFor();
  await page.getByRole("row", { name: /滨江店/ }).waitFor();
  expect(await page.getByRole("row", { name: /虹桥店/ }).count()).toBe(0);
});
