import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { CONSTANTS, TEXTS } from "../../platform/checks/specification/texts.ts";
import { fromAvatar, story } from "../browser.sample.ts";

/** One's own phone and password, to the letter of specification sections 4, 5 and 8. */
const { house, base, open, signIn } = await story({ rooms: 40, settings: { PASSWORD_MIN: "6" } });
const { pool } = house.database;
const WIDTH = Number(CONSTANTS["dialog.password.width"][0]);

const phoneOf = async (account: string) =>
  (await pool.query<{ phone: string }>("select phone from operator where account = $1", [account])).rows[0]!
    .phone;
/** The answer of every picture so far, as only whoever looks at it knows it. */
async function readable() {
  const { createHash } = await import("node:crypto");
  await pool.query("update captcha set answer_hash = $1", [createHash("sha256").update("AB34").digest()]);
  return "AB34";
}
const sentTo = async (phone: string) =>
  (
    await pool.query<{ code: string }>(
      "select params->>'code' code from outbox where recipient = $1 order by id desc limit 1",
      [phone],
    )
  ).rows[0]!.code;
const said = (box: Locator, text: string) => box.getByText(text, { exact: true }).waitFor();
async function opened(page: Page, account: string, title: string) {
  await signIn(page, account);
  await fromAvatar(page, title);
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.locator(".cap img").waitFor();
  expect((await dialog.locator(".dialog__in").boundingBox())!.width).toBe(WIDTH);
  return dialog;
}
async function takeCode(dialog: Locator, page: Page, phone: string) {
  await dialog.getByLabel("图形验证码", { exact: true }).fill(await readable());
  await dialog.getByRole("button", { name: TEXTS["sms.idle"][0] }).click();
  await page.getByText(TEXTS["sms.sent"][0]).waitFor();
  await dialog.getByLabel("短信验证码", { exact: true }).fill(await sentTo(phone));
}

test("a new phone: each sentence, the code to the new number, then one signs in again with it", async () => {
  const { page } = await open();
  const dialog = await opened(page, "chuna01", "修改手机号");
  const phone = dialog.getByLabel("新手机号");
  for (const wrong of ["12800138000", "1390000778", "abc"]) {
    await phone.fill(wrong);
    await dialog.getByLabel("登录密码").focus();
    await said(dialog, TEXTS["phone.invalid"][0]);
  }
  await phone.fill(await phoneOf("chuna01"));
  await dialog.getByLabel("登录密码").focus();
  await said(dialog, TEXTS["phone.same"][0]);
  await phone.fill("12");
  await dialog.getByRole("button", { name: TEXTS["sms.idle"][0] }).click();
  await said(dialog, TEXTS["phone.invalid"][0]);
  await said(dialog, TEXTS["imageCode.required"][0]);

  await phone.fill("13900007788");
  await takeCode(dialog, page, "13900007788");
  await dialog.getByLabel("登录密码").fill("demo2026");
  await page.evaluate(() => Object.assign(window, { before: true }));
  const ok = dialog.getByRole("button", { name: "确定" });
  await ok.click();
  await page.getByText(TEXTS["phone.changed"][0], { exact: true }).waitFor();
  await page.waitForURL("**/user/login*");
  await expect.poll(() => page.evaluate(() => "before" in window).catch(() => true)).toBe(false);
  expect(await page.evaluate(() => localStorage.getItem("sig__token"))).toBeNull();
  await signIn(page, "13900007788");
  expect(await phoneOf("chuna01")).toBe("13900007788");
});

test("a new password: every sentence, the meter of three levels, and the dialog closes when it is done", async () => {
  const { page } = await open();
  const dialog = await opened(page, "shenji01", "修改密码");
  const [first, second] = [
    dialog.getByLabel("新密码", { exact: true }),
    dialog.getByLabel("确认密码", { exact: true }),
  ];
  const meter = dialog.getByRole("meter", { name: "密码强度" });
  await dialog.getByText("6-20位，支持字母、数字和标点符号，不含空格").waitFor();
  await dialog.getByRole("button", { name: "确定" }).click();
  for (const key of ["imageCode.required", "captcha.required"] as const) await said(dialog, TEXTS[key][0]);
  await expect.poll(() => dialog.getByText(TEXTS["password.required"][0], { exact: true }).count()).toBe(2);
  for (const [typed, sentence, level] of [
    ["a1", TEXTS["password.min"][0], 2],
    ["aA1!aA1!aA1!aA1!aA1!a", TEXTS["password.max"][0], 3],
    ["abcdefgh", TEXTS["password.kinds"][0], 1],
    ["12345678", TEXTS["password.kinds"][0], 1],
    ["abc 1234", "密码不能包含空格和中文", 2],
    ["abc1234密", "密码不能包含空格和中文", 2],
  ] as const) {
    await first.fill(typed);
    await second.focus();
    await said(dialog, sentence);
    expect(Number(await meter.getAttribute("aria-valuenow")), typed).toBe(level);
  }
  await first.fill("Fresh2027!");
  await expect.poll(() => meter.getAttribute("aria-valuenow")).toBe("3");
  await second.fill("Fresh2027");
  await first.focus();
  await said(dialog, TEXTS["password.mismatch"][0]);
  await second.fill("Fresh2027!");

  await takeCode(dialog, page, await phoneOf("shenji01"));
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/operator/updatePassword", async (route) => {
    await held;
    await route.continue();
  });
  const ok = dialog.getByRole("button", { name: "确定" });
  await ok.click();
  await expect.poll(() => ok.getAttribute("aria-busy")).toBe("true");
  answer();
  await page.getByText(TEXTS["password.changed"][0], { exact: true }).waitFor();
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/sams/workbench/WorkbenchPage");
  const fresh = await open();
  await signIn(fresh.page, "shenji01", "Fresh2027!");
});

test("the picture: a click brings another; one that does not come leaves a word to click, and the code asks for it", async () => {
  const { page } = await open();
  await page.goto(`${base}/user/recover`);
  const box = page.locator(".cap");
  const picture = box.locator("img");
  await picture.waitFor();
  const before = await picture.getAttribute("src");
  await box.click();
  await expect.poll(() => picture.getAttribute("src")).not.toBe(before);
  await page.route("**/login/getImage", (route) => route.abort());
  await box.click();
  await box.getByText("点击刷新").waitFor();
  await expect.poll(() => picture.count()).toBe(0);
  await page.getByLabel("手机").fill("13900006655");
  await page.getByLabel("图形验证码", { exact: true }).fill("AB34");
  const asked = page.waitForRequest("**/login/sendVerification");
  await page.getByRole("button", { name: TEXTS["sms.idle"][0] }).click();
  expect((await asked).postDataJSON()).toMatchObject({ imageCodeKey: "" });
  await page.unroute("**/login/getImage");
  await box.click();
  await picture.waitFor();
});

test("after a wrong password the picture is asked for, and changes with each failure", async () => {
  const { page } = await open();
  await page.goto(`${base}/user/login`);
  await page.locator("button[type=submit]").click();
  await page.getByText("请输入账号").waitFor();
  await page.getByText(TEXTS["password.required"][0]).first().waitFor();
  await page.getByLabel("账号", { exact: true }).fill("dianzhang02");
  await page.getByLabel("密码", { exact: true }).fill("wrong2026");
  await page.locator("button[type=submit]").click();
  await page.getByText("账号或密码错误").waitFor();
  const picture = page.locator(".cap img");
  await picture.waitFor();
  await page.getByLabel("密码", { exact: true }).fill("demo2026");
  await page.locator("button[type=submit]").click();
  await page.getByText(TEXTS["imageCode.required"][0], { exact: true }).waitFor();
  const before = await picture.getAttribute("src");
  await page.getByLabel("图形验证码", { exact: true }).fill("????");
  await page.locator("button[type=submit]").click();
  await page.getByText("图形验证码错误或已失效").waitFor();
  await expect.poll(() => picture.getAttribute("src")).not.toBe(before);
  await page.getByLabel("图形验证码", { exact: true }).fill(await readable());
  await page.locator("button[type=submit]").click();
  await page.waitForURL("**/workbench/WorkbenchPage");
});

test("a given password is replaced before anything else is opened", async () => {
  await pool.query("update operator set must_change_password = true where account = 'chuna01'");
  const { page, errors } = await open();
  await page.goto(`${base}/user/login`);
  await page.getByLabel("账号", { exact: true }).fill("chuna01");
  await page.getByLabel("密码", { exact: true }).fill("demo2026");
  await page.locator("button[type=submit]").click();
  const dialog = page.getByRole("dialog", { name: "设置自己的密码" });
  await dialog.waitFor();
  await expect.poll(() => page.getByRole("navigation", { name: "主菜单" }).count()).toBe(0);
  await dialog.getByLabel("新密码", { exact: true }).fill("a123456");
  await dialog.getByLabel("确认密码", { exact: true }).fill("a123456");
  await dialog.getByRole("button", { name: "保存" }).click();
  await said(dialog, "该密码过于常见，容易被猜到，请换一个");
  await dialog.getByLabel("新密码", { exact: true }).fill("Fresh2027!");
  await dialog.getByLabel("确认密码", { exact: true }).fill("Fresh2027!");
  await dialog.getByRole("button", { name: "保存" }).click();
  await page.getByRole("navigation", { name: "主菜单" }).waitFor();
  expect(errors).toEqual([]);
});
