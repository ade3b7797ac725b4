import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { allAccounts } from "../account/account.contract.ts";
import { aBill, aContract, aLine, aParty } from "../bill/bill.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { aCounter } from "./flow.sample.ts";
import { countFlows, exportFlows, getFlow, listFlows, costFlow, payables, payFlow } from "./flow.contract.ts";
import { openOfParty, payers } from "../payer/payer.contract.ts";
import { incomeFlow } from "./receive.contract.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
const at = await aCounter(house);
const { store, accounts, cashier, stranger, partyId, receipt } = at;
const cash = { channel: "cash" as const, merchantAccountId: accounts.cash };
const period = { periodStart: "2026-03-01", periodEnd: "2026-03-31" };
const list = (query: object, as = cashier) => house.did(listFlows, { as }, { query });

describe("what is not rent", () => {
  test("income makes its bill, puts it on the ledger and is paid, all at once", async () => {
    const made = await house.did(
      incomeFlow,
      { as: cashier },
      {
        body: {
          villageId: store.villageId,
          feeSubjectId: await at.subject("other"),
          ...period,
          amount: 10_600,
          ...cash,
          payerName: "路过访客",
        },
      },
    );
    const bill = await house.did(getBill, { as: cashier }, { params: { id: made.billId } });
    expect(bill).toMatchObject({ status: "paid", partyName: "路过访客", partyKind: "thirdParty" });
    expect(bill.lines[0]!.tax).toBe(600);
    expect(bill.entries.map((e) => e.event)).toEqual(["E01", "E08"]);
  });

  test("a cost is owed first and paid out of an account that holds enough", async () => {
    await at.taken(await receipt([], 60_000));
    const cost = {
      villageId: store.villageId,
      payeeName: "洁净保洁公司",
      feeSubjectId: await at.subject("cleaningCost"),
      ...period,
      amount: 60_000,
      paid: false,
    };
    const bare = await at.refused(costFlow, cashier, { body: cost });
    expect(bare).toEqual({ status: 400, dueDate: "请选择应付日" });
    const wrong = { ...cost, dueDate: "2026-04-10", feeSubjectId: await at.subject("rent") };
    expect(await at.refused(costFlow, cashier, { body: wrong })).toEqual({
      status: 400,
      feeSubjectId: "请选择成本科目",
    });
    const fileIds = [await at.paper()];
    const body = { ...cost, dueDate: "2026-04-10", fileIds };
    const later = await house.did(costFlow, { as: cashier }, { body });
    expect(later.id).toBeNull();
    const paper = await house.database.db
      .selectFrom("storedFile")
      .select(["targetKind", "targetId"])
      .where("id", "=", fileIds[0]!)
      .executeTakeFirstOrThrow();
    expect(paper).toEqual({ targetKind: "bill", targetId: later.billId });
    expect(await house.did(payables, { as: cashier }, { query: { keyword: "保洁" } })).toMatchObject([
      { id: later.billId, payeeName: "洁净保洁公司", outstanding: 60_000 },
    ]);
    expect(await house.did(payables, { as: stranger }, { query: {} })).toEqual([]);
    const pay = async (amount: number) => ({
      body: { billId: later.billId, amount, ...cash, fileIds: [await at.paper()] },
    });
    expect(await at.refused(payFlow, cashier, await pay(60_001))).toEqual({
      status: 400,
      amount: "付款金额超过未付金额",
    });
    expect((await at.refused(payFlow, stranger, await pay(1))).status).toBe(404);
    const paid = await house.did(payFlow, { as: cashier }, await pay(60_000));
    expect(await house.did(getFlow, { as: cashier }, { params: { id: paid.id } })).toMatchObject({
      direction: "out",
      amount: 60_000,
      allocated: 60_000,
    });
    const now = { ...cost, paid: true, ...cash, amount: 90_000_000 };
    expect(await at.refused(costFlow, cashier, { body: now })).toEqual({
      status: 400,
      fileIds: "请上传凭证",
    });
    expect(await at.refused(costFlow, cashier, { body: { ...now, fileIds: [await at.paper()] } })).toEqual({
      status: 409,
      message: "现金余额不足",
    });
  });
});

describe("the list of flows", () => {
  test("shows the scope's, newest first, with what came in, went out and is left", async () => {
    const all = await list({});
    expect(all.total).toBe(3);
    const times = all.list.map((f) => f.paidAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(all.sums).toEqual({ amountIn: 70_600, amountOut: 60_000, fee: 0, unallocated: 60_000 });
    expect((await list({ direction: "out" })).sums).toMatchObject({ amountIn: 0, amountOut: 60_000 });
    expect((await list({ sort: "amount", order: "asc" })).list.map((f) => f.amount)).toEqual([
      10_600, 60_000, 60_000,
    ]);
    expect((await list({}, stranger)).total).toBe(0);
    const rows = await list({ want: "rows", pageSize: 1, pageNo: 2 });
    expect([rows.list.length, rows.total, rows.sums]).toEqual([1, null, null]);
    expect(await list({ want: "totals" })).toMatchObject({ list: [], total: 3 });
  });

  test("is filtered by words, days, amounts, account, party, contract and tab", async () => {
    const contractId = await aContract(house, store, partyId);
    const lines = [aLine("rent", 30_000)];
    const bill = await aBill(house, store, partyId, { contractId, dueDate: "2026-03-20", lines });
    const paidAt = "2026-02-28T23:30:00+08:00";
    const made = await at.taken(await receipt([bill], 40_000, { paidAt, remark: "二月底补交的房租" }));
    const [found] = (await list({ keyword: made.flowNo })).list;
    expect(found).toMatchObject({
      flowNo: made.flowNo,
      amountIn: 40_000,
      amountOut: null,
      unallocated: 10_000,
    });
    const only = async (query: object) => (await list(query)).list.map((f) => f.flowNo);
    expect(await only({ contractId })).toEqual([made.flowNo]);
    expect(await only({ paidFrom: "2026-02-28", paidTo: "2026-02-28" })).toEqual([made.flowNo]);
    expect(await only({ amountFrom: 40_000, amountTo: 40_000 })).toEqual([made.flowNo]);
    expect(await only({ keyword: "二月底" })).toEqual([made.flowNo]);
    expect((await only({ keyword: "路过访客" })).length).toBe(1);
    expect((await only({ keyword: "张三" })).length).toBe(2);
    expect((await only({ partyId })).length).toBe(2);
    expect((await only({ accountIds: String(accounts.wechat) })).length).toBe(0);
    expect((await only({ tab: "rest" })).length).toBe(2);
    expect(await only({ tab: "reversed" })).toEqual([]);
    expect(await house.did(countFlows, { as: cashier }, { query: {} })).toEqual({ pending: 0, rest: 2 });
    expect(await house.did(countFlows, { as: stranger }, { query: {} })).toEqual({ pending: 0, rest: 0 });
  });

  test("leaves the house as a workbook with the columns and sums on screen", async () => {
    const answer = await house.app.inject({
      method: "GET",
      url: exportFlows.path,
      headers: { authorization: cashier.token },
      query: { columns: "flowNo,channel,amountIn,amountOut,state", direction: "in", keyword: "张三" },
    });
    expect(answer.statusCode).toBe(200);
    const [, head, ...rows] = await rowsOf(answer.rawPayload);
    expect(head).toEqual(["流水号", "渠道", "收入", "支出", "状态"]);
    expect(rows).toHaveLength(3);
    expect(rows[0]!.filter(Boolean)).toEqual([expect.stringMatching(/^LS/), "现金", 600, "已确认"]);
    expect(rows.at(-1)).toContain(1000);
  });

  test("its file is called by the days that are chosen", async () => {
    const named = async (query: Record<string, string>) => {
      const { headers } = await house.app.inject({
        method: "GET",
        url: exportFlows.path,
        headers: { authorization: cashier.token },
        query: { columns: "flowNo", ...query },
      });
      return decodeURIComponent(String(headers["content-disposition"])).split("''")[1];
    };
    expect(await named({ paidFrom: "2026-03-01", paidTo: "2026-03-31" })).toBe(
      "收支流水_2026-03-01_2026-03-31.xlsx",
    );
    expect(await named({ paidFrom: "2026-03-26", paidTo: "2026-03-26" })).toBe("收支流水_2026-03-26.xlsx");
    expect(await named({ paidTo: "2026-03-31" })).toBe("收支流水_至2026-03-31.xlsx");
    expect(await named({})).toMatch(/^收支流水_\d{8}_\d{6}\.xlsx$/);
  });
});

describe("the counter finds", () => {
  test("a customer by name, phone and room, and the party of a bill; nobody of another store", async () => {
    const id = await aParty(house, "欧阳修远", { phone: "13912349876", villageId: store.villageId });
    const bill = await aBill(house, store, id, { dueDate: "2026-03-01", lines: [aLine("rent", 100_000)] });
    const found = async (query: object, as = cashier) => house.did(payers, { as }, { query });
    const [one] = await found({ keyword: "欧阳" });
    expect(one).toMatchObject({ id, kind: "renter", phone: "139****9876", owed: 100_000 });
    expect(one!.rooms).not.toBe("");
    const ids = async (query: object) => (await found(query)).map((p) => p.id);
    expect(await ids({ keyword: "9876" })).toEqual([id]);
    expect(await ids({ keyword: one!.rooms })).toContain(id);
    expect(await ids({ billId: bill })).toEqual([id]);
    expect(await ids({ ids: String(id) })).toEqual([id]);
    expect(await ids({ keyword: "欧阳", kinds: "company" })).toEqual([]);
    expect(await found({ keyword: "欧阳" }, stranger)).toEqual([]);
    expect(await found({ billId: bill }, stranger)).toEqual([]);
  });

  test("what a customer owes on a day, store by store, with the late fee grown by then", async () => {
    const [party] = await house.did(payers, { as: cashier }, { query: { keyword: "欧阳" } });
    const params = { type: "renter" as const, id: party!.id };
    const open = async (asOf?: string) => {
      const { villages } = await house.did(openOfParty, { as: cashier }, { params, query: { asOf } });
      return villages[0]!;
    };
    const now = await open();
    expect(now.lines.map((l) => [l.subject, l.owed, l.lineId === null])).toEqual([
      ["租金", 100_000, false],
      ["滞纳金", 800, true],
    ]);
    expect(now.bills).toMatchObject([{ roomName: party!.rooms, disputed: false }]);
    expect((await open("2026-03-04")).lines).toHaveLength(1);
    expect((await at.refused(openOfParty, stranger, { params, query: {} })).status).toBe(404);
  });

  test("the accounts that a store may use", async () => {
    const of = { query: { villageId: store.villageId } };
    const options = await house.did(allAccounts, { as: cashier }, of);
    expect(options.map((o) => o.kind).toSorted()).toEqual(["bank", "cash", "pos", "wechat"]);
    expect((await at.refused(allAccounts, stranger, of)).status).toBe(404);
    const ids = String(accounts.pos);
    expect(await house.did(allAccounts, { as: cashier }, { query: { ids } })).toHaveLength(1);
  });
});
