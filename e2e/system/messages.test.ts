import { expect, test } from "vitest";
import { toldOf } from "../../domains/system/message/message.sample.ts";
import type { Person } from "../../platform/server/process/house.sample.ts";
import { demoPerson, settling, story } from "../browser.sample.ts";

const { house, open, base } = await story({ rooms: 40 });
const tell = toldOf(house);
const { pool } = house.database;
const unreadOf = async ({ operatorId }: Person) =>
  (
    await pool.query<{ n: number }>(
      "select count(*)::int n from message_receipt where operator_id = $1 and status = 0 and deleted_at is null",
      [operatorId],
    )
  ).rows[0]!.n;

test("of 120 unread the bell says 99+; one opened leaves 99+, all read leaves no badge; 50 s later a new one is there", async () => {
  const lisi = await house.person({ permits: ["1.query", "26.query"], name: "李四" });
  const to = [lisi.operatorId];
  for (let i = 1; i <= 120; i++)
    await tell({ to, type: i % 2 ? 2 : 8, title: `第 ${i} 条`, content: `内容 ${i}` });
  const { page, errors } = await open({ as: lisi });
  await page.clock.install();
  await page.goto(`${base}/msgManage/manageHome`);
  const bell = page.locator(".bell__button");
  const badge = page.locator(".bell__badge");
  await badge.getByText("99+").waitFor();

  await bell.click();
  const items = page.locator(".bell li");
  await items.nth(4).waitFor();
  await expect.poll(() => items.count()).toBe(5);
  await page.locator(".bell li").filter({ hasText: "第 120 条" }).getByText("刚刚").waitFor();
  await items.first().click();
  await page.locator(".drawer").getByText("内容 120").waitFor();
  await expect.poll(() => unreadOf(lisi)).toBe(119);
  await page.getByRole("button", { name: "消息，119 条未读" }).waitFor();
  await expect.poll(() => badge.textContent()).toBe("99+");
  await page.keyboard.press("Escape");

  await bell.click();
  await page.locator(".bell").getByRole("button", { name: "全部已读" }).click();
  await badge.waitFor({ state: "detached" });
  expect(await unreadOf(lisi)).toBe(0);
  await page.locator(".bell").getByText("没有未读消息").waitFor();
  await page.keyboard.press("Escape");

  await tell({ to, type: 1, title: "退房申请待审批" });
  await page.clock.fastForward(40_000);
  await page.waitForTimeout(500);
  expect(await badge.count(), "nothing is asked before its time").toBe(0);
  await page.clock.fastForward(12_000);
  await badge.getByText("1", { exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test("a hidden window asks nothing, a window that gets the focus asks at once, and a failure is not heard", async () => {
  const lisi = await house.person({ permits: ["26.query"] });
  const { page } = await open({ as: lisi });
  await page.clock.install();
  const settled = settling(page);
  await page.goto(`${base}/msgManage/manageHome`);
  await page.getByText("这里是系统发给您的消息").waitFor();
  // the bell comes after the page, and asks once by itself
  await settled();
  const asked: string[] = [];
  page.on("request", (r) => {
    if (/\/message\/(num|top)$/.test(r.url())) asked.push(r.url());
  });
  const see = (state: "hidden" | "visible") =>
    page.evaluate((now) => {
      Object.defineProperty(document, "visibilityState", { value: now, configurable: true });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }, state);
  await see("hidden");
  await page.clock.fastForward(120_000);
  await page.waitForTimeout(300);
  expect(asked).toEqual([]);
  await tell({ to: [lisi.operatorId], type: 1, title: "等您审批" });
  await see("visible");
  await page.locator(".bell__badge").getByText("1", { exact: true }).waitFor();

  await page.route(/\/message\/(num|top)$/, (route) => route.abort());
  await page.clock.fastForward(60_000);
  await page.waitForTimeout(300);
  await expect.poll(() => page.locator(".toast").count()).toBe(0);
  await expect.poll(() => page.locator(".bell__badge").textContent()).toBe("1");
  await page.unroute(/\/message\/(num|top)$/);
  await tell({ to: [lisi.operatorId], type: 1, title: "再等您审批" });
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.locator(".bell__badge").getByText("2", { exact: true }).waitFor();
});

test("a new version note shows a dot until somebody looks; the mark over the pages comes back when it is removed", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "admin2026") });
  await page.goto(`${base}/workbench/WorkbenchPage`);
  const link = page.locator(".version");
  await page.locator(".version__dot").waitFor();
  await link.click();
  const drawer = page.getByRole("dialog", { name: "Version update notes" });
  await drawer.getByRole("button", { name: "新增版本" }).click();
  const form = page.getByRole("dialog", { name: "新增版本" });
  await form.getByRole("button", { name: "确定" }).click();
  for (const sentence of ["请选择发布时间", "请输入版本号", "请输入相关内容"])
    await form.getByRole("alert").filter({ hasText: sentence }).waitFor();
  await form.getByLabel("发布时间").fill("2026-11-30 10:00:00");
  await page.keyboard.press("Enter");
  await form.getByLabel("版本号").fill("v7.0.2");
  await form.getByLabel("模块").fill("消息中心");
  await form.getByLabel("类型").fill("修复");
  await form.getByLabel("内容").fill("<b>粗体</b>");
  await form.getByLabel("类型").click();
  await form.getByText("不能以特殊字符开头").waitFor();
  await form.getByLabel("内容").fill("修复角标数字");
  await form.getByRole("button", { name: "确定" }).click();
  await page.getByText("版本新增成功").waitFor();
  await drawer.getByText("修复角标数字").waitFor();
  await expect.poll(() => form.count()).toBe(0);
  await drawer.getByRole("button", { name: "删除 v7.0.2" }).click();
  const asks = page.getByRole("dialog", { name: "删除版本" });
  expect((await asks.locator(".dialog__in").boundingBox())!.width).toBe(460);
  await asks.getByRole("button", { name: "删除" }).click();
  await page.getByText("版本删除成功").waitFor();

  await page.goto(`${base}/system/ConfigManagement?tab=watermark`);
  await page.locator(".fi", { hasText: "启用水印" }).getByRole("radio", { name: "是" }).click();
  await page.getByRole("button", { name: "保存" }).click();
  const mark = page.locator("[data-mark]");
  await mark.waitFor({ state: "attached" });
  await expect.poll(() => mark.getAttribute("data-mark")).toMatch(/^周敏 \d{4} \d{4}-\d\d-\d\d$/);
  await mark.evaluate((node) => node.remove());
  await mark.waitFor({ state: "attached" });
  await mark.evaluate((node) => (node.style.display = "none"));
  await expect.poll(() => mark.evaluate((node) => node.style.display)).toBe("");
  expect(errors).toEqual([]);
});

test("another person's message is not there, and an announcement that must be confirmed asks until it is", async () => {
  const boss = await demoPerson(house, "qinghe01");
  const [lisi, other] = [await house.person({ permits: ["1.query"] }), await house.person()];
  await tell({ to: [other.operatorId], type: 1, title: "给别人的" });
  const { rows } = await pool.query<{ id: number }>("select max(id)::int id from message");
  const { page } = await open({ as: lisi });
  await page.goto(`${base}/msgManage/manageHome?id=${rows[0]!.id}`);
  await page.locator(".drawer").getByText("记录不存在").waitFor();
  expect(await unreadOf(other)).toBe(1);

  const head = await open({ as: boss });
  await head.page.goto(`${base}/workbench/WorkbenchPage`);
  await head.page.getByRole("button", { name: "公告管理" }).click();
  await head.page.getByRole("button", { name: "新增公告" }).first().click();
  const form = head.page.getByRole("dialog", { name: "新增公告" });
  await form.getByLabel("公告标题").fill("消防演练通知");
  await form.locator("textarea").fill("周五 **10 点** 集合<script>alert(1)</script>");
  await form.locator(".fi", { hasText: "须确认" }).getByRole("radio", { name: "是" }).click();
  await form.getByRole("button", { name: "保存" }).click();
  await head.page.getByText("公告已保存").waitFor();
  await head.page.locator(".sheet").getByText("消防演练通知").waitFor();

  await page.goto(`${base}/msgManage/manageHome`);
  const asks = page.getByRole("dialog", { name: "消防演练通知" });
  await asks.getByText("10 点").waitFor();
  await expect.poll(() => asks.textContent()).not.toContain("alert");
  await asks.getByRole("button", { name: "稍后再看" }).click();
  // the announcement's message is written behind the scenes
  await expect.poll(() => unreadOf(lisi), { timeout: 20_000 }).toBe(1);
  await page.reload();
  await page.getByText("消防演练通知").first().waitFor();
  expect(await asks.count(), "once in each log-in").toBe(0);
  await page.evaluate(() => localStorage.removeItem("sig__announcements"));
  await page.reload();
  await asks.getByRole("button", { name: "我已知悉" }).click();
  await page.getByText("已确认").waitFor();
  await page.evaluate(() => localStorage.removeItem("sig__announcements"));
  await page.reload();
  await page.locator(".sheet").waitFor();
  await page.waitForTimeout(500);
  await expect.poll(() => asks.count()).toBe(0);
});

test("平台配置: the reminder is run at once and its run is listed; announcements are managed in a tab", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "admin2026") });
  // what must be confirmed stands before everything else
  const must = page.getByRole("button", { name: "我已知悉" });
  await page.addLocatorHandler(must, () => must.click());
  await page.goto(`${base}/system/PlatformConf?tab=jobs&keyword=逾期账单`);
  const row = page.locator("tr", { hasText: "逾期账单提醒" });
  await row.getByRole("button", { name: "立即执行" }).click();
  await page.getByRole("dialog", { name: "立即执行" }).getByRole("button", { name: /确/ }).click();
  await page.getByText("已开始执行，稍后刷新查看结果").waitFor();
  await expect
    .poll(
      async () => {
        await page.getByRole("button", { name: "刷新" }).first().click();
        return row.textContent();
      },
      { timeout: 40_000, interval: 1_000 },
    )
    .toContain("成功");
  await row.getByRole("button", { name: "逾期账单提醒" }).click();
  const runs = page.getByRole("dialog", { name: "执行记录：逾期账单提醒" });
  await runs.getByText("周敏").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "公告" }).click();
  await page.getByRole("button", { name: "新增公告" }).first().waitFor();
  expect(errors).toEqual([]);
});
