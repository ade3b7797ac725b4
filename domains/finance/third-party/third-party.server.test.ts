import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { aStore, bookBalance, type Store } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { getFlow, listFlows, reverseFlow } from "../flow/flow.contract.ts";
import { type Accounts, someAccounts } from "../flow/flow.sample.ts";
import * as income from "./income.contract.ts";
import * as partners from "./third-party.contract.ts";
import { aBankLine, aConfirmed, aPartner, onSheet, sheetOf, THIRD_PARTY } from "./third-party.sample.ts";

const house = await testHouse({ poolSize: 6 });
let a: Store, accounts: Accounts, clerk: Person;
beforeAll(async () => {
  a = await aStore(house);
  accounts = await someAccounts(house, a);
  clerk = await house.person({
    permits: [...THIRD_PARTY, "102.query", "102.get", "#10202"],
    villages: [a.villageId],
  });
});
beforeEach(() => house.setClock("2026-03-31T10:00:00+08:00"));

const inA = (account: string) => bookBalance(house, account, a.villageId);
const whole = async () => (await house.did(income.listSheets, { as: clerk }, { query: {} as never })).sums!;
const refusalOf = (answer: {
  status: number;
  body: { message: string; fields?: readonly { field: string; msg: string }[] };
}) => `${answer.status} ${answer.body.fields?.[0]?.field ?? ""} ${answer.body.message}`.replace("  ", " ");
const holds = async () =>
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
const cash = (amount: number) => ({
  by: "receipt" as const,
  amount,
  channel: "cash" as const,
  merchantAccountId: accounts.cash,
  paidAt: "2026-03-31T09:00:00+08:00",
});

describe("the parking of March", () => {
  let id: number, thirdPartyId: number;
  beforeAll(async () => {
    house.setClock("2026-03-31T10:00:00+08:00");
    thirdPartyId = (await aPartner(house, clerk, [a.villageId], { name: "顺达停车" })).id;
  });

  test("5,000.00 at 60% is 3,000.00 with 247.71 of tax, 2,752.29 of income and 3,000.00 owed to us", async () => {
    const of = { villageId: a.villageId, month: "2026-03", thirdPartyId, gross: 500_000 };
    expect(await house.did(income.previewSheet, { as: clerk }, { query: of })).toEqual({
      share: 300_000,
      tax: 24_771,
      formula: "5,000.00 × 60% = 3,000.00",
    });
    id = (await house.did(income.addSheet, { as: clerk }, { body: of })).id;
    expect(await sheetOf(house, clerk, id)).toMatchObject({ state: "draft", share: 300_000, outstanding: 0 });
    expect(await inA("1131")).toBe(0);
    await onSheet(house, clerk, income.confirmSheet, id);
    expect([await inA("1131"), await inA("6053"), await inA("2222")]).toEqual([300_000, -275_229, -24_771]);
    expect(await sheetOf(house, clerk, id)).toMatchObject({ state: "confirmed", outstanding: 300_000 });
    expect(await whole()).toMatchObject({ share: 300_000, outstanding: 300_000 });
    const again = await house.ask(income.addSheet, { as: clerk }, { body: of });
    expect(refusalOf(again)).toBe("400 thirdPartyId 该门店该月该合作方已有记录");
    await holds();
  });

  test("a bank line of 2,000.00 settles it in part: 1,000.00 is left, and nobody has claimed nothing any more", async () => {
    const line = await aBankLine(house, { amount: 200_000, day: "2026-03-30" });
    const found = await house.did(income.settleLines, { as: clerk }, { query: { incomeId: id } });
    expect(found).toEqual([expect.objectContaining({ id: line.id, free: 200_000, counterName: "顺达停车" })]);
    const settle = (amount: number) =>
      onSheet(house, clerk, income.settleSheet, id, { by: "line", lineId: line.id, amount });
    expect(refusalOf(await settle(300_001))).toBe("400 amount 结算金额超过未结算金额");
    expect(refusalOf(await settle(200_001))).toBe("400 amount 超过流水未认领余额 2,000.00");
    expect((await settle(200_000)).status).toBe(200);
    const shown = await sheetOf(house, clerk, id);
    expect(shown).toMatchObject({ state: "partSettled", settled: 200_000, outstanding: 100_000 });
    expect(shown.settlements[0]).toMatchObject({ paidBy: "2026-03-30 顺达停车", bankLineId: line.id });
    expect([await inA("1131"), await bookBalance(house, "2242", null)]).toEqual([100_000, 0]);
    const early = await onSheet(house, clerk, income.reverseSheet, id, { reason: "登记错误" });
    expect(refusalOf(early)).toBe("409 已有结算，请先撤销结算");
    await holds();
  });

  test("the rest by cash is a flow of third parties: no prepaid money, and taken back only here", async () => {
    expect((await onSheet(house, clerk, income.settleSheet, id, cash(100_000))).status).toBe(200);
    const shown = await sheetOf(house, clerk, id);
    expect(shown).toMatchObject({ state: "settled", outstanding: 0 });
    expect([await inA("1131"), await inA("2203"), await inA("1001")]).toEqual([0, 0, 100_000]);
    const { flowId } = shown.settlements[1]!;
    const flow = await house.did(getFlow, { as: clerk }, { params: { id: flowId! } });
    expect(flow).toMatchObject({
      kind: "thirdParty",
      partyName: "顺达停车",
      unallocated: 0,
      state: "confirmed",
    });
    const reversing = await house.ask(
      reverseFlow,
      { as: clerk, key: "reverse-third-party" },
      { params: { id: flowId! }, body: { reason: "登记错误", version: flow.version } },
    );
    expect(reversing.body.message).toBe("第三方收入的流水不能冲销，请在第三方收入表中撤销结算");
    expect((await onSheet(house, clerk, income.settleSheet, id, cash(1))).status).toBe(409);
    await holds();
  });

  test("wrong settlements are undone by mirrors, then the sheet is reversed and may be entered anew", async () => {
    const [line, receipt] = (await sheetOf(house, clerk, id)).settlements;
    const undo = (settlementId: number) =>
      onSheet(house, clerk, income.undoSettlement, id, { reason: "认错流水" }, { settlementId });
    for (const one of [receipt!, line!]) expect((await undo(one.id)).status).toBe(200);
    expect(refusalOf(await undo(line!.id))).toBe("409 该结算已撤销");
    expect([await inA("1131"), await bookBalance(house, "2242", null), await inA("1001")]).toEqual([
      300_000, -200_000, 0,
    ]);
    const { list } = await house.did(listFlows, { as: clerk }, { query: { kind: "thirdParty" } as never });
    expect(list.map((f) => f.state)).toEqual(["reversed"]);
    await onSheet(house, clerk, income.reverseSheet, id, { reason: "金额有误" });
    expect([await inA("1131"), await inA("6053"), await inA("2222")]).toEqual([0, 0, 0]);
    expect(await sheetOf(house, clerk, id)).toMatchObject({ state: "reversed", outstanding: 0 });
    const of = { villageId: a.villageId, month: "2026-03", thirdPartyId, gross: 400_000 };
    expect((await house.ask(income.addSheet, { as: clerk }, { body: of })).status).toBe(200);
    await holds();
  });
});

test("a share that somebody sets needs a reason, and is told as such", async () => {
  const { id: thirdPartyId } = await aPartner(house, clerk, [a.villageId]);
  const of = { villageId: a.villageId, month: "2026-02", thirdPartyId, gross: 100_000 };
  const bare = await house.ask(income.addSheet, { as: clerk }, { body: { ...of, share: 50_000 } });
  expect(refusalOf(bare)).toBe("400 overrideReason 请填写原因（2-200字）");
  const { id } = await house.did(
    income.addSheet,
    { as: clerk },
    {
      body: { ...of, share: 50_000, overrideReason: "节日让利" },
    },
  );
  expect(await sheetOf(house, clerk, id)).toMatchObject({
    share: 50_000,
    computed: 60_000,
    formula: "1,000.00 × 60% = 600.00；调整为 500.00",
    overrideReason: "节日让利",
  });
  const plain = { ...of, share: 60_000, overrideReason: "与条款一致" };
  await onSheet(house, clerk, income.editSheet, id, plain);
  expect(await sheetOf(house, clerk, id)).toMatchObject({ share: 60_000, overrideReason: "" });
  expect((await onSheet(house, clerk, income.deleteSheet, id)).status).toBe(200);
});

test("a share of nothing is settled with its confirmation, and may still be reversed", async () => {
  const { id } = await aPartner(house, clerk, [a.villageId]);
  const sheet = await aConfirmed(house, clerk, {
    villageId: a.villageId,
    thirdPartyId: id,
    month: "2026-02",
    gross: 0,
  });
  expect(await sheetOf(house, clerk, sheet)).toMatchObject({ share: 0, state: "settled", outstanding: 0 });
  expect((await onSheet(house, clerk, income.reverseSheet, sheet, { reason: "登记错误" })).status).toBe(200);
  expect(await sheetOf(house, clerk, sheet)).toMatchObject({ state: "reversed" });
});

test("new terms share drafts anew and never reach back into a confirmed month", async () => {
  const { id } = await aPartner(house, clerk, [a.villageId]);
  const of = { villageId: a.villageId, thirdPartyId: id, gross: 500_000 };
  const january = await aConfirmed(house, clerk, { ...of, month: "2026-01" });
  const { id: march } = await house.did(
    income.addSheet,
    { as: clerk },
    { body: { ...of, month: "2026-03" } },
  );
  const version = async () =>
    (await house.did(partners.getPartner, { as: clerk }, { params: { id } })).version;
  const change = async (fromMonth: string) =>
    house.ask(
      partners.addTerms,
      { as: clerk },
      {
        params: { id },
        body: {
          fromMonth,
          version: await version(),
          shareMode: "minPlusPercent",
          percent: "60",
          amount: 350_000,
          taxRate: "0",
        },
      },
    );
  expect(refusalOf(await change("2026-01"))).toBe(
    "400 fromMonth 2026-01 的收入已确认，新条款须从之后的月份开始",
  );
  expect((await change("2026-02")).body.data).toMatchObject({ redone: 1 });
  expect(await sheetOf(house, clerk, march)).toMatchObject({ share: 350_000, tax: 0 });
  expect(await sheetOf(house, clerk, january)).toMatchObject({ share: 300_000, tax: 24_771 });
  const shown = await house.did(partners.getPartner, { as: clerk }, { params: { id } });
  expect(shown.history.map((t) => [t.fromMonth, t.terms, t.tax])).toEqual([
    ["2026-02", "60%，保底 3,500.00", "不征税"],
    ["2026-01", "60%", "9%"],
  ]);
});

test("an agreement covers its months and stores, and cannot be cut back behind what was taken", async () => {
  const partner = await aPartner(house, clerk, [a.villageId], {
    startDate: "2026-02-15",
    endDate: "2026-02-28",
  });
  const add = (month: string) =>
    house.ask(
      income.addSheet,
      { as: clerk },
      {
        body: { villageId: a.villageId, month, thirdPartyId: partner.id, gross: 100 },
      },
    );
  expect(refusalOf(await add("2026-01"))).toBe("400 thirdPartyId 合作协议不在有效期内");
  expect(refusalOf(await add("2026-03"))).toBe("400 thirdPartyId 合作协议不在有效期内");
  expect(refusalOf(await add("2026-04"))).toBe("400 month 月份不能晚于本月");
  expect((await add("2026-02")).status).toBe(200);
  const seen = await house.did(partners.getPartner, { as: clerk }, { params: partner });
  const edit = (more: object) =>
    house.ask(
      partners.editPartner,
      { as: clerk },
      {
        params: partner,
        body: {
          name: seen.name,
          kind: seen.kind,
          villageIds: [a.villageId],
          startDate: "2026-02-15",
          version: seen.version,
          ...more,
        },
      },
    );
  expect(refusalOf(await edit({ startDate: "2026-03-01" }))).toMatch(
    /2026-02 已有收入记录，协议须包含该门店和月份$/,
  );
  const other = await aStore(house);
  const both = await house.person({ permits: THIRD_PARTY, villages: [a.villageId, other.villageId] });
  const wide = await aPartner(house, both, [a.villageId, other.villageId]);
  const named = await house.did(partners.getPartner, { as: clerk }, { params: wide });
  expect(named.beyond).toBe(true);
  const beyond = await house.ask(
    partners.disablePartner,
    { as: clerk },
    { params: wide, body: { version: named.version } },
  );
  expect(refusalOf(beyond)).toBe("403 该合作方含您不能管理的门店，请由可管理其全部门店的人员修改");
  await house.did(partners.disablePartner, { as: both }, { params: wide, body: { version: named.version } });
  const off = await house.ask(
    income.addSheet,
    { as: clerk },
    {
      body: { villageId: a.villageId, month: "2026-02", thirdPartyId: wide.id, gross: 100 },
    },
  );
  expect(refusalOf(off)).toBe("400 thirdPartyId 合作方已停用");
  const twice = await house.ask(
    partners.addPartner,
    { as: clerk },
    {
      body: {
        name: seen.name,
        kind: "other",
        villageIds: [a.villageId],
        startDate: "2026-01-01",
        percent: "5",
      },
    },
  );
  expect(refusalOf(twice)).toBe("400 name 合作方名称已存在");
});

test("a sheet that waits for approval is frozen; what was agreed is booked, what was refused is a draft again", async () => {
  const store = await aStore(house);
  const admin = await house.person({ superType: "1" });
  const villages = [store.villageId];
  const lead = await house.person({ villages, permits: ["252.query"], name: "罗佳宁" });
  const me = await house.person({ villages, permits: THIRD_PARTY });
  await aModule(house, admin, {
    moduleType: "thirdParty",
    name: "第三方收入审批",
    villageIds: villages,
    fallback: admin,
    processes: [otherwise(asking("财务", [lead]))],
  });
  const { id: thirdPartyId } = await aPartner(house, me, villages);
  const of = { villageId: store.villageId, month: "2026-03", thirdPartyId, gross: 100_000 };
  const { id } = await house.did(income.addSheet, { as: me }, { body: of });
  let decided = 0;
  const decide = async (decision: "approve" | "reject") => {
    const examine = await house.database.db
      .selectFrom("examine")
      .select("id")
      .where("targetKind", "=", "thirdPartyIncome")
      .where("targetId", "=", id)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    const { version } = await house.did(getExamine, { as: lead }, { params: examine });
    return house.ask(
      decideExamine,
      { as: lead, key: `third-${(decided += 1)}-decision` },
      {
        params: examine,
        body: { decision, version, comment: "核对" },
      },
    );
  };
  const first = await onSheet(house, me, income.confirmSheet, id);
  expect(first.body.data).toEqual({ waiting: expect.stringMatching(/^SP/) });
  const frozen = await onSheet(house, me, income.editSheet, id, { ...of, gross: 200_000 });
  expect(refusalOf(frozen)).toBe("409 审批中，不能修改");
  const waits = await sheetOf(house, me, id);
  expect(waits).toMatchObject({ state: "draft", frozen: true });
  // among many it is named, with the approval that it waits for
  const { body: among } = await house.ask(
    income.confirmSheets,
    { as: me, key: "confirm-a-frozen-one" },
    { body: { items: [{ id, version: waits.version }] } },
  );
  expect(among.message).toBe(`${waits.sheetNo}：审批中，不能修改`);
  expect(among.data).toEqual(frozen.body.data);
  expect((await decide("reject")).status).toBe(200);
  expect(await sheetOf(house, me, id)).toMatchObject({ state: "draft", frozen: false });
  const many = await house.did(
    income.confirmSheets,
    { as: me, key: "confirm-many-of-them" },
    { body: { items: [{ id, version: (await sheetOf(house, me, id)).version }] } },
  );
  expect(many).toEqual({ count: 0, waiting: 1 });
  expect((await decide("approve")).status).toBe(200);
  expect(await sheetOf(house, me, id)).toMatchObject({ state: "confirmed", share: 60_000 });
  expect(await bookBalance(house, "1131", store.villageId)).toBe(60_000);
});

test("by store and kind, without drafts and what was reversed", async () => {
  const store = await aStore(house);
  const me = await house.person({ villages: [store.villageId], permits: THIRD_PARTY });
  const parking = await aPartner(house, me, [store.villageId]);
  const vending = await aPartner(house, me, [store.villageId], {
    kind: "vending",
    shareMode: "fixed",
    amount: 5000,
  });
  const of = { villageId: store.villageId, month: "2026-03", gross: 100_000 };
  await aConfirmed(house, me, { ...of, thirdPartyId: parking.id });
  await aConfirmed(house, me, { ...of, thirdPartyId: vending.id });
  await house.did(
    income.addSheet,
    { as: me },
    { body: { ...of, month: "2026-02", thirdPartyId: vending.id } },
  );
  const { list, sums } = await house.did(income.summary, { as: me }, { query: {} as never });
  expect(list).toMatchObject([
    { parking: 60_000, vending: 5000, other: 0, share: 65_000, outstanding: 65_000 },
  ]);
  expect(sums).toMatchObject({ parking: 60_000, share: 65_000 });
  expect(
    (await house.did(income.summary, { as: me }, { query: { month: "2026-02" } as never })).list,
  ).toEqual([]);
});

test("two who settle at once settle once; another store sees nothing of it", async () => {
  const { id: thirdPartyId } = await aPartner(house, clerk, [a.villageId]);
  const id = await aConfirmed(house, clerk, {
    villageId: a.villageId,
    month: "2026-03",
    thirdPartyId,
    gross: 100_000,
  });
  const both = await Promise.all(
    [1, 2].map(() => onSheet(house, clerk, income.settleSheet, id, cash(60_000))),
  );
  expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  expect(await sheetOf(house, clerk, id)).toMatchObject({ settled: 60_000, state: "settled" });
  const { villageId } = await aStore(house);
  const other = await house.person({ villages: [villageId], permits: THIRD_PARTY });
  expect((await house.ask(income.getSheet, { as: other }, { params: { id } })).status).toBe(404);
  expect((await house.ask(partners.getPartner, { as: other }, { params: { id: thirdPartyId } })).status).toBe(
    404,
  );
  await holds();
});
