import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aPng } from "../../domains/system/file/file.sample.ts";
import { demoPerson, PHONE, pictureOnFailure, story } from "../browser.sample.ts";

const { house, open, base } = await story({ rooms: 40 });
const { pool } = house.database;
const photo = (name: string) => ({ name, mimeType: "image/png", buffer: aPng({ width: 80, height: 80 }) });

/** Opens 手机上传 of the form on the desk and answers where its code leads. */
async function linkFrom(desk: Page): Promise<string> {
  const opened = desk.waitForResponse((r) => r.url().endsWith("/upload/ticket") && r.status() === 200);
  await desk.getByRole("button", { name: "手机上传" }).click();
  const { data } = (await (await opened).json()) as { data: { token: string } };
  await desk.locator(".code__box svg").waitFor();
  return `${base}/FileUploadH5#${data.token}`;
}

test("three photos taken by phone stand in the form on the desk within 3 s, and are saved with it", async () => {
  const { page: desk, errors } = await open({ as: await demoPerson(house, "qinghe01") });
  pictureOnFailure(() => desk);
  await desk.goto(`${base}/workbench/WorkbenchPage`);
  await desk.getByRole("button", { name: "公告管理" }).click();
  await desk.getByRole("button", { name: "新增公告" }).first().click();
  const form = desk.getByRole("dialog", { name: "新增公告" });
  await form.getByLabel("公告标题").fill("电梯检修通知");
  await form.locator("textarea").fill("周五上午检修，照片见附件。");
  const link = await linkFrom(desk);

  const { page: phone, errors: onPhone } = await open({ size: PHONE });
  await phone.goto(link);
  await phone.getByRole("heading", { name: "附件" }).waitFor();
  expect(await phone.title()).toBe("手机上传 - 智慧公寓");
  await phone.getByText("还可传 5 个").waitFor();
  const ways = phone.locator("input[type=file]");
  await expect.poll(() => ways.first().getAttribute("capture")).toBe("environment");
  await ways.last().setInputFiles([photo("一.png"), photo("二.png"), photo("三.png")]);
  await phone.getByText("已上传").nth(2).waitFor();
  const dialog = desk.getByRole("dialog", { name: "手机上传" });
  await dialog.getByText("已收到 3 个").waitFor({ timeout: 3_000 });
  await expect.poll(() => dialog.locator(".phone__came img").count()).toBe(3);
  await expect
    .poll(() => form.locator(".files__one").allInnerTexts())
    .toEqual([
      expect.stringContaining("一.png"),
      expect.stringContaining("二.png"),
      expect.stringContaining("三.png"),
    ]);

  // what only calls itself a picture
  await ways
    .last()
    .setInputFiles({ name: "photo.jpg", mimeType: "image/jpeg", buffer: Buffer.from("MZ\u0090") });
  await phone.getByText("请上传图片或PDF文件").waitFor();
  await phone.getByRole("button", { name: "移除 photo.jpg" }).click();
  // a picture above the cap arrives smaller
  await ways.last().evaluate(async (input: HTMLInputElement) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2400, 2000];
    const pen = canvas.getContext("2d")!;
    const noise = pen.createImageData(canvas.width, canvas.height);
    for (let at = 0; at < noise.data.length; at += 65_536)
      crypto.getRandomValues(noise.data.subarray(at, at + 65_536));
    pen.putImageData(noise, 0, 0);
    const blob = await new Promise<Blob>((done) => canvas.toBlob((b) => done(b!), "image/png"));
    const bag = new DataTransfer();
    bag.items.add(new File([blob], "大图.png", { type: "image/png" }));
    input.files = bag.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await phone.getByText("已上传").nth(3).waitFor();
  await phone.getByRole("button", { name: "完成" }).click();
  await phone.getByText("已上传 4 个文件").waitFor();
  await dialog.waitFor({ state: "detached", timeout: 5_000 });

  await form.locator(".files__one").nth(3).waitFor();
  await form.getByRole("button", { name: "保存" }).click();
  await desk.getByText("公告已保存").waitFor();
  const { rows } = await pool.query<{ name: string; size: number }>(
    `select f.name, f.size::int from stored_file f join announcement a on a.id = f.target_id
     where f.target_kind = 'announcement' and a.title = '电梯检修通知' order by f.id`,
  );
  expect(rows.map((r) => r.name)).toEqual(["一.png", "二.png", "三.png", "大图.jpg"]);
  expect(rows[3]!.size).toBeLessThanOrEqual(10 * 2 ** 20);

  await phone.reload();
  await phone.getByRole("heading", { name: "链接已失效，请重新扫码" }).waitFor();
  expect(errors).toEqual([]);
  // the browser itself writes down that the used link was refused
  expect(onPhone.filter((line) => !line.includes("410"))).toEqual([]);
});

test("a link ends with its dialog, a bad line can be tried again, and a narrow desk offers no phone", async () => {
  const boss = await demoPerson(house, "qinghe01");
  const { page: desk } = await open({ as: boss });
  pictureOnFailure(() => desk);
  await desk.goto(`${base}/workbench/WorkbenchPage`);
  await desk.getByRole("button", { name: "公告管理" }).click();
  await desk.getByRole("button", { name: "新增公告" }).first().click();
  const link = await linkFrom(desk);
  const { page: phone, context } = await open({ size: PHONE, theme: "dark" });
  await phone.goto(link);
  const ways = phone.locator("input[type=file]");
  await ways.last().waitFor({ state: "attached" });
  await context.setOffline(true);
  await ways.last().setInputFiles([photo("断网.png")]);
  await phone.getByText("网络连接失败，请检查网络后重试").waitFor();
  await context.setOffline(false);
  await phone.getByRole("button", { name: "重试" }).click();
  await phone.getByText("已上传").waitFor();

  const dialog = desk.getByRole("dialog", { name: "手机上传" });
  await dialog.getByText("已收到 1 个").waitFor();
  await desk.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await desk.locator(".files__one", { hasText: "断网.png" }).waitFor();
  await ways.last().setInputFiles([photo("晚了.png")]);
  await phone.getByRole("heading", { name: "链接已失效，请重新扫码" }).waitFor();

  await desk.setViewportSize(PHONE);
  await expect.poll(() => desk.getByRole("button", { name: "手机上传" }).isVisible()).toBe(false);
});

test("what is touched on a phone is high enough for a finger: links of a table, counts of the week", async () => {
  const { page } = await open({ as: await demoPerson(house, "admin2026"), size: PHONE });
  pictureOnFailure(() => page);
  const low = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) =>
        all
          .map((el) => [el.textContent, Math.round(el.getBoundingClientRect().height)] as const)
          .filter(([, height]) => height > 0 && height < 32),
      );
  await page.goto(`${base}/workbench/WorkbenchPage`);
  await page.locator(".week__n").first().waitFor();
  expect(await low(".week__n")).toEqual([]);
  const { rows } = await pool.query<{ id: number }>(
    "select b.id from bill b where b.contract_id is not null and b.settled > 0 order by b.id limit 1",
  );
  await page.goto(`${base}/accountManage/BillListManage?tab=all&id=${rows[0]!.id}`);
  await page
    .getByRole("dialog")
    .getByRole("tab", { name: /收款记录/ })
    .click();
  await page.locator(".tbl td :is(a, .linkish)").first().waitFor();
  expect(await low(".tbl td :is(a, .linkish)")).toEqual([]);
});
