import { expect, test } from "vitest";
import { choose, demoPerson, story } from "../browser.sample.ts";

const { house, open, base } = await story({ rooms: 120 });

test("a manager tells the tenants of a store that the water is off, and sees who got it", async () => {
  const { page, errors } = await open({ as: await demoPerson(house, "dianzhang01") });
  await page.goto(`${base}/configuration/MessageManagement`);
  await page.getByRole("button", { name: "新增推送" }).click();
  const form = page.getByRole("dialog", { name: "新增推送" });
  await choose(
    () => form.getByLabel("门店").click(),
    page.locator(".ant-select-item-option").getByText("滨江店", { exact: true }),
  );
  await page.keyboard.press("Escape");
  await form.getByLabel("标题").fill("周六停水");
  await form.getByLabel("推送内容").fill("{姓名}您好，{房号x}周六停水");
  await form
    .getByRole("status")
    .getByText(/^\d+ 人$/)
    .waitFor();
  await form.getByRole("button", { name: "保存草稿" }).click();
  await form.getByRole("alert").getByText("未知变量：{房号x}").waitFor();
  await form.getByLabel("推送内容").fill("{姓名}您好，{门店}周六九点停水");
  await form
    .getByText(/您好，滨江店周六九点停水/)
    .first()
    .waitFor();
  await form.getByText("仅记录在发件箱", { exact: false }).waitFor();
  const people = await form.getByRole("status").locator("b").first().textContent();
  await form.getByRole("button", { name: "保存草稿" }).click();
  await page.getByText("已存为草稿，提交后发送").waitFor();

  const drawer = page.locator(".drawer").last();
  await drawer.getByText(/^周六停水 TZ/).waitFor();
  await drawer.getByRole("button", { name: "提交" }).click();
  await page.getByRole("dialog", { name: "提交推送" }).getByRole("button", { name: "提交" }).click();
  await page.getByText("已提交").first().waitFor();
  const ended = async () =>
    (
      await house.database.pool.query<{ state: string }>(
        "select state from push_task order by id desc limit 1",
      )
    ).rows[0]!.state;
  await expect.poll(ended, { timeout: 20_000 }).toBe("sent");
  await page.reload();
  await drawer.getByText("已发送").first().waitFor();
  await drawer.getByText("已送达").first().waitFor();
  const receivers = await drawer.getByRole("tab", { name: /^对象/ }).textContent();
  expect(receivers).toContain(people!.replace(/\D/g, ""));
  await page.goto(`${base}/configuration/MessageManagement?tab=log`);
  await page.getByText("您好，滨江店周六九点停水", { exact: false }).first().waitFor();
  expect(errors).toEqual([]);
});
