import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { house as table } from "../../screens.ts";
import { faultsInBoth } from "../axe.sample.ts";
import { demoPerson, fromAvatar, settling, story } from "../browser.sample.ts";

/** Everybody can read it and reach it: pages before the log-in, layers over the work, and the keyboard alone. */
const { house, base, open } = await story({ rooms: 40 });
const boss = await demoPerson(house, "admin2026");

test("every page before the log-in, light and dark, and those behind a one-time link: without the kit's weight", async () => {
  const { page } = await open({ theme: "system" });
  const settled = settling(page);
  const kit: string[] = [];
  page.on("request", (request) => {
    if (/\/(kit|shell)-/.test(request.url())) kit.push(page.url());
  });
  const before = table.screens.filter((s) => s.kind === "public").map((s) => base + s.path);
  const byLink = ["a", "d", "m", "o", "q", "s"].map((kind) => base.replace("/sams", `/esign/${kind}/gone`));
  for (const address of [...before, ...byLink]) {
    await page.goto(address);
    await settled();
    expect(await faultsInBoth(page), address).toEqual([]);
  }
  expect(kit).toEqual([]);
});

test("a record, a form with its sentences, a dialog, a menu and the settings, light and dark", async () => {
  const { page } = await open({ as: boss, theme: "system" });
  const settled = settling(page);
  const read = async (what: string) => {
    await settled();
    expect(await faultsInBoth(page), what).toEqual([]);
  };
  await page.goto(`${base}/configuration/RenterManage`);
  await page.locator("tbody tr.ant-table-row .linkish, tbody tr.ant-table-row a").first().click();
  await page.locator(".drawer .record").waitFor();
  await read("a record");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "新增租客" }).click();
  const form = page.getByRole("dialog", { name: "新增租客" });
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByRole("alert").first().waitFor();
  await read("a form with what is wrong in it");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "更多操作" }).first().click();
  await page.getByRole("menuitem").first().waitFor();
  await read("a menu");
  await page.keyboard.press("Escape");
  await fromAvatar(page, "修改密码");
  await page.getByRole("dialog", { name: "修改密码" }).getByRole("button", { name: "确定" }).click();
  await read("a dialog with what is wrong in it");
  await page.keyboard.press("Escape");
  await fromAvatar(page, "显示设置");
  await page.getByRole("dialog", { name: "显示设置" }).waitFor();
  await read("the settings");
});

test("by keyboard alone: into the filter, along to a row, its record opens and closes, and one stands where one was", async () => {
  const { page } = await open({ as: boss });
  await page.goto(`${base}/configuration/RenterManage`);
  const first = page.locator("tbody tr.ant-table-row .linkish, tbody tr.ant-table-row a").first();
  await first.waitFor();
  await page.keyboard.press("/");
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement as HTMLInputElement | null;
      return at?.closest(".filters, .fbar, form") ? "filter" : (at?.tagName ?? "");
    });
  await expect.poll(focused).toBe("filter");
  // along the page with the tab key until the first record's link has the focus
  const onRow = () => first.evaluate((link) => link === document.activeElement);
  for (let i = 0; i < 60 && !(await onRow()); i++) await page.keyboard.press("Tab");
  expect(await onRow(), "the tab key leads to the first record").toBe(true);
  const ring = await first.evaluate((link) => {
    const { outlineStyle, boxShadow } = getComputedStyle(link);
    return outlineStyle !== "none" || boxShadow !== "none";
  });
  expect(ring, "where one is can be seen").toBe(true);
  await page.keyboard.press("Enter");
  const drawer = page.locator(".drawer");
  await drawer.locator(".record").waitFor();
  expect(await page.evaluate(() => document.activeElement?.closest(".drawer") !== null)).toBe(true);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await expect.poll(onRow).toBe(true);
});

test("a dialog keeps the tab key inside, and gives the focus back", async () => {
  const { page } = await open({ as: boss });
  await page.goto(`${base}/configuration/RenterManage`);
  const add = page.getByRole("button", { name: "新增租客" });
  await add.focus();
  await page.keyboard.press("Enter");
  const form = page.getByRole("dialog", { name: "新增租客" });
  await form.waitFor();
  const inside = () =>
    form.evaluate((box) => box.contains(document.activeElement) || document.activeElement === box);
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    expect(await inside(), `after ${i + 1} steps`).toBe(true);
  }
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true);
});

test("of a year by months the head stays in view below, and a row is lit as a whole", async () => {
  const { page } = await open({ as: boss, size: { width: 1280, height: 560 } });
  await page.goto(`${base}/accountManage/PostState`);
  const table = page.locator("table.tbl--flat");
  const last = table.locator("tbody tr").last();
  await last.scrollIntoViewIfNeeded();
  const box = async (of: Locator) => (await of.boundingBox())!;
  const [head, row] = [await box(table.locator("th").first()), await box(last)];
  expect(head.y).toBeGreaterThan(48);
  expect(head.y).toBeLessThan(row.y);
  await last.locator("td").nth(3).hover();
  const colour = (n: number) =>
    last
      .locator("td")
      .nth(n)
      .evaluate((td) => getComputedStyle(td).backgroundColor);
  await expect.poll(() => colour(0)).toBe(await colour(3));
});
