import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { choose, demoPerson, story } from "../browser.sample.ts";

const { house, open, base } = await story({ rooms: 240 });
const { pool } = house.database;
// quiet hours are not what this story is about: it is ten in the morning
house.setClock(`${dayInZone(new Date(), "Asia/Shanghai")}T10:00:00+08:00`);

const ended = async () =>
  (
    await pool.query<{ n: number }>(
      "select count(*)::int n from job_run where name = 'reminder.due' and ended_at is not null",
    )
  ).rows[0]!.n;

/** 立即执行 of the job, to its end. */
async function runNow(page: Page): Promise<void> {
  const must = page.getByRole("button", { name: "我已知悉" });
  await page.addLocatorHandler(must, () => must.click());
  await page.goto(`${base}/system/PlatformConf?tab=jobs&pageSize=100`);
  const row = page.locator("tr", { hasText: "自动提醒和催缴" });
  const before = await ended();
  await row.getByRole("button", { name: "立即执行" }).click();
  await page.getByRole("dialog", { name: "立即执行" }).getByRole("button", { name: /确/ }).click();
  await page.getByText("已开始执行，稍后刷新查看结果").waitFor();
  await expect.poll(ended, { timeout: 60_000 }).toBeGreaterThan(before);
}

test("a rule for T+3 is written, seen beforehand, switched on, and sends what it showed, once", async () => {
  const today = dayInZone(new Date(), "Asia/Shanghai");
  // twelve tenants of the first store owe what was due three days ago, nobody else does
  await pool.query("update reminder_rule set enabled = false");
  await pool.query(
    `with one as (select distinct on (b.party_id) b.id from bill b join party p on p.id = b.party_id
       where b.village_id = 1 and b.outstanding > 0 and b.direction = 'receivable' and b.disputed_from is null and p.kind = 'renter'
         and p.phone <> '' and not exists (select from owing_follow w where w.party_id = p.id)
         and not exists (select from black_list x where x.phone = p.phone)
       order by b.party_id, b.id limit 12)
     update bill b set due_date = case when o.id is null then $2::date else $1::date end,
       issued_at = coalesce(b.issued_at, now())
     from bill x left join one o on o.id = x.id
     where x.id = b.id and b.village_id = 1 and (o.id is not null or b.due_date = $1)`,
    [addDays(today, -3), addDays(today, -4)],
  );
  const { page, errors } = await open({ as: await demoPerson(house, "qinghe01") });
  await page.goto(`${base}/system/ConfigManagement?tab=reminders`);
  await page.getByText("逾期催缴", { exact: true }).waitFor();
  await page.getByRole("button", { name: "新增规则" }).click();
  const form = page.getByRole("dialog", { name: "新增提醒规则" });
  const option = (name: string) => page.locator(".ant-select-item-option").getByText(name, { exact: true });
  await form.getByLabel("规则名称").fill("滨江逾期三天");
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("请选择短信模板").waitFor();
  for (const day of ["后 15 天", "后 7 天", "后 1 天"])
    await form
      .locator(".ant-select-selection-item", { hasText: day })
      .locator(".ant-select-selection-item-remove")
      .click();
  await choose(() => form.getByLabel("短信模板").click(), option("逾期催缴短信"));
  await choose(() => form.getByLabel("门店").click(), option("滨江店"));
  await page.keyboard.press("Escape");
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByText("规则已保存，启用后生效").waitFor();

  await page.getByText("滨江逾期三天", { exact: true }).first().click();
  const drawer = page.locator(".drawer").last();
  await drawer.getByText("12 人", { exact: true }).waitFor();
  await drawer
    .getByText(/已逾期3天/)
    .first()
    .waitFor();
  await expect.poll(() => drawer.locator("tbody tr").count()).toBe(12);
  await drawer.getByRole("button", { name: "启用" }).click();
  const sure = page.getByRole("dialog", { name: "启用 滨江逾期三天" });
  await sure.getByText(/今天有 12 位客户、12 条消息/).waitFor();
  await sure.getByRole("button", { name: "启用" }).click();
  await page.getByText("已启用").first().waitFor();

  const put = async () =>
    (
      await pool.query<{ n: number }>(
        `select count(*)::int n from outbox o join reminder_rule r on r.id = o.source_id
         where o.source = 'rule' and r.name = '滨江逾期三天'`,
      )
    ).rows[0]!.n;
  // the clock starts it within minutes; whoever runs the platform need not wait
  const platform = await open({ as: await demoPerson(house, "admin2026") });
  await runNow(platform.page);
  expect(await put()).toBe(12);
  await runNow(platform.page);
  expect(await put()).toBe(12);
  await platform.context.close();

  await page.reload();
  await drawer.getByText("今天已执行").waitFor();
  await drawer.getByRole("link", { name: "今天已发送 12 条" }).click();
  await page.getByText("共 12 条").waitFor();
  await expect.poll(() => page.getByRole("link", { name: "滨江逾期三天" }).count()).toBe(12);
  await page.getByRole("tab", { name: "自动通知" }).click();
  const line = page.locator("tr", { hasText: "滨江逾期三天" });
  await line.getByRole("link", { name: /^12/ }).first().waitFor();
  expect(errors).toEqual([]);
  expect(platform.errors).toEqual([]);
});
