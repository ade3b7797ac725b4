import { createHash } from "node:crypto";
import net from "node:net";
import { afterAll, expect, test } from "vitest";
import { aProvider } from "../../domains/access/sso/issuer.sample.ts";
import { TEXTS } from "../../platform/checks/specification/texts.ts";
import { story } from "../browser.sample.ts";

/** The doors of other houses: single sign-on, and the brands by their host names (specification section 1). */
const client = { id: "console", secret: "a secret of the console" };
const provider = await aProvider(client);
afterAll(() => provider.close());
/** The issuer is told where it sends people back to before this server listens there. */
const port = await new Promise<number>((resolve) => {
  const probe = net.createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
  });
});
const { base, open } = await story({
  rooms: 40,
  settings: {
    PORT: String(port),
    SSO_ISSUER: provider.issuer,
    SSO_CLIENT_ID: client.id,
    SSO_CLIENT_SECRET: client.secret,
    SSO_NAME: "集团账号",
    BRAND_HOSTS: "brand04.localhost=brand04,brand06.localhost=brand06",
  },
});
const REFUSED = "登录凭证无效或已过期";
const at = (host: string) => base.replace("127.0.0.1", `${host}.localhost`);
const twice = (text: string) => {
  const once = createHash("sha256").update(text).digest("hex");
  return createHash("sha256").update(once).digest("hex");
};

test("the button of single sign-on leads to the issuer and back to the workbench", async () => {
  const { page, errors } = await open();
  // the issuer knows who sits there and sends them back at once
  await page.route(`${provider.issuer}/authorize**`, async (route) => {
    const back = await provider.visit(route.request().url(), { preferred_username: "dianzhang01" });
    await route.fulfill({ status: 302, headers: { location: back.href } });
  });
  await page.goto(`${base}/portal/login`);
  await page.getByRole("button", { name: "使用集团账号登录" }).click();
  await page.waitForURL("**/workbench/WorkbenchPage");
  await page.locator("button.me").getByText("陈嘉禾").waitFor();
  expect(await page.evaluate(() => localStorage.getItem("sig__token"))).not.toBeNull();
  expect(errors).toEqual([]);
});

test("a ticket signs in once; the same address again shows the form and says why, and nothing of it stays", async () => {
  const ticket = await provider.ticket({ preferred_username: "chuna01" }, "default");
  const first = await open();
  await first.page.goto(`${base}/portal/login?ticket=${ticket}`);
  await first.page.waitForURL("**/workbench/WorkbenchPage");
  await first.page.locator("button.me").getByText("胡俊杰").waitFor();

  const { page } = await open();
  await page.goto(`${base}/portal/login?ticket=${ticket}`);
  await page.getByRole("alert").getByText(REFUSED).waitFor();
  await page.waitForURL(`${base}/portal/login`);
  await page.getByLabel("账号", { exact: true }).fill("chuna01");
  await page.getByLabel("密码", { exact: true }).fill("demo2026");
  await page.locator("button[type=submit]").click();
  await page.waitForURL("**/workbench/WorkbenchPage");

  const unknown = await provider.ticket({ preferred_username: "nobody9" }, "default");
  const stranger = await open();
  await stranger.page.goto(`${base}/portal/login?ticket=${unknown}`);
  await stranger.page.getByRole("alert").getByText("未找到对应账号，请联系管理员").waitFor();
  expect(await stranger.page.evaluate(() => localStorage.getItem("sig__token"))).toBeNull();
});

test("the fourth brand's log-in is light with its own colour, title and footer", async () => {
  const { page } = await open();
  await page.goto(`${at("brand04")}/user/login`);
  await page.getByRole("heading", { name: "品质公寓运营平台" }).waitFor();
  await page.locator(".login__foot").getByText("品牌四").waitFor();
  await expect.poll(() => page.title()).toBe("登录 - 品质公寓");
  const submit = page.locator("button[type=submit]");
  // words in near-black stand on this colour, white could not be read
  await expect
    .poll(() =>
      submit.evaluate((button) => {
        const { backgroundColor, color } = getComputedStyle(button);
        return [backgroundColor, color, document.documentElement.dataset["theme"]];
      }),
    )
    .toEqual(["rgb(231, 170, 77)", "rgb(20, 20, 20)", "light"]);
});

test("the sixth brand sends the password hashed twice, and the same password opens the door as everywhere", async () => {
  const { page } = await open();
  await page.goto(`${at("brand06")}/user/login`);
  await page.getByRole("heading", { name: "安居公寓管理平台" }).waitFor();
  await page.getByLabel("账号", { exact: true }).fill("qinghe01");
  await page.getByLabel("密码", { exact: true }).fill("demo2026");
  const asked = page.waitForRequest("**/system/api/v4/login");
  await page.locator("button[type=submit]").click();
  expect((await asked).postDataJSON()).toMatchObject({ account: "qinghe01", password: twice("demo2026") });
  await page.waitForURL("**/workbench/WorkbenchPage");
  await expect.poll(() => page.title()).toBe("工作台 - 安居公寓");

  const own = await open();
  await own.page.goto(`${base}/user/login`);
  await own.page.locator(".login__foot").getByText(TEXTS["footer.default"][0]).waitFor();
  await expect.poll(() => own.page.title()).toBe(`登录 - ${TEXTS["title.page"][0]}`);
  await own.page.getByText(TEXTS["title.header"][0]).waitFor();
});
