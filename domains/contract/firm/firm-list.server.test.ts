import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { listCompanies } from "../../customer/company/company.contract.ts";
import { countContracts } from "../contract/contract.contract.ts";
import { roomTimeline } from "../../listing/status/overview.contract.ts";
import { roomDetail } from "../../listing/room-detail/detail.contract.ts";
import { rooms as listRooms } from "../../listing/room-acts/room.contract.ts";
import {
  companyStatement,
  companyStatementPaper,
  contractBills,
  exportCompanyStatement,
  getContract,
} from "../contract/detail.contract.ts";
import { contractPaper } from "../paper/paper.contract.ts";
import { termsSections } from "../paper/versions.rules.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { signed } from "../contract/contract.sample.ts";
import {
  aColleague,
  aCompanyForm,
  aFirmShop,
  aMerchantForm,
  aShopRoom,
  someRooms,
} from "../contract/firm.sample.ts";
import { companyRooms } from "../occupant/occupant.contract.ts";
import { USUAL_RULE } from "../terms/terms.contract.ts";
import {
  companyContractRooms,
  exportCompanyContracts,
  exportMerchantContracts,
  listCompanyContracts,
  listMerchantContracts,
} from "./firm-list.contract.ts";

const house = await testHouse();
house.setClock("2026-11-01T10:00:00+08:00");
const shop = await aFirmShop(house);
const as = shop.clerk;
const rooms = await someRooms(house, shop, ["1301", "1302", "1303", "1401"]);
const three = await signed(house, as, aCompanyForm(shop, rooms.slice(0, 3)), "2026-11-01");
const perRoom = { billPerRoom: true, rooms: [{ roomId: rooms[3]!, monthlyRent: 300_000 }] };
const one = await signed(house, as, aCompanyForm(shop, rooms.slice(3), perRoom), "2026-11-01");
const { db } = house.database;

test("a company's contracts are listed with rooms, people, the bill of the month and sums over the filter", async () => {
  await db
    .insertInto("contractOccupant")
    .values(
      ["林晓", "何川"].map((name, i) => ({
        contractId: three.id,
        roomId: rooms[i]!,
        name,
        fromDate: "2026-11-01",
      })),
    )
    .execute();
  const { list, sums, total } = await house.did(listCompanyContracts, { as }, { query: {} });
  expect(total).toBe(2);
  expect(list[1]).toMatchObject({
    contractNo: three.contractNo,
    partyName: "云栖软件有限公司",
    contactName: "钱经理",
    rooms: 3,
    occupants: 2,
    currentRent: 840_000,
    currentBill: 840_000,
    currentBillStatus: "unpaid",
    billing: "false",
  });
  expect(list[1]!.occupancy).toBeCloseTo(2 / list[1]!.capacity);
  expect(list[0]).toMatchObject({ rooms: 1, billing: "true", currentRent: 300_000 });
  expect(sums).toMatchObject({ rooms: 4, occupants: 2, currentRent: 1_140_000 });
});

test("the rooms of a contract say who lives in each", async () => {
  const shown = await house.did(companyContractRooms, { as }, { params: { id: three.id } });
  expect(shown.map((r) => [r.roomId, r.monthlyRent, r.living, r.people])).toEqual([
    [rooms[0], 280_000, 1, "林晓"],
    [rooms[1], 280_000, 1, "何川"],
    [rooms[2], 280_000, 0, ""],
  ]);
  expect(shown[0]).toMatchObject({ from: "2026-11-01", to: "2027-10-31" });
  const stranger = await house.person({ permits: ["11.get"], villages: [] });
  const asked = { params: { id: three.id } };
  expect((await house.ask(companyContractRooms, { as: stranger }, asked)).status).toBe(404);
  const renters = await aColleague(house, shop, ["9.get"]);
  expect((await house.ask(companyContractRooms, { as: renters }, asked)).status).toBe(403);
});

test("what is logged of a company's contract leads to the page of companies' contracts", async () => {
  const params = { kind: "contract", recordId: three.id };
  const { list } = await house.did(recordHistory, { as }, { params, query: {} });
  expect(list.length).toBeGreaterThan(0);
  expect(new Set(list.map((line) => line.opens))).toEqual(new Set(["companyContract"]));
});

test("how many may live there is what the rooms say now, as whoever moves in is held to", async () => {
  await db.updateTable("room").set({ capacity: 2 }).where("id", "=", rooms[2]!).execute();
  const { list } = await house.did(listCompanyContracts, { as }, { query: {} });
  const shown = await house.did(companyContractRooms, { as }, { params: { id: three.id } });
  const grid = await house.did(companyRooms, { as }, { query: { companyId: shop.companyId } });
  const beds = (of: readonly { roomId: number; capacity: number }[]) =>
    Object.fromEntries(of.map((r) => [r.roomId, r.capacity]));
  const own = grid.filter((r) => r.contractId === three.id);
  expect(beds(shown)).toEqual(beds(own));
  expect(list[1]!.capacity).toBe(own.reduce((sum, r) => sum + r.capacity, 0));
});

test("the bill of the period leaves as a sheet, a line for each room and fee, its sums the bill's", async () => {
  const ask = { params: { id: three.id }, query: {} };
  const { list, sums, total } = await house.did(companyStatement, { as }, ask);
  const [bill] = (await house.did(contractBills, { as }, { params: { id: three.id } })).filter(
    (b) => b.periodStart === "2026-11-01" && b.title.includes("租金"),
  );
  expect(list.map((l) => [l.subject, l.amount]).filter(([subject]) => subject === "租金")).toEqual([
    ["租金", 280_000],
    ["租金", 280_000],
    ["租金", 280_000],
  ]);
  expect(list.map((l) => l.roomName)).toEqual(list.map((l) => l.roomName).toSorted());
  expect(list.every((l) => l.billNo === bill!.billNo)).toBe(true);
  expect(sums).toEqual({ amount: bill!.amount, settled: bill!.settled, outstanding: bill!.outstanding });
  const query = { columns: "roomName,amount" };
  const file = await house.ask(exportCompanyStatement, { as }, { ...ask, query } as never);
  expect((await rowsOf(file.raw)).length).toBeGreaterThan(total!);
  const paper = await house.ask(companyStatementPaper, { as }, { params: { id: three.id } });
  expect(textOfPdf(paper.raw).replaceAll(/\s/g, "")).toMatch(
    new RegExp(
      `本期账单明细.*云栖软件有限公司.*${three.contractNo}.*1301租金.*2,800\\.00.*合计${yuan(bill!.amount)}`,
    ),
  );
  const stranger = await house.person({ permits: ["11.get"], villages: [] });
  for (const call of [companyStatement, companyStatementPaper])
    expect((await house.ask(call as typeof companyStatement, { as: stranger }, ask)).status).toBe(404);
  expect(
    (await house.ask(companyStatement, { as: await aColleague(house, shop, ["9.get"]) }, ask)).status,
  ).toBe(403);
});

test("rooms, the way of billing, the firm's number and contact narrow the list", async () => {
  const found = async (query: object) =>
    (await house.did(listCompanyContracts, { as }, { query })).list.map((c) => c.contractNo);
  expect(await found({ roomsFrom: 2 })).toEqual([three.contractNo]);
  expect(await found({ roomsTo: 1 })).toEqual([one.contractNo]);
  expect(await found({ billPerRoom: "true" })).toEqual([one.contractNo]);
  expect(await found({ billPerRoom: "false" })).toEqual([three.contractNo]);
  const { list } = await house.did(listCompanies, { as }, { query: {} });
  expect(await found({ keyword: list[0]!.creditCode! })).toHaveLength(2);
  expect(await found({ keyword: list[0]!.creditCode!.slice(0, 10) })).toEqual([]);
  expect(await found({ keyword: "钱经理" })).toHaveLength(2);
  expect(await found({ keyword: "1401" })).toEqual([one.contractNo]);
  const counts = await house.did(countContracts, { as }, { query: { kind: "company", roomsFrom: 2 } });
  expect(counts).toMatchObject({ all: 1, living: 1 });
});

test("billed by room, each room has its own bill", async () => {
  const [a, b] = await someRooms(house, shop, ["1501", "1502"]);
  const { id } = await signed(house, as, aCompanyForm(shop, [a!, b!], { billPerRoom: true }), "2026-11-01");
  const bills = await house.did(contractBills, { as }, { params: { id } });
  const november = bills.filter((x) => x.periodStart === "2026-11-01" && x.title.includes("租金"));
  expect(november.map((x) => x.amount)).toEqual([280_000, 280_000]);
  expect(new Set(november.map((x) => x.lines[0]!.roomName)).size).toBe(2);
});

test("merchants' contracts show shop, trade, area and what a square metre costs a day", async () => {
  const done = await signed(
    house,
    as,
    aMerchantForm(shop, await aShopRoom(house, shop, "S01", "45.00"), { rent: 560_000 }),
    "2026-11-01",
  );
  const { list, sums } = await house.did(listMerchantContracts, { as }, { query: {} });
  expect(list).toMatchObject([
    {
      contractNo: done.contractNo,
      partyName: "晨光早餐店",
      category: "餐饮",
      area: 45,
      rentKind: "fixed",
    },
  ]);
  // 5,600.00 × 12 ÷ 365 ÷ 45
  expect(list[0]!.unitPrice).toBe(4.09);
  expect(sums).toMatchObject({ rooms: 1, area: 45, currentRent: 560_000 });
});

test("a shop that pays by its turnover is listed so, and exported in the same word", async () => {
  const rooms = [await aShopRoom(house, shop, "S02", "20.00"), await aShopRoom(house, shop, "S03", "20.00")];
  const kinds = ["turnover", "higherOf"] as const;
  const made = new Map<string, string>();
  for (const [i, rentKind] of kinds.entries()) {
    const form = aMerchantForm(shop, rooms[i]!, { turnover: { ...USUAL_RULE, rentKind } });
    made.set((await signed(house, as, form, "2026-11-01")).contractNo, rentKind);
  }
  const { list } = await house.did(listMerchantContracts, { as }, { query: {} });
  const shown = new Map<string, string>(list.map((c) => [c.contractNo, c.rentKind]));
  for (const [no, rentKind] of made) expect(shown.get(no)).toBe(rentKind);
  expect([...shown.values()].toSorted()).toEqual(["fixed", "higherOf", "turnover"]);
  const file = await house.ask(exportMerchantContracts, { as }, { query: { columns: "rentKind" } } as never);
  expect((await rowsOf(file.raw)).flat()).toEqual(
    expect.arrayContaining(["固定租金", "扣点", "保底与扣点取高"]),
  );
});

test("another store's contracts are not there, another page's code opens nothing", async () => {
  const stranger = await house.person({ permits: ["11.query", "11.export"], villages: [] });
  expect((await house.did(listCompanyContracts, { as: stranger }, { query: {} })).total).toBe(0);
  const renters = await aColleague(house, shop, ["9.query", "107.query"]);
  expect((await house.ask(listCompanyContracts, { as: renters }, { query: {} })).status).toBe(403);
  expect((await house.ask(createContract, { as: renters }, { body: {} as never })).status).toBe(403);
});

test("the export has the columns of the page", async () => {
  const columns = "contractNo,partyName,rooms,currentRent";
  const file = await house.ask(exportCompanyContracts, { as }, { query: { columns, roomsFrom: 3 } } as never);
  const rows = await rowsOf(file.raw);
  expect(rows.flat()).toContain("企业");
  expect(rows.find((row) => row[0] === three.contractNo)).toEqual([
    three.contractNo,
    "云栖软件有限公司",
    3,
    8400,
  ]);
});

test("the head of an export says in words of what kind the contracts are, and no column is a record's id", async () => {
  for (const [call, title] of [
    [exportCompanyContracts, "企业合同"],
    [exportMerchantContracts, "商户合同"],
  ] as const) {
    const [head, columns] = await rowsOf((await house.ask(call, { as }, { query: {} } as never)).raw);
    expect(head!.join()).toContain(`合同 ${title}`);
    expect(head!.join()).not.toMatch(/company|merchant/);
    expect(columns).not.toContain("账单编号");
  }
});

test("what a shop sold this year stands beside what its rule asks for it", async () => {
  const turnover = {
    ...USUAL_RULE,
    rentKind: "higherOf" as const,
    bands: [{ upTo: 10_000_000, rate: "8" }, { rate: "12" }],
  };
  const room = await aShopRoom(house, shop, "S04", "30.00");
  const form = aMerchantForm(shop, room, { turnover, rent: 1_000_000 });
  const { id } = await signed(house, as, form, "2026-11-01");
  const month = { contractId: id, villageId: shop.villageId, source: "declared" };
  const billed = { state: "billed", baseRent: 1_000_000, turnoverRent: 1_140_000, topUp: 140_000 };
  await db
    .insertInto("salesStatement")
    .values([
      { ...month, ...billed, monthNo: 1, fromDate: "2026-11-01", toDate: "2026-11-30", gross: 12_000_000 },
      { ...month, state: "submitted", monthNo: 2, fromDate: "2026-12-01", toDate: "2026-12-31", gross: 1 },
    ])
    .execute();
  const { list } = await house.did(listMerchantContracts, { as }, { query: {} });
  expect(list.find((c) => c.id === id)).toMatchObject({
    base: 1_000_000,
    rates: "8%/12% 超额累进",
    turnover: 12_000_000,
    share: 1_140_000,
    rentRatio: 0.095,
  });
  const fixed = list.find((c) => c.rentKind === "fixed")!;
  expect(fixed).toMatchObject({ rates: "", turnover: null, rentRatio: null, base: fixed.currentRent });
});

test("whatever names the contract of a room says of which kind it is, so that it opens on its own page", async () => {
  const keeper = await aColleague(house, shop, ["3.get", "6.query", "11.get"]);
  const bars = await house.did(roomTimeline, { as: keeper }, { params: { id: rooms[0]! }, query: {} });
  expect(bars.map((b) => b.contractKind)).toEqual(["company"]);
  const { list } = await house.did(listRooms, { as: keeper }, { query: { pageSize: 200 } });
  expect(list.find((r) => r.id === rooms[0])).toMatchObject({
    contractId: three.id,
    contractKind: "company",
  });
  expect(list.filter((r) => r.contractId === null && r.contractKind !== null)).toEqual([]);
  await signed(house, as, aCompanyForm(shop, rooms.slice(3), { start: "2027-11-01" }), "2026-11-01");
  const seen = await house.did(roomDetail, { as: keeper }, { params: { roomId: rooms[3]! }, query: {} });
  expect(seen.next).toMatchObject({ from: "2027-11-01", contractKind: "company" });
});

test("the day a shop opens is agreed in the form, printed, shown in the terms and listed", async () => {
  const roomId = await aShopRoom(house, shop, "S09", "18.00");
  const form = aMerchantForm(shop, roomId, { openOn: "2026-12-20" });
  const late = await house.did(createContract, { as }, { body: { ...form, openOn: "2027-11-01" } });
  const body = { id: late.id };
  expect((await house.ask(previewContract, { as }, { body })).body.fields).toEqual([
    { field: "openOn", msg: "开业日不能晚于结束日期" },
  ]);
  const { id } = await signed(house, as, form, "2026-11-01");
  const { list } = await house.did(listMerchantContracts, { as }, { query: {} });
  expect(list.find((c) => c.id === id)!.openOn).toBe("2026-12-20");
  expect(list.find((c) => c.id !== id && c.phase !== "draft")!.openOn).toBeNull();
  const detail = await house.did(getContract, { as }, { params: { id } });
  expect(termsSections(detail)).toContainEqual({ title: "开业日", items: ["2026-12-20"] });
  const { raw } = await house.ask(contractPaper, { as }, { params: { id } });
  expect(textOfPdf(raw).replaceAll(/\s/g, "")).toContain("铺位的开业日为2026-12-20。");
  const file = await house.ask(exportMerchantContracts, { as }, { query: { columns: "openOn" } } as never);
  expect((await rowsOf(file.raw)).flat()).toContain("开业日");
});

test("a fee of a shop by its area: the server works the amount out, bills it, and says it in the paper", async () => {
  const roomId = await aShopRoom(house, shop, "S10", "18.50");
  const { id: feeId } = await db
    .selectFrom("feeSubject")
    .select("id")
    .where("enterpriseId", "=", house.enterpriseId)
    .where("code", "=", "property")
    .executeTakeFirstOrThrow();
  const form = (amount: number) =>
    aMerchantForm(shop, roomId, {
      fees: [{ feeId, name: "", kind: "recurring", prorate: true, unitPrice: "2.5555", amount }],
    });
  const wrong = await house.did(createContract, { as }, { body: form(4727) });
  expect((await house.ask(previewContract, { as }, { body: { id: wrong.id } })).body.fields).toEqual([
    { field: "fees.0.amount", msg: "金额应为 2.5555 元/㎡·月 × 18.50 ㎡ = 47.28" },
  ]);
  const { id } = await signed(house, as, form(4728), "2026-11-01");
  const { raw } = await house.ask(contractPaper, { as }, { params: { id } });
  expect(textOfPdf(raw).replaceAll(/\s/g, "")).toContain("每月47.28元（铺位面积每平方米每月2.5555元）");
  const { rows } = await house.database.pool.query(
    `select distinct l.amount::int from bill_line l join bill b on b.id = l.bill_id
     where b.contract_id = $1 and l.fee_subject_id = $2 order by 1 desc limit 1`,
    [id, feeId],
  );
  expect(rows).toEqual([{ amount: 4728 }]);
});

test("a shop that is let by area is listed at the price that was agreed, not at what its rent comes to", async () => {
  const roomId = await aShopRoom(house, shop, "S99", "33.30");
  const byArea = {
    pricing: "areaDay",
    basis: "area",
    rooms: [{ roomId, monthlyRent: 0, unitPrice: "6.125" }],
  };
  const { contractNo } = await signed(house, as, aMerchantForm(shop, roomId, byArea as object), "2026-11-01");
  const { list } = await house.did(listMerchantContracts, { as }, { query: { keyword: contractNo } });
  expect(list.map((c) => c.unitPrice)).toEqual([6.125]);
});
