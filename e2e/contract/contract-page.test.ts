import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addDays, addMonths, dayInZone } from "../../platform/kernel/day.ts";
import { aForm, aRoom, aScan, aShop, signed } from "../../domains/contract/contract/contract.sample.ts";
import { aCompanyForm, aFirmShop, someRooms } from "../../domains/contract/contract/firm.sample.ts";
import { amendActs, getChange } from "../../domains/contract/amendment/amendment.contract.ts";
import { aPng } from "../../domains/system/file/file.sample.ts";
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
    "#903",
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

test("of a company's rooms one is chosen to be worked out; what was given back is not offered", async () => {
  const firm = await aFirmShop(house, { village: "测算企业店" });
  const roomIds = await someRooms(house, firm, ["1", "2", "3"]);
  const { id } = await signed(house, firm.clerk, aCompanyForm(firm, roomIds, { start }), today);
  await house.database.pool.query(
    "update contract_room set leave_date = $1 where contract_id = $2 and room_id = $3",
    [addDays(today, -1), id, roomIds[0]],
  );
  const { page, errors } = await open({ as: firm.clerk, size: { width: 1280, height: 860 } });
  await page.goto(`${base}/contract/CompanyContractPage?id=${id}`);
  await page.getByRole("button", { name: "测算" }).last().click();
  const drawer = page.getByRole("dialog", { name: "测算" });
  await drawer.getByRole("radio", { name: "调租金" }).click();
  await drawer.getByRole("combobox", { name: "房间" }).click();
  await expect.poll(() => page.getByRole("option").count()).toBe(2);
  expect(errors).toEqual([]);
});

test("the head opens the rows behind it, the room knows its leases", async () => {
  const { page, errors } = await open({ as, size: PHONE });
  const settled = settling(page);
  await page.goto(`${base}/contract/RenterContractPage?id=${lease.id}`);
  for (const [title, figure, tab] of [
    ["月租金", "3,500.00", "条款"],
    ["押金", "0.00 / 3,500.00", "账单"],
    ["已收", "0.00 / 45,500.00", "收支"],
    ["下次应收", "14,000.00", "账单"],
  ] as const) {
    const item = page.locator(".strip > div", { hasText: title }).first();
    await item.getByRole("button", { name: figure }).click();
    await page.getByRole("tab", { name: new RegExp(`^${tab}`), selected: true }).waitFor();
  }
  await settled();
  await page.goto(`${base}/configuration/apartment?room=${shop.roomId}`);
  await page.getByRole("tab", { name: "租约" }).click();
  await page.getByRole("link", { name: lease.contractNo }).last().waitFor();
  expect(errors).toEqual([]);
});

test("an act on the line of a room and among those of its contract opens where it was worked on", async () => {
  const { rows } = await house.database.pool.query<Record<"actNo" | "id" | "contractNo" | "roomId", string>>(
    `select a.act_no "actNo", c.id, c.contract_no "contractNo", r.room_id "roomId"
     from contract_act a join contract c on c.id = a.contract_id join contract_room r on r.contract_id = c.id
     where a.kind = 'renew' and a.state = 'done' and a.id <> c.id order by a.id limit 1`,
  );
  const { actNo, id, contractNo, roomId } = rows[0]!;
  const { page, errors } = await open({ as: await house.person({ superType: "0" }) });
  const opens = async () => {
    await page.getByRole("link", { name: actNo }).click();
    await page.getByRole("dialog", { name: `续租 ${contractNo}` }).waitFor();
  };
  await page.goto(`${base}/configuration/apartment?room=${roomId}`);
  await page.getByRole("tab", { name: "租约" }).click();
  await opens();
  await page.goto(`${base}/contract/RenterContractPage?id=${id}&part=changes`);
  await opens();
  expect(errors).toEqual([]);
});

/** A change of the notice from tomorrow on, agreed on paper. */
async function amended(contractId: number, noticeDays: number) {
  const draft = { contractId, effectiveOn: addDays(today, 1), reason: "协商变更", noticeDays };
  const { id } = await house.did(amendActs.ask, { as }, { body: draft as never });
  const params = { id };
  const { previewHash } = (await house.did(amendActs.preview, { as }, { params, body: {} })) as {
    previewHash: string;
  };
  const version = async () => (await house.did(getChange, { as }, { params })).version;
  await house.did(amendActs.submit, { as }, { params, body: { version: await version(), previewHash } });
  const fileIds = [await aScan(house, as)];
  const agree = { version: await version(), how: "paper" as const, note: "双方已签字", fileIds };
  await house.did(amendActs.agree, { as }, { params, body: agree });
  const body = { version: await version(), previewHash };
  await house.did(amendActs.confirm, { as, key: randomUUID() }, { params, body });
}

test("terms before and after a change stand side by side; a further file comes in and stays", async () => {
  await amended(lease.id, 45);
  const { page, errors } = await open({ as, size: PHONE });
  const settled = settling(page);
  await page.goto(`${base}/contract/RenterContractPage?id=${lease.id}&part=terms`);
  const versions = page.getByRole("region", { name: "版本比较" });
  await versions.getByRole("deletion").getByText("应提前 30 日书面通知对方").waitFor();
  await versions.getByRole("insertion").getByText("应提前 45 日书面通知对方").waitFor();
  await versions.getByText("有变化").waitFor();
  expect(await versions.getByRole("deletion").count()).toBe(1);
  await versions.getByLabel("由").click();
  await page
    .getByTitle(/^第 2 版/)
    .last()
    .click();
  await versions.getByText("两个版本的条款相同").waitFor();
  expect(await versions.getByRole("deletion").count()).toBe(0);

  await page.goto(`${base}/contract/RenterContractPage?id=${lease.id}&part=papers`);
  await page.getByRole("button", { name: "补传文件" }).click();
  const dialog = page.getByRole("dialog", { name: `补传文件 ${lease.contractNo}` });
  await dialog
    .locator("input[type=file]")
    .setInputFiles({ name: "情况说明.png", mimeType: "image/png", buffer: aPng() });
  await dialog.getByRole("button", { name: "移除 情况说明.png" }).waitFor();
  await settled();
  await dialog.getByRole("button", { name: "补传", exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
  const row = page.getByRole("row", { name: /情况说明\.png/ });
  await row.getByText("补传件").waitFor();
  await row.getByRole("button", { name: "验签" }).click();
  await page.getByText(/文件未被改动/).waitFor();
  expect(await row.getByRole("button", { name: /删除/ }).count()).toBe(0);
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
