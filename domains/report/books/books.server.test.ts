import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { getCheck, listChecks, noteBreak } from "../../finance/check/check.contract.ts";
import { checked } from "../../finance/check/check.sample.ts";
import { reverseFlow } from "../../finance/flow/allocate.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { march2026, type March } from "../../finance/check/march.sample.ts";
import { previewSpread, spreadCost } from "../../finance/posting/spread.contract.ts";
import { financeReport, getEntry, listJournal, trialBalance, trialParts } from "./books.contract.ts";

const house = await testHouse();
let m: March;
let lead: Person, local: Person;
const MARCH = { from: "2026-03-01", to: "2026-03-31" };

beforeAll(async () => {
  m = await march2026(house);
  lead = await house.person({ permits: ["65.query", "#6501"], villages: [m.a.villageId, m.b.villageId] });
  local = await house.person({ permits: ["65.query"], villages: [m.a.villageId] });
}, 60_000);

const report = (query: object = {}, as = lead) =>
  house.did(financeReport, { as }, { query: { ...MARCH, ...query } as never });
const of = (lines: { key: string; now: number }[], key: string) => lines.find((l) => l.key === key)!.now;
const only = (villageId: number) => ({ villageIds: String(villageId) });

describe("总表", () => {
  test("money of the month is explained, and the stores add up to the whole", async () => {
    const whole = await report();
    const a = await report(only(m.a.villageId));
    const parts = [a, await report(only(m.b.villageId)), await report({ head: "true" })];
    expect(of(whole.money, "received")).toBe(2_135_000);
    expect(of(whole.money, "fees")).toBe(-4_810);
    expect(whole.rest).toEqual({ now: 0, before: 0, year: 0 });
    for (const part of ["money", "owed", "profit"] as const)
      for (const { key, now, before, year } of whole[part]) {
        const each = parts.map((r) => r[part].find((l) => l.key === key)!);
        const sum = (of: "now" | "before" | "year") => each.reduce((all, line) => all + line[of], 0);
        expect([key, now, before, year]).toEqual([key, sum("now"), sum("before"), sum("year")]);
      }
    expect(of(a.owed, "1122")).toBe(413_080);
    expect(whole.before).toEqual({ from: "2026-02-01", to: "2026-02-28" });
    // what February ends with is what March begins with
    expect(whole.money.at(-1)!.before).toBe(of(whole.money, "opening"));
  });

  test("a cost payment taken back is no payment, and money stays explained", async () => {
    const { rows } = await house.database.pool.query("select id::int from flow where kind = 'cost'");
    house.setClock("2026-04-02T10:00:00+08:00");
    await acting(house, (act) => reverseFlow(act, rows[0].id, "付错"));
    const april = await report({ from: "2026-04-01", to: "2026-04-30" });
    expect([of(april.money, "paid"), april.rest.now]).toEqual([60_000, 0]);
    const { list } = await house.did(
      listJournal,
      { as: lead },
      { query: { from: "2026-04-01", to: "2026-04-30", account: "2202" } as never },
    );
    expect(list.map((line) => line.event)).toEqual(["E26"]);
  });

  test("of stores in scope alone; head office for whoever sees every store", async () => {
    expect((await report({}, local)).owed).toEqual((await report(only(m.a.villageId))).owed);
    const asked = (query: object) =>
      house.ask(financeReport, { as: local }, { query: { ...MARCH, ...query } as never });
    expect((await asked(only(m.b.villageId))).status).toBe(404);
    expect((await asked({ head: "true" })).status).toBe(403);
    expect((await asked({ to: "2026-02-01" })).body.fields?.[0]?.msg).toBe("结束日期不能早于开始日期");
    expect(of((await report({ head: "true" })).owed, "1122")).toBe(0);
  });
});

describe("科目余额表", () => {
  test("both sides are equal, and every account is the sum of its parts", async () => {
    const { list, sums } = await house.did(trialBalance, { as: lead }, { query: MARCH as never });
    expect([sums!.openDebit, sums!.debit, sums!.closeDebit]).toEqual([
      sums!.openCredit,
      sums!.credit,
      sums!.closeCredit,
    ]);
    for (const { account, debit, credit } of list)
      for (const by of ["village", "merchant", "subject", "party"] as const) {
        const parts = await house.did(
          trialParts,
          { as: lead },
          { params: { account: account as never }, query: { ...MARCH, by } as never },
        );
        const sum = (key: "debit" | "credit") => parts.reduce((all, p) => all + p[key], 0);
        expect([account, by, sum("debit"), sum("credit")]).toEqual([account, by, debit, credit]);
      }
    const [stores] = [
      await house.did(
        trialParts,
        { as: lead },
        { params: { account: "1122" }, query: { ...MARCH, by: "village" } as never },
      ),
    ];
    expect(stores.map((p) => p.closeDebit)).toEqual([413_080, 32_050]);
  });
});

describe("凭证", () => {
  const entries = (query: object, as = lead) =>
    house.did(listJournal, { as }, { query: { ...MARCH, pageSize: 200, ...query } as never });
  test("are found by event, account, and the number of a bill or a flow", async () => {
    const written = await entries({ event: "E11" });
    expect(written.list).toMatchObject([{ event: "E11", amount: 50_000 }]);
    const { list } = await entries({ account: "6602" });
    expect(list.length).toBe(2);
    expect(list.every((e) => e.event === "E07" && e.sourceNo.startsWith("LS"))).toBe(true);
    const found = await entries({ keyword: list[0]!.sourceNo });
    expect(found.list.map((e) => e.id)).toContain(list[0]!.id);
    const all = await entries({ keyword: list[0]!.entryNo });
    expect(all.sums!.amount).toBe(list[0]!.amount);
    // the whole company's are summed as they are kept
    for (const query of [{}, { event: "E07" }, { from: "2026-03-10", to: "2026-03-20" }]) {
      const whole = await entries(query);
      expect(whole.total).toBe(whole.list.length);
      expect(whole.sums!.amount).toBe(whole.list.reduce((sum, e) => sum + e.amount, 0));
      expect(whole.list.length).toBeGreaterThan(1);
    }
  });

  test("behind each figure of 总表 and 科目余额表 come to that figure", async () => {
    const sumsOf = async (query: object) =>
      (await entries({ from: undefined, to: undefined, ...query })).sums!;
    const b = only(m.b.villageId);
    const { now, money, owed, profit } = await report(b);
    for (const { key, account, events, now: fen } of [...money, ...profit])
      if (account && fen) {
        const s = await sumsOf({ ...b, ...now, account, event: events?.join(",") });
        expect([key, s.accountCredit! - s.accountDebit!]).toEqual([key, fen]);
      }
    // a balance is made of everything up to the day
    for (const { account, now: fen } of owed)
      if (fen) {
        const s = await sumsOf({ ...b, to: now.to, account });
        expect([account, Math.abs(s.accountDebit! - s.accountCredit!)]).toEqual([account, Math.abs(fen)]);
      }
    for (const of of [{}, { head: "true" }]) {
      const trial = await house.did(trialBalance, { as: lead }, { query: { ...MARCH, ...of } as never });
      for (const { account, debit, credit } of trial.list.filter((r) => /^(1002|2299)$/.test(r.account))) {
        const s = await sumsOf({ ...of, ...MARCH, account });
        expect([account, s.accountDebit, s.accountCredit]).toEqual([account, debit, credit]);
      }
    }
    const { list, sums } = await entries({ ...only(m.b.villageId), account: "2203", event: "E06,E10" });
    expect(list.reduce((all, e) => all + e.accountCredit!, 0)).toBe(sums!.accountCredit);
    expect((await entries({})).sums).not.toHaveProperty("accountDebit");
    const asked = await house.ask(listJournal, { as: local }, { query: { head: "true" } as never });
    expect(asked.status).toBe(403);
  });

  test("show their lines; those of other stores are nobody's here", async () => {
    const ofB = (await entries(only(m.b.villageId))).list[0]!;
    const seen = await house.did(getEntry, { as: lead }, { params: { id: ofB.id } });
    expect(seen.entries[0]!.lines.length).toBeGreaterThan(1);
    expect((await house.ask(getEntry, { as: local }, { params: { id: ofB.id } })).status).toBe(404);
  });
});

test("勾稽检查: a row changed by hand makes the next run red and names the bill; it is explained, and the run is kept", async () => {
  const good = (await checked(house, lead)).run!;
  expect(good.ok).toBe(true);
  const { rows } = await house.database.owner.query<{ billNo: string }>(
    `select bill_no "billNo" from bill where id = $1`,
    [m.bills["zhangSan"]],
  );
  const { owner } = house.database;
  await owner.query("alter table allocation disable trigger user");
  await owner.query(
    "update allocation set amount = amount + 1 where id = (select min(id) from allocation where bill_id = $1)",
    [m.bills["zhangSan"]],
  );
  await owner.query("alter table allocation enable trigger user");
  const { run, breaks } = await checked(house, lead);
  expect(run!.ok).toBe(false);
  const broken = breaks.find((b) => b.key.startsWith(rows[0]!.billNo))!;
  expect(Math.abs(broken.actual - broken.expected)).toBe(1);
  const note = (as: Person) =>
    house.ask(noteBreak, { as }, { params: { id: broken.id }, body: { note: "核对时手工改动" } });
  expect((await note(local)).status).toBe(403);
  expect((await note(lead)).status).toBe(200);
  const runs = await house.did(listChecks, { as: lead });
  expect(runs.slice(0, 2).map((r) => r.ok)).toEqual([false, true]);
  const again = await house.did(getCheck, { as: lead }, { params: { id: runs[0]!.id } });
  expect(again.breaks.find((b) => b.id === broken.id)!.note).toBe("核对时手工改动");
  expect((await house.ask(getCheck, { as: lead }, { params: { id: 999_999 } })).status).toBe(404);
});

test("what a store bears of another's cost is no money that nobody can explain: it stands as 门店间划转", async () => {
  const { rows } = await house.database.pool.query("select id::int from bill where direction = 'payable'");
  const params = { id: rows[0].id as number };
  const as = await house.person({
    permits: ["200.query", "200.edit"],
    villages: [m.a.villageId, m.b.villageId],
  });
  const body = {
    basis: "fixed" as const,
    villageIds: [m.a.villageId, m.b.villageId],
    shares: [5_000, 5_000],
  };
  const { hash } = await house.did(previewSpread, { as }, { params, body });
  await house.did(
    spreadCost,
    { as, key: "spread-over-both" },
    { params, body: { ...body, previewHash: hash } },
  );
  const told = async (query: object) => {
    const { money, rest } = await report({ to: "2026-04-30", ...query });
    return [of(money, "between"), rest.now];
  };
  expect([await told(only(m.a.villageId)), await told(only(m.b.villageId)), await told({})]).toEqual([
    [30_000, 0],
    [-30_000, 0],
    [0, 0],
  ]);
  // the figure opens the entries that it is made of
  const query = { from: "2026-03-01", to: "2026-04-30", account: "2299", event: "E15,E25" };
  const { sums } = await house.did(
    listJournal,
    { as: lead },
    { query: { ...query, ...only(m.a.villageId) } as never },
  );
  expect(sums!.accountDebit! - sums!.accountCredit!).toBe(30_000);
});
