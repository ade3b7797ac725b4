import { beforeAll, expect, test } from "vitest";
import { addMonths, dayInZone, firstOf, monthOf } from "../../platform/kernel/day.ts";
import { signed } from "../../domains/contract/contract/contract.sample.ts";
import {
  aFirmShop,
  aMerchantForm,
  aShopRoom,
  type FirmShop,
} from "../../domains/contract/contract/firm.sample.ts";
import { createContract } from "../../domains/contract/drafting/draft.contract.ts";
import { sendSalesLink } from "../../domains/contract/turnover/link.contract.ts";
import { USUAL_RULE } from "../../domains/contract/terms/terms.contract.ts";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const today = dayInZone(new Date());
const start = addMonths(firstOf(monthOf(today)), -1);
const month = monthOf(start);
let shop: FirmShop, contractId: number;

beforeAll(async () => {
  shop = await aFirmShop(house, {
    village: "云栖店",
    permits: ["#10711", "#10712", "26.query", "26.get", "6.query"],
  });
  const roomId = await aShopRoom(house, shop, "S01");
  const turnover = { ...USUAL_RULE, bands: [{ upTo: null, rate: "12" }] };
  const form = aMerchantForm(shop, roomId, { start, rent: 560_000, turnover });
  ({ id: contractId } = await signed(house, shop.clerk, form, today));
});

test("the curve of a lease of two shops stands on the base of both, which is what bills the rest", async () => {
  const rooms = [await aShopRoom(house, shop, "S02"), await aShopRoom(house, shop, "S03")];
  const turnover = { ...USUAL_RULE, bands: [{ upTo: null, rate: "12" }] };
  const body = {
    ...aMerchantForm(shop, rooms[0]!, { start: today, turnover }),
    rooms: rooms.map((roomId) => ({ roomId, monthlyRent: 560_000 })),
  };
  const { contractNo } = await house.did(createContract, { as: shop.clerk }, { body });
  const { page, errors } = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
  await page.goto(`${base}/contract/merchantContractTable?keyword=${contractNo}`);
  await page.getByRole("button", { name: "编辑", exact: true }).first().click();
  for (const step of ["客户", "条款"]) await page.getByRole("button", { name: `下一步：${step}` }).click();
  await page.getByText("提成高于保底 11,200.00 元").waitFor();
  expect(errors).toEqual([]);
});

test("43,000.00 are covered by the base; corrected to 60,000.00 the rest is billed", async () => {
  const { page, errors } = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
  const settled = settling(page);
  await page.goto(`${base}/configuration/MerchantManage?id=${shop.merchantId}&part=turnover`);
  await page.getByText("扣点 12%").waitFor();
  const row = page.getByRole("row", { name: new RegExp(month) });
  await row.getByRole("button", { name: "申报" }).click();
  const declare = page.getByRole("dialog", { name: `申报 ${month} 营业额` });
  await declare.getByLabel("营业额", { exact: true }).fill("43000");
  await declare.getByText("净额 43,000.00 元").waitFor();
  await declare.getByRole("button", { name: "保存" }).click();
  await declare.waitFor({ state: "hidden" });

  await settled();
  await row.getByRole("button", { name: "确认" }).click();
  const confirm = page.getByRole("dialog", { name: `确认 ${month} 营业额` });
  await confirm.getByText("43,000.00 × 12% = 5,160.00").waitFor();
  await confirm.getByText("保底已覆盖，不出账").waitFor();
  await confirm.getByRole("button", { name: "确认", exact: true }).click();
  await confirm.waitFor({ state: "hidden" });
  await row.getByText("已确认").waitFor();
  await row.getByText("5,160.00").waitFor();
  await row.getByRole("link", { name: /5,600.00/ }).waitFor();

  await settled();
  await row.getByRole("button", { name: "退回更正" }).click();
  await page.getByRole("dialog").last().getByRole("textbox").fill("漏报线上销售");
  await page.getByRole("dialog").last().getByRole("button", { name: "确定" }).click();
  await row.getByText("草稿").waitFor();
  await settled();
  // the merchant puts it right by itself, on a phone
  await row.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: "催报" }).click();
  const sent = page.getByRole("dialog", { name: "营业额申报链接" });
  await sent.getByText("打开链接还需要统一社会信用代码后四位。").waitFor();
  await sent.getByRole("button", { name: "关闭" }).click();
  const { rows } = await house.database.pool.query<{ link: string; last4: string }>(
    "select o.params->>'link' link, l.last4 from sales_link l join outbox o on o.source_id = l.id order by o.id desc limit 1",
  );
  const phone = await open({ size: PHONE });
  await phone.page.goto(base.replace("/sams", new URL(rows[0]!.link).pathname));
  await phone.page.getByLabel("统一社会信用代码后四位").fill(rows[0]!.last4);
  await phone.page.keyboard.press("Enter");
  await phone.page.getByText("退回更正：漏报线上销售").waitFor();
  await phone.page.getByLabel("营业额（元）").fill("60000");
  await phone.page.getByText("净额 60,000.00 元").waitFor();
  await phone.page
    .getByLabel(/^附件/)
    .first()
    .setInputFiles({ name: "日结单.pdf", mimeType: "application/pdf", buffer: aPdf() });
  const takesOff = phone.page.getByRole("button", { name: "移除 日结单.pdf" });
  await takesOff.click();
  await takesOff.waitFor({ state: "detached" });
  await phone.page
    .getByLabel(/^附件/)
    .first()
    .setInputFiles({ name: "日结单.pdf", mimeType: "application/pdf", buffer: aPdf() });
  await takesOff.waitFor();
  const width = await phone.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, "nothing stands beyond the edge of a phone").toBe(PHONE.width);
  await phone.page.getByRole("button", { name: "提交申报" }).click();
  await phone.page.getByText(`${month} 营业额净额 60,000.00 元已提交，等待确认`).waitFor();
  expect(phone.errors).toEqual([]);
  await page.reload();
  await row.getByText("待确认").waitFor();
  await settled();
  await row.getByRole("button", { name: "确认" }).click();
  await confirm.getByText("60,000.00 × 12% = 7,200.00").waitFor();
  await confirm.getByRole("button", { name: "确认并出账 1,600.00" }).click();
  await confirm.waitFor({ state: "hidden" });
  await row.getByText("已出账").waitFor();
  await expect
    .poll(async () => {
      const bills = house.database.db.selectFrom("bill").select("amount").where("source", "=", "turnover");
      return bills.where("contractId", "=", contractId).execute();
    })
    .toEqual([{ amount: 160_000 }]);
  expect(errors).toEqual([]);
});

test("one link for all months of a shop that are due: they are declared one after the other", async () => {
  const roomId = await aShopRoom(house, shop, "S05");
  const turnover = { ...USUAL_RULE, bands: [{ upTo: null, rate: "12" }] };
  const since = addMonths(firstOf(monthOf(today)), -2);
  const form = aMerchantForm(shop, roomId, { start: since, rent: 560_000, turnover });
  const { id } = await signed(house, shop.clerk, form, today);
  const sent = await house.did(sendSalesLink, { as: shop.clerk }, { body: { contractId: id, monthNo: 1 } });
  const { last4 } = await house.database.db
    .selectFrom("salesLink")
    .select("last4")
    .where("id", "=", sent.id)
    .executeTakeFirstOrThrow();
  const { page, errors } = await open({ size: PHONE });
  await page.goto(base.replace("/sams", sent.path));
  await page.getByRole("heading", { name: `请您申报 ${monthOf(since)}、${month} 营业额` }).waitFor();
  await page.getByLabel("统一社会信用代码后四位").fill(last4);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `申报 ${monthOf(since)}` }).click();
  await page.getByRole("button", { name: "返回全部月份" }).click();
  await page.getByRole("button", { name: `申报 ${monthOf(since)}` }).click();
  await page.getByLabel("营业额（元）").fill("100");
  await page.getByRole("button", { name: "提交申报" }).click();
  await page.getByText("还有 1 个月份待申报。").waitFor();
  await page.getByRole("button", { name: "继续申报" }).click();
  await page.getByText("已申报，净额 100.00 元").waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, "nothing stands beyond the edge of a phone").toBe(PHONE.width);
  await page.getByRole("button", { name: `申报 ${month}` }).click();
  await page.getByLabel("营业额（元）").fill("200");
  await page.getByRole("button", { name: "提交申报" }).click();
  await page.getByText("您可以关闭本页。").waitFor();
  expect(errors).toEqual([]);
});

test("the rent beside the sales: a month of a shop opens its statement, which stands in the picture of the list", async () => {
  const { page, errors } = await open({ as: shop.clerk, size: { width: 1280, height: 800 } });
  const settled = settling(page);
  await page.goto(`${base}/contract/merchantContractTable?list=ratio`);
  const cell = page.getByRole("link", { name: new RegExp(`S01 ${month} 租售比 12\\.0%$`) });
  await cell.waitFor();
  await settled();
  await cell.click();
  await page.getByRole("row").filter({ hasText: "60,000.00" }).first().waitFor();
  await page.getByRole("button", { name: "图表" }).click();
  await page.getByRole("img", { name: "近 12 个月营业额与租金（元）" }).waitFor();
  await settled();
  await page.getByRole("link", { name: month, exact: true }).first().click();
  await page.getByRole("tab", { name: "营业额", selected: true }).waitFor();
  await page.getByRole("row", { name: new RegExp(`${month}.*已出账`) }).waitFor();
  expect(errors).toEqual([]);
});

test("a month is declared from the list of those that are missing, and edited in the list of all", async () => {
  const roomId = await aShopRoom(house, shop, "S04");
  const turnover = { ...USUAL_RULE, bands: [{ upTo: null, rate: "12" }] };
  const form = aMerchantForm(shop, roomId, { start, rent: 560_000, turnover });
  const { contractNo } = await signed(house, shop.clerk, form, today);
  const { page, errors } = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
  const settled = settling(page);
  await page.goto(`${base}/contract/merchantContractTable?list=sales&keyword=${contractNo}`);
  await page.getByRole("button", { name: "催报", exact: true }).click();
  const missing = page.getByRole("dialog", { name: "催报营业额" });
  await missing.getByRole("button", { name: new RegExp(`^申报 .*S04 ${month} 营业额$`) }).click();
  const declare = page.getByRole("dialog", { name: `申报 ${month} 营业额` });
  await declare.getByLabel("营业额", { exact: true }).fill("40000");
  await declare.getByRole("button", { name: "保存" }).click();
  await declare.waitFor({ state: "hidden" });
  await missing.getByRole("row", { name: new RegExp(`S04.*${month}`) }).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await missing.waitFor({ state: "hidden" });

  const row = page.getByRole("row", { name: new RegExp(`${month}.*待确认`) });
  await row.getByText("40,000.00").first().waitFor();
  await settled();
  await row.getByRole("button", { name: "编辑" }).click();
  const edit = page.getByRole("dialog", { name: `编辑 ${month} 营业额` });
  await edit.getByLabel("营业额", { exact: true }).fill("41000");
  await edit.getByRole("button", { name: "保存" }).click();
  await edit.waitFor({ state: "hidden" });
  await row.getByText("41,000.00").first().waitFor();
  expect(errors).toEqual([]);
});
