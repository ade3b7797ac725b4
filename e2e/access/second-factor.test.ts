import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { codeOf, stepAt } from "../../domains/access/session/totp.service.ts";
import { fromAvatar, story } from "../browser.sample.ts";

/** A second factor at the log-in, as its owner and as an enterprise that demands it. */
const { house, base, open, signIn } = await story({ rooms: 40 });
const { pool } = house.database;

/** The code that the person's phone shows now; a later one where that was used already. */
const phoneShows = (secret: string, later = 0) => codeOf(secret, stepAt(new Date()) + later);
async function bind(page: Page) {
  const dialog = page.getByRole("dialog", { name: "开启两步验证" });
  await dialog.getByLabel("登录密码").fill("demo2026");
  await dialog.getByRole("button", { name: "下一步" }).click();
  await dialog.getByRole("img", { name: "两步验证二维码" }).waitFor();
  const secret = (await dialog.getByLabel("密钥").innerText()).replaceAll(" ", "");
  const code = dialog.getByLabel("动态验证码", { exact: true });
  await code.fill("12345");
  await dialog.getByRole("button", { name: "开启", exact: true }).click();
  await dialog.getByText("动态验证码错误，请检查手机的时间是否准确", { exact: true }).waitFor();
  await code.fill(phoneShows(secret));
  await dialog.getByRole("button", { name: "开启", exact: true }).click();
  const saved = page.getByRole("dialog", { name: "保存恢复码" });
  await saved.waitFor();
  const codes = await saved.getByRole("list", { name: "恢复码" }).getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(10);
  await saved.getByRole("button", { name: "我已保存" }).click();
  await saved.waitFor({ state: "detached" });
  return { secret, codes };
}

test("a second factor: switched on, asked for at the log-in, switched off with a recovery code", async () => {
  const { page, errors } = await open();
  await signIn(page, "dianzhang02");
  await fromAvatar(page, "两步验证");
  const { secret, codes } = await bind(page);

  const again = await open();
  await again.page.goto(`${base}/user/login`);
  await again.page.getByLabel("账号", { exact: true }).fill("dianzhang02");
  await again.page.getByLabel("密码", { exact: true }).fill("demo2026");
  const submit = again.page.locator("button[type=submit]");
  await submit.click();
  const code = again.page.getByLabel("动态验证码", { exact: true });
  await code.waitFor();
  await submit.click();
  await expect.poll(() => again.page.getByText("请输入动态验证码", { exact: true }).count()).toBe(2);
  await code.fill(phoneShows(secret, 1));
  await submit.click();
  await again.page.waitForURL("**/workbench/WorkbenchPage");

  await fromAvatar(again.page, "两步验证");
  const dialog = again.page.getByRole("dialog", { name: "两步验证" });
  await dialog.getByText("剩余恢复码 10 个").waitFor();
  await dialog.getByLabel("动态验证码", { exact: true }).fill(codes[0]!);
  await dialog.getByRole("button", { name: "关闭两步验证" }).click();
  await again.page.getByText("两步验证已关闭").waitFor();
  await signIn((await open()).page, "dianzhang02");
  // the browser itself tells of the one wrong code
  expect(errors).toEqual([expect.stringContaining("status of 400")]);
});

test("where the enterprise demands it, it is switched on before anything else is opened", async () => {
  const demanded = (on: boolean) => pool.query("update enterprise set second_factor_required = $1", [on]);
  await demanded(true);
  const { page } = await open();
  await page.goto(`${base}/user/login`);
  await page.getByLabel("账号", { exact: true }).fill("dianzhang02");
  await page.getByLabel("密码", { exact: true }).fill("demo2026");
  await page.locator("button[type=submit]").click();
  await page.getByRole("dialog", { name: "开启两步验证" }).waitFor();
  await expect.poll(() => page.getByRole("navigation", { name: "主菜单" }).count()).toBe(0);
  await bind(page);
  await page.getByRole("navigation", { name: "主菜单" }).waitFor();
  await demanded(false);
});
