import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { LEASING } from "../../domains/contract/contract/contract.sample.ts";
import { FIRM_LEASING, FIRM_RECORDS } from "../../domains/contract/contract/firm.sample.ts";
import { aCompany, aMerchant } from "../../domains/customer/firm/firm.sample.ts";
import { aDesk, aHeldReservation } from "../../domains/customer/reservation/reservation.sample.ts";
import { sheetBytes } from "../../domains/system/import/import.sample.ts";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { faultsOf } from "../axe.sample.ts";
import { DESK, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const desk = await aDesk(house, {
  village: "企业店",
  permits: [
    ...LEASING,
    ...FIRM_LEASING,
    ...FIRM_RECORDS,
    "3.query",
    "3.get",
    "26.query",
    "26.get",
    "6.query",
  ],
});
const as = desk.clerk;
const { villageId } = desk;
const { db, pool } = house.database;
const today = dayInZone(new Date());
const companyId = await aCompany(house, as, villageId);
for (const name of ["1301", "1302", "1303"]) await desk.room(name, 280_000);

/** Both have signed the paper: its scan is uploaded and the contract is in force. */
async function sign(page: Page, settled: () => Promise<void>) {
  const contract = page.getByRole("dialog", { name: /^HT/ });
  await contract.getByRole("button", { name: "确认签署" }).click();
  const drawer = page.getByRole("dialog", { name: /确认线下签署/ });
  await drawer
    .locator("input[type=file]")
    .setInputFiles({ name: "合同.pdf", mimeType: "application/pdf", buffer: aPdf() });
  await drawer.getByRole("button", { name: "移除 合同.pdf" }).waitFor();
  await settled();
  await drawer.getByRole("button", { name: "确认签署" }).click();
  await page.getByText(/已签署，生成账单/).waitFor();
}

test("a company signs three rooms, one named, two from a file with their rents; its rent is one bill", async () => {
  const { page, errors } = await open({ as, size: { width: 1440, height: 900 } });
  const settled = settling(page);
  await page.goto(
    `${base}/contract/CompanyContractPage?draft=new&villageId=${villageId}&partyId=${companyId}`,
  );
  await page.getByRole("button", { name: "从今天起租" }).click();
  await page.getByRole("button", { name: "12 个月" }).click();
  await page.getByRole("button", { name: "选择房间" }).click();
  const picker = page.getByRole("dialog", { name: /^选择房间/ });
  const names = picker.getByLabel("按房号添加");
  const add = picker.getByRole("button", { name: "按房号添加" });
  await names.fill("1301，1309");
  await add.click();
  await picker.getByText("第 2 个 1309：没有这个房间").waitFor();
  await expect.poll(() => picker.getByRole("button", { name: "确定", exact: true }).count()).toBe(1);
  const unknown = Array.from({ length: 30 }, (_, i) => `${2001 + i}`);
  await names.fill(unknown.join("\n"));
  await add.click();
  const wrong = picker.getByRole("alert");
  await wrong.getByText("第 30 个 2030：没有这个房间").waitFor();
  // one below the other, none beyond the edge, and the tiles stay in sight
  const { beyond, high } = await wrong.evaluate((list) => ({
    beyond: list.scrollWidth - list.clientWidth,
    high: list.clientHeight / innerHeight,
  }));
  expect([beyond, high < 0.35]).toEqual([0, true]);
  await names.fill("1303");
  await add.click();
  // what is picked is not lost by a key
  await picker.getByRole("button", { name: "确定（1 间）" }).waitFor();
  await page.keyboard.press("Escape");
  const leaving = page.getByRole("dialog", { name: "提示" });
  await leaving.getByRole("button", { name: "取消" }).click();
  await leaving.waitFor({ state: "hidden" });
  const bring = async (...lines: Record<string, string>[]) =>
    picker
      .locator("input[type=file]")
      .setInputFiles({ name: "房间.xlsx", mimeType: "", buffer: await sheetBytes("房间", lines) });
  const line = (room: string, rent: string) => ({ 房间: room, 月租金: rent });
  await bring(line("1301", "2810.00"), line("1309", "2800.00"));
  await picker.getByText("第 3 行 1309：没有这个房间").waitFor();
  await bring(line("1301", "2810.00"), line("1302", "2800.00"));
  // named once more it keeps the rent that the file set
  await picker.getByRole("button", { name: "确定（3 间）" }).waitFor();
  await names.fill("1301");
  await add.click();
  await picker.getByRole("button", { name: "确定（3 间）" }).click();
  expect(await page.getByRole("row", { name: /1301/ }).getByRole("textbox").inputValue()).toBe("2,810.00");
  await page.getByText("月租金合计 8,410.00").waitFor();

  await page.getByRole("button", { name: "下一步：客户" }).click();
  await page.getByText("签约联系人 钱经理").waitFor();
  await settled();
  expect(await faultsOf(page, { within: ".cf" })).toEqual([]);
  await page.getByRole("button", { name: "下一步：条款" }).click();
  await page.getByText("每个计费期一张账单，按房间和费用列明细").waitFor();
  // rooms at one rent are said once, and nothing of the way of paying before stays
  const live = page.getByRole("complementary", { name: "实时账单" });
  await live.getByText("2,800.00 × 3 个月 = 8,400.00（2 项）").waitFor();
  await page.getByText("押一付一", { exact: true }).click();
  await live.getByText("2,800.00 × 1 个月 = 2,800.00（2 项）").waitFor();
  expect(await live.getByText("× 3 个月").count()).toBe(0);
  for (const step of ["费用", "优惠", "账单预览"])
    await page.getByRole("button", { name: `下一步：${step}` }).click();
  // each line names its room
  const lines = page.getByRole("row", { name: /押金/ });
  await lines.filter({ hasText: "1302" }).first().waitFor();
  await page.getByRole("button", { name: "下一步：签署" }).click();
  await page.getByRole("button", { name: "提交签约", exact: true }).click();
  await sign(page, settled);

  const { id } = await db
    .selectFrom("contract")
    .select("id")
    .where("partyId", "=", companyId)
    .where("state", "=", "effective")
    .executeTakeFirstOrThrow();
  const { rows } = await pool.query(
    `select count(distinct b.id)::int bills, count(*)::int lines, sum(l.amount)::int rent
     from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
     where b.contract_id = $1 and s.code = 'rent' and b.period_start = $2`,
    [id, today],
  );
  expect(rows[0]).toMatchObject({ bills: 1, lines: 3 });
  expect(rows[0].rent % 841_000).toBe(0);

  await page.getByRole("dialog", { name: /^HT/ }).getByRole("tab", { name: /^账单/ }).click();
  await page.getByRole("button", { name: "展开 第1期租金" }).click();
  await page.getByText(/1302　.*2,800.00 × 1 个月 = 2,800.00/).waitFor();

  await page.goto(`${base}/contract/CompanyContractPage`);
  const row = page.getByRole("row", { name: /云栖软件有限公司/ });
  await row.getByText("8,410.00").first().waitFor();
  await row.getByRole("link", { name: "云栖软件有限公司" }).click();
  await page.waitForURL(/CompanyManagement/);
  await page.getByRole("dialog").getByRole("link", { name: /^HT/ }).first().waitFor();
  await settled();
  expect(errors).toEqual([]);
});

test("a merchant's reservation becomes a shop lease with nothing typed twice", async () => {
  const merchantId = await aMerchant(house, as, villageId);
  const roomId = await desk.room("S01", 560_000);
  await pool.query("update room set kind = 'shop' where id = $1", [roomId]);
  const { id } = await aHeldReservation(house, desk, {
    partyId: merchantId,
    name: "",
    phone: "",
    roomId,
    rent: 560_000,
    moveInDay: today,
    plannedEndDay: addDays(today, 364),
    holdUntil: addDays(today, 3),
  });
  const { page, errors } = await open({ as, size: DESK });
  const settled = settling(page);
  await page.goto(`${base}/configuration/BookingManagement?tab=reservation&id=${id}`);
  const record = page.getByRole("dialog", { name: /YD/ });
  await record.getByRole("button", { name: "转合同" }).click();
  await page.waitForURL(/merchantContractTable/);
  await page.getByRole("region", { name: "新签商户合同" }).getByText("S01").first().waitFor();
  for (const step of ["客户", "条款", "费用", "优惠", "账单预览", "签署"])
    await page.getByRole("button", { name: `下一步：${step}` }).click();
  await page.getByText(/的定金 1,000.00 元在签署后抵作首期款/).waitFor();
  await page.getByRole("button", { name: "提交签约", exact: true }).click();
  await sign(page, settled);
  const { rows } = await pool.query(
    `select r.state, c.kind, c.party_id::int party, c.monthly_rent::int rent
     from reservation r join contract c on c.id = r.contract_id where r.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ state: "converted", kind: "merchant", party: merchantId, rent: 560_000 }]);

  await page.goto(`${base}/contract/merchantContractTable`);
  await page
    .getByRole("row", { name: /晨光早餐店/ })
    .getByText("5,600.00")
    .first()
    .waitFor();
  await settled();
  expect(errors).toEqual([]);
});

test("on a phone the lists of firms' contracts are cards, in the dark as well", async () => {
  const { page, errors } = await open({ as, size: PHONE, theme: "dark" });
  const settled = settling(page);
  for (const [path, name] of [
    ["CompanyContractPage", "云栖软件有限公司"],
    ["merchantContractTable", "晨光早餐店"],
  ] as const) {
    await page.goto(`${base}/contract/${path}`);
    await page.getByText(name).first().waitFor();
    await settled();
    expect(await faultsOf(page, { within: "main" })).toEqual([]);
  }
  expect(errors).toEqual([]);
});
