import { beforeAll, beforeEach, expect, test } from "vitest";
import { signed } from "../../domains/contract/contract/contract.sample.ts";
import { aCompanyForm, aFirmShop, someRooms } from "../../domains/contract/contract/firm.sample.ts";
import { aPng } from "../../domains/system/file/file.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { pool } = house.database;
const today = dayInZone(new Date());
const shop = await aFirmShop(house, { permits: ["#1108", "#1104"], village: "云溪店" });
const { page, errors } = await open({ as: shop.clerk });
const settled = settling(page);
let id: number;
beforeEach(() => pictureOnFailure(() => page));

beforeAll(async () => {
  const rooms = await someRooms(
    house,
    shop,
    Array.from({ length: 10 }, (_, i) => `Y${101 + i}`),
  );
  const form = aCompanyForm(shop, rooms, { rent: 180_000, start: addDays(today, -40) });
  ({ id } = await signed(house, shop.clerk, form, today));
});

test("a company returns 3 of its 10 rooms: the supplement is signed, the bills are cut and the rooms free", async () => {
  await page.goto(`${base}/contract/CompanyContractPage?id=${id}&part=changes`);
  const contract = page.getByRole("dialog").first();
  await contract.getByText("还没有变更", { exact: false }).waitFor();
  const direct = contract.getByRole("button", { name: "退部分房", exact: true });
  if (await direct.count()) await direct.click();
  else {
    await contract.getByRole("button", { name: "更多" }).click();
    await page.getByRole("menuitem", { name: "退部分房" }).click();
  }
  const form = page.getByRole("dialog", { name: /^退部分房 HT/ });
  await form.getByLabel("退房日", { exact: true }).fill(today);
  await page.keyboard.press("Enter");
  await form.getByLabel("退房原因", { exact: true }).fill("项目组撤离");
  // one from the list, the others with the picker of rooms: by pasted numbers, or all that a search shows
  await form.getByLabel("房间", { exact: true }).click();
  await page.locator(".ant-select-item-option:visible").first().click();
  await page.keyboard.press("Escape");
  await form.getByRole("button", { name: "选择退还的房间" }).click();
  const picker = page.getByRole("dialog", { name: /^选择退还的房间/ });
  await picker.getByText("共 10 间", { exact: true }).waitFor();
  await picker.getByLabel("按房号添加", { exact: true }).fill("Y102\nY103");
  await picker.getByRole("button", { name: "按房号添加" }).click();
  await picker.getByRole("button", { name: "确定（3 间）" }).waitFor();
  const every = (count: number) => picker.getByRole("checkbox", { name: `全选 ${count} 间` });
  await every(10).click();
  await picker.getByRole("button", { name: "确定（10 间）" }).waitFor();
  await every(10).click();
  await picker.getByRole("button", { name: "确定", exact: true }).waitFor();
  await picker.getByPlaceholder("房号", { exact: true }).fill("Y11");
  await every(1).click();
  await picker.getByPlaceholder("房号", { exact: true }).fill("");
  await picker.getByRole("button", { name: /^Y102/ }).click();
  await picker.getByRole("button", { name: /^Y103/ }).click();
  await picker.getByRole("button", { name: "确定（3 间）" }).click();
  // the bills before and after stand under what is typed
  await form.getByText("多收退回").waitFor();
  await form.getByText("重出").first().waitFor();
  await settled();
  await form.getByRole("button", { name: "提交申请" }).click();
  await form.waitFor({ state: "hidden" });

  const change = page.getByRole("dialog", { name: /^JF/ });
  await change.getByText(/其余房间继续承租/).waitFor();
  await change.getByRole("button", { name: "提交签署" }).click();
  const submit = page.getByRole("dialog", { name: /^提交签署/ });
  await submit.getByText("变更后总额").waitFor();
  await submit.getByRole("button", { name: "提交", exact: true }).click();
  await submit.waitFor({ state: "hidden" });
  await change.getByRole("button", { name: "登记签署" }).click();
  const agree = page.getByRole("dialog", { name: /^登记签署/ });
  await agree.getByLabel("说明", { exact: true }).fill("双方当面签字");
  const held = Promise.withResolvers<void>();
  await page.route("**/upload/**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await agree
    .locator("input[type=file]")
    .setInputFiles({ name: "补充协议.png", mimeType: "image/png", buffer: aPng() });
  await agree.getByRole("button", { name: "登记", exact: true }).click();
  await agree.getByText("文件还在上传，请在上传完成后提交").first().waitFor();
  held.resolve();
  await agree.getByRole("button", { name: "移除 补充协议.png" }).waitFor();
  await agree.getByRole("button", { name: "登记", exact: true }).click();
  await agree.waitFor({ state: "hidden" });
  await change.getByRole("button", { name: "确认生效" }).click();
  const confirm = page.getByRole("dialog", { name: /^确认生效/ });
  await confirm.getByText("变更后总额").waitFor();
  await confirm.getByRole("button", { name: "确认生效" }).click();
  await confirm.waitFor({ state: "hidden" });
  await change.getByText("已完成", { exact: true }).first().waitFor();

  const { rows } = await pool.query(
    `select (select count(*)::int from contract_room where contract_id = $1 and leave_date is null) staying,
       (select count(*)::int from occupancy_row where contract_id = $1 and upper(period) > current_date + 30) held,
       (select (amount + adjusted)::int from bill where contract_id = $1 and voided_at is null order by due_date desc limit 1) last`,
    [id],
  );
  expect(rows[0]).toEqual({ staying: 7, held: 7, last: 7 * 180_000 });
  // the contract counts its rooms as the list does
  await contract.getByText("7 间，另有 3 间已退，见房间与入住人").waitFor({ timeout: 10_000 });
  await contract.getByRole("tab", { name: "房间与入住人 7" }).waitFor({ timeout: 10_000 });
  expect(errors).toEqual([]);
});
