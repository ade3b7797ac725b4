import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { exportCompanies, listCompanies } from "../company/company.contract.ts";
import { exportMerchants, listMerchants, merchantStrip } from "../merchant/merchant.contract.ts";
import { aCompany, aFirmContract, aMerchant, twoFirmStores } from "./firm.sample.ts";

const house = await testHouse();
const { db } = house.database;
let a: number, clerk: Person;

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, clerk } = await twoFirmStores(house));
});

test("both lists sort by every column that says so, filter, and leave the house as they are shown", async () => {
  const owner = await house.person({ permits: ["113.edit"], villages: [a], name: "顾言" });
  const one = await aCompany(house, clerk, a, { name: "排序甲", industry: "互联网", tags: ["大客户"] });
  const two = await aCompany(house, clerk, a, { name: "排序乙", ownerId: owner.operatorId });
  for (const [partyId, rent, end] of [
    [one, 280_000, "2027-08-31"],
    [two, 380_000, "2027-03-31"],
  ] as const)
    await aFirmContract(house, { villageId: a, partyId, kind: "company", rooms: 1, rent, end });
  const names = async (query: object) =>
    (await house.did(listCompanies, { as: clerk }, { query: { keyword: "排序", ...query } })).list.map(
      (c) => c.name,
    );
  expect(await names({ sort: "monthlyRent" })).toEqual(["排序乙", "排序甲"]);
  // a step of the rent is what the list says from its day on
  await db.updateTable("contract").set({ currentRent: 390_000 }).where("partyId", "=", two).execute();
  expect(await names({ sort: "endDate" })).toEqual(["排序乙", "排序甲"]);
  expect(await names({ sort: "arrears" })).toEqual(["排序乙", "排序甲"]);
  expect(await names({ sort: "name", order: "asc" })).toEqual(["排序甲", "排序乙"]);
  expect(await names({ industry: "互联网" })).toEqual(["排序甲"]);
  expect(await names({ ownerId: owner.operatorId })).toEqual(["排序乙"]);
  expect(await names({ tags: "大客户", stage: "living", arrears: "no" })).toEqual(["排序甲"]);
  expect(await names({ stage: "prospect,former" })).toEqual([]);

  const columns = "name,creditCode,phone,monthlyRent,arrears";
  const query = { keyword: "排序", sort: "monthlyRent", columns, usage: "季度回访" };
  const file = await house.ask(exportCompanies, { as: clerk }, { query } as never);
  const rows = await rowsOf(file.raw);
  expect(rows.slice(2).map((row) => [row[0], row[3]])).toEqual([
    ["排序乙", 3900],
    ["排序甲", 2800],
    ["合计", 6700],
  ]);
  expect(rows[2]![2]).toBe("137****0001");
  expect((await house.ask(exportCompanies, { as: clerk }, { query: { columns } } as never)).status).toBe(400);

  const shop = await aMerchant(house, clerk, a, { name: "面积小店", category: "仓储", brand: "面积" });
  const { roomIds } = await aFirmContract(house, {
    villageId: a,
    partyId: shop,
    kind: "merchant",
    rooms: 2,
    rent: 560_000,
  });
  await db.updateTable("room").set({ area: "40.5" }).where("id", "in", roomIds).execute();
  const found = await house.did(listMerchants, { as: clerk }, { query: { category: "仓储" } });
  expect(found.list).toMatchObject([{ area: 81, monthlyRent: 1_120_000, roomNames: expect.any(String) }]);
  expect(found.sums).toEqual({ area: 81, turnover: 0, arrears: 0 });
  const strip = await house.did(merchantStrip, { as: clerk }, { query: {} });
  expect(strip.find((s) => s.category === "仓储")).toEqual({ category: "仓储", area: 81, count: 1 });
  const sheet = await house.ask(exportMerchants, { as: clerk }, {
    query: { category: "仓储", usage: "季度回访" },
  } as never);
  expect((await rowsOf(sheet.raw)).flat()).toContain("面积小店");
});
