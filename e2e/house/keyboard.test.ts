import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { demoPerson, settling, story } from "../browser.sample.ts";

/** What the hand finds: keys instead of the mouse, the focus where one was, and one next step. */
const { house, base, open } = await story({ rooms: 40 });
const boss = await demoPerson(house, "admin2026");

const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    return at?.getAttribute("aria-label") ?? (at as HTMLElement | null)?.innerText ?? "";
  });
const isIn = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector);

test("the first key leads past menu and header into the page", async () => {
  const { page, errors } = await open({ as: boss });
  const settled = settling(page);
  await page.goto(`${base}/configuration/RenterManage`);
  await page.locator("tbody tr.ant-table-row").first().waitFor();
  await settled();
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("跳到正文");
  const box = await page.getByRole("button", { name: "跳到正文" }).boundingBox();
  expect(box!.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  expect(page.url()).not.toContain("#");
  await page.keyboard.press("Tab");
  expect(await isIn(page, "main.body")).toBe(true);
  expect(errors).toEqual([]);
});

test("rows are walked with the arrows, and every layer gives the focus back to where it was opened from", async () => {
  const { page, errors } = await open({ as: boss });
  await page.goto(`${base}/configuration/RenterManage`);
  const rows = page.locator("tbody tr.ant-table-row");
  await rows.nth(2).waitFor();
  await rows.first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const at = () => rows.evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement));
  expect(await at()).toBe(2);

  // a drawer
  await page.keyboard.press("Enter");
  const drawer = page.locator(".drawer");
  await drawer.locator("h2 .cut").waitFor();
  await expect.poll(() => isIn(page, ".drawer")).toBe(true);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await expect.poll(at).toBe(2);

  // a menu, and a dialog that was opened from it
  const dots = rows.nth(1).getByRole("button", { name: "更多操作" });
  const back = () => dots.evaluate((button) => button === document.activeElement);
  await dots.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("menuitem").first().waitFor({ state: "hidden" });
  await expect.poll(back).toBe(true);
  await dots.click();
  await page.getByRole("menuitem", { name: "加入黑名单" }).click();
  const dialog = page.getByRole("dialog").last();
  await dialog.getByRole("button", { name: "取消" }).waitFor();
  await expect.poll(() => isIn(page, "[role=dialog]")).toBe(true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(back).toBe(true);

  // a form over the work, and the jump box; each takes the focus in before it takes a key
  const inside = async (name: string) => {
    await expect.poll(() => isIn(page, `[role=dialog][aria-label="${name}"]`)).toBe(true);
  };
  const add = page.getByRole("button", { name: "新增租客" });
  await add.focus();
  await page.keyboard.press("Enter");
  await inside("新增租客");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "新增租客" }).waitFor({ state: "detached" });
  await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press("Control+K");
  await inside("全局搜索");
  await page.keyboard.press("Escape");
  await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true);

  expect(errors).toEqual([]);
});

test("boxes before rows are called after the record", async () => {
  const { page } = await open({ as: boss });
  for (const path of [
    "/configuration/RenterManage",
    "/contract/RenterContractPage",
    "/accountManage/BillListManage",
  ]) {
    await page.goto(base + path);
    const row = page.locator("tbody tr.ant-table-row").first();
    const name = (await row.locator("td").nth(1).innerText()).trim();
    await row.getByRole("checkbox", { name: `选择 ${name}`, exact: true }).waitFor();
  }
});

const NEXT: Record<string, string | undefined> = {
  draft: "编辑",
  signing: "确认签署",
  voided: undefined,
};
/** What no other state may list. */
const OWN: Record<string, readonly string[]> = {
  draft: ["编辑", "删除"],
  signing: ["确认签署", "撤回"],
};

test("a contract's drawer lists the acts of its state alone, the next step as the one main button", async () => {
  const { page } = await open({ as: boss });
  const { rows } = await house.database.pool.query<{ id: number; state: string }>(
    "select min(id)::int id, state from contract where kind = 'renter' group by state",
  );
  expect(rows.map((row) => row.state)).toEqual(expect.arrayContaining(["effective"]));
  for (const { id, state } of rows) {
    await page.goto(`${base}/contract/RenterContractPage?tab=all&id=${id}`);
    const acts = page.locator(".drawer .acts");
    await acts.getByRole("button", { name: "打印合同" }).waitFor();
    const words = await acts.getByRole("button").allInnerTexts();
    const main = await acts.locator(".btn--main").allInnerTexts();
    expect(main.length, state).toBeLessThanOrEqual(1);
    if (state in NEXT) expect(main, state).toEqual(NEXT[state] ? [NEXT[state]] : []);
    for (const [other, verbs] of Object.entries(OWN))
      if (other !== state)
        expect(
          words.filter((word) => verbs.includes(word)),
          state,
        ).toEqual([]);
    expect(await acts.innerText(), state).not.toContain("当前状态为");
  }
});

test("what is taken away is never asked with the blue button", async () => {
  const { page } = await open({ as: boss });
  await page.goto(`${base}/configuration/addPublicArea`);
  const row = page.locator("tbody tr.ant-table-row").first();
  await row.getByRole("button", { name: "停用", exact: true }).click();
  const question = page.getByRole("dialog", { name: "停用公共区域" });
  const foot = question.locator(".dialog__foot");
  await expect.poll(() => foot.getByRole("button").allInnerTexts()).toEqual(["取消", "确定"]);
  await expect.poll(() => foot.locator(".btn--danger").innerText()).toBe("确定");
  await expect.poll(() => question.locator(".btn--main").count()).toBe(0);
});
