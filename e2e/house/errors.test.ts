import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { TEXTS } from "../../platform/checks/specification/texts.ts";
import { demoPerson, DESK, fromAvatar, PHONE, story } from "../browser.sample.ts";

/** What a person reads when an answer does not come, or comes as an error (specification section 8). */
const { house, base, open, signIn } = await story({ rooms: 40 });
const boss = await demoPerson(house, "admin2026");
const VILLAGES = /\/housingVillage\?/;
const STORES = "/configuration/village";
const NEUTRAL = TEXTS["error.default"][0];
/** What a 401 says: its own sentence, and what to do. */
const SIGNED_OUT = [TEXTS["http.401"][0], TEXTS["http.401.toast"][0]];

const toastOf = (page: Page, text: string) => page.locator(".toast", { hasText: text });
const rows = (page: Page) => page.locator("tbody tr.ant-table-row");
const json = (status: number, body: object) => (route: Route) =>
  route.fulfill({ status, contentType: "application/json", body: JSON.stringify(body) });

/** The public form that sends a code: one write that anybody can press again and again. */
async function sender(page: Page) {
  await page.goto(`${base}/user/recover`);
  await page.getByLabel("手机").fill("13900006655");
  return async () => {
    await page.getByLabel("图形验证码", { exact: true }).fill("AB34");
    await page.getByRole("button", { name: TEXTS["sms.idle"][0] }).click();
  };
}
const SENDING = "**/login/sendVerification";

const SAID: [status: number, text: string][] = [
  [403, "没有权限执行此操作"],
  [404, "请求地址出错(404)"],
  [408, "请求超时(408)"],
  [500, "服务器错误(500)"],
  [501, "服务未实现(501)"],
  [502, "网络错误(502)"],
  [503, "服务不可用(503)"],
  [504, "网络超时(504)"],
  [505, "HTTP版本不受支持(505)"],
  [418, "连接出错(418)"],
  [429, "连接出错(429)"],
];

test("every status has its sentence, the server's own wins, and a code without a sentence is told neutrally", async () => {
  const { page } = await open();
  const send = await sender(page);
  for (const [status, text] of SAID) {
    await page.route(SENDING, (route) => route.fulfill({ status, body: "" }), { times: 1 });
    await send();
    await toastOf(page, text).waitFor();
  }
  for (const status of [409, 507]) {
    await page.route(SENDING, json(status, { code: status, message: "今天的短信已发完" }), { times: 1 });
    await send();
    await toastOf(page, "今天的短信已发完").first().waitFor();
    await expect.poll(() => page.getByText(`(${status})`).count()).toBe(0);
  }
  await page.route(SENDING, json(200, { code: 9001, message: "" }), { times: 1 });
  await send();
  await toastOf(page, NEUTRAL).waitFor();
});

test("what failed stands where the list would be: the sentence, the request's number, and a way to try again", async () => {
  const { page } = await open({ as: boss });
  await page.route(VILLAGES, json(500, { code: 500, message: "", requestId: "req-77" }));
  await page.goto(base + STORES);
  const state = page.locator(".state[role=alert]");
  await state.getByText("服务器错误(500)").waitFor();
  await state.getByRole("button", { name: "请求编号 req-77" }).waitFor();
  await page.unroute(VILLAGES);
  await state.getByRole("button", { name: "重试" }).click();
  await rows(page).first().waitFor();

  await page.route(VILLAGES, json(403, { code: 403, message: "" }));
  await page.reload();
  await state.getByText("没有权限执行此操作").waitFor();
  await state.getByText("请联系贵公司的系统管理员").waitFor();
  await expect.poll(() => state.getByRole("button", { name: "重试" }).count()).toBe(0);

  await page.unroute(VILLAGES);
  await page.route(VILLAGES, json(404, { code: 404, message: "记录不存在" }));
  await page.reload();
  await state.getByText("可能已被删除，或不在您可查看的门店范围内").waitFor();
  await expect.poll(() => state.getByRole("button", { name: "重试" }).count()).toBe(0);
});

test("rows are there before they are counted, and nobody is told a number that is not theirs", async () => {
  const { page } = await open({ as: boss });
  const COUNTING = /\/bill\?.*want=totals/;
  let answer: (() => void) | undefined;
  await page.route(COUNTING, async (route) => {
    await new Promise<void>((go) => (answer = go));
    await route.continue();
  });
  const bills = `${base}/accountManage/BillListManage?tab=all`;
  await page.goto(bills);
  await rows(page).first().waitFor();
  const pager = page.getByRole("navigation", { name: "分页" });
  await pager.getByText("共 … 条").waitFor();
  await pager.getByRole("button", { name: "下一页" }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("pageNo")).toBe("2");
  answer!();
  await pager.getByText(/共 [\d,]+ 条/).waitFor();
  await page.unroute(COUNTING);
  await page.route(COUNTING, json(400, { code: 400, message: "" }));
  await page.goto(bills);
  await pager.getByRole("button", { name: "条数未能统计，重试" }).waitFor();
  await page.setViewportSize(PHONE);
  await page.locator(".cards").getByText("应收日").first().waitFor();
  const again = page.getByRole("button", { name: "条数未能统计，重试" });
  await again.waitFor();
  await page.setViewportSize(DESK);
  await page.unroute(COUNTING);
  await again.click();
  await pager.getByText(/共 [\d,]+ 条/).waitFor();
});

test("an answer is waited for 30 s, an export 300 s; a notification stays 4 s", async () => {
  const { page } = await open({ as: boss });
  await page.clock.install();
  const send = await sender(page);
  await page.route(SENDING, () => undefined);
  await send();
  await page.getByText("60 秒后重发").waitFor();
  await page.clock.runFor(28_000);
  await expect.poll(() => toastOf(page, "请求超时").count()).toBe(0);
  await page.clock.runFor(3000);
  await toastOf(page, "请求超时，请稍后再试").waitFor();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100));
  await expect.poll(() => page.locator(".toast").count()).toBe(1);
  await page.clock.runFor(4000);
  await expect.poll(() => page.locator(".toast").count()).toBe(0);
  await page.clock.resume();

  await page.goto(base + STORES);
  await rows(page).first().waitFor();
  await page.route(/\/export/, () => undefined);
  const asked = page.waitForRequest(/\/export/);
  await page.getByRole("button", { name: "导出", exact: true }).click();
  await asked;
  await page.clock.fastForward(290_000);
  await page.waitForTimeout(200);
  await expect.poll(() => toastOf(page, "请求超时").count()).toBe(0);
  await page.clock.fastForward(12_000);
  await toastOf(page, "请求超时，请稍后再试").waitFor();
});

test("of many 401 the first alone speaks, until a 200 arms the rule again; 1.5 s later the page loads anew", async () => {
  const { page } = await open();
  await page.clock.install();
  const send = await sender(page);
  const picture = page.locator(".cap img");
  await picture.waitFor();
  await page.route(SENDING, json(401, { code: 401, message: "别的话" }));
  await page.route("**/login/getImage", (route) => route.abort());
  await page.evaluate(() => {
    Object.assign(window, { before: true });
    localStorage.setItem("sig__token", '{"value":"x","until":null}');
  });
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100));
  await send();
  const spoken = toastOf(page, TEXTS["http.401.toast"][0]);
  await spoken.waitFor();
  expect(await page.evaluate(() => localStorage.getItem("sig__token"))).toBeNull();
  // a picture that does not come leaves neither itself nor its key
  await picture.waitFor({ state: "detached" });
  const again = page.waitForRequest("**/login/getImage");
  await send();
  await again;
  await expect.poll(() => page.locator(".toast").allTextContents()).toEqual(SIGNED_OUT);

  await page.unroute("**/login/getImage");
  await page.locator(".cap").click();
  await picture.waitFor();
  await send();
  await expect.poll(() => spoken.count()).toBe(2);
  await page.clock.runFor(1400);
  expect(await page.evaluate(() => "before" in window)).toBe(true);
  await page.clock.runFor(150);
  await expect.poll(() => page.evaluate(() => "before" in window).catch(() => true)).toBe(false);
});

test("a page that the session no longer opens says so in its place, and the login page knows where one was", async () => {
  const { page } = await open();
  await signIn(page, "caiwu01");
  const menu = page.getByRole("navigation", { name: "主菜单" });
  await menu.getByText("财务管理").click();
  await page.locator(".bell__button").waitFor();
  // the page's code is there: of the 1.5 s before the login page none is spent on fetching it
  const code = page.waitForResponse(/assets\/bills\.page-/);
  await menu.getByText("账单管理", { exact: true }).hover();
  await code;
  await page.waitForLoadState("networkidle");
  await page.route(/\/api\/v\d\/|\/user\/info/, json(401, { code: 401, message: "" }));
  await menu.getByText("账单管理", { exact: true }).click();
  await page.locator(".state").getByText(TEXTS["http.401"][0]).first().waitFor();
  await toastOf(page, TEXTS["http.401.toast"][0]).waitFor();
  await expect.poll(() => page.locator(".toast").allTextContents()).toEqual(SIGNED_OUT);
  await page.waitForURL(/\/user\/login\?redirect=%2FaccountManage%2FBillListManage/);
});

// Parts of the console that do not come: the line is slow, or a release has replaced them.
const GONE = "页面资源加载失败，可能是网络中断或系统刚刚更新";
const HOME = `${base}/workbench/WorkbenchPage`;

test("a page that has not come after 120 s offers to load anew, and loading anew leads to it", async () => {
  const { page } = await open({ as: boss });
  await page.clock.install();
  await page.route(/assets\/villages\.page-/, () => undefined);
  await page.goto(HOME);
  const menu = page.getByRole("navigation", { name: "主菜单" });
  await menu.getByText("房源管理").click();
  await menu.getByText("门店管理").click();
  await page.locator(".skel--page").waitFor();
  await page.clock.fastForward(118_000);
  await page.waitForTimeout(200);
  await expect.poll(() => page.getByText(GONE).count()).toBe(0);
  await page.clock.fastForward(3000);
  await page.getByText(GONE).waitFor();
  // the frame stands: somebody may go on elsewhere
  await menu.getByText("房态图").waitFor();
  await page.unroute(/assets\/villages\.page-/);
  await page.getByRole("button", { name: "重新加载" }).click();
  await page.locator("tbody tr.ant-table-row").first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/sams/configuration/village");
});

test("after a release the old page is gone: loading anew brings the new one", async () => {
  const { page } = await open({ as: boss });
  await page.goto(HOME);
  await page.getByRole("navigation", { name: "主菜单" }).waitFor();
  const gone = await page.request.get(`${base}/assets/villages.page-of-yesterday.js`);
  expect(gone.status()).toBe(404);
  await page.route(/assets\/(villages\.page|phone\.panel)-/, (route) => route.fulfill({ status: 404 }));
  const menu = page.getByRole("navigation", { name: "主菜单" });
  await menu.getByText("房源管理").click();
  await menu.getByText("门店管理").click();
  await page.getByText(GONE).waitFor();

  // a dialog that is gone says the same, and the frame stands
  await fromAvatar(page, "修改手机号");
  const dialog = page.getByRole("dialog", { name: "修改手机号" });
  await dialog.getByText(GONE).waitFor();
  await page.unroute(/assets\/(villages\.page|phone\.panel)-/);
  await dialog.getByRole("button", { name: "重新加载" }).click();
  await page.locator("tbody tr.ant-table-row").first().waitFor();
  await fromAvatar(page, "修改手机号");
  await page.getByRole("dialog", { name: "修改手机号" }).getByLabel("新手机号").waitFor();
});

test("a part of a page that is gone says so in its place, and what is typed around it stays", async () => {
  const { page } = await open({ as: boss });
  await page.route(/assets\/phone-upload-/, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${base}/configuration/addPublicArea`);
  await page.getByRole("button", { name: "新增公共区域" }).click();
  const form = page.getByRole("dialog", { name: "新增公共区域" });
  await form.getByLabel("名称", { exact: true }).fill("屋顶花园");
  await form.getByRole("button", { name: "手机上传" }).first().click();
  const notice = page.getByRole("dialog", { name: "无法打开" });
  await notice.getByText(GONE).waitFor();
  await notice.getByRole("button", { name: "重新加载" }).waitFor();
  await page.keyboard.press("Escape");
  await notice.waitFor({ state: "hidden" });
  expect(await form.getByLabel("名称", { exact: true }).inputValue()).toBe("屋顶花园");
});

test("a tool of the header that does not come leaves the rest standing", async () => {
  const { page } = await open({ as: boss });
  await page.route(/assets\/bell\.panel-/, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${base}/configuration/village`);
  await page.locator("tbody tr.ant-table-row").first().waitFor();
  await expect.poll(() => page.locator(".bell__button").count()).toBe(0);
  await page.locator(".version").waitFor();
});

test.each([
  ["the login page", /assets\/login\.page-/, "/user/login", "button[type=submit]"],
  ["the shell", /assets\/shell-/, "/configuration/village", "tbody tr.ant-table-row"],
])("%s that does not come says so too", async (_, chunk, address, sign) => {
  const { page } = await open(address === "/user/login" ? {} : { as: boss });
  await page.route(chunk, (route) => route.fulfill({ status: 404 }));
  await page.goto(base + address);
  await page.getByRole("alert").getByText(GONE).waitFor();
  await page.unroute(chunk);
  await page.getByRole("button", { name: "重新加载" }).click();
  await page.locator(sign).first().waitFor();
});
