import { expect, test } from "vitest";
import { aForm, aRenter, aShop } from "../../domains/contract/contract/contract.sample.ts";
import { createContract } from "../../domains/contract/drafting/draft.contract.ts";
import { OFFERING } from "../../domains/contract/activity/activity.sample.ts";
import { dayInZone } from "../../platform/kernel/day.ts";
import { demoPerson, keepPicture, PHONE, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const shop = await aShop(house, { permits: [...OFFERING, "#601"], listPrice: 300_000, village: "优惠店" });

test("an offer is drawn up with its effect in view, switched on, and chosen in the contract form", async () => {
  const { page, errors } = await open({ as: shop.clerk });
  await page.goto(`${base}/contract/Activity?action=1&villageIds=${shop.villageId}`);
  await page.getByLabel("名称", { exact: true }).last().fill("开业 95 折");
  await page.getByText("折扣", { exact: true }).last().click();
  await page.getByLabel("优惠比例").fill("5");
  await page.getByLabel("到第几月").fill("6");
  const box = page.getByRole("region", { name: "优惠效果" });
  await box.getByText("900.00", { exact: true }).waitFor();
  expect(await box.getByText("2,850.00", { exact: true }).count()).toBe(6);
  for (const day of ["签约日从", "签约日至"]) {
    await page.getByLabel(day).fill(day === "签约日从" ? "2026-01-01" : "2099-12-31");
    await page.keyboard.press("Tab");
  }
  await keepPicture(page, "offer");
  await page.getByRole("button", { name: "保存", exact: true }).click();

  const drawer = page.getByRole("dialog", { name: /开业 95 折/ });
  await drawer.getByText("95 折 第1–6月").first().waitFor();
  await drawer.getByRole("button", { name: "启用", exact: true }).click();
  await page.getByRole("dialog", { name: "启用优惠活动" }).getByRole("button", { name: "确定" }).click();
  await drawer.getByText("已启用的活动不能修改优惠内容，请复制新建").waitFor();

  await page.goto(
    `${base}/contract/RenterContractPage?draft=new&villageId=${shop.villageId}&roomId=${shop.roomId}`,
  );
  await page.getByRole("button", { name: "从今天起租" }).click();
  await page.getByRole("button", { name: "12 个月", exact: true }).click();
  const live = page.getByRole("complementary", { name: "实时账单" });
  await live.getByText("36,000.00", { exact: true }).waitFor();
  for (const step of ["客户", "条款", "费用", "优惠"])
    await page.getByRole("button", { name: `下一步：${step}` }).click();
  await page.getByText("-900.00", { exact: true }).waitFor();
  await page.getByRole("checkbox", { name: /开业 95 折/ }).check();
  await live.getByText("35,100.00", { exact: true }).waitFor();
  await page.getByText("折后月租 2,925.00 低于底价 3,000.00，需要“低于底价签约”权限或审批").waitFor();
  expect(errors).toEqual([]);
});

test("discounts that were given by hand stand each by itself, and one is taken back without the other", async () => {
  const by = { activityId: null, name: "整单优惠", order: 100 } as const;
  const discounts = [
    { ...by, kind: "amount" as const, value: "50000", reason: "老客户" },
    { ...by, kind: "percent" as const, value: "2", reason: "推荐入住" },
  ];
  const partyId = await aRenter(house, shop.villageId);
  const body = aForm({ ...shop, partyId }, { start: dayInZone(new Date()), discounts });
  const { id } = await house.did(createContract, { as: shop.clerk }, { body });
  const { page } = await open({ as: shop.clerk });
  await page.goto(`${base}/contract/RenterContractPage?draft=${id}`);
  for (const step of ["客户", "条款", "费用", "优惠"])
    await page.getByRole("button", { name: `下一步：${step}` }).click();
  const reasons = page.getByPlaceholder("优惠原因");
  await expect
    .poll(async () => reasons.evaluateAll((all) => all.map((i) => (i as HTMLInputElement).value)))
    .toEqual(["老客户", "推荐入住"]);
  await page.getByRole("group", { name: "整单优惠方式 1" }).getByText("无", { exact: true }).click();
  await expect
    .poll(async () => reasons.evaluateAll((all) => all.map((i) => (i as HTMLInputElement).value)))
    .toEqual(["推荐入住"]);
});

test("an offer that was used meanwhile is adjusted all the same: what was typed stands", async () => {
  const { page } = await open({ as: await demoPerson(house, "admin2026") });
  const { pool } = house.database;
  const { rows } = await pool.query<{ id: number }>("select id from activity where quota = 20 limit 1");
  await page.goto(`${base}/contract/Activity?id=${rows[0]!.id}`);
  await page.locator(".acts").getByRole("button", { name: "调整", exact: true }).click();
  const form = page.getByRole("dialog", { name: /^调整/ });
  await form.getByLabel("名额").fill("30");
  await pool.query("update activity set used_count = used_count + 1, version = version + 1 where quota = 20");
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByRole("button", { name: "载入最新数据" }).click();
  await form
    .getByText(/已载入最新数据/)
    .first()
    .waitFor({ timeout: 5_000 });
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByText("已调整").waitFor();
});

test("on a phone the card of an offer says what its figures are", async () => {
  const { page } = await open({ as: await demoPerson(house, "admin2026"), size: PHONE });
  await page.goto(`${base}/contract/Activity`);
  await page
    .getByText(/^名额 \d+ \/ \d+$/)
    .first()
    .waitFor();
  await page
    .getByText(/^已优惠 [\d,.]+( \/ [\d,.]+)?$/)
    .first()
    .waitFor();
});
