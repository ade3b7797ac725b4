import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { companyCalls, getCompany, listCompanies } from "../../customer/company/company.contract.ts";
import { getMerchant, listMerchants, merchantCalls } from "../../customer/merchant/merchant.contract.ts";
import { getStatement } from "../../customer/statement/statement.contract.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { owingReport } from "../../report/owing/owing.contract.ts";
import { contractBills } from "../contract/detail.contract.ts";
import { signed } from "../contract/contract.sample.ts";
import { aCompanyForm, aFirmShop, aMerchantForm, aShopRoom, someRooms } from "../contract/firm.sample.ts";
import { listCompanyContracts } from "./firm-list.contract.ts";

const house = await testHouse();
house.setClock("2026-11-01T09:15:00+08:00");
const shop = await aFirmShop(house, { permits: ["113.get", "106.get", "114.query"] });
const as = shop.clerk;
const { villageId, companyId } = shop;
const november = { from: "2026-11-01", to: "2026-11-30" };

test("three signed rooms at 2,800.00, 8,000.00 received: 400.00 owed in statement, list and owing report", async () => {
  const rooms = await someRooms(house, shop, ["1301", "1302", "1303"]);
  const noDeposit = { deposit: { mode: "months", months: "0" } } as const;
  const { id, contractNo } = await signed(house, as, aCompanyForm(shop, rooms, noDeposit), "2026-11-01");
  const bills = await house.did(contractBills, { as }, { params: { id } });
  const store = { villageId, roomId: rooms[0]! };
  const accounts = await someAccounts(house, store);
  house.setClock("2026-11-20T09:15:00+08:00");
  await take(house, store, accounts, companyId, {
    amount: 800_000,
    channel: "pos",
    paidAt: "2026-11-03T10:00:00+08:00",
    bills: [bills[0]!.id],
  });

  const statement = await house.did(getStatement, { as }, { params: { id: companyId }, query: november });
  expect(statement.sums).toEqual({
    opening: 0,
    billed: 840_000,
    collected: 800_000,
    credited: 0,
    closing: 40_000,
  });
  const { list } = await house.did(listCompanies, { as }, { query: {} });
  expect(list[0]).toMatchObject({ rooms: 3, monthlyRent: 840_000, arrears: 40_000, endDate: "2027-10-31" });
  const owing = await house.did(owingReport, { as }, { query: { partyId: companyId } });
  expect(owing.sums?.owed).toBe(40_000);
  const contracts = await house.did(listCompanyContracts, { as }, { query: { owing: "true" } });
  expect(contracts.list).toMatchObject([{ contractNo, overdue: 40_000, currentBill: 840_000 }]);

  const company = await house.did(getCompany, { as }, { params: { id: companyId } });
  const summary = await house.did(companyCalls.summary, { as }, { params: { id: companyId } });
  expect(summary.contracts).toMatchObject([{ contractNo, rooms: 3 }]);
  const gone = await house.ask(
    companyCalls.remove,
    { as },
    { params: { id: companyId }, query: { version: company.version } },
  );
  expect(gone.status).toBe(409);
  expect(gone.body.message).toContain(contractNo);
});

test("a merchant's list and record read the signed lease; deleting is refused with its number", async () => {
  house.setClock("2026-11-01T09:15:00+08:00");
  const roomId = await aShopRoom(house, shop, "S01", "45.00");
  const { contractNo } = await signed(house, as, aMerchantForm(shop, roomId), "2026-11-01");
  const { list } = await house.did(listMerchants, { as }, { query: {} });
  expect(list[0]).toMatchObject({ area: 45, endDate: "2027-10-31", rentKind: "固定租金" });
  expect(list[0]!.roomNames).toContain("S01");
  const merchant = await house.did(getMerchant, { as }, { params: { id: shop.merchantId } });
  const gone = await house.ask(
    merchantCalls.remove,
    { as },
    { params: { id: shop.merchantId }, query: { version: merchant.version } },
  );
  expect(gone.status).toBe(409);
  expect(gone.body.message).toContain(contractNo);
});
