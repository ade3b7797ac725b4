import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { bookBalance } from "../../finance/bill/bill.sample.ts";
import { march2026 } from "../../finance/check/march.sample.ts";
import { remindBills } from "../../finance/checkout/remind.contract.ts";
import { listBills } from "../../finance/bill-list/bill.contract.ts";
import { addFollow, listFollows, owingReport, owingSummary } from "./owing.contract.ts";
import { billListOf, dueOf } from "./owing.rules.ts";

const house = await testHouse();
const { a, b } = await march2026(house);
const partyOf = async (name: string) =>
  (
    await house.database.db
      .selectFrom("party")
      .select("id")
      .where("name", "=", name)
      .executeTakeFirstOrThrow()
  ).id;
const both = [a.villageId, b.villageId];
const chaser = await house.person({ permits: ["114.query", "114.edit"], villages: both, name: "催收员" });
const onlyB = await house.person({ permits: ["114.query", "114.edit"], villages: [b.villageId] });
const report = (query: Record<string, string | number> = {}) =>
  house.did(owingReport, { as: chaser }, { query: query as never });

describe("March 2026", () => {
  test("李四 owes 1,330.80 for thirty days, with 3.25 of late fee growing and a deposit of 2,800.00", async () => {
    const { list, total, sums } = await report({ day: "2026-03-31", villageIds: a.villageId });
    expect(total).toBe(1);
    expect(list[0]).toMatchObject({
      partyName: "李四",
      phone: "138****5678",
      contractState: "living",
      owed: 133_080,
      d30: 133_080,
      d60: 0,
      maxDays: 30,
      lateFee: 325,
      deposit: 280_000,
      prepaid: 0,
      net: 133_080,
    });
    expect(sums).toMatchObject({ owed: 133_080, d30: 133_080, deposit: 280_000, net: 133_080 });
  });

  test("on a day before the fee was written, all that had grown by then was still to be expected", async () => {
    const at = async (day: string) =>
      (await report({ day, villageIds: a.villageId })).list
        .filter((row) => row.partyName === "李四")
        .map(({ owed, lateFee }) => ({ owed, lateFee }))[0];
    // 2,800.00 bears 1.40 a day from the fifth on; 30.80 was written on the twenty-sixth
    expect(await at("2026-03-04")).toEqual({ owed: 280_000, lateFee: 0 });
    expect(await at("2026-03-05")).toEqual({ owed: 280_000, lateFee: 140 });
    expect(await at("2026-03-20")).toEqual({ owed: 280_000, lateFee: 16 * 140 });
    expect(await at("2026-03-25")).toEqual({ owed: 280_000, lateFee: 21 * 140 });
    expect(await at("2026-03-26")).toEqual({ owed: 133_080, lateFee: 0 });
  });

  test("王五 stands there until the write-off of the twentieth", async () => {
    const wang = async (day: string) => (await report({ day })).list.find((row) => row.partyName === "王五");
    expect(await wang("2026-03-19")).toMatchObject({ owed: 50_000, d90: 50_000, maxDays: 73 });
    expect(await wang("2026-03-20")).toBeUndefined();
    expect(await wang("2026-01-05")).toBeUndefined();
    expect(await wang("2026-01-06")).toMatchObject({ d30: 50_000, maxDays: 1 });
  });

  test("what is owed and what is not due yet make the receivables of the ledger", async () => {
    expect(await bookBalance(house, "1122", a.villageId)).toBe(413_080);
    expect((await report({ villageIds: a.villageId })).sums).toMatchObject({ owed: 413_080 - 280_000 });
    // what 孙七 left behind in the other store is late since the day he went
    expect(await bookBalance(house, "1122", b.villageId)).toBe(32_050);
    expect((await report()).sums).toMatchObject({ owed: 133_080 + 32_050 });
  });

  test("the list of bills that a row opens comes to what it owes, under the filters of the page", async () => {
    const as = await house.person({ permits: ["26.query", "114.query"], villages: both });
    const owed = async (query: object) =>
      (await house.did(listBills, { as }, { query: query as never })).sums!.outstanding;
    const pages = [
      ["party", {}],
      ["room", { partyKind: "renter" }],
      ["village", { villageIds: String(a.villageId) }],
    ] as const;
    for (const [mode, asked] of pages)
      for (const row of (await report({ ...asked, mode })).list) {
        const list = billListOf(mode, row.id, asked, undefined)!;
        expect([mode, row.id, await owed(list)]).toEqual([mode, row.id, row.owed]);
      }
    const [row] = (await report({ partyId: await partyOf("李四") })).list;
    const d30 = billListOf("party", row!.id, {}, dueOf("d30", "2026-03-31"))!;
    expect(await owed(d30)).toBe(row!.d30);
    // where that list would show other bills, those of this report are shown
    for (const asked of [
      { keyword: "李" },
      { subjectIds: "1" },
      { contractState: "left" },
      { disputed: "false" },
      { ages: "d30" },
    ])
      expect(billListOf("party", 1, asked, undefined)).toBeUndefined();
    expect(billListOf("subject", 1, {}, undefined)).toBeUndefined();
  });

  test("whoever was reminded shows the day, from that day on", async () => {
    const as = await house.person({ permits: ["26.query", "26.edit", "114.query"], villages: both });
    const li = await partyOf("李四");
    const shown = async (query: Record<string, string | number>) =>
      (await report({ partyId: li, ...query })).list.map((row) => row.remindedOn);
    expect(await shown({})).toEqual([null]);
    await house.did(remindBills, { as, key: randomUUID() }, { body: { partyIds: [li] } });
    expect(await shown({})).toEqual(["2026-03-31"]);
    expect(await shown({ mode: "bill" })).toEqual(["2026-03-31"]);
    expect(await shown({ day: "2026-03-30" })).toEqual([null]);
    expect(await shown({ villageIds: b.villageId })).toEqual([]);
  });

  test("every mode says the same whole, and every bucket of it", async () => {
    for (const day of ["2026-02-28", "2026-03-06", "2026-03-19", "2026-03-31"]) {
      const whole = (await report({ day })).sums;
      for (const mode of ["room", "bill", "subject", "village"]) {
        const { list, sums } = await report({ day, mode });
        const { owed, d30, d60, d90 } = whole!;
        expect(sums, `${mode} ${day}`).toMatchObject({ owed, d30, d60, d90 });
        expect(list.reduce((sum, row) => sum + row.owed, 0)).toBe(owed);
      }
    }
  });

  test("by subject the late fee stands beside the rent; a subject alone counts its own part", async () => {
    const { list } = await report({ mode: "subject", villageIds: a.villageId });
    expect(list.map((row) => [row.subjectName, row.owed])).toEqual([
      ["租金", 130_000],
      ["滞纳金", 3_080],
    ]);
    const fee = list.find((row) => row.subjectName === "滞纳金")!;
    expect((await report({ subjectIds: String(fee.id) })).sums).toMatchObject({ owed: 3_080 });
    // both stand on one bill
    expect((await report({ mode: "subject", villageIds: a.villageId })).sums).toMatchObject({ bills: 1 });
  });

  test("filters: age, amount, kind of party, keyword", async () => {
    const names = async (query: Record<string, string | number>) =>
      (await report({ day: "2026-03-19", ...query })).list.map((row) => row.partyName);
    expect(await names({})).toEqual(["李四", "王五"]);
    expect(await names({ sort: "maxDays" })).toEqual(["王五", "李四"]);
    expect(await names({ ages: "d90" })).toEqual(["王五"]);
    expect(await names({ amountFrom: 100_000 })).toEqual(["李四"]);
    expect(await names({ keyword: "王" })).toEqual(["王五"]);
    expect(await names({ partyKind: "merchant" })).toEqual([]);
    await house.database.db
      .updateTable("contract")
      .set({ state: "ended" })
      .where("partyId", "=", await partyOf("王五"))
      .execute();
    expect(await names({ contractState: "living" })).toEqual(["李四"]);
    expect(await names({ contractState: "left" })).toEqual(["王五"]);
    expect(await names({ villageIds: b.villageId })).toEqual([]);
  });

  test("filters: a phone whole or by its last four digits, and nothing between", async () => {
    const { pool } = house.database;
    await pool.query("update party set phone = '13911112222' where name = '王五'");
    const names = async (keyword: string) =>
      (await report({ day: "2026-03-19", keyword })).list.map((row) => row.partyName);
    for (const keyword of ["13911112222", "2222"]) expect(await names(keyword)).toEqual(["王五"]);
    for (const keyword of ["222", "12222", "1391111"]) expect(await names(keyword)).toEqual([]);
    await pool.query("update party set phone = '13812345678' where name = '王五'");
  });

  test("what is disputed on the day can be left out: from its first day to its last, or while it is open", async () => {
    const { pool } = house.database;
    const { rows } = await pool.query<{ id: number }>(
      `insert into bill_dispute (bill_id, from_day, to_day)
       select id, '2026-03-10', '2026-03-12' from bill where party_id = $1 returning id`,
      [await partyOf("王五")],
    );
    const ids = rows.map((row) => row.id);
    const seen = async (day: string, disputed = "false") =>
      (await report({ day, disputed })).list.some((row) => row.partyName === "王五");
    expect(await Promise.all(["2026-03-09", "2026-03-13"].map((day) => seen(day)))).toEqual([true, true]);
    expect(await Promise.all(["2026-03-10", "2026-03-12"].map((day) => seen(day)))).toEqual([false, false]);
    expect(await seen("2026-03-10", "true")).toBe(true);
    await pool.query("update bill_dispute set to_day = null where id = any($1)", [ids]);
    expect(await seen("2026-03-13")).toBe(false);
    await pool.query("delete from bill_dispute where id = any($1)", [ids]);
  });

  test("a day to come is refused under its field", async () => {
    const { status, body } = await house.ask(owingReport, { as: chaser }, { query: { day: "2026-04-01" } });
    expect(status).toBe(400);
    expect(body.fields).toEqual([{ field: "day", msg: "截至日不能晚于今天" }]);
  });

  test("the picture: ageing of each store, and the twelve month ends", async () => {
    const { villages, months } = await house.did(owingSummary, { as: chaser }, { query: {} });
    expect(villages.map((v) => [v.villageId, v.owed, v.d30])).toEqual([
      [a.villageId, 133_080, 133_080],
      [b.villageId, 32_050, 32_050],
    ]);
    expect(months.slice(-4)).toEqual([
      { day: "2025-12-31", owed: 0 },
      { day: "2026-01-31", owed: 50_000 },
      { day: "2026-02-28", owed: 50_000 },
      { day: "2026-03-31", owed: 165_130 },
    ]);
  });
});

describe("scope", () => {
  test("who does not see a store sees none of its debts, in no mode and no sum", async () => {
    for (const mode of ["party", "bill", "village", "subject"]) {
      const { list, total, sums } = await house.did(
        owingReport,
        { as: onlyB },
        { query: { mode: mode as "party", day: "2026-03-19" } },
      );
      expect([list, total, sums!.owed]).toEqual([[], 0, 0]);
    }
    const { villages, months } = await house.did(owingSummary, { as: onlyB }, { query: {} });
    expect(villages.map((v) => v.villageId)).toEqual([b.villageId]);
    expect(months.map((m) => m.owed)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32_050]);
    const { status } = await house.ask(
      owingReport,
      { as: onlyB },
      { query: { villageIds: String(a.villageId) } },
    );
    expect(status).toBe(404);
  });
});

describe("follow-ups", async () => {
  const params = { partyId: await partyOf("李四") };
  const follow = (body: { promiseDay?: string; note: string }, as = chaser) =>
    house.ask(addFollow, { as }, { params, body });

  test("a promise stands in the row and on the timeline of the renter", async () => {
    expect((await follow({ promiseDay: "2026-04-05", note: "电话联系，发薪后付" })).status).toBe(200);
    expect((await report()).list.find((row) => row.partyName === "李四")).toMatchObject({
      promiseDay: "2026-04-05",
      note: "电话联系，发薪后付",
    });
    expect(await house.did(listFollows, { as: chaser }, { params })).toMatchObject([
      { operatorName: "催收员", promiseDay: "2026-04-05", note: "电话联系，发薪后付" },
    ]);
    const log = await house.database.db
      .selectFrom("businessLog")
      .select(["kind", "villageId", "summary"])
      .where("recordId", "=", params.partyId)
      .where("action", "=", "follow")
      .execute();
    expect(log).toEqual([
      {
        kind: "renter",
        villageId: a.villageId,
        summary: "登记欠费跟进，承诺 2026-04-05 付款：电话联系，发薪后付",
      },
    ]);
  });

  test("refused: a promise in the past, nothing to chase, somebody of another store, no permit", async () => {
    const past = await follow({ promiseDay: "2026-03-30", note: "昨天说的" });
    expect(past.body.fields).toEqual([{ field: "promiseDay", msg: "承诺付款日不能早于今天" }]);
    const free = await house.ask(
      addFollow,
      { as: chaser },
      { params: { partyId: await partyOf("周八") }, body: { note: "没有欠费" } },
    );
    expect([free.status, free.body.message]).toEqual([409, "周八没有欠费，无需跟进"]);
    expect((await follow({ note: "别的门店" }, onlyB)).status).toBe(404);
    expect((await house.ask(listFollows, { as: onlyB }, { params })).status).toBe(404);
    const reader = await house.person({ permits: ["114.query"], villages: both });
    expect((await follow({ note: "没有权限" }, reader)).status).toBe(403);
  });
});
