import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import {
  contractOptions,
  countContracts,
  expiryChart,
  exportContracts,
  listContracts,
} from "./contract.contract.ts";
import { checkDocument, contractPaper, documentFile } from "../paper/paper.contract.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { aForm, aRenter, aRoom, aShop, LEASING, signed, submitted } from "./contract.sample.ts";
import {
  contractBills,
  contractDocuments,
  contractFlows,
  contractLog,
  contractMoneyCall,
  contractOccupants,
  getContract,
} from "./detail.contract.ts";
import { createContract, readForm } from "../drafting/draft.contract.ts";
import { listOperators } from "../../access/operator/operator.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const a = await aShop(house);
const b = await aShop(house);
const both = await house.person({ permits: LEASING, villages: [a.villageId, b.villageId] });
const li = await aRenter(house, a.villageId, { name: "李思琪", phone: "13600001234" });

const room = (shop: typeof a, name: string) => aRoom(house, shop.building, name);
const mine = await signed(house, a.clerk, aForm({ ...a, partyId: li }), "2026-03-12");
const theirs = await signed(house, b.clerk, aForm(b, { rent: 320_000 }), "2026-03-12");
const held = await submitted(
  house,
  a.clerk,
  aForm({ ...a, roomId: await room(a, "L2") }, { start: "2026-04-01" }),
);
const short = await signed(
  house,
  a.clerk,
  aForm({ ...a, roomId: await room(a, "L3") }, { start: "2026-03-01", months: 1 }),
  "2026-03-12",
);
const draft = await house.did(
  createContract,
  { as: a.clerk },
  { body: aForm({ ...a, roomId: await room(a, "L4") }) },
);

describe("the list", () => {
  test("shows what the operator's villages have, newest first, with sums over the whole filter", async () => {
    const { list, total, sums } = await house.did(listContracts, { as: a.clerk }, { query: {} });
    expect(list.map((c) => c.id)).toEqual([draft.id, short.id, held.id, mine.id]);
    expect(total).toBe(4);
    expect(sums).toMatchObject({ rooms: 4, currentRent: 1_400_000, depositHeld: 0, overdue: 0 });
    const whole = await house.did(listContracts, { as: both }, { query: { pageSize: 1 } });
    expect(whole).toMatchObject({ total: 5, sums: { rooms: 5, currentRent: 1_720_000 } });
    expect(whole.list).toHaveLength(1);
    // page by page, those of several stores among each other; in each tab as many as it counts
    const ids: number[] = [];
    for (let pageNo = 1; pageNo <= 3; pageNo++) {
      const page = await house.did(listContracts, { as: both }, { query: { pageNo, pageSize: 2 } });
      ids.push(...page.list.map((c) => c.id));
    }
    expect(ids).toEqual([draft.id, short.id, held.id, theirs.id, mine.id]);
    const counts = await house.did(countContracts, { as: both }, { query: {} });
    for (const [tab, count] of Object.entries(counts)) {
      const { list: some } = await house.did(
        listContracts,
        { as: both },
        { query: { tab: tab as keyof typeof counts } },
      );
      expect([tab, some.length]).toEqual([tab, count]);
      expect(some.map((c) => c.id)).toEqual(some.map((c) => c.id).toSorted((x, y) => y - x));
    }
  });

  test("says of a signed contract what is due next, and who, where and how", async () => {
    const { list } = await house.did(listContracts, { as: a.clerk }, { query: { tab: "toStart" } });
    expect(list).toMatchObject([
      {
        contractNo: mine.contractNo,
        partyName: "李思琪",
        partyPhone: "136****1234",
        payText: "押一付三",
        currentRent: 350_000,
        depositAmount: 350_000,
        nextDueOn: "2026-03-12",
        // deposit and first rent, all that is due on that day
        nextDueFen: 1_400_000,
        phase: "toStart",
        daysLeft: 367,
        facts: { received: 0, firstOpen: 1_400_000, depositOpen: 350_000, moveInRule: "firstPaid" },
      },
    ]);
    house.setClock("2026-03-16T10:00:00+08:00");
    const later = await house.did(
      listContracts,
      { as: a.clerk },
      { query: { flag: "owing", sort: "overdue" } },
    );
    expect(later.list.map((c) => [c.id, c.overdue, c.flags])).toEqual([
      [mine.id, 1_400_000, ["toMoveIn", "owing"]],
      [short.id, 700_000, ["toMoveIn", "owing"]],
    ]);
    expect(later.sums?.overdue).toBe(2_100_000);
    house.setClock("2026-03-12T10:00:00+08:00");
  });

  test("counts its tabs over the same filter, and finds by number, name, room and the end of a phone", async () => {
    const counts = await house.did(countContracts, { as: a.clerk }, { query: {} });
    expect(counts).toMatchObject({
      all: 4,
      draft: 1,
      signing: 1,
      toStart: 1,
      living: 1,
      ending: 1,
      expired: 0,
      voided: 0,
    });
    const found = async (keyword: string) =>
      (await house.did(listContracts, { as: a.clerk }, { query: { keyword } })).list.map((c) => c.id);
    for (const part of ["李思琪", "李思", "思琪", "李", "琪"]) expect(await found(part)).toEqual([mine.id]);
    expect(await found("琪思")).toEqual([]);
    expect(await found("1234")).toEqual([mine.id]);
    expect(await found("13600001234")).toEqual([mine.id]);
    expect(await found(held.contractNo.toLowerCase())).toEqual([held.id]);
    expect(await found("L3")).toEqual([short.id]);
    expect(await found("%")).toEqual([]);
    const building = { buildingId: a.building.buildingId, endTo: "2026-04-30" };
    expect(
      (await house.did(listContracts, { as: a.clerk }, { query: building })).list.map((c) => c.id),
    ).toEqual([short.id]);
  });

  test("leaves the house as shown: the filter, the chosen columns, the sums, nobody else's rows", async () => {
    const query = { tab: "toStart", columns: "contractNo,partyName,currentRent,phase" };
    const answer = await house.app.inject({
      method: "GET",
      url: exportContracts.path,
      headers: { authorization: a.clerk.token },
      query,
    });
    expect(answer.statusCode).toBe(200);
    const [, head, ...rows] = await rowsOf(answer.rawPayload);
    expect(head).toEqual(["合同号", "租客", "月租金", "状态"]);
    expect(rows[0]).toEqual([mine.contractNo, "李思琪", 3500, "待生效"]);
    expect(rows[1]).toContain(3500);
    expect(rows).toHaveLength(2);
  });

  test("its head calls a building and a person by name", async () => {
    const signer = a.clerk.operatorId;
    const { list } = await house.did(listOperators, { as: a.clerk }, { query: { ids: String(signer) } });
    const { rawPayload } = await house.app.inject({
      method: "GET",
      url: exportContracts.path,
      headers: { authorization: a.clerk.token },
      query: { buildingId: String(a.building.buildingId), signerId: String(signer), owing: "false" },
    });
    const [said] = String((await rowsOf(rawPayload))[0]![0]).split("　　");
    expect(said!.slice(said!.indexOf("楼栋"))).toBe(
      `楼栋 3栋；签约人 ${list[0]!.realName}；是否欠费 否；分类 全部`,
    );
    expect(said).toContain("合同 租客合同");
  });

  test("draws what ends in the next twelve months and what was signed in the last", async () => {
    const { ending, trend } = await house.did(expiryChart, { as: a.clerk }, { query: {} });
    expect(ending).toHaveLength(12);
    expect(ending.slice(0, 2)).toEqual([
      { month: "2026-03", count: 1, rent: 350_000 },
      { month: "2026-04", count: 0, rent: 0 },
    ]);
    expect(trend.at(-1)).toEqual({ month: "2026-03", signed: 2, left: 0 });
  });

  test("offers contracts to pickers", async () => {
    const options = await house.did(contractOptions, { as: both }, { query: { keyword: "李思琪" } });
    expect(options).toMatchObject([{ id: mine.id, contractNo: mine.contractNo, phase: "toStart" }]);
    const { rows } = await house.database.pool.query(
      "select p.phone from party p join contract c on c.party_id = p.id where c.id = $1",
      [mine.id],
    );
    // who moves tenants finds their contracts without the page of contracts, also by their phone
    const mover = await house.person({ permits: ["96.query"], villages: [a.villageId] });
    for (const keyword of [mine.contractNo, rows[0].phone, rows[0].phone.slice(-4)]) {
      const found = await house.did(contractOptions, { as: mover }, { query: { keyword } });
      expect(found.map((c) => c.id)).toContain(mine.id);
    }
  });
});

describe("one contract", () => {
  test("every figure on its head is the sum of the rows behind it", async () => {
    const as = a.clerk;
    const params = { id: mine.id };
    const head = await house.did(getContract, { as }, { params });
    const bills = await house.did(contractBills, { as }, { params });
    const sum = (pick: (bill: (typeof bills)[number]) => number) =>
      bills.reduce((s, bill) => s + pick(bill), 0);
    expect(head.money.total).toBe(sum((x) => x.amount));
    expect(head.money.total).toBe(4_550_000);
    expect(head.money.billed).toBe(sum((x) => (x.issued ? x.amount : 0)));
    expect(head.money.billed).toBe(head.money.received + head.money.owed + head.money.writtenOff);
    expect(head.money.planned).toBe(sum((x) => (x.issued ? 0 : x.outstanding)));
    expect(head.money.depositBilled).toBe(350_000);
    expect(head.counts).toEqual({ bills: bills.length, occupants: 1, documents: 1 });
    for (const bill of bills) expect(bill.amount).toBe(bill.lines.reduce((s, l) => s + l.amount, 0));
    expect(bills[1]!.lines[0]).toMatchObject({ subject: "租金", how: "3,500.00 × 3 个月 = 10,500.00" });
    expect(await house.did(contractMoneyCall, { as }, { params })).toEqual(head.money);
    expect(await house.did(contractFlows, { as }, { params })).toEqual([]);
    expect(await house.did(contractOccupants, { as }, { params })).toMatchObject([
      { name: "李思琪", signer: true, phone: "136****1234" },
    ]);
    const log = await house.did(contractLog, { as }, { params });
    expect(log.map((l) => l.action)).toEqual(["签署", "提交签约", "新建草稿"]);
    expect(log[0]!.summary).toContain("签约应收 14,000.00 元");
  });

  test("of another village is not there, for it and for every sub-read", async () => {
    const params = { id: theirs.id };
    const [document] = await house.did(contractDocuments, { as: b.clerk }, { params });
    const withDocument = { ...params, documentId: document!.id };
    for (const call of [
      getContract,
      contractMoneyCall,
      contractBills,
      contractFlows,
      contractOccupants,
      contractDocuments,
      contractLog,
      contractPaper,
      readForm,
    ]) {
      const { status, body } = await house.ask(call, { as: a.clerk }, { params });
      expect([call.path, status, body.message]).toEqual([call.path, 404, "记录不存在"]);
    }
    for (const call of [documentFile, checkDocument]) {
      expect((await house.ask(call, { as: a.clerk }, { params: withDocument })).status).toBe(404);
      // nor does a document of another contract hang on one's own
      const crossed = { params: { id: mine.id, documentId: document!.id } };
      expect((await house.ask(call, { as: a.clerk }, crossed)).status).toBe(404);
    }
    const elsewhere = await house.ask(
      listContracts,
      { as: a.clerk },
      { query: { villageIds: String(b.villageId) } },
    );
    expect(elsewhere.status).toBe(404);
    expect(await house.did(contractOptions, { as: a.clerk }, { query: { ids: String(theirs.id) } })).toEqual(
      [],
    );
  });
});

test("example E3 with its first bills paid: the second quarter is due next, and the deposit is held", async () => {
  const accounts = await someAccounts(house, a);
  const bills = await house.did(contractBills, { as: a.clerk }, { params: { id: mine.id } });
  const first = bills.filter((bill) => bill.dueDate === "2026-03-12");
  expect(first.map((bill) => bill.amount).toSorted((x, y) => x - y)).toEqual([350_000, 1_050_000]);
  await take(house, a, accounts, li, {
    amount: 1_400_000,
    paidAt: "2026-03-12T09:30:00+08:00",
    bills: first.map((bill) => bill.id),
  });
  const { list } = await house.did(listContracts, { as: a.clerk }, { query: { keyword: mine.contractNo } });
  expect(list).toMatchObject([
    {
      nextDueOn: "2026-06-08",
      nextDueFen: 1_050_000,
      depositHeld: 350_000,
      depositAmount: 350_000,
      overdue: 0,
    },
  ]);
});
