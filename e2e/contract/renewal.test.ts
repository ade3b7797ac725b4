import { beforeEach, expect, test } from "vitest";
import { aRenter, aForm, aRoom, aShop, signed } from "../../domains/contract/contract/contract.sample.ts";
import { aCompanyForm, aFirmShop, someRooms } from "../../domains/contract/contract/firm.sample.ts";
import { OFFERING, aRunning, anOffer } from "../../domains/contract/activity/activity.sample.ts";
import { LAST4 } from "../../domains/contract/esign/esign.sample.ts";
import { addDays, addMonths, dayInZone } from "../../platform/kernel/day.ts";
import { keepPicture, PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const today = dayInZone(new Date());
const shop = await aShop(house, {
  village: "续租店",
  permits: [...OFFERING, "#907", "#904", "73.query", "73.get", "73.add", "73.edit", "73.export", "#7301"],
});
const clerk = shop.clerk;
await aRunning(
  house,
  clerk,
  anOffer([shop.villageId], { name: "老客续租 95 折", sources: ["renewal"], signTo: "2099-12-31" }),
);
let rooms = 0;
/** A lease at 3,500.00 that ends in twenty days. */
async function ending(name: string) {
  const partyId = await aRenter(house, shop.villageId, { name });
  await house.database.db
    .updateTable("renter")
    .set({ certType: "idCard", certNoMasked: `310***********${LAST4}`, verify: "verified" })
    .where("id", "=", partyId)
    .execute();
  const roomId = await aRoom(house, shop.building, `R${++rooms}`, 360_000);
  const start = addMonths(addDays(today, 21), -12);
  return signed(house, clerk, aForm({ ...shop, roomId, partyId }, { start }), today);
}
const [one, two, ...more] = [
  await ending("陈续"),
  await ending("李方案"),
  await ending("王批一"),
  await ending("王批二"),
];

const { page, errors } = await open({ as: clerk });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));
const LIST = `${base}/contract/RenewalApplicationPage`;

test("a lease is renewed with a rise and a discount for those who stay", async () => {
  await page.goto(LIST);
  const row = page.getByRole("row").filter({ hasText: one!.contractNo });
  await row.getByRole("button", { name: "跟进" }).click();
  const follow = page.getByRole("dialog", { name: /^续租跟进/ });
  await follow.getByText("有意", { exact: true }).click();
  await follow.getByLabel("跟进记录").fill("想续一年，涨幅可以接受");
  await follow.getByRole("button", { name: "保存" }).click();
  await follow.waitFor({ state: "hidden" });
  await row.getByText("有意").waitFor();

  await row.getByRole("button", { name: "续租", exact: true }).click();
  const form = page.getByRole("dialog", { name: /^续租 HT/ });
  await form.getByText("签约应付").first().waitFor();
  // nothing was typed: it closes without a question
  await form.getByRole("button", { name: "取消", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  await row.getByRole("button", { name: "续租", exact: true }).click();
  await form.getByLabel("统一调整").fill("5");
  await form.getByRole("button", { name: "应用到全部房间" }).click();
  await form.getByText("月租金合计 3,500.00 → 3,675.00 +5.00%").waitFor();
  await form.getByLabel("原因", { exact: true }).fill("租客申请续租一年");
  await form.getByText(/新押金 3,675\.00，补交/).waitFor();
  await settled();
  await keepPicture(page, "renewal");
  await form.getByRole("button", { name: "保存并核对" }).click();
  const look = page.getByRole("dialog", { name: /^提交续租 XZ/ });
  await look.getByRole("button", { name: "关闭" }).first().click();
  await look.waitFor({ state: "hidden" });

  // everything else is the contract's form: what the renewal fixed stands there and says why
  await page.getByRole("tab", { name: /处理中/ }).click();
  const begun = page.getByRole("row").filter({ hasText: one!.contractNo });
  await begun.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: "打开合同表单" }).click();
  await page
    .getByText(/^续租自 HT.*需要更改时请取消后重新办理$/)
    .first()
    .waitFor();
  expect(await page.getByLabel("起租日").isDisabled()).toBe(true);
  const live = page.getByRole("complementary", { name: "实时账单" });
  for (const step of ["客户", "条款", "费用", "优惠"])
    await page.getByRole("button", { name: `下一步：${step}` }).click();
  await page.getByRole("checkbox", { name: /老客续租 95 折/ }).check();
  await live.getByText("41,895.00", { exact: true }).waitFor();
  await page.getByRole("button", { name: "保存草稿" }).click();
  await page.getByText(/^已保存草稿/).waitFor();
  await settled();

  await page.goto(`${LIST}?tab=handling`);
  const handling = page.getByRole("row").filter({ hasText: one!.contractNo });
  await handling.getByRole("button", { name: "提交", exact: true }).click();
  const submit = page.getByRole("dialog", { name: /^提交续租 XZ/ });
  await submit.getByText("原押金", { exact: false }).first().waitFor();
  await settled();
  await submit.getByRole("button", { name: "提交", exact: true }).click();
  await submit.waitFor({ state: "hidden" });
  await page.getByRole("tab", { name: /待签署/ }).click();
  await page.getByRole("row").filter({ hasText: one!.contractNo }).getByText("3,675.00").waitFor();
  const { rows } = await pool.query(
    `select n.state, n.net_rent::int net from contract_act a join contract n on n.id = a.result_contract_id
     where a.contract_id = $1`,
    [one!.id],
  );
  expect(rows).toEqual([{ state: "signing", net: 349_125 }]);
  expect(errors).toEqual([]);
});

test("the tenant chooses on a phone from what was offered", async () => {
  await page.goto(`${LIST}?keyword=${two!.contractNo}`);
  const row = page.getByRole("row").filter({ hasText: two!.contractNo });
  await row.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: "发送续租方案" }).click();
  const form = page.getByRole("dialog", { name: /^发送续租方案/ });
  await form.getByRole("button", { name: "添加方案" }).click();
  await settled();
  await form.getByRole("button", { name: "发送", exact: true }).click();
  const link = page.getByRole("dialog", { name: "续租方案链接" });
  await link.getByText("链接已发送至").waitFor();
  await link.getByRole("button", { name: "关闭" }).click();
  await row.getByText("已发送").waitFor();
  const sent = await pool.query<{ link: string }>(
    "select params->>'link' link from outbox where source_id = (select max(id) from renewal_offer) and params->>'name' = '续租方案'",
  );
  const phone = await open({ size: PHONE });
  await phone.page.goto(base.replace("/sams", new URL(sent.rows[0]!.link).pathname));
  await phone.page.getByRole("heading", { name: /邀请您续租$/ }).waitFor();
  await phone.page.getByLabel("证件号后四位").fill(LAST4);
  await phone.page.keyboard.press("Enter");
  await phone.page.getByText("12 个月，每月 3,500.00 元").waitFor();
  const width = await phone.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, "nothing stands beyond the edge of a phone").toBe(PHONE.width);
  await phone.page.getByLabel(/^6 个月/).check();
  await phone.page.getByRole("button", { name: "选择并签署" }).click();
  await phone.page.getByText(/您已选择续租 6 个月/).waitFor();
  await page.reload();
  await page.getByRole("tab", { name: /待签署/ }).click();
  await page.getByRole("row").filter({ hasText: two!.contractNo }).getByText("已选择").waitFor();
  expect([...errors, ...phone.errors]).toEqual([]);
});

test("several are renewed by one rule, each by itself", async () => {
  await page.goto(LIST);
  for (const { contractNo } of more) {
    const row = page.getByRole("row").filter({ hasText: contractNo });
    await row.getByRole("checkbox").check();
  }
  await page.getByRole("button", { name: "批量续租" }).click();
  const drawer = page.getByRole("dialog", { name: "批量续租 2 份合同" });
  await drawer.getByLabel("调整比例").fill("3");
  expect(await drawer.locator(".fi", { hasText: "调整比例" }).textContent()).toBe("调整比例%");
  await drawer.getByLabel("原因", { exact: true }).fill("到期统一续租");
  await drawer.getByRole("button", { name: "试算" }).click();
  await drawer.getByText("3,605.00").first().waitFor();
  // another rule than the table was worked out by
  const submit = drawer.getByRole("button", { name: "提交 2 份" });
  await drawer.getByLabel("调整比例").fill("8");
  await expect.poll(() => submit.getAttribute("aria-disabled")).toBe("true");
  await drawer.getByLabel("调整比例").fill("3");
  await submit.click();
  await drawer.getByText("已提交 2 份").waitFor();
  expect(await drawer.getByText(/^已提交 XZ/).count()).toBe(2);
  expect(errors).toEqual([]);
});

test("on the board a card is moved with the keyboard", async () => {
  const last = await ending("赵看板");
  await page.goto(`${LIST}?view=board`);
  const column = page.getByRole("listitem", { name: "4 周内" });
  const card = column.getByRole("button", { name: /赵看板/ });
  await card.focus();
  await page.keyboard.press("ArrowRight");
  const follow = page.getByRole("dialog", { name: /^续租跟进/ });
  await follow.getByLabel("跟进记录").fill("电话确认愿意续租");
  await follow.getByRole("button", { name: "保存" }).click();
  await follow.waitFor({ state: "hidden" });
  await column.getByText("有意").waitFor();
  await card.focus();
  await page.keyboard.press("Delete");
  const reason = page.getByRole("dialog", { name: `不续租 ${last.contractNo}` });
  await reason.getByRole("textbox").fill("改回老家工作");
  await reason.getByRole("button", { name: "登记" }).click();
  await card.waitFor({ state: "hidden" });
  const { rows } = await pool.query(
    "select kind, effective_on::text leaves from contract_act where contract_id = $1",
    [last.id],
  );
  expect(rows).toEqual([{ kind: "settle", leaves: addDays(today, 20) }]);
  expect(errors).toEqual([]);
});

test("a firm's lease leads to the firm and its renewal; one that does not end yet says how long it is until then", async () => {
  const firms = await aFirmShop(house, {
    village: "企业续租店",
    permits: ["73.query", "73.get", "73.add", "#1107"],
  });
  const [soon, later] = await someRooms(house, firms, ["F01", "F02"]);
  const start = addMonths(addDays(today, 21), -12);
  const at = (roomId: number, from: string) => aCompanyForm(firms, [roomId], { start: from });
  await signed(house, firms.clerk, at(soon!, start), today);
  const { id, contractNo } = await signed(house, firms.clerk, at(later!, today), today);
  const { page: desk, errors: none } = await open({ as: firms.clerk });
  await desk.goto(LIST);
  await desk.getByRole("link", { name: "云栖软件有限公司" }).first().click();
  await desk.waitForURL(new RegExp(`/configuration/CompanyManagement\\?id=${firms.companyId}$`));
  await desk.goto(`${base}/contract/CompanyContractPage?keyword=${contractNo}`);
  const late = desk.getByRole("row").filter({ hasText: contractNo });
  await late.getByRole("button", { name: "更多操作" }).click();
  const renew = desk.getByRole("menuitem").filter({ hasText: /^续租/ });
  await renew.getByText(/^距到期还有 \d+ 天，未到可续租时间$/).waitFor();

  // whoever knows only that it is a contract opens it with the tenants'
  await desk.goto(`${base}/contract/RenterContractPage?id=${id}&part=log`);
  await desk.waitForURL(new RegExp(`/contract/CompanyContractPage\\?id=${id}&part=log$`));
  await desk.getByRole("tab", { name: "日志", selected: true }).waitFor();
  await desk.goBack();
  await desk.waitForURL(new RegExp("/contract/RenterContractPage$"));
  expect(none).toEqual([]);
});
