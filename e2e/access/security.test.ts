import { expect, test } from "vitest";
import { toldOf } from "../../domains/system/message/message.sample.ts";
import { demoPerson, story } from "../browser.sample.ts";

/** What somebody wrote to do harm, as whoever opens the console sees it: text, everywhere. */
const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const SCRIPT = `<img src=x onerror="window.ran=1">`;
const admin = await demoPerson(house, "admin2026");

// past every rule of the forms, as if it had come by an old import
const { rows } = await pool.query<{ id: number; party_id: number }>(
  "select c.id, c.party_id from contract c join renter r on r.id = c.party_id order by c.id limit 1",
);
const { id: contractId, party_id: partyId } = rows[0]!;
await pool.query("update party set name = $2 where id = $1", [partyId, SCRIPT]);
await pool.query("update room set name = left($1, 18) where id = (select min(id) from room)", [SCRIPT]);
await toldOf(house)({
  to: [admin.operatorId],
  type: 1,
  title: SCRIPT,
  content: `${SCRIPT}<script>window.ran=2</script>`,
  facts: [["租客", SCRIPT]],
});

test("a list, a record beside it, the bell and the message show a script as the letters that it is", async () => {
  const { page, errors } = await open({ as: admin });
  const nothingRan = async () => {
    expect(await page.evaluate(() => (window as { ran?: number }).ran)).toBeUndefined();
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
  };
  await page.goto(`${base}/configuration/RenterManage?keyword=${encodeURIComponent("<img")}`);
  await page.locator("table").getByText(SCRIPT).first().waitFor();
  await nothingRan();
  await page.goto(`${base}/configuration/RenterManage?id=${partyId}`);
  await page.locator(".drawer").getByText(SCRIPT).first().waitFor();
  await nothingRan();
  await page.goto(`${base}/accountManage/BillListManage?tab=all`);
  await page.locator(".ant-table-row").first().waitFor();
  await nothingRan();
  await page.locator(".bell__button").click();
  await page.locator(".bell li").getByText(SCRIPT).first().click();
  await page.locator(".drawer").getByText(SCRIPT).first().waitFor();
  await nothingRan();
  expect(errors).toEqual([]);
});

test("the contract as a paper is a PDF that does nothing when it is opened", async () => {
  const { page } = await open({ as: admin });
  const answer = await page.request.get(new URL(`/contract/api/v3/contract/${contractId}/paper`, base).href, {
    headers: { authorization: admin.token },
  });
  expect(answer.status()).toBe(200);
  const paper = (await answer.body()).toString("latin1");
  expect(paper.slice(0, 5)).toBe("%PDF-");
  expect(paper).not.toMatch(/\/(JavaScript|JS|OpenAction|Launch|AA)\b/);
  expect(answer.headers()["x-content-type-options"]).toBe("nosniff");
});

test("the log-in leaves a cookie for the console alone, which no foreign page sends; the log-out takes it away", async () => {
  const { page, context } = await open();
  await page.goto(`${base}/user/login?redirect=${encodeURIComponent("//evil.example/")}`);
  await page.getByLabel("账号", { exact: true }).fill("chuna01");
  await page.getByLabel("密码", { exact: true }).fill("demo2026");
  await page.locator("button[type=submit]").click();
  await page.waitForURL("**/workbench/WorkbenchPage");
  expect(new URL(page.url()).host).toBe(new URL(base).host);
  const [cookie, ...more] = await context.cookies();
  expect(more).toEqual([]);
  expect(cookie).toMatchObject({ name: "hzsk_token", path: "/sams/", sameSite: "Lax", secure: false });
  expect(cookie!.expires - Date.now() / 1000).toBeGreaterThan(6.9 * 86_400);
  await page.locator("button.me").click();
  await page.getByText("退出登录", { exact: true }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /确定|退出/ })
    .click();
  await page.waitForURL("**/user/login");
  await expect.poll(async () => (await context.cookies()).length).toBe(0);
});

test("the outbox of text messages stands among 平台配置 for whoever runs the platform, not for the head of an enterprise", async () => {
  const own = await open({ as: admin });
  await own.page.goto(`${base}/system/PlatformConf`);
  await own.page.getByText("短信发件箱", { exact: true }).click();
  await own.page
    .getByText("还没有发出过短信")
    .or(own.page.locator(".ant-table-row").first())
    .first()
    .waitFor();
  expect(own.errors).toEqual([]);
  const boss = await open({ as: await demoPerson(house, "qinghe01") });
  await boss.page.goto(`${base}/system/PlatformConf?tab=outbox`);
  await boss.page.getByText("“平台配置”仅平台管理员可以打开").waitFor();
  await expect
    .poll(() => boss.page.getByRole("navigation", { name: "主菜单" }).getByText("平台配置").count())
    .toBe(0);
  expect(boss.errors).toEqual([]);
});
