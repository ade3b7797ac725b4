import { beforeAll, describe, expect, test } from "vitest";
import type { Person } from "../../../platform/server/process/house.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { readBills } from "../bill/bills.queries.ts";
import { lateFeeTrial } from "../latefee/trial.contract.ts";
import { allocationExample } from "../setting-form/example.rules.ts";
import { billingSettingHistory, readBillingSetting, writeBillingSetting } from "./setting.contract.ts";

const house = await testHouse();
house.setClock("2026-03-10T10:00:00+08:00");
const permits = ["252.query", "252.edit"];
let store: Store;
let other: Store;
let as: Person;
let boss: Person;
const query = () => ({ villageId: store.villageId });
beforeAll(async () => {
  store = await aStore(house);
  other = await aStore(house);
  as = await house.person({ permits, villages: [store.villageId] });
  boss = await house.person({ permits, villages: [store.villageId, other.villageId], name: "财务总监" });
});

type Change = Parameters<typeof house.ask<typeof writeBillingSetting>>[2];
const put = (body: Change["body"], how: { as?: Person; query?: object } = {}) =>
  house.ask(writeBillingSetting, { as: how.as ?? as }, { query: how.query ?? query(), body });
const today = "2026-03-10";

describe("settings of a village and its enterprise", () => {
  test("begin with the product's, are laid over each other field by field, and can follow again", async () => {
    expect(await house.did(readBillingSetting, { as }, { query: query() })).toMatchObject({
      version: 0,
      values: { writeOffMinDays: 90, confirmChannels: ["bankTransfer"] },
      origins: { writeOffMinDays: "product" },
      terms: { graceDays: 3, lateFeeDailyRate: "0.05", lateFeeCapPercent: 100, origin: "product" },
    });
    const whole = { as: boss, query: {} };
    expect(
      (await put({ version: 0, effectiveDate: today, writeOffMinDays: 60, lateFeeMin: 100 }, whole)).status,
    ).toBe(200);
    expect((await put({ version: 0, effectiveDate: today, writeOffMinDays: 30 })).status).toBe(200);
    expect(await house.did(readBillingSetting, { as }, { query: query() })).toMatchObject({
      version: 1,
      values: { writeOffMinDays: 30, lateFeeMin: 100, issueLeadDays: 0 },
      origins: { writeOffMinDays: "village", lateFeeMin: "enterprise", issueLeadDays: "product" },
      general: { writeOffMinDays: 60 },
    });
    const back = await put({ version: 1, effectiveDate: today, follow: ["writeOffMinDays"] });
    expect(back.body.data).toMatchObject({ version: 2 });
    expect(await house.did(readBillingSetting, { as }, { query: query() })).toMatchObject({
      values: { writeOffMinDays: 60 },
      origins: { writeOffMinDays: "enterprise" },
    });
    const [last, first] = (await house.did(billingSettingHistory, { as }, { query: query() })).filter(
      (c) => c.scope === "village",
    );
    expect([last!.changes, first!.changes]).toEqual([
      [{ title: "坏账核销最少逾期", from: "30 天", to: "沿用企业设置" }],
      [{ title: "坏账核销最少逾期", from: "60 天", to: "30 天" }],
    ]);
    const { rows } = await house.database.pool.query(
      "select summary from business_log where kind = 'billingSetting' order by id desc limit 1",
    );
    expect(rows[0].summary).toBe("2026-03-10 起生效：坏账核销最少逾期：30 天 → 沿用企业设置");
  });

  test("hold from their effective date on, for the day of the act", async () => {
    const { version } = await house.did(readBillingSetting, { as }, { query: query() });
    await put({ version, effectiveDate: "2026-03-12", issueLeadDays: 7 });
    const partyId = await aParty(house);
    const issueDate = async () => {
      const id = await aBill(house, store, partyId, { dueDate: "2026-04-20" });
      return (await readBills({ tx: house.database.db }, [id]))[0]!.issueDate;
    };
    expect(await issueDate()).toBe("2026-04-20");
    const before = await house.did(readBillingSetting, { as }, { query: query() });
    expect(before.values.issueLeadDays).toBe(0);
    expect(before.coming).toMatchObject([
      { effectiveDate: "2026-03-12", changes: [{ title: "出账提前天数", from: "0 天", to: "7 天" }] },
    ]);
    const undo = { version: before.version, effectiveDate: "2026-03-12", follow: ["issueLeadDays" as const] };
    await put(undo);
    const without = await house.did(readBillingSetting, { as }, { query: query() });
    expect(without.coming).toEqual([]);
    await put({ version: without.version, effectiveDate: "2026-03-12", issueLeadDays: 7 });
    house.setClock("2026-03-12T00:05:00+08:00");
    expect(await issueDate()).toBe("2026-04-13");
    expect((await house.did(readBillingSetting, { as }, { query: query() })).coming).toEqual([]);
    house.setClock("2026-03-10T10:00:00+08:00");
  });

  test("refuse what cannot be", async () => {
    const { version } = await house.did(readBillingSetting, { as }, { query: query() });
    const sentence = async (body: object) => {
      const answer = await put({ version, effectiveDate: today, ...body } as Change["body"]);
      return [answer.status, answer.body.fields?.[0]?.msg ?? answer.body.message];
    };
    expect(await sentence({ issueLeadDays: 61 })).toEqual([400, "请输入0到60之间的整数"]);
    expect(await sentence({ writeOffMinDays: 1.5 })).toEqual([400, "请输入0到365之间的整数"]);
    expect(await sentence({ allocationOrder: ["due", "due", "priority"] })).toEqual([
      400,
      "分摊顺序须包含三项且不重复",
    ]);
    expect(await sentence({ lateFeeSubjects: ["deposit"] })).toEqual([400, "滞纳金只能用于收入类科目"]);
    expect(await sentence({ lateFeeSubjects: [] })).toEqual([400, "请选择适用科目"]);
    expect(await sentence({ effectiveDate: "2026-03-09", lateFeeMin: 1 })).toEqual([
      400,
      "生效日期不能早于今天",
    ]);
    expect(await sentence({})).toEqual([400, "没有修改"]);
    expect(await sentence({ version: 0, lateFeeMin: 1 })).toEqual([409, "数据已被他人修改，请刷新后重试"]);
  });

  test("of the whole enterprise are changed only by who manages all its villages", async () => {
    expect((await house.did(readBillingSetting, { as }, { query: {} })).editable).toBe(false);
    const { version } = await house.did(readBillingSetting, { as: boss }, { query: {} });
    const refused = await put({ version, effectiveDate: today, lateFeeMin: 500 }, { query: {} });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      "企业设置影响全部门店，请由可管理全部门店的人员修改",
    ]);
    const stranger = await house.person({ permits, villages: [other.villageId] });
    for (const call of [readBillingSetting, billingSettingHistory])
      expect((await house.ask(call, { as: stranger }, { query: query() })).status).toBe(404);
    expect((await put({ version: 0, effectiveDate: today, lateFeeMin: 1 }, { as: stranger })).status).toBe(
      404,
    );
    const reader = await house.person({ permits: ["252.query"], villages: [store.villageId] });
    expect((await put({ version: 0, effectiveDate: today, lateFeeMin: 1 }, { as: reader })).status).toBe(403);
  });
});

describe("the trial of a late fee", () => {
  const terms = { graceDays: 3, lateFeeDailyRate: "0.05", lateFeeCapPercent: 100 };
  const body = {
    ...terms,
    principal: 280_000,
    dueDate: "2026-03-01",
    payments: [
      { day: "2026-03-26", amount: 150_000 },
      { day: "2026-04-10", amount: 130_000 },
    ],
  };

  test("shows its segments: 30.80 + 9.75 = 40.55", async () => {
    const trial = await house.did(lateFeeTrial, { as }, { body });
    expect(trial).toMatchObject({
      total: 4055,
      days: 37,
      until: "2026-04-10",
      firstDay: "2026-03-05",
      open: 0,
    });
    expect(trial.segments.map((s) => [s.days, s.principal, s.fee])).toEqual([
      [22, 280_000, 3080],
      [15, 130_000, 975],
    ]);
  });

  test("refuses more money than is owed, and a cap above the principal", async () => {
    const more = await house.ask(lateFeeTrial, { as }, { body: { ...body, principal: 200_000 } });
    expect(more.body.fields).toEqual([{ field: "payments", msg: "收款合计不能超过本金" }]);
    const cap = await house.ask(lateFeeTrial, { as }, { body: { ...body, lateFeeCapPercent: 101 } });
    expect(cap.body.fields).toEqual([{ field: "lateFeeCapPercent", msg: "滞纳金上限不能超过本金" }]);
  });
});

test("the example of the allocation order follows the order", () => {
  const paid = (...order: Parameters<typeof allocationExample>[0]) =>
    allocationExample(order)
      .rows.filter((r) => r.pay)
      .map((r) => `${r.name} ${r.pay / 100}`);
  expect(paid("principalFirst", "due", "priority")).toEqual(["2月租金 1000", "2月物业费 200", "3月租金 300"]);
  expect(paid("due", "principalFirst", "priority")).toEqual([
    "2月租金 1000",
    "2月物业费 200",
    "2月滞纳金 40.55",
    "3月租金 259.45",
  ]);
});
