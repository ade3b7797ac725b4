import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { aShop } from "../../domains/contract/contract/contract.sample.ts";
import { PHONE, pictureOnFailure, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const shop = await aShop(house, { permits: ["#601"], listPrice: 300_000, village: "递增店" });

/** The field shows plain digits once it has the focus; only then they are replaced. */
async function type(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.fill(text);
  await field.blur();
}

test.each(["light", "dark"] as const)(
  "rents rise by a rule, and the form asks about what was set by hand: %s",
  async (theme) => {
    const { page, errors } = await open({ as: shop.clerk, theme, size: { width: 1280, height: 900 } });
    pictureOnFailure(() => page);
    await page.goto(`${base}/contract/RenterContractPage?draft=new&villageId=${shop.villageId}`);
    await page.getByRole("button", { name: "从今天起租" }).click();
    await page.getByRole("button", { name: "24 个月" }).click();
    await page.getByRole("button", { name: "选择房间" }).click();
    await page.getByRole("button", { name: /^1203/ }).click();
    await page.getByRole("button", { name: /^确定/ }).click();
    await page.getByRole("button", { name: "下一步：客户" }).click();
    await page.getByRole("button", { name: "下一步：条款" }).click();
    await page.getByRole("button", { name: "设置规则" }).click();
    await page.getByRole("button", { name: "生成" }).click();
    const table = page.locator(".cf__rise table");
    const rise = table.locator("tbody tr").nth(1);
    const stepped = rise.getByRole("spinbutton").or(rise.getByRole("textbox")).last();
    await expect.poll(() => stepped.inputValue()).toMatch(/^3,?150/);

    const rent = page.getByLabel("月租金", { exact: true });
    await type(rent, "4000");
    await expect.poll(() => stepped.inputValue()).toMatch(/^4,?200/);
    await expect.poll(() => page.locator(".cf__stale").count()).toBe(0);

    await type(stepped, "4100");
    await rise.getByText("手工").waitFor();
    await type(rent, "5000");
    const asked = page.locator(".cf__stale");
    await asked.getByText("4,100.00 元是按原月租金 4,000.00 元手工填写的").waitFor();
    await asked.scrollIntoViewIfNeeded();
    await page.setViewportSize(PHONE);
    await asked.scrollIntoViewIfNeeded();
    await expect.poll(() => asked.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    await asked.getByRole("button", { name: "按新租金重算" }).click();
    await expect.poll(() => stepped.inputValue()).toMatch(/^5,?250/);
    await expect.poll(() => asked.count()).toBe(0);
    expect(errors).toEqual([]);
  },
);
