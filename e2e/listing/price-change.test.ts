import { expect, test } from "vitest";
import { faultsInBoth } from "../axe.sample.ts";
import { choose, demoPerson, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const head = await demoPerson(house, "qinghe01");
const PAGE = `${base}/configuration/BatchAdjustPrice`;
const one = async <T>(text: string, values: unknown[] = []) =>
  (await house.database.pool.query<{ value: T }>(text, values)).rows[0]?.value;

test("prices of a store are previewed room by room, one is left out, one is priced by hand, and they stand from today", async () => {
  const { page, errors } = await open({ as: head, size: { width: 1440, height: 900 } });
  await page.goto(PAGE);
  await page.getByRole("button", { name: "新增调价" }).first().click();
  const store = page
    .getByRole("option", { name: "滨江店" })
    .or(page.locator(".ant-select-item-option").first());
  await choose(() => page.getByRole("combobox", { name: "门店" }).click(), store.last());
  await page.keyboard.press("Escape");
  await page.getByText(/^符合条件/).waitFor();
  await page.getByRole("button", { name: "下一步" }).click();

  await page.getByRole("button", { name: "预览", exact: true }).click();
  await page.getByText("请输入调整值").waitFor();
  await page.getByLabel("调整值").fill("60");
  await page.getByLabel("调价原因").fill("旺季调价");
  await page.getByRole("button", { name: "预览", exact: true }).click();
  const submit = page.getByRole("button", { name: "提交", exact: true });
  await page.getByText(/间超过 50% 的调整/).waitFor();
  await expect.poll(() => submit.getAttribute("aria-disabled")).toBe("true");

  await page.getByRole("button", { name: "上一步" }).click();
  await page.getByLabel("调整值").fill("3.3");
  await page.getByRole("button", { name: "预览", exact: true }).click();
  const rows = page.locator(".pc tbody tr");
  await rows.nth(2).waitFor();
  await rows.nth(0).getByText("元/月", { exact: true }).waitFor({ timeout: 5_000 });
  await rows.nth(0).getByRole("checkbox").uncheck();
  await rows.nth(0).getByText("手动跳过").waitFor();
  await rows
    .nth(1)
    .getByRole("button", { name: /^修改 .* 新标价/ })
    .click();
  const was = (await rows.nth(1).locator("td").nth(2).innerText()).replaceAll(",", "");
  const typed = Math.round(Number(was)) + 10;
  // what is given up does not come back, and the keyboard goes on where it was
  const price = rows.nth(1).getByRole("textbox");
  const before = await price.inputValue();
  await price.fill("9999");
  await page.keyboard.press("Escape");
  await price.waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  expect(await price.inputValue()).toBe(before);
  await rows.nth(1).getByRole("textbox").fill(String(typed));
  await page.keyboard.press("Enter");
  await rows.nth(1).getByText("手工修改").waitFor();
  await expect.poll(() => submit.getAttribute("aria-disabled")).not.toBe("true");
  await submit.click();

  const drawer = page.getByRole("dialog").first();
  await drawer.getByText("已生效").first().waitFor();
  await drawer.getByText("+3.3 %，取整到元").waitFor();
  const id = new URL(page.url()).searchParams.get("id");
  const { rows: lines } = await house.database.pool.query(
    `select count(*) filter (where skipped and why = '手动跳过')::int skipped, count(*) filter (where edited)::int edited
     from price_change_line where change_id = $1`,
    [id],
  );
  expect(lines[0]).toEqual({ skipped: 1, edited: 1 });
  expect(
    await one(
      `select count(*)::int value from room_price p join price_change_line l on l.change_id = p.source_id and l.room_id = p.room_id
       where p.source = 'batch' and p.source_id = $1 and l.edited and p.list_price = $2`,
      [id, typed * 100],
    ),
  ).toBe(1);

  // what counts already is not cancelled but rolled back
  await drawer.getByText("调价已生效，不能取消").first().waitFor();
  await drawer.getByRole("button", { name: "回滚" }).click();
  await page.getByText(/恢复 TJ.* 的/).waitFor();
  await page.getByRole("button", { name: "下一步" }).click();
  await page.getByRole("button", { name: "预览", exact: true }).click();
  await rows.nth(0).waitFor();
  await submit.click();
  await page.getByRole("dialog").first().getByText("恢复调整前价格").waitFor();
  expect(errors).toEqual([]);
});

test("rooms chosen on the board arrive with the form; a phone shows the changes as cards", async () => {
  const { page, errors } = await open({ as: head, size: PHONE });
  const rooms = await house.database.pool.query<{ id: number }>(
    "select id from room where village_id = 2 and is_leaf and retired_day is null order by id limit 3",
  );
  await page.goto(`${PAGE}?draft=new&villageId=2&rooms=${rooms.rows.map((r) => r.id).join(",")}`);
  await page.getByText("已选 3 间房").waitFor();
  await page.getByRole("button", { name: "下一步" }).click();
  await page.getByLabel("调整值").fill("-2");
  await page.getByLabel("调价原因").fill("淡季促销");
  await page.getByRole("button", { name: "预览", exact: true }).click();
  await page.getByRole("button", { name: "存草稿" }).click();
  await page.getByRole("dialog").first().getByText("草稿").first().waitFor();
  await page.goto(PAGE);
  await page.getByText("−2 %，取整到元").first().waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  expect(errors).toEqual([]);
});

test("the three steps and a change can be read by everybody, light and dark", async () => {
  const { page } = await open({ as: head, theme: "system" });
  const settled = settling(page);
  const read = async (what: string) => {
    await settled();
    expect(await faultsInBoth(page), what).toEqual([]);
  };
  await page.goto(`${PAGE}?draft=new&villageId=1`);
  await page.getByText(/^符合条件/).waitFor();
  await read("rooms");
  await page.getByRole("button", { name: "下一步" }).click();
  await page.getByRole("button", { name: "预览", exact: true }).click();
  await page.getByText("请输入调整值").waitFor();
  await read("the rule, with what is wrong in it");
  await page.getByLabel("调整值").fill("60");
  await page.getByLabel("调价原因").fill("旺季调价");
  await page.getByRole("button", { name: "预览", exact: true }).click();
  await page.getByText(/间超过 50% 的调整/).waitFor();
  await read("the preview");
  await page.goto(`${PAGE}?id=${await one<number>("select min(id)::int value from price_change")}`);
  await page.getByRole("tab", { name: /^明细/ }).waitFor();
  await read("a change");
});
