import { beforeEach, expect, test } from "vitest";
import { dayInZone } from "../../platform/kernel/day.ts";
import { aModule, asking, otherwise } from "../../domains/approval/module/module.sample.ts";
import { aForm, aRenter, aRoom, aShop } from "../../domains/contract/contract/contract.sample.ts";
import { contractSignings } from "../../domains/contract/esign/esign.contract.ts";
import { identified } from "../../domains/contract/esign/esign.sample.ts";
import { createContract } from "../../domains/contract/drafting/draft.contract.ts";
import { aSeal } from "../../domains/contract/seal/seal.sample.ts";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { demoPerson, PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const head = await demoPerson(house, "qinghe01");
const shop = await aShop(house, { village: "审批店", permits: ["1.query"] });
const villages = [shop.villageId];
const manager = await house.person({ permits: ["1.query", "9.query", "9.get"], villages, name: "陈店长" });
for (const moduleType of ["renterContract", "contractVoid"])
  await aModule(house, head, {
    moduleType,
    name: `审批店${moduleType}`,
    villageIds: villages,
    fallback: head,
    processes: [otherwise(asking("店长", [manager]))],
  });
const SHOTS = process.env["SHOTS"];
const clerk = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
const { page } = clerk;
const settled = settling(page);
const shot = async (name: string) => {
  if (!SHOTS) return;
  await settled();
  await page.screenshot({ path: `${SHOTS}/${name}.png` });
};
beforeEach(() => pictureOnFailure(() => page));

/** The manager finds it on the 审批 page, or hears of it from the bell, and says yes. */
async function approve(contractNo: string, table: string, bell = false) {
  const other = await open({ as: manager });
  await other.page.goto(`${base}/workbench/WorkbenchPage${bell ? "" : "?tab=examine"}`);
  if (bell) {
    await other.page.locator(".bell__button").click();
    await other.page.locator(".bell li").filter({ hasText: contractNo }).click();
    await other.page.getByRole("button", { name: "去处理" }).click();
  } else {
    const row = other.page.locator(".sheet tbody tr.ant-table-row", { hasText: contractNo });
    await row.getByRole("button", { name: "审批" }).click();
  }
  const paper = other.page.locator(".drawer:visible");
  await paper.getByText(table).waitFor();
  // the fen that the clerk saw on handing in
  await paper.getByText("14,000.00").first().waitFor();
  if (SHOTS) await other.page.screenshot({ path: `${SHOTS}/examine.png` });
  await paper.getByRole("button", { name: "通过" }).click();
  const form = other.page.getByRole("dialog", { name: "通过审批" });
  await form.locator("textarea").fill("同意");
  await form.getByRole("button", { name: "通过" }).click();
  await other.page.getByText("已通过").first().waitFor();
  expect(other.errors).toEqual([]);
  await other.page.close();
}

test("a contract is submitted, approved on the page of approvals, and signed", async () => {
  const start = dayInZone(new Date(), "Asia/Shanghai");
  const { id, contractNo } = await house.did(
    createContract,
    { as: shop.clerk },
    { body: aForm(shop, { start }) },
  );
  await page.goto(`${base}/contract/RenterContractPage?draft=${id}`);
  await page.getByRole("navigation", { name: "步骤" }).getByRole("button", { name: /签署$/ }).click();
  await page.getByText("需要审批：店长，通过后再签署。").waitFor();
  await page.getByLabel("提交说明").fill("老客户");
  await shot("submit");
  await page.getByRole("button", { name: "提交审批" }).click();
  await page.getByRole("button", { name: "已核对，提交审批" }).click();
  await page.getByText(/已提交审批 SP.*，通过后再签署/).waitFor();

  const contract = page.getByRole("dialog", { name: contractNo });
  const bar = contract.getByRole("status");
  await bar.getByText(`租客合同签约 ${contractNo}，节点 1/1 店长，等待 陈店长`).waitFor();
  await bar.getByRole("link", { name: "查看审批" }).waitFor();
  await shot("waits");
  const acts = contract.locator(".acts").first();
  for (const later of ["确认签署", "发起电子签署", "编辑"])
    await expect.poll(() => acts.getByRole("button", { name: later }).count(), { message: later }).toBe(0);
  await page.goto(`${base}/contract/RenterContractPage?tab=approving&villageIds=${shop.villageId}`);
  await page.getByRole("tab", { name: /^审批中\s*1/ }).waitFor();
  await page.getByRole("row").filter({ hasText: contractNo }).waitFor();

  await approve(contractNo, "签约后生成的账单");

  await page.goto(`${base}/contract/RenterContractPage?id=${id}`);
  await contract.getByRole("button", { name: "确认签署" }).click();
  const drawer = page.getByRole("dialog", { name: /确认线下签署/ });
  await drawer
    .locator("input[type=file]")
    .setInputFiles({ name: "合同.pdf", mimeType: "application/pdf", buffer: aPdf() });
  await drawer.getByRole("button", { name: "移除 合同.pdf" }).waitFor();
  await drawer.getByRole("button", { name: "确认签署" }).click();
  await page.getByText(/已签署，生成账单 5 张/).waitFor();

  // voiding it asks again, and the contract says so
  await contract.getByText("待入住", { exact: true }).waitFor();
  await acts.getByRole("button", { name: "作废" }).click();
  const ask = page.getByRole("dialog", { name: `作废 ${contractNo}` });
  await ask.locator("textarea").fill("租客爽约");
  await ask.getByRole("button", { name: "作废" }).click();
  await page.getByText(/作废已提交审批 SP.*，通过后生效/).waitFor();
  await bar.getByText(`作废合同 ${contractNo}，节点 1/1 店长`).waitFor();
  await contract.getByText("待审批", { exact: true }).waitFor();
  await shot("voiding");
  await approve(contractNo, "一并作废的账单");
  await page.reload();
  await contract.getByText("作废原因：租客爽约").waitFor();
  expect(clerk.errors).toEqual([]);
});

test("a contract that is to be signed by links waits for approval, and its links go out with it", async () => {
  const start = dayInZone(new Date(), "Asia/Shanghai");
  await aSeal(house, { villageIds: villages, operatorIds: [manager.operatorId] });
  const partyId = await aRenter(house, shop.villageId);
  await identified(house, partyId);
  const roomId = await aRoom(house, shop.building, "1205");
  const { id, contractNo } = await house.did(
    createContract,
    { as: shop.clerk },
    { body: aForm({ ...shop, roomId, partyId }, { start }) },
  );
  await page.goto(`${base}/contract/RenterContractPage?draft=${id}`);
  await page.getByRole("navigation", { name: "步骤" }).getByRole("button", { name: /签署$/ }).click();
  await page.getByText("需要审批：店长，通过后再签署。").waitFor();
  await page.getByRole("radio", { name: "电子签署" }).click();
  await page.getByText("需要审批：店长，通过后自动发送签署链接。").waitFor();
  await shot("links");
  await page.getByRole("button", { name: "提交审批" }).click();
  await page.getByText(/已提交审批 SP.*，通过后自动发送签署链接/).waitFor();
  await approve(contractNo, "签约后生成的账单", true);
  const of = { params: { id } };
  await expect
    .poll(async () => (await house.did(contractSignings, { as: shop.clerk }, of)).map((flow) => flow.state))
    .toEqual(["signing"]);
  await page.goto(`${base}/contract/RenterContractPage?id=${id}`);
  const contract = page.getByRole("dialog", { name: contractNo });
  await contract.getByRole("button", { name: "重新发送" }).first().waitFor();
  await shot("sent");
  expect(clerk.errors).toEqual([]);
});

test("on a phone the bar of what waits fits, and its submitter takes it back", async () => {
  const start = dayInZone(new Date(), "Asia/Shanghai");
  const roomId = await aRoom(house, shop.building, "1204");
  const { id, contractNo } = await house.did(
    createContract,
    { as: shop.clerk },
    { body: aForm({ ...shop, roomId }, { start }) },
  );
  const phone = await open({ as: shop.clerk, size: PHONE });
  await phone.page.goto(`${base}/contract/RenterContractPage?draft=${id}`);
  await phone.page.getByRole("navigation", { name: "步骤" }).getByRole("button", { name: /签署$/ }).click();
  await phone.page.getByRole("button", { name: "提交审批" }).click();
  await phone.page.getByRole("button", { name: "已核对，提交审批" }).click();
  const contract = phone.page.getByRole("dialog", { name: contractNo });
  await contract.getByRole("status").getByRole("button", { name: "撤回" }).waitFor();
  if (SHOTS) await phone.page.screenshot({ path: `${SHOTS}/phone.png` });
  const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await contract.getByRole("status").getByRole("button", { name: "撤回" }).click();
  await phone.page.getByRole("dialog", { name: "撤回审批" }).getByRole("button", { name: "撤回" }).click();
  await phone.page.getByText("已撤回").first().waitFor();
  await contract.getByRole("status").waitFor({ state: "detached" });
  await contract.getByText("草稿", { exact: true }).first().waitFor();
  expect(phone.errors).toEqual([]);
});
