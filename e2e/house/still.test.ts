import { expect, test } from "vitest";
import { demoPerson, story } from "../browser.sample.ts";

/** What stays where it is while figures come and things are told. */
const { house, base, open } = await story({ rooms: 40 });
const head = await demoPerson(house, "qinghe01");

test("the dashboard stands still while its figures come, with its filters on one line and one split to a card", async () => {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1280, height: 800 },
  ]) {
    const { page } = await open({ as: head, size });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          shifts.push(entry.value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(`${base}/workbench/overview2`);
    const card = (name: string) => page.getByRole("region", { name, exact: true });
    for (const name of ["出租率与平均租金", "欠费账龄", "到期分布", "在租变动", "空置分布", "客源转化"])
      await expect.poll(() => card(name).locator("[aria-busy]").count(), { message: name }).toBe(0);
    await page.getByRole("button", { name: "欠费余额明细" }).waitFor();
    const moved = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0),
    );
    expect(moved, `${size.width}`).toBeLessThan(0.05);
    if (size.width === 1440) {
      const seen = await page.locator(".ov__head > *").evaluateAll((all) =>
        all.map((el) => ({
          at: Math.round(el.getBoundingClientRect().top),
          what: el.outerHTML.slice(0, 120),
        })),
      );
      const tops = seen.map(({ at }) => at);
      expect(Math.max(...tops) - Math.min(...tops), JSON.stringify(seen, null, 1)).toBeLessThan(16);
    }
    expect(
      await card("空置分布")
        .getByText(/^空置 0-7/)
        .count(),
    ).toBe(0);
    await card("空置分布").getByRole("radio", { name: "按天数" }).click();
    await card("空置分布")
      .getByText(/^空置 0-7/)
      .waitFor();
    await expect.poll(() => card("空置分布").getByText("整备中").count()).toBe(0);
    await card("客源转化").getByRole("radio", { name: "按来源" }).click();
    // on the first of a month there may be none yet
    await card("客源转化")
      .getByRole("columnheader", { name: "来源" })
      .or(card("客源转化").getByText("所选期间没有客源"))
      .waitFor();
  }
});

test("a toast covers neither the head of the page nor that of a drawer", async () => {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const { page, context } = await open({ as: head, size });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const id = (await house.database.pool.query("select min(id)::int id from contract where kind = 'renter'"))
      .rows[0]!.id as number;
    await page.goto(`${base}/contract/RenterContractPage?tab=all&id=${id}`);
    const drawer = page.locator(".drawer");
    await drawer.getByRole("button", { name: "复制" }).first().click();
    const toast = page.locator(".toast").first();
    await toast.waitFor();
    // it slides in; what counts is where it comes to rest
    await expect.poll(() => toast.evaluate((el) => el.getAnimations({ subtree: true }).length)).toBe(0);
    const top = (await toast.boundingBox())!.y;
    const bar = (await drawer.locator(".drawer__bar").boundingBox())!;
    expect(top, `${size.width}`).toBeGreaterThanOrEqual(bar.y + bar.height - 1);
  }
});
