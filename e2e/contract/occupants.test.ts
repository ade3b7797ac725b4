import { beforeAll, expect, test } from "vitest";
import { idCheckDigit } from "../../platform/kernel/texts/certificate.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import type { Person } from "../../platform/server/process/house.sample.ts";
import { aCompany, aFirmContract } from "../../domains/customer/firm/firm.sample.ts";
import { aForm, aShop, signed } from "../../domains/contract/contract/contract.sample.ts";
import { aCompanyForm, aFirmShop, someRooms } from "../../domains/contract/contract/firm.sample.ts";
import { sheetBytes } from "../../domains/system/import/import.sample.ts";
import { aVillage } from "../../domains/listing/village/village.sample.ts";
import { choose, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { db } = house.database;
const today = dayInZone(new Date());
let a: number, companyId: number, clerk: Person, rooms: string[];

const card = (n: number) => {
  const first17 = `33010619900307${String(n).padStart(3, "0")}`;
  return first17 + idCheckDigit(first17);
};

beforeAll(async () => {
  a = await aVillage(house, { name: "云栖店" });
  const keyAccounts = await house.person({ permits: ["113.add", "113.edit"], villages: [a] });
  clerk = await house.person({
    permits: ["113.query", "113.get", "11.get", "11.edit", "11.import", "6.query"],
    villages: [a],
    name: "周敏",
  });
  companyId = await aCompany(house, keyAccounts, a, { name: "云栖软件有限公司" });
  const contract = await aFirmContract(house, {
    villageId: a,
    partyId: companyId,
    kind: "company",
    rooms: 2,
    rent: 280_000,
    start: addDays(today, -30),
    end: addDays(today, 300),
  });
  await db.updateTable("room").set({ capacity: 1 }).where("id", "in", contract.roomIds).execute();
  const named = await db
    .selectFrom("room")
    .select("fullName")
    .where("id", "in", contract.roomIds)
    .orderBy("id")
    .execute();
  rooms = named.map((r) => r.fullName);
});

test("people come by a pasted list and by hand, swap their rooms, and one moves out", async () => {
  const { page, errors } = await open({ as: clerk, size: { width: 1440, height: 900 } });
  const settled = settling(page);
  await page.goto(`${base}/configuration/CompanyManagement?id=${companyId}&part=rooms`);
  await page.getByText("共 2 间，已住 0 / 可住 2 人").waitFor();

  await page.getByRole("button", { name: "粘贴名单" }).click();
  const list = page.getByRole("dialog", { name: "粘贴名单" });
  const row = (name: string, n: number, room: string) => [name, "13800000001", card(n), room].join("\t");
  await list
    .getByLabel("名单", { exact: true })
    .fill([row(" 赵一", 101, rooms[0]!), row("钱二", 103, "没有这间")].join("\n"));
  await list.getByRole("button", { name: "检查名单" }).click();
  await list.getByText("姓名不能以空格开头或结尾").waitFor();
  await list.getByText("房间不在合同内").waitFor();
  await list.getByLabel("名单", { exact: true }).fill(row("赵一", 101, rooms[0]!));
  await list.getByRole("button", { name: "检查名单" }).click();
  await list.getByRole("row", { name: /赵一/ }).waitFor();
  await list.getByRole("button", { name: "按名单安排" }).click();
  await list.waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "新增入住人" }).click();
  const add = page.getByRole("dialog", { name: "新增入住人" });
  await choose(
    () => add.getByLabel("房间", { exact: true }).click(),
    page
      .locator(".ant-select-dropdown:visible .ant-select-item-option")
      .filter({ hasText: rooms[1]! })
      .first(),
  );
  await add.getByLabel("姓名").fill("钱二");
  await add.getByLabel("手机号").fill("13800000002");
  await add.getByLabel("证件号").fill(card(103));
  await add.getByRole("button", { name: "保存" }).click();
  await add.waitFor({ state: "hidden" });
  await page.getByText("共 2 间，已住 2 / 可住 2 人").waitFor();

  await settled();
  const tick = (name: string) => page.getByRole("checkbox", { name: new RegExp(`^${name}`) }).check();
  await tick("赵一");
  await tick("钱二");
  await page.getByRole("button", { name: "对调" }).click();
  const swap = page.getByRole("dialog", { name: "对调房间" });
  await swap.getByRole("button", { name: "确定" }).click();
  await swap.waitFor({ state: "hidden" });
  await page.getByRole("row", { name: new RegExp(`${rooms[0]}.*钱二`) }).waitFor();
  await page.getByRole("row", { name: new RegExp(`${rooms[1]}.*赵一`) }).waitFor();

  await settled();
  await tick("钱二");
  await page.getByRole("button", { name: "搬离" }).click();
  const leave = page.getByRole("dialog", { name: "搬离 1 人" });
  await leave.getByRole("button", { name: "确认搬离" }).click();
  await leave.waitFor({ state: "hidden" });
  await expect
    .poll(async () =>
      (await db.selectFrom("contractOccupant").select("toDate").where("name", "=", "钱二").execute()).map(
        (o) => o.toDate,
      ),
    )
    .toEqual([today]);
  expect(errors).toEqual([]);
});

test("on the tiles somebody is dragged to another room, or taken there by the keyboard", async () => {
  const shop = await aFirmShop(house, { village: "云谷店" });
  const ids = await someRooms(house, shop, ["D01", "D02"]);
  const { id } = await signed(house, shop.clerk, aCompanyForm(shop, ids, { start: today }), today);
  await db
    .insertInto("contractOccupant")
    .values({ contractId: id, roomId: ids[0]!, name: "孙三", fromDate: today })
    .execute();
  const { page, errors } = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
  await page.goto(`${base}/contract/CompanyContractPage?id=${id}&part=people&look=tiles`);
  const tile = (room: string) => page.getByRole("listitem", { name: new RegExp(`${room}$`) });
  await tile("D01").getByRole("button", { name: "孙三" }).dragTo(tile("D02"));
  const move = page.getByRole("dialog", { name: "换房 1 人" });
  await move.getByText(/D02 0\/\d/).waitFor();
  await move.getByText("合同和账单不变，原房间的门锁权限到前一天为止").waitFor();
  await move.getByRole("button", { name: "确定" }).click();
  await tile("D02").getByRole("button", { name: "孙三" }).waitFor();
  await tile("D01").getByText("空置").waitFor();

  await tile("D02").getByRole("button", { name: "孙三" }).focus();
  await page.keyboard.press("Enter");
  await tile("D01").getByRole("button", { name: "换到这里" }).focus();
  await page.keyboard.press("Enter");
  await move.getByRole("button", { name: "确定" }).click();
  await tile("D01").getByRole("button", { name: "孙三" }).waitFor();
  expect(errors).toEqual([]);
});

test("a file brings people into the rooms of a contract, from the contract's own row", async () => {
  const shop = await aFirmShop(house, { village: "云谷二店", permits: ["11.import"] });
  const ids = await someRooms(house, shop, ["E01", "E02"]);
  const { contractNo } = await signed(house, shop.clerk, aCompanyForm(shop, ids, { start: today }), today);
  const { page, errors } = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
  await page.goto(`${base}/contract/CompanyContractPage?keyword=${contractNo}`);
  const row = page.getByRole("row").filter({ hasText: contractNo });
  await row.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: "导入入住人" }).click();
  const dialog = page.getByRole("dialog", { name: `导入入住人 ${contractNo}` });
  const bring = async (room: string) => {
    const line = { 姓名: "李四海", 手机号: "13800000003", 证件号: card(105), 房间: room, 入住日: today };
    const buffer = await sheetBytes("入住人", [line]);
    await dialog.locator("input[type=file]").setInputFiles({ name: "入住人.xlsx", mimeType: "", buffer });
  };
  await bring("F09");
  await dialog.getByText("房间不在合同内").waitFor();
  await bring("E02");
  await dialog.getByRole("button", { name: "确认导入 1 行" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page
    .getByRole("row")
    .filter({ hasText: contractNo })
    .getByText(/^1 \/ \d+$/)
    .waitFor();
  expect(errors).toEqual([]);
});

test("the contract itself offers the same for its rooms", async () => {
  const shop = await aFirmShop(house, { village: "直营店" });
  const form = aCompanyForm(shop, await someRooms(house, shop, ["C01", "C02"]), { start: today });
  const { id } = await signed(house, shop.clerk, form, today);
  const { page, errors } = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
  await page.goto(`${base}/contract/CompanyContractPage?id=${id}&part=people`);
  await page.getByText(/共 2 间，已住/).waitFor();
  await page.getByRole("button", { name: "新增入住人" }).click();
  await page.getByRole("dialog", { name: "新增入住人" }).waitFor();
  expect(errors).toEqual([]);
});

test("on a phone the rooms and their people are read without moving sideways past the page", async () => {
  const { page, errors } = await open({ as: clerk, size: PHONE, theme: "dark" });
  await page.goto(`${base}/configuration/CompanyManagement?id=${companyId}&part=rooms`);
  await page.getByText(/共 2 间/).waitFor();
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect([wider, errors]).toEqual([false, []]);
});

test("on a tenant's contract somebody who lives with him is registered, and leaves", async () => {
  const shop = await aShop(house, { village: "同住店" });
  await db.updateTable("room").set({ capacity: 2 }).where("id", "=", shop.roomId).execute();
  const start = addDays(today, -10);
  const { id } = await signed(house, shop.clerk, aForm(shop, { start }), today);
  const { page, errors } = await open({ as: shop.clerk });
  await page.goto(`${base}/contract/RenterContractPage?id=${id}&part=people`);
  await page.getByRole("button", { name: "登记同住人" }).click();
  const form = page.getByRole("dialog", { name: "登记同住人" });
  await form.getByLabel("姓名").fill("韩雪");
  await form.getByLabel("手机号").fill("13800000007");
  await form.getByLabel("证件号").fill(card(901));
  await form.getByLabel("关系").fill("配偶");
  await form.getByRole("button", { name: "登记", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: "韩雪" });
  await row.getByText(today).waitFor();
  await row.getByRole("button", { name: "搬离" }).click();
  const leaving = page.getByRole("dialog", { name: "韩雪 搬离" });
  await leaving.getByRole("button", { name: "确认搬离" }).click();
  await row.getByText(`${today} ~ ${today}`).waitFor();
  expect(errors).toEqual([]);
});
