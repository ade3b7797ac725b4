import { describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRenter, aShop, LEASING, signed } from "../../contract/contract/contract.sample.ts";
import { findRecords } from "./search.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const shop = await aShop(house, { village: "滨江一店" });
const far = await aShop(house, { village: "雁塔二店" });
const READS = ["6.get", "16.get", "26.get"];
const clerk = await house.person({ permits: [...LEASING, ...READS], villages: [shop.villageId] });
const partyId = await aRenter(house, shop.villageId, { name: "苏瑾瑜", phone: "13906518827" });
const made = await signed(
  house,
  clerk,
  aForm({ ...shop, partyId }, { start: "2026-11-20", rent: 300_000 }),
  "2026-11-20",
);
await house.deliver();
const { rows: bills } = await house.database.pool.query<{ no: string }>(
  "select bill_no no from bill where party_id = $1 order by due_date, id",
  [partyId],
);

const found = async (keyword: string, as: Person = clerk) =>
  (await house.did(findRecords, { as }, { query: { keyword } })).map((f) => `${f.kind} ${f.title}`);
const room = "room 滨江一店·3栋·1单元·1203";
const renter = "renter 苏瑾瑜";
const contract = `renterContract ${made.contractNo}`;

describe("the search over everything finds", () => {
  test.each(["苏瑾瑜", "苏瑾", "瑾瑜", "sjy", "sj", "13906518827", "8827", "518827"])(
    "a tenant by %s, with the contract and what is owed",
    async (typed) => {
      const all = await found(typed);
      expect(all.slice(0, 2)).toEqual([renter, contract]);
      expect(all).toContain(`bill ${bills[0]!.no}`);
    },
  );

  test.each(["1203", "12", "滨江一店·3栋", "3栋 1203", "bjyd", "bj"])(
    "a room by %s, with the contract that stands on it",
    async (typed) => {
      expect(await found(typed)).toEqual([room, contract]);
    },
  );

  test("a contract and a bill by their numbers, with or without the letters", async () => {
    const billNo = bills.at(-1)!.no;
    for (const typed of [made.contractNo, made.contractNo.toLowerCase(), made.contractNo.slice(2)])
      expect(await found(typed)).toContain(contract);
    for (const typed of [billNo, billNo.toLowerCase(), billNo.slice(2)])
      expect(await found(typed)).toContain(`bill ${billNo}`);
  });

  test("nothing for what nobody is called, and takes signs as they are", async () => {
    for (const typed of ["没有这人", "100%", "__", "\\\\"]) expect(await found(typed)).toEqual([]);
    const short = await house.ask(findRecords, { as: clerk }, { query: { keyword: " 苏 " } });
    expect(short).toMatchObject({ status: 400, body: { fields: [{ field: "keyword" }] } });
  });

  test("no more than the person may read: neither kinds without their function, nor other stores", async () => {
    const of = (permits: string[], villages = [shop.villageId]) => house.person({ permits, villages });
    expect(await found("苏瑾瑜", await of(["16.get"]))).toEqual([renter]);
    expect(await found("苏瑾瑜", await of(["9.get"]))).toEqual([contract]);
    expect(await found("苏瑾瑜", await of(["26.get"]))).toContain(`bill ${bills[0]!.no}`);
    expect(await found("1203", await of(["6.get"]))).toEqual([room]);
    expect(await found("苏瑾瑜", await of([]))).toEqual([]);
    const elsewhere = await of([...READS, "9.get"], [far.villageId]);
    for (const typed of ["苏瑾瑜", "8827", "sjy", made.contractNo, bills[0]!.no, "滨江一店"])
      expect(await found(typed, elsewhere)).toEqual([]);
    expect(await found("1203", elsewhere)).toEqual(["room 雁塔二店·3栋·1单元·1203"]);
  });
});
