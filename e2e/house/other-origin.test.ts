import { createServer } from "node:net";
import { expect, test } from "vitest";
import { testHouse } from "../../platform/server/process/house.sample.ts";
import { story } from "../browser.sample.ts";
import { DEMO_KEY, demoCompany } from "../../demo/demo.sample.ts";

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

// Two servers: one serves the console of a brand, the other, with data of its own, answers its calls.
const PORT = String(await freePort());
const calls = await testHouse({
  poolSize: 10,
  brand: "brand01",
  settings: { ...DEMO_KEY, CONSOLE_ORIGINS: `http://127.0.0.1:${PORT}` },
  template: await demoCompany(40),
});
const API_BASE = await calls.app.listen({ host: "127.0.0.1", port: 0 });
const { open, signIn, base } = await story({ rooms: 40, settings: { PORT, API_BASE, BRAND: "brand01" } });

test("a console whose brand has its own API address logs in, shows, uploads and downloads from there", async () => {
  const { page, errors } = await open();
  const origins = new Set<string>();
  page.on("request", (request) => {
    if (/\/api\/|\/user\/info/.test(request.url()) && !request.url().includes("/brand/current"))
      origins.add(new URL(request.url()).origin);
  });
  const policy = (await page.goto(`${base}/user/login`))!.headers()["content-security-policy"]!;
  expect(policy).toContain(`connect-src 'self' ${API_BASE};`);
  expect(policy).toContain(`img-src 'self' data: blob: ${API_BASE};`);
  expect(policy).not.toContain("*");

  await signIn(page, "caiwu01");
  await page.getByText("今日房态").first().waitFor();

  // a file that is downloaded, with the name that the other server gave it
  await page.goto(`${base}/accountManage/BillListManage`);
  await page.locator("tr.ant-table-row").first().waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "导出", exact: true }).first().click();
  expect((await saved).suggestedFilename()).toMatch(/账单.*\.xlsx$/);

  // the way out is there too
  await page.locator("button.me").click();
  await page.getByRole("menuitem", { name: "退出登录", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await page.waitForURL("**/user/login**");
  expect([...origins]).toEqual([API_BASE]);
  expect(errors).toEqual([]);
});

test("a wrong password is told, and the picture of the captcha comes with its key", async () => {
  const { page } = await open();
  await page.goto(`${base}/user/login`);
  await page.getByLabel("账号", { exact: true }).fill("zulin01");
  await page.getByLabel("密码", { exact: true }).fill("wrong-one");
  await page.locator("button[type=submit]").click();
  await page.getByText("账号或密码错误").first().waitFor();
  const picture = page.locator(".cap img");
  await picture.waitFor();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  const { rows } = await calls.database.pool.query("select from captcha");
  expect(rows.length).toBeGreaterThan(0);
});
