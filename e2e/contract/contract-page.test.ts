import { expect, test } from "vitest";
import { addDays, addMonths, dayInZone } from "../../platform/kernel/day.ts";
import { aForm, aRoom, aShop, signed } from "../../domains/contract/contract/contract.sample.ts";
import { aFirmContract, aCompany } from "../../domains/customer/firm/firm.sample.ts";
import { PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const today = dayInZone(new Date());
const shop = await aShop(house, {
  permits: [
    "11.query",
    "11.get",
    "113.add",
    "113.edit",
    "72.query",
    "72.add",
    "6.query",
    "6.get",
    "3.query",
    "3.get",
    "95.query",
  ],
  village: "测算店",
});
const as = shop.clerk;
const start = addDays(today, -10);
const lease = await signed(house, as, aForm(shop, { start }), today);
await aRoom(house, shop.building, "1204", 380_000);

test("a contract is worked out under another rent and in another room, and stays as it is", async () => {
  const { page, errors } = await open({ as, size: { width: 1280, height: 860 } });
  await page.goto(`${base}/contract/RenterContractPage?id=${lease.id}`);
  await page.getByRole("button", { name: "测算" }).last().click();
  const drawer = page.getByRole("dialog", { name: "测算" });
  await drawer.getByText("到期日没有变化").waitFor();
  await drawer.getByRole("radio", { name: "调租金" }).click();
  await drawer.getByText("填写后显示每张账单的变化").waitFor();
  await drawer.getByLabel("调价日").fill(addMonths(start, 3));
  await page.keyboard.press("Enter");
  await drawer.getByLabel("新月租金").fill("3600");
  // three quarters at 300.00 more
  await drawer.getByText("42,000.00 → 42,900.00").waitFor();
  expect(await drawer.locator("tbody tr").count()).toBe(3);
  await drawer.getByRole("button", { name: "展开 第2期租金" }).click();
  await drawer.getByText("3,600.00 × 3 个月 = 10,800.00").waitFor();
  await drawer.getByText("3,500.00 × 3 个月 = 10,500.00").waitFor();

  await drawer.getByRole("radio", { name: "换房间" }).click();
  await drawer.getByRole("button", { name: "选择房间" }).click();
  await page.getByRole("button", { name: /^1204/ }).click();
  await page.getByRole("button", { name: /^确定/ }).click();
  await drawer.getByText("42,000.00 → 44,700.00").waitFor();
  await drawer.getByText("3,500.00 → 3,800.00").waitFor();
  await drawer.getByRole("button", { name: "关闭" }).click();
  await page.getByRole("tab", { name: /^账单/ }).last().click();
  await page.getByText("45,500.00").first().waitFor();
  expect(errors).toEqual([]);
});

test("the head opens the rows behind it, the room knows its leases", async () => {
  const { page, errors } = await open({ as, size: PHONE });
  const settled = settling(page);
  await page.goto(`${base}/contract/RenterContractPage?id=${lease.id}`);
  await page.getByRole("button", { name: /0\.00 \/ 45,500\.00/ }).click();
  await page.getByRole("tab", { name: "收支", selected: true }).waitFor();
  await settled();
  await page.goto(`${base}/configuration/apartment?room=${shop.roomId}`);
  await page.getByRole("tab", { name: "租约" }).click();
  await page.getByRole("link", { name: lease.contractNo }).last().waitFor();
  expect(errors).toEqual([]);
});

test("a company's contract opens into its rooms", async () => {
  const companyId = await aCompany(house, as, shop.villageId, { name: "云栖软件有限公司" });
  const { roomIds } = await aFirmContract(house, {
    villageId: shop.villageId,
    partyId: companyId,
    kind: "company",
    rooms: 2,
    rent: 280_000,
    start: addDays(today, -30),
    end: addDays(today, 300),
  });
  expect(roomIds).toHaveLength(2);
  const { page, errors } = await open({ as, size: { width: 1280, height: 860 } });
  await page.goto(`${base}/contract/CompanyContractPage`);
  await page.getByRole("button", { name: /^展开 HT/ }).click();
  const rooms = page.locator(".ant-table-expanded-row tbody tr");
  await expect.poll(() => rooms.count()).toBe(2);
  expect(errors).toEqual([]);
});

test("the help of electronic signing says what is missing and where to do it", async () => {
  const { page, errors } = await open({ as, size: PHONE });
  await page.goto(`${base}/system/ContractManagement`);
  await page.getByRole("link", { name: "配置帮助" }).click();
  const state = page.getByRole("region", { name: "准备情况" });
  await state.getByText("还没有启用的合同专用章或公章").waitFor();
  await state.getByRole("link", { name: "前往印章" }).click();
  await page.waitForURL(/ContractManagement\?tab=seals/);
  expect(errors).toEqual([]);
});
