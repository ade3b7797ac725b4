import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aHeading, aPublishedH5, asPerson, aText } from "../../domains/service/h5/h5.sample.ts";
import { offlineH5, publishH5 } from "../../domains/service/h5/h5.service.ts";
import { aPng, sendFile } from "../../domains/system/file/file.sample.ts";
import { demoPerson, PHONE, pictureOnFailure, story } from "../browser.sample.ts";

const { house, open, base } = await story({ rooms: 40 });
const boss = await demoPerson(house, "qinghe01");
const platform = await demoPerson(house, "admin2026");

test("who signs in reads first what they agree to, larger and by its contents", async () => {
  const { page, context, errors } = await open({ size: PHONE });
  pictureOnFailure(() => page);
  await page.goto(`${base}/user/login`);
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "隐私政策" }).click();
  const privacy: Page = await opened;
  await privacy.getByRole("heading", { name: "隐私政策" }).waitFor();
  expect(await privacy.title()).toBe("隐私政策 - 智慧公寓");
  await privacy.getByText(/生效日期 \d{4}-\d{2}-\d{2}/).waitFor();
  await privacy.getByRole("navigation", { name: "目录" }).getByText("四、信息的共享").click();
  await expect
    .poll(() =>
      privacy.locator("h2", { hasText: "四、信息的共享" }).evaluate((h) => h.getBoundingClientRect().top),
    )
    .toBeLessThan(200);
  const size = () =>
    privacy
      .locator(".h5__text")
      .first()
      .evaluate((p) => Number.parseFloat(getComputedStyle(p).fontSize));
  expect(await size()).toBe(16);
  await privacy.getByRole("button", { name: "放大字号" }).click();
  expect(await size()).toBe(18);
  await privacy.reload();
  await expect.poll(size).toBe(18);
  expect(errors).toEqual([]);
});

test("a new privacy text is shown, and the address of the old one still shows the old", async () => {
  const { rows } = await house.database.pool.query<{ id: number }>(
    "select id from h5_page where agreement_type = 'privacy'",
  );
  await asPerson(house, platform, (act) =>
    publishH5(act, rows[0]!.id, {
      title: "隐私政策",
      effectiveDay: act.today,
      blocks: [aHeading("新的第一章"), aText("新的内容")],
    }),
  );
  const { page, errors } = await open();
  await page.goto(`${base}/system/appAgreementPage?type=privacy`);
  await page.getByText("新的内容").waitFor();
  await page.getByText("第 2 版").waitFor();
  await page.getByRole("link", { name: "查看上一版本" }).click();
  await page.getByText("一、我们收集的信息").first().waitFor();
  expect(page.url()).toContain("version=1");
  await page.getByRole("link", { name: "查看现行的第 2 版" }).click();
  await page.getByText("新的内容").waitFor();
  expect(errors).toEqual([]);
  await page.goto(`${base}/system/appAgreementPage?type=member`);
  await page.getByRole("heading", { name: "协议内容维护中" }).waitFor();
});

test("a renter's phone shows a page block by block, its new version at the next look, and nothing once it is off", async () => {
  const picture = (
    await sendFile(house, boss, { name: "a.png", bytes: aPng({ width: 90, height: 60 }) }, "image2M")
  ).body.data.id;
  const id = await aPublishedH5(house, boss, {
    title: "周末市集",
    blocks: [
      aHeading("周末市集<script>alert(1)</script>"),
      aText("本周六在一楼大堂。\n欢迎带朋友来。"),
      { kind: "image", fileId: picture, alt: "大堂" },
      { kind: "gallery", images: [{ fileId: picture, alt: "摊位" }] },
      { kind: "button", label: "地图", to: { kind: "url", url: "https://map.example/a" } },
      { kind: "contact", name: "前台", phone: "13800001234", hours: "9:00-18:00", address: "一楼大堂" },
      { kind: "divider" },
    ],
  });
  // also where somebody is signed in, the page is asked for as by a stranger
  const { page, context, errors } = await open({ as: boss, size: PHONE });
  pictureOnFailure(() => page);
  const tokens: (string | undefined)[] = [];
  page.on("request", (r) => void (r.url().includes("/h5Page/") && tokens.push(r.headers()["authorization"])));
  await page.goto(`${base}/service/AppH5Page?id=${id}`);
  await page.getByText("欢迎带朋友来。").waitFor();
  expect(await page.title()).toBe("周末市集 - 智慧公寓");
  await expect.poll(() => page.innerText("main")).not.toContain("alert");
  await expect
    .poll(() =>
      page.locator(".h5__photo").evaluateAll((all) => all.map((i) => (i as HTMLImageElement).naturalWidth)),
    )
    .toEqual([90, 90]);
  await expect
    .poll(() => page.getByRole("link", { name: "地图" }).getAttribute("href"))
    .toBe("https://map.example/a");
  await expect
    .poll(() => page.getByRole("link", { name: "13800001234" }).getAttribute("href"))
    .toBe("tel:13800001234");
  expect(await context.cookies()).toEqual([]);
  expect(new Set(tokens)).toEqual(new Set([undefined]));
  expect(errors).toEqual([]);

  await asPerson(house, boss, (act) =>
    publishH5(act, id, { title: "市集改期", blocks: [aText("改到周日。")] }),
  );
  await page.reload();
  await page.getByText("改到周日。").waitFor();
  await asPerson(house, boss, (act) => offlineH5(act, id));
  await page.reload();
  await page.getByRole("heading", { name: "页面不存在或已下线" }).waitFor();

  await context.setOffline(true);
  await page.evaluate(() => {
    history.pushState({}, "", "?id=1234567");
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  });
  await page.getByText("网络连接失败，请检查网络后重试").waitFor();
  await context.setOffline(false);
  await page.getByRole("button", { name: "重试" }).click();
  await page.getByRole("heading", { name: "页面不存在或已下线" }).waitFor();
});

test("the front door greets who is signed in, and shows what the brand has", async () => {
  const stranger = await open();
  await stranger.page.goto(`${base}/portal/home`);
  await stranger.page.getByRole("link", { name: "运营后台" }).waitFor();
  expect(await stranger.page.locator(".portal__card").count(), "no dashboard for a stranger").toBe(2);
  await stranger.page.getByRole("link", { name: "登录" }).click();
  await stranger.page.getByLabel("账号", { exact: true }).waitFor();

  const { page, errors } = await open({ as: boss });
  await page.route("**/brand/current", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: object };
    const data = { ...body.data, helpUrl: "https://help.example/a.pdf", helpPhone: "400-800-1234" };
    await route.fulfill({ response: answer, json: { ...body, data } });
  });
  await page.goto(`${base}/portal/home`);
  await page.getByText("许承锦").waitFor();
  const manual = page.getByRole("link", { name: "使用手册" });
  await expect.poll(() => manual.getAttribute("href")).toBe("https://help.example/a.pdf");
  await page.getByRole("link", { name: "400-800-1234" }).waitFor();
  await page.getByRole("link", { name: "进入工作台" }).click();
  await expect.poll(() => page.url()).toContain("/workbench/WorkbenchPage");
  expect(errors).toEqual([]);
});

test.each([
  ["/authsuccess", "认证结果已提交", "认证成功", []],
  ["/signsuccess", "签署结果已提交", "签署成功", []],
  // a key that nobody was given reads no more than none
  ["/signsuccess?key=0123456789abcdef", "签署结果已提交", "签署成功", ["/contract/api/v3/esign/result"]],
])("%s says only that the result is on its way", async (path, said, title, more) => {
  const { page, errors } = await open({ size: PHONE });
  const asked: string[] = [];
  page.on("request", (r) => void (r.url().includes("/api/") && asked.push(new URL(r.url()).pathname)));
  await page.goto(base + path);
  await page.getByRole("heading", { name: said }).waitFor();
  expect(await page.title()).toBe(`${title} - 智慧公寓`);
  await page.getByRole("link", { name: "返回登录" }).click();
  await page.getByLabel("账号", { exact: true }).waitFor();
  expect(asked.toSorted()).toEqual([...more, "/system/api/v3/brand/current"]);
  expect(errors).toEqual([]);
});
