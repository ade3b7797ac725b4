import { beforeEach, expect, test } from "vitest";
import { aForm, aRenter, aRoom, aShop, signed } from "../../domains/contract/contract/contract.sample.ts";
import { LAST4 } from "../../domains/contract/esign/esign.sample.ts";
import { addDays, addMonths, dayInZone } from "../../platform/kernel/day.ts";
import { keepPicture, PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const today = dayInZone(new Date());
const shop = await aShop(house, {
  village: "自助店",
  permits: [
    ...["72.query", "72.get", "72.add", "72.edit", "#7201", "73.query", "73.get", "73.add", "73.edit"],
    ...["96.query", "96.get", "96.add", "96.edit", "#907", "#904"],
  ],
});
const clerk = shop.clerk;
let rooms = 0;
/** A lease at 3,500.00 that ends in forty days. */
async function aLease(name: string) {
  const partyId = await aRenter(house, shop.villageId, { name });
  await pool.query(
    "update renter set cert_type = 'idCard', cert_no_masked = $2, verify = 'verified' where id = $1",
    [partyId, `310***********${LAST4}`],
  );
  const roomId = await aRoom(house, shop.building, `Z${++rooms}`, 350_000);
  const start = addMonths(addDays(today, 41), -12);
  return signed(house, clerk, aForm({ ...shop, roomId, partyId }, { start }), today);
}
const [leaves, stays, moves] = [await aLease("赵退房"), await aLease("钱续租"), await aLease("孙换房")];

const { page, errors } = await open({ as: clerk, size: { width: 1280, height: 800 } });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));

/** The link goes out from the contract's row; the tenant opens it on a phone. */
async function onPhone(contractNo: string) {
  await page.goto(`${base}/contract/RenterContractPage?keyword=${contractNo}`);
  const row = page.getByRole("row").filter({ hasText: contractNo });
  await row.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: "发送自助链接" }).click();
  const dialog = page.getByRole("dialog", { name: "自助链接" });
  await dialog.getByText("链接已发送至").waitFor();
  await dialog.getByRole("button", { name: "关闭" }).click();
  const { rows } = await pool.query<{ link: string }>(
    "select params->>'link' link from outbox where params->>'name' = '我的合同' order by id desc limit 1",
  );
  const phone = await open({ size: PHONE });
  await phone.page.goto(base.replace("/sams", new URL(rows[0]!.link).pathname));
  await phone.page.getByLabel("证件号后四位").fill(LAST4);
  await phone.page.keyboard.press("Enter");
  await phone.page.getByText("3,500.00 元").first().waitFor();
  const width = await phone.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, "nothing stands beyond the edge of a phone").toBe(PHONE.width);
  await keepPicture(phone.page, "self-service");
  return phone;
}
const badge = (name: string) =>
  page.getByRole("navigation", { name: "主菜单" }).getByRole("link", { name: new RegExp(`^${name}`) });

test("a tenant asks to leave on his phone; the clerk sees it at once, takes it up, and the form is filled", async () => {
  const phone = await onPhone(leaves!.contractNo);
  await page.goto(`${base}/contract/SettleRoomApplicationPage?tab=requested`);
  await page.getByRole("tab", { name: /待受理/ }).waitFor();
  await settled();

  await phone.page.getByRole("button", { name: "我要退房" }).click();
  await phone.page.getByLabel("退房日").fill(addDays(today, 20));
  await phone.page.getByLabel("退房原因").fill("换了工作，搬到外地");
  await phone.page.getByRole("button", { name: "提交退房申请" }).click();
  await phone.page.getByText("退房申请待受理").waitFor();

  // the clerk turns back to the window
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  const row = page.getByRole("row").filter({ hasText: leaves!.contractNo });
  await row.getByText("租客", { exact: true }).waitFor({ timeout: 3000 });
  await badge("退房申请").getByLabel("1 条待处理").waitFor({ timeout: 3000 });

  await row.getByRole("button", { name: "受理" }).click();
  const form = page.getByRole("dialog", { name: /^结算 TF/ });
  expect(await form.getByLabel("退房日").inputValue()).toBe(addDays(today, 20));
  expect(await form.getByLabel("退房原因").inputValue()).toBe("换了工作，搬到外地");
  expect(await form.getByLabel("通知日").inputValue()).toBe(today);
  await badge("退房申请").getByLabel("1 条待处理").waitFor({ state: "detached" });
  await phone.page.reload();
  await phone.page.getByLabel("证件号后四位").fill(LAST4);
  await phone.page.keyboard.press("Enter");
  await phone.page.getByText("退房办理中").waitFor();
  expect([...errors, ...phone.errors]).toEqual([]);
});

test("another asks to stay six months; the renewal starts from what he asked", async () => {
  const phone = await onPhone(stays!.contractNo);
  await phone.page.getByRole("button", { name: "我要续租" }).click();
  await phone.page.getByLabel("6 个月").check();
  await phone.page.getByLabel("说明（选填）").fill("希望租金不变");
  await phone.page.getByRole("button", { name: "提交续租申请" }).click();
  await phone.page.getByText("续租申请待受理").waitFor();
  await page.goto(`${base}/contract/RenewalApplicationPage?tab=requested`);
  const row = page.getByRole("row").filter({ hasText: stays!.contractNo });
  await row.getByText("申请 6 个月").waitFor();
  await row.getByRole("button", { name: "受理" }).click();
  const form = page.getByRole("dialog", { name: /^续租 HT/ });
  await expect
    .poll(() => form.getByLabel("原因", { exact: true }).inputValue())
    .toBe("租客申请续租 6 个月，希望租金不变");
  await form
    .getByText(/签约应付|签约应收/)
    .first()
    .waitFor();
  await settled();
  await form.getByRole("button", { name: "保存并核对" }).click();
  await page.getByRole("dialog", { name: /^提交续租 XZ/ }).waitFor();
  expect([...errors, ...phone.errors]).toEqual([]);
});

test("a third wishes for another room and takes it back; what is asked again is refused with a reason", async () => {
  const phone = await onPhone(moves!.contractNo);
  const wish = async () => {
    await phone.page.getByRole("button", { name: "我要换房" }).click();
    await phone.page.getByLabel("希望入住日").fill(addDays(today, 10));
    await phone.page.getByLabel("换房要求").fill("想换一间朝南的");
    await phone.page.getByRole("button", { name: "提交换房申请" }).click();
    await phone.page.getByText("换房申请待受理").waitFor();
  };
  await wish();
  await phone.page.getByRole("button", { name: "撤回申请" }).click();
  await phone.page.getByText("已撤回换房申请。").waitFor();
  await wish();
  await page.goto(`${base}/contract/ChangeRoomManage?tab=requested`);
  const row = page.getByRole("row").filter({ hasText: moves!.contractNo });
  await row.getByRole("button", { name: "受理" }).click();
  const form = page.getByRole("dialog", { name: "受理换房" });
  expect(await form.getByLabel("生效日").inputValue()).toBe(addDays(today, 10));
  expect(await form.getByLabel("原因", { exact: true }).inputValue()).toBe("想换一间朝南的");
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "hidden" });
  await row.getByRole("button", { name: "驳回" }).click();
  const dialog = page.getByRole("dialog", { name: /^驳回 HF/ });
  await dialog.getByRole("textbox").fill("近期没有朝南的空房");
  await dialog.getByRole("button", { name: "驳回" }).click();
  await row.waitFor({ state: "detached" });
  await phone.page.reload();
  await phone.page.getByLabel("证件号后四位").fill(LAST4);
  await phone.page.keyboard.press("Enter");
  await phone.page.getByText(/未通过：近期没有朝南的空房/).waitFor();
  expect([...errors, ...phone.errors]).toEqual([]);
});
