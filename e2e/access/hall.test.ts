import { expect, test } from "vitest";
import { brandOf } from "../../platform/server/pipeline/brand.ts";
import { demoPerson, fromAvatar, story } from "../browser.sample.ts";

/** The hall of the house: sessions, the own account and the look of the frame, as specification sections 4, 5 and 8 say. */
const { house, base, open, signIn } = await story({ rooms: 40 });
const { pool } = house.database;

/** The answer of the newest picture, as only whoever looks at it knows it. */
const readable = async () => {
  const { createHash } = await import("node:crypto");
  await pool.query("update captcha set answer_hash = $1", [createHash("sha256").update("AB34").digest()]);
  return "AB34";
};

test("a wrong number, no picture and no code are told under their fields; the old number is refused on leaving the field", async () => {
  const seen = await open();
  await signIn(seen.page, "chuna01");
  const { rows } = await pool.query("select phone from operator where account = 'chuna01'");
  await fromAvatar(seen.page, "修改手机号");
  const dialog = seen.page.getByRole("dialog", { name: "修改手机号" });
  expect((await dialog.locator(".dialog__in").boundingBox())!.width).toBe(360);
  await dialog.getByRole("button", { name: "确定" }).click();
  for (const text of ["请输入正确的手机号", "请输入密码", "请输入图形验证码", "请输入短信验证码"])
    await dialog.getByText(text, { exact: true }).waitFor();
  await dialog.getByLabel("新手机号").fill(rows[0].phone);
  await dialog.getByLabel("登录密码").focus();
  await dialog.getByText("手机号和原手机号一致，请重新输入").waitFor();
  await dialog.getByLabel("新手机号").fill("13900007788");
  await dialog.getByRole("button", { name: "获取验证码" }).click();
  await dialog.getByText("请输入图形验证码").waitFor();
});

test("the button counts from 60 to 1 and comes back; a failure brings it back at once with another picture", async () => {
  const seen = await open();
  await seen.page.clock.install();
  await seen.page.goto(`${base}/user/recover`);
  await seen.page.getByLabel("手机").fill("13900006655");
  await seen.page.locator(".cap img").waitFor();
  const before = await seen.page.locator(".cap img").getAttribute("src");
  await seen.page.getByLabel("图形验证码", { exact: true }).fill("????");
  await seen.page.getByRole("button", { name: "获取验证码" }).click();
  await seen.page.getByText("图形验证码错误或已失效").first().waitFor();
  await seen.page.getByRole("button", { name: "获取验证码" }).waitFor();
  await expect.poll(() => seen.page.locator(".cap img").getAttribute("src")).not.toBe(before);

  await seen.page.getByLabel("图形验证码", { exact: true }).fill(await readable());
  await seen.page.getByRole("button", { name: "获取验证码" }).click();
  await seen.page.getByText("短信验证码已发送，请注意查收").first().waitFor();
  await seen.page.getByText("60 秒后重发").waitFor();
  await expect.poll(() => seen.page.getByText("60 秒后重发").isDisabled()).toBe(true);
  await seen.page.clock.runFor(59_000);
  await seen.page.getByText("1 秒后重发", { exact: true }).waitFor();
  await seen.page.clock.runFor(1000);
  await expect.poll(() => seen.page.getByRole("button", { name: "获取验证码" }).isEnabled()).toBe(true);

  // the picture has brought its code: whoever asks again is shown another, and it brings the next one
  const spent = await seen.page.locator(".cap img").getAttribute("src");
  await seen.page.getByRole("button", { name: "获取验证码" }).click();
  await seen.page.getByText("图形验证码已更换，请重新输入").waitFor();
  await expect.poll(() => seen.page.locator(".cap img").getAttribute("src")).not.toBe(spent);
  await pool.query("delete from sms_code");
  await seen.page.getByLabel("图形验证码", { exact: true }).fill(await readable());
  await seen.page.getByRole("button", { name: "获取验证码" }).click();
  await seen.page.getByText("60 秒后重发").waitFor();
});

test("a forgotten password is set with the code, and the new one opens the door", async () => {
  const seen = await open();
  const { rows } = await pool.query("select phone from operator where account = 'zulin01'");
  await pool.query("delete from sms_code");
  const { page } = seen;
  await page.goto(`${base}/user/resetPassword`);
  await page.getByLabel("手机").fill(rows[0].phone);
  await page.locator(".cap img").waitFor();
  await page.getByLabel("图形验证码", { exact: true }).fill(await readable());
  await page.getByRole("button", { name: "获取验证码" }).click();
  await page.getByText("短信验证码已发送，请注意查收").first().waitFor();
  const sent = await pool.query("select params->>'code' code from outbox where recipient = $1", [
    rows[0].phone,
  ]);
  await page.getByLabel("短信验证码", { exact: true }).fill(sent.rows[0].code);
  await page.getByRole("button", { name: "下一步" }).click();
  await page.getByLabel("新密码").fill("12345678");
  await page.getByLabel("确认密码").fill("123456789");
  await page.getByLabel("新密码").focus();
  await page.getByText("两次输入的密码不一致，请重新输入").waitFor();
  await page.getByRole("button", { name: "重置密码" }).click();
  await page.getByText("字母、数字和标点符号至少包含两种！").first().waitFor();
  await page.getByLabel("新密码").fill("Fresh2027!");
  await page.getByLabel("确认密码").fill("Fresh2027!");
  await page.getByRole("button", { name: "重置密码" }).click();
  await page.getByRole("heading", { name: "密码已重置" }).waitFor();
  await page.waitForURL("**/user/login");
  await page.getByLabel("账号", { exact: true }).fill("zulin01");
  await page.getByLabel("密码", { exact: true }).fill("Fresh2027!");
  await page.locator("button[type=submit]").click();
  await page.waitForURL("**/workbench/WorkbenchPage");
});

test("a session that ended says so once and leads back to the login; where one was is kept", async () => {
  const who = await demoPerson(house, "caiwu01");
  const seen = await open({ as: who });
  const { page } = seen;
  await page.goto(`${base}/accountManage/BillListManage`);
  await page.locator("tbody tr.ant-table-row").first().waitFor();
  await pool.query("update login_session set ended_at = now() where operator_id = $1", [who.operatorId]);
  await page.evaluate(() => Object.assign(window, { before: true }));
  await page.getByRole("button", { name: "查询" }).click();
  await page.getByRole("button", { name: "刷新" }).first().click();
  await page.getByText("长时间未操作，请重新登录！").first().waitFor();
  await expect.poll(() => page.getByText("长时间未操作，请重新登录！").count()).toBe(1);
  await page.waitForURL("**/user/login?redirect=*");
  expect(new URL(page.url()).searchParams.get("redirect")).toContain("/accountManage/BillListManage");
});

test("the network is gone: logging out says 错误, and the token is gone all the same", async () => {
  const seen = await open();
  await signIn(seen.page, "shenji01");
  await seen.page.route("**/login/logout", (route) => route.abort());
  await fromAvatar(seen.page, "退出登录");
  const question = seen.page.getByRole("dialog", { name: "Message" });
  await question.getByText("Do you really log-out.").waitFor();
  await question.getByRole("button", { name: "确定" }).click();
  await seen.page.waitForURL("**/user/login*");
  await seen.page.getByText("错误", { exact: true }).first().waitFor();
  expect(await seen.page.evaluate(() => localStorage.getItem("sig__token"))).toBeNull();
  expect(await seen.page.evaluate(() => document.cookie)).not.toContain("hzsk_token");
});

test("what is set of the frame holds after a reload, for this person alone", async () => {
  const seen = await open();
  await signIn(seen.page, "qinghe01");
  await fromAvatar(seen.page, "显示设置");
  const drawer = seen.page.getByRole("dialog", { name: "显示设置" });
  await drawer.getByText("深色", { exact: true }).click();
  await drawer.getByText("定宽", { exact: true }).click();
  await drawer.getByRole("switch", { name: "多标签" }).click();
  await drawer.getByText("English", { exact: true }).click();
  await seen.page.keyboard.press("Escape");
  await seen.page.reload();
  await seen.page.getByPlaceholder("Search menu").waitFor();
  const look = () => seen.page.evaluate(() => ({ ...document.documentElement.dataset }));
  expect(await look()).toMatchObject({ theme: "dark", width: "fixed" });
  await expect.poll(() => seen.page.getByRole("navigation", { name: "已打开的页面" }).count()).toBe(0);
  await seen.page.locator("button.me").click();
  const entries = seen.page.getByRole("menuitem");
  await entries.first().waitFor();
  expect((await entries.allInnerTexts()).filter((text) => /\p{Script=Han}/u.test(text))).toEqual([]);
  await seen.page.keyboard.press("Escape");
  await fromAvatar(seen.page, "Log out");
  await seen.page.getByRole("dialog", { name: "Message" }).getByRole("button", { name: "确定" }).click();
  await seen.page.waitForURL("**/user/login*");
  await signIn(seen.page, "dianzhang02");
  await seen.page.getByRole("navigation", { name: "已打开的页面" }).waitFor();
  await expect.poll(look).toMatchObject({ width: "fluid" });
});

test("使用手册 is a PDF in a tab of its own; a brand may hide it or have another", async () => {
  const seen = await open({ as: await demoPerson(house, "zulin01") });
  const { page } = seen;
  await page.goto(`${base}/workbench/WorkbenchPage`);
  const help = page.getByRole("link", { name: "使用手册" });
  await help.waitFor();
  await expect.poll(() => help.getAttribute("target")).toBe("_blank");
  expect(await help.getAttribute("href")).toMatch(/#nameddest=\/workbench\/WorkbenchPage$/);
  const answer = await page.request.get(new URL((await help.getAttribute("href"))!, base).href);
  expect(answer.headers()["content-type"]).toBe("application/pdf");
  expect(answer.headers()["content-disposition"]).toBeUndefined();
  expect((await answer.body()).subarray(0, 5).toString()).toBe("%PDF-");

  for (const [key, address] of [
    ["brand05", undefined],
    ["brand08", "https://help.brand08.example/manual.pdf"],
  ] as const) {
    await page.route("**/brand/current", async (route) => {
      const { data } = (await (await route.fetch()).json()) as { data: object };
      const brand = { ...data, ...(await brandOf(key)), apiBase: "" };
      await route.fulfill({ json: { code: 200, message: "ok", data: brand } });
    });
    await page.reload();
    await page.getByText("今日房态").first().waitFor();
    if (address) await expect.poll(() => help.getAttribute("href")).toBe(address);
    else await expect.poll(() => help.count()).toBe(0);
    await page.unroute("**/brand/current");
  }
  expect(seen.errors).toEqual([]);
});
