import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { toldOf } from "../../domains/system/message/message.sample.ts";
import { CONSTANTS } from "../../platform/checks/specification/texts.ts";
import { brandOf } from "../../platform/server/pipeline/brand.ts";
import { demoPerson, PHONE, story } from "../browser.sample.ts";

/** The header, the menu beside it and the frame before the log-in, as specification sections 1, 2, 3 and 9 say. */
const { house, base, open, signIn } = await story({
  rooms: 40,
  settings: { BRAND_HOSTS: "brand04.localhost=brand04" },
});
const HOME = `${base}/workbench/WorkbenchPage`;
const side = (page: Page) => page.getByRole("navigation", { name: "主菜单" });

test("the bell hangs at least 200 wide over the unread, both are asked for every 50 s, and 更多消息 leads to the message centre", async () => {
  const reader = await house.person({ permits: ["1.query"], name: "李四" });
  await toldOf(house)({ to: [reader.operatorId], type: 1, title: "退房申请待审批" });
  const { page } = await open({ as: reader });
  await page.clock.install();
  await page.goto(HOME);
  await page.locator(".bell__badge").getByText("1", { exact: true }).waitFor();
  await toldOf(house)({ to: [reader.operatorId], type: 1, title: "续租申请待审批" });
  const again = ["num", "top"].map((what) => page.waitForResponse(`**/message/${what}`));
  await page.clock.fastForward(Number(CONSTANTS["message.poll.s"][0]) * 1000);
  await Promise.all(again);
  await page.locator(".bell__badge").getByText("2", { exact: true }).waitFor();
  await page.locator(".bell__button").click();
  const list = page.locator(".bell");
  for (const title of ["退房申请待审批", "续租申请待审批"]) await list.getByText(title).waitFor();
  expect(await list.evaluate((box) => Number.parseFloat(getComputedStyle(box).minWidth))).toBe(
    Number(CONSTANTS["dropdown.message.minWidth"][0]),
  );
  await list.getByRole("button", { name: "更多消息" }).click();
  await page.waitForURL("**/msgManage/manageHome");
});

test("under the avatar stand the own phone, the own password and the way out; a brand may leave out the first two", async () => {
  const { page } = await open({ as: await demoPerson(house, "chuna01") });
  const items = async () => {
    await page.goto(HOME);
    await page.locator("button.me").click();
    await page.getByRole("menuitem", { name: "退出登录", exact: true }).waitFor();
    return page.getByRole("menuitem").allInnerTexts();
  };
  expect(await items()).toEqual(expect.arrayContaining(["修改手机号", "修改密码", "退出登录"]));
  await page.route("**/brand/current", async (route) => {
    const { data } = (await (await route.fetch()).json()) as { data: object };
    const brand = { ...data, showChangePhone: false, showChangePassword: false };
    await route.fulfill({ json: { code: 200, message: "ok", data: brand } });
  });
  const fewer = await items();
  expect(fewer).toContain("退出登录");
  expect(fewer).not.toContain("修改手机号");
  expect(fewer).not.toContain("修改密码");
});

test("each quick action leads to its form; who lacks the function to add has only the bookkeeping", async () => {
  const boss = await demoPerson(house, "qinghe01");
  const { page } = await open({ as: boss });
  const acts = page.locator(".ant-dropdown-menu-item");
  for (const [title, path, form] of [
    ["新增门店", "/configuration/village", "新增门店"],
    ["新增预订", "/configuration/BookingManagement", /客源/],
    ["记一笔", "/accountManage/addBillFlow", "记一笔"],
  ] as const) {
    await page.goto(HOME);
    await page.getByRole("button", { name: "快捷操作" }).click();
    await acts.filter({ hasText: title }).click();
    await page.waitForURL((url) => url.pathname === `/sams${path}`);
    await page
      .getByRole("dialog", { name: form })
      .or(page.getByRole("heading", { name: form }))
      .first()
      .waitFor();
  }

  const seen = async (permits: string[]) => {
    const as = await house.person({ superType: "1", permits });
    const theirs = (await open({ as })).page;
    await theirs.route("**/user/info", async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: { role: object } };
      const permissions = permits.map((permit) => ({
        permissionId: Number(permit.split(".")[0]),
        actionEntitySet: [{ action: permit.split(".")[1] }],
      }));
      await route.fulfill({ json: { ...answer, data: { ...answer.data, role: { permissions } } } });
    });
    await theirs.goto(HOME);
    await theirs.getByRole("button", { name: "快捷操作" }).click();
    await theirs.locator(".ant-dropdown-menu-item").first().waitFor();
    return theirs.locator(".ant-dropdown-menu-item").allInnerTexts();
  };
  const may = ["1.query", "6.query", "15.query", "102.query"];
  expect(await seen(may)).toEqual(["记一笔"]);
  expect(await seen([...may, "6.add"])).toEqual(["新增门店", "记一笔"]);
  expect(await seen([...may, "15.add"])).toEqual(["新增预订", "记一笔"]);
});

test("the name, the super type, the phone and the number of who signed in are kept in this browser", async () => {
  const { page } = await open();
  await signIn(page, "qinghe01");
  await page.locator("button.me").waitFor();
  const { rows } = await house.database.pool.query(
    "select id, real_name, phone, super_type from operator where account = 'qinghe01'",
  );
  const kept = await page.evaluate(() => ({
    superType: localStorage.getItem("hzsk_supertype"),
    phone: localStorage.getItem("hzsk_phone"),
    operator: JSON.parse(localStorage.getItem("sig__userInfo") ?? "null") as { value: object },
  }));
  expect(kept).toMatchObject({ superType: rows[0].super_type, phone: rows[0].phone });
  expect(kept.operator.value).toMatchObject({ name: rows[0].real_name, operatorId: rows[0].id });
});

test("the menu beside the pages is dark, and light for the brand that is; a narrow screen has it behind a button", async () => {
  const { page } = await open();
  const brightness = () =>
    side(page).evaluate((menu) => {
      const [r = 0, g = 0, b = 0] = getComputedStyle(menu).backgroundColor.match(/\d+/g)!.map(Number);
      return (r + g + b) / 3;
    });
  await signIn(page, "chuna01");
  await side(page).getByText("财务管理").waitFor();
  await expect.poll(() => brightness()).toBeLessThan(80);

  await page.route("**/brand/current", async (route) => {
    const { data } = (await (await route.fetch()).json()) as { data: object };
    const brand = { ...data, ...(await brandOf("brand04")), apiBase: "" };
    await route.fulfill({ json: { code: 200, message: "ok", data: brand } });
  });
  await page.reload();
  await expect.poll(brightness).toBeGreaterThan(200);
  await page.unroute("**/brand/current");

  await page.setViewportSize(PHONE);
  await page.reload();
  await page.locator("button.me").waitFor();
  await expect.poll(() => side(page).isVisible()).toBe(false);
  await page.getByRole("button", { name: "打开菜单" }).click();
  await side(page).getByText("财务管理").waitFor();
});

test("before the log-in the brand's picture stands left, what is to be done right, the footer below it", async () => {
  const { page } = await open();
  await page.goto(`${base.replace("127.0.0.1", "brand04.localhost")}/user/login`);
  const box = async (css: string) => {
    await page.locator(css).first().waitFor();
    return (await page.locator(css).first().boundingBox())!;
  };
  const [picture, panel, form, foot] = [
    await box(".brand img.art"),
    await box("main.panel"),
    await box("main.panel form"),
    await box(".login__foot"),
  ];
  expect(picture.x).toBe(0);
  expect(picture.x + picture.width).toBeLessThanOrEqual(panel.x + 1);
  expect(foot.x).toBeGreaterThanOrEqual(panel.x);
  expect(foot.y).toBeGreaterThan(form.y + form.height);
  const shown = await page
    .locator(".brand img")
    .evaluateAll((all) =>
      all.map((img) => [
        new URL((img as HTMLImageElement).src).pathname,
        (img as HTMLImageElement).naturalWidth,
      ]),
    );
  const brand = await brandOf("brand04");
  expect(shown.map(([src]) => src)).toEqual([`/sams/brand/${brand.background}`, `/sams/brand/${brand.logo}`]);
  expect(shown.every(([, width]) => Number(width) > 0)).toBe(true);
});

test("pages for phones stand alone: neither the frame of the log-in nor menu and tabs", async () => {
  const { page } = await open({ as: await demoPerson(house, "chuna01") });
  for (const path of ["/service/AppH5Page?id=1", "/system/appAgreementPage?type=user", "/FileUploadH5"]) {
    await page.goto(base + path);
    await page.locator(".open__page").waitFor();
    expect(await side(page).count(), path).toBe(0);
    expect(await page.locator(".login").count(), path).toBe(0);
    expect(await page.getByRole("navigation", { name: "已打开的页面" }).count(), path).toBe(0);
  }
});
