import { expect, test } from "vitest";
import { yuan } from "../../platform/kernel/fen.ts";
import { aShop } from "../../domains/contract/contract/contract.sample.ts";
import { addAgent } from "../../domains/customer/agent/agent.contract.ts";
import { CHANNELS, typedAgent, typedRule } from "../../domains/customer/commission/commission.sample.ts";
import { addRule } from "../../domains/customer/commission-rule/rule.contract.ts";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { demoPerson, PHONE, story } from "../browser.sample.ts";

const isFocused = (el: Element) => el === document.activeElement;

const { house, base, open } = await story({ rooms: 40 });
const { db } = house.database;
const shop = await aShop(house, {
  permits: ["#601", "16.query", "102.add"],
  listPrice: 350_000,
  village: "签约店",
});
const keeper = await house.person({ permits: CHANNELS, villages: [shop.villageId] });
const { id: ruleId } = await house.did(addRule, { as: keeper }, { body: typedRule() });
await house.did(addAgent, { as: keeper }, { body: typedAgent({ villageId: shop.villageId, ruleId }) });
const { phone } = await db
  .selectFrom("party")
  .select("phone")
  .where("id", "=", shop.partyId)
  .executeTakeFirstOrThrow();
const page9 = `${base}/contract/RenterContractPage`;

test("a clerk signs a contract, from the empty form to the lease", async () => {
  const { page, errors } = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
  await page.goto(`${page9}?draft=new&villageId=${shop.villageId}`);
  await page.getByRole("button", { name: "从今天起租" }).click();
  await page.getByRole("button", { name: "24 个月" }).click();
  await page.getByRole("button", { name: "选择房间" }).click();
  // what can be had, the cheapest first; the others are a click away
  await page.locator(".rp__tile").first().waitFor();
  const prices = await page.locator(".rp__tile > span:last-child").allInnerTexts();
  expect(prices).toEqual(prices.toSorted((a, b) => Number(a.replace(",", "")) - Number(b.replace(",", ""))));
  expect(prices).not.toContain("不可租");
  await page.getByPlaceholder("最高月租").fill("3000");
  await page.getByText("整个租期内没有可租的房间").waitFor();
  await page.getByPlaceholder("最高月租").fill("3500");
  await page.getByRole("button", { name: /^1203/ }).click();
  await page.getByRole("button", { name: /^确定/ }).click();
  const live = page.getByRole("complementary", { name: "实时账单" });
  await live.getByText("14,000.00", { exact: true }).waitFor();

  // by keyboard a step goes on from its first field
  await page.getByRole("button", { name: "下一步：客户" }).press("Enter");
  const tenant = page.getByLabel("租客", { exact: true });
  await tenant.waitFor();
  await page.keyboard.press("Tab");
  expect(await tenant.evaluate(isFocused)).toBe(true);
  await tenant.fill(phone);
  await page.locator(".ant-select-item-option").filter({ hasText: "张三" }).click();
  await page
    .getByText(`${phone.slice(0, 3)}****${phone.slice(-4)}`)
    .first()
    .waitFor();

  // whoever brought the tenant, and what that will cost
  await page.getByLabel("经纪人", { exact: true }).fill("周启明");
  await page.locator(".ant-select-item-option").filter({ hasText: "周启明" }).click();
  await page.getByText("3,500.00 × 100.00% = 3,500.00").waitFor();
  await expect.poll(() => page.getByText("经纪人", { exact: true }).count()).toBeGreaterThan(1);

  await page.getByRole("button", { name: "下一步：条款" }).click();
  await page.getByRole("button", { name: "设置规则" }).click();
  await page.getByRole("button", { name: "生成" }).click();
  await live.locator(".live__bills").getByText("11,025.00").first().waitFor();
  const grace = page.getByLabel("宽限");
  await grace.fill("75");
  await grace.blur();
  await page.getByText("宽限天数为 0 至 60 天").waitFor();
  await expect.poll(() => live.innerText()).toContain("宽限有误");
  await expect.poll(() => page.getByText("1 项待修改：宽限").count()).toBe(1);
  await grace.fill("5");

  const shown = await live
    .locator(".live__bills tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.querySelectorAll("td")[3]!.textContent));
  await page.getByRole("button", { name: "下一步：费用" }).click();
  await page.getByRole("button", { name: "下一步：优惠" }).click();
  await page.getByRole("button", { name: "下一步：账单预览" }).click();
  await page.getByText("合计（含押金）").waitFor();
  expect(await page.locator(".term__p").count()).toBe(8);
  const book = page.waitForEvent("download");
  await page.getByRole("button", { name: "导出账单明细" }).click();
  expect((await book).suggestedFilename()).toMatch(/^账单明细_HT.*\.xlsx$/);
  await page.getByRole("button", { name: "10,500.00" }).first().click();
  await page.getByText("3,500.00 × 3 个月 = 10,500.00").first().waitFor();
  await page.getByRole("button", { name: "下一步：签署" }).click();
  await page.getByRole("button", { name: "提交签约", exact: true }).click();
  await page.getByRole("button", { name: "已核对，提交签约" }).click();

  const contract = page.getByRole("dialog", { name: /^HT/ });
  // one next step, and nothing of other states
  const acts = contract.locator(".acts").first();
  await expect.poll(() => acts.locator(".btn--main").allInnerTexts()).toEqual(["确认签署"]);
  for (const elsewhere of ["编辑", "删除", "办理入住"])
    await expect
      .poll(() => acts.getByRole("button", { name: elsewhere }).count(), { message: elsewhere })
      .toBe(0);
  await contract.getByRole("button", { name: "确认签署" }).click();
  const drawer = page.getByRole("dialog", { name: /确认线下签署/ });
  await drawer
    .locator("input[type=file]")
    .setInputFiles({ name: "合同.pdf", mimeType: "application/pdf", buffer: aPdf() });
  await drawer.getByRole("button", { name: "移除 合同.pdf" }).waitFor();
  await drawer.getByRole("button", { name: "确认签署" }).click();
  await page.getByText(/已签署，生成账单 9 张/).waitFor();
  // the first bill is to be paid before anybody moves in
  await expect.poll(() => acts.locator(".btn--main").allInnerTexts()).toEqual(["收款"]);
  for (const elsewhere of ["编辑", "删除", "撤回", "确认签署"])
    await expect
      .poll(() => acts.getByRole("button", { name: elsewhere }).count(), { message: elsewhere })
      .toBe(0);

  const { id } = await db
    .selectFrom("contract")
    .select("id")
    .where("villageId", "=", shop.villageId)
    .where("state", "=", "effective")
    .executeTakeFirstOrThrow();
  const bills = await db
    .selectFrom("bill")
    .select("amount")
    .where("contractId", "=", id)
    .orderBy("id")
    .execute();
  expect(bills.map((b) => yuan(b.amount))).toEqual(shown);
  const leases = await db.selectFrom("occupancyRow").select("kind").where("contractId", "=", id).execute();
  expect(leases).toEqual([{ kind: "lease" }]);
  // the bill's own page comes with the finance screens; what this page asked for all went well
  expect(errors).toEqual([]);
});

test("the head of a contract equals the rows behind it, and its link opens it", async () => {
  const { page, errors } = await open({ as: shop.clerk });
  const { id, contractNo } = await db
    .selectFrom("contract")
    .select(["id", "contractNo"])
    .where("villageId", "=", shop.villageId)
    .where("state", "=", "effective")
    .executeTakeFirstOrThrow();
  await page.goto(`${page9}?id=${id}&part=bills`);
  await page.getByRole("heading", { name: contractNo }).waitFor();
  const drawer = page.getByRole("dialog");
  await drawer.getByText("合计 9 张").waitFor();
  const head = await drawer.locator(".strip").first().innerText();
  const foot = await drawer.locator("tfoot").innerText();
  expect(head).toContain("89,600.00");
  expect(foot).toContain("89,600.00");
  for (const tab of ["概览", "收支", "条款", "房间与入住人", "文件", "日志"]) {
    await page.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
    await page.waitForLoadState("networkidle");
  }
  await page.getByText("签署生效").first().waitFor();
  expect(errors).toEqual([]);
});

test("on a phone the form is one column and nothing sticks out", async () => {
  const { page, errors } = await open({ as: shop.clerk, size: PHONE, theme: "dark" });
  await page.goto(`${page9}?draft=new&villageId=${shop.villageId}`);
  await page.getByRole("button", { name: "从今天起租" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(errors).toEqual([]);
});

test("by keyboard a form in steps begins with its first field, and so does the next step", async () => {
  const { page } = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
  await page.goto(`${page9}`);
  await page.getByRole("button", { name: "新签合同" }).first().press("Enter");
  await page.getByRole("button", { name: "下一步：客户" }).waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => page.getByRole("combobox", { name: "门店" }).evaluate(isFocused)).toBe(true);
  const boss = await open({ as: await demoPerson(house, "qinghe01") });
  await boss.page.goto(`${base}/system/CreateEnterprise`);
  await boss.page.getByLabel("统一社会信用代码").press("Enter");
  const legal = boss.page.getByLabel("法人姓名", { exact: true });
  await legal.waitFor();
  await boss.page.keyboard.press("Tab");
  expect(await legal.evaluate(isFocused)).toBe(true);
});
