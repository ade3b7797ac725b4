import { expect, test } from "vitest";
import { overviewAgeing, overviewCards } from "../../domains/report/overview/overview.contract.ts";
import { dayInZone } from "../../platform/kernel/day.ts";
import { yuan } from "../../platform/kernel/fen.ts";
import { choose, demoPerson, PHONE, story } from "../browser.sample.ts";

/** What head office chooses about figures, and what a store manager then sees of them. */
const { house, base, open } = await story({ rooms: 40 });
const head = await demoPerson(house, "qinghe01");
const manager = await demoPerson(house, "dianzhang01");
const SIZE = { width: 1280, height: 900 };
const today = dayInZone(new Date(), "Asia/Shanghai");
const year = today.slice(0, 4);

test("欠费 is taken from the role 店长: its card vanishes for them, and asking for it answers 403", async () => {
  const seen = await open({ as: manager, size: SIZE });
  await seen.page.goto(`${base}/workbench/overview2`);
  const cards = seen.page.locator(".ov__cards");
  await cards.getByText("欠费余额", { exact: true }).waitFor();
  await seen.page.getByRole("region", { name: "欠费账龄" }).waitFor();

  const { page, errors } = await open({ as: head, size: SIZE });
  await page.goto(`${base}/system/ConfigManagement?tab=indicators`);
  await page.getByRole("button", { name: /^店长/ }).click();
  const role = page.getByRole("region", { name: "店长的指标" });
  await role.getByRole("switch", { name: "欠费余额" }).click();
  await role.getByRole("button", { name: "下移 出租率" }).focus();
  await page.keyboard.press("Enter");
  await role.getByRole("button", { name: "保存" }).click();
  await page.getByText("角色指标已保存").first().waitFor();
  await page.getByRole("button", { name: "店长 11 项" }).waitFor();
  expect(errors).toEqual([]);

  await seen.page.reload();
  await cards.getByText("收缴率", { exact: true }).waitFor();
  await expect.poll(() => cards.getByText("欠费余额").count()).toBe(0);
  await expect.poll(() => seen.page.getByRole("region", { name: "欠费账龄" }).count()).toBe(0);
  await seen.page.getByRole("columnheader", { name: "收缴率" }).waitFor();
  await expect.poll(() => seen.page.getByRole("columnheader", { name: "欠费" }).count()).toBe(0);
  expect(seen.errors).toEqual([]);
  const month = { from: `${today.slice(0, 7)}-01`, to: today };
  const asked = await Promise.all([
    house.ask(overviewCards, { as: manager }, { query: { ...month, codes: "arrears" as never } }),
    house.ask(overviewAgeing, { as: manager }, { query: {} }),
  ]);
  expect(asked.map((answer) => answer.status)).toEqual([403, 403]);
});

test("a default target stands in grey in what is empty, and counts on the dashboard; gaps are found", async () => {
  const { pool } = house.database;
  await pool.query("delete from indicator_target where code = 'occupancyRate'");
  const { page, errors } = await open({ as: head, size: SIZE });
  await page.goto(`${base}/overview/TargetConfig`);
  await page.getByRole("link", { name: "指标与规则" }).click();
  await page.waitForURL("**/ConfigManagement?tab=indicators&part=rules");
  await page.getByRole("button", { name: /^修改\s*出租率的规则$/ }).click();
  const form = page.getByRole("dialog", { name: "出租率的规则" });
  await form.getByLabel("黄色不低于").fill("98");
  await form.getByLabel("默认目标").fill("50");
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("黄色下限必须低于绿色下限").waitFor();
  await form.getByLabel("黄色不低于").fill("90");
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByText("规则已保存").first().waitFor();
  await page.getByRole("cell", { name: "50.00%" }).waitFor();

  await page.goto(`${base}/overview/TargetConfig`);
  const stores = page.locator("table.tg tbody tr");
  const name = await stores.first().locator("th").innerText();
  const cell = page.getByLabel(`${name} ${year}-12`);
  await expect.poll(() => cell.getAttribute("placeholder")).toBe("50");
  await expect.poll(() => cell.inputValue()).toBe("");
  const all = await stores.count();
  // every month of the first store gets a target of its own
  await pool.query(
    `insert into indicator_target (code, village_id, month, value)
     select 'occupancyRate', id, make_date($1, m, 1), 0.9 from village, generate_series(1, 12) m where name = $2`,
    [Number(year), name],
  );
  await page.getByText("只看有空缺的门店").click();
  await page.reload();
  await expect.poll(() => stores.count()).toBe(all - 1);
  await expect.poll(() => page.getByLabel(`${name} ${year}-12`).count()).toBe(0);
  await choose(
    () => page.getByLabel("区域").click(),
    page.locator(".ant-select-item-option").getByText("余杭区", { exact: true }),
  );
  await expect.poll(() => stores.count()).toBeLessThan(all - 1);
  await page.waitForURL(/villageIds=/);

  await page.goto(`${base}/workbench/overview2`);
  await page
    .locator(".ov__card")
    .first()
    .getByText(/^目标 /)
    .waitFor();
  const given = page.locator(".ov__card").first();
  await given.getByText(/^目标 (5[0-9])\.\d\d%$/).waitFor();
  expect(errors).toEqual([]);
});

test("a bar of the comparison narrows the page to its store by the keyboard, also on a phone; basis and the day looked back from stand in the address", async () => {
  const { page, errors } = await open({ as: head, size: PHONE });
  await page.goto(`${base}/workbench/overview2`);
  const compare = page.getByRole("region", { name: "门店出租率" });
  const bars = compare.getByRole("button");
  await bars.first().waitFor();
  const many = await bars.count();
  const last = bars.last();
  await last.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/villageIds=\d+$/);
  await expect.poll(() => last.getAttribute("aria-pressed")).toBe("true");
  await expect.poll(() => bars.count()).toBe(many);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.search.includes("villageIds"));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);

  const cards = page.locator(".ov__cards");
  await cards.getByText("权责收入", { exact: true }).waitFor();
  await page.getByRole("radio", { name: "应收", exact: true }).click();
  await cards.getByText("应收", { exact: true }).waitFor();
  await expect.poll(() => cards.getByText("权责收入", { exact: true }).count()).toBe(0);
  await page.getByRole("radio", { name: "权责", exact: true }).click();
  // what was earned this month is in the day sums already
  const { rows } = await house.database.pool.query<{ fen: number }>(
    "select sum(fen)::bigint fen from income_day where day between date_trunc('month', $1::date) and $1::date",
    [today],
  );
  await cards.getByText(yuan(rows[0]!.fen)).waitFor();

  const asked = page.waitForRequest((request) => request.url().includes("/overview/cards?"));
  await page.goto(`${base}/workbench/overview2?from=2026-01-01&asOf=2026-01-15`);
  expect((await asked).url()).toContain("asOf=2026-01-15");
  await expect.poll(() => page.getByRole("textbox", { name: /^截至/ }).inputValue()).toBe("2026-01-15");
  expect(errors).toEqual([]);
});
