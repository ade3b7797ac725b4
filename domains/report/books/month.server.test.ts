import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { billsByVillage } from "../../finance/bill-list/by-village.contract.ts";
import { checked } from "../../finance/check/check.sample.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { hledger, ledger } from "../../finance/posting/hledger.sample.ts";
import { listMappings, usualMappings } from "../../finance/posting/mapping.contract.ts";
import {
  checkPosting,
  exportManyAgain,
  exportPosting,
  generatePosting,
  getPosting,
} from "../../finance/posting/posting.contract.ts";
import { listBills } from "../../finance/bill-list/bill.contract.ts";
import { owingReport } from "../owing/owing.contract.ts";
import { accountSummary, summaryCards } from "../../finance/summary/summary.contract.ts";
import { exampleMonth, type ExampleMonth } from "../../finance/summary/month.sample.ts";
import { financeReport, listThreeWay, trialBalance } from "./books.contract.ts";
import { kingdeeSums, type Sides, yonyouSums } from "./voucher-file.sample.ts";

const house = await testHouse();
const { pool } = house.database;
let m: ExampleMonth;
const MARCH = { from: "2026-03-01", to: "2026-03-31" };

beforeAll(async () => {
  m = await exampleMonth(house);
}, 120_000);

type Where = "a" | "b" | "head" | "whole";
const asked = (where: Where) =>
  where === "whole" ? {} : where === "head" ? { head: "true" } : { villageIds: String(m[where].villageId) };
/** A store's number, 0 for head office, nothing for all. */
const placeOf = (where: Where) => (where === "whole" ? null : where === "head" ? 0 : m[where].villageId);
const report = (where: Where) =>
  house.did(financeReport, { as: m.lead }, { query: { ...MARCH, ...asked(where) } as never });
/** A block of the report in yuan, without what did not move. */
const told = (lines: { key: string; now: number }[]) =>
  Object.fromEntries(lines.filter(({ now }) => now !== 0).map(({ key, now }) => [key, yuan(now)]));

const BEFORE = { from: "2000-01-01", to: "2026-02-28" };
const UNTIL = { from: "2000-01-01", to: "2026-03-31" };

/** What some accounts were moved by some events in March, or on other days, on their normal side. */
async function moved(
  accounts: string | string[],
  side: 1 | -1,
  where: Where,
  events?: string[],
  { from, to } = MARCH,
): Promise<string> {
  const { rows } = await pool.query<{ fen: number }>(
    `select coalesce(sum(l.debit - l.credit), 0)::bigint fen from journal_line l join journal_entry e on e.id = l.entry_id
     where l.account = any($1) and ($2::bigint is null or coalesce(l.village_id, 0) = $2)
       and l.date between $4::date and $5::date and ($3::text[] is null or e.event = any($3))`,
    [[accounts].flat(), placeOf(where), events ?? null, from, to],
  );
  return yuan(rows[0]!.fen * side || 0);
}
const BILLED = ["E01", "E02", "E03", "E05"];

describe("the example month", () => {
  test("R1: 应收, 调整, 实收, 押金抵扣, 核销 and 期末未收", async () => {
    const of = async (where: "a" | "b") => [
      await moved("1122", 1, where, BILLED),
      await moved("1122", 1, where, ["E04"]),
      await moved("1122", -1, where, ["E08", "E09"]),
      await moved("1122", -1, where, ["E14"]),
      await moved("1122", -1, where, ["E11"]),
    ];
    expect(await of("a")).toEqual(["15,230.80", "0.00", "11,100.00", "0.00", "500.00"]);
    expect(await of("b")).toEqual(["10,320.50", "-1,100.00", "8,900.00", "320.50", "0.00"]);
  });

  test("what was due in March, store by store: 89.29 % and all of it are in, together 94.15 % and not the mean", async () => {
    const query = { dueMonth: "2026-03", direction: "receivable" } as never;
    const { list, sums } = await house.did(billsByVillage, { as: m.lead }, { query });
    const of = ({ amount, settled, outstanding, rate }: (typeof list)[number] | NonNullable<typeof sums>) => [
      ...[amount, settled, outstanding].map((fen) => yuan(fen)),
      rate,
    ];
    const at = (where: "a" | "b") => of(list.find((row) => row.id === m[where].villageId)!);
    expect(at("a")).toEqual(["12,430.80", "11,100.00", "1,330.80", 0.8929]);
    expect(at("b")).toEqual(["10,320.50", "10,320.50", "0.00", 1]);
    expect(of(sums!)).toEqual(["22,751.30", "21,420.50", "1,330.80", 0.9415]);
  });

  test("欠费 and 未到期 are what is still to be paid", async () => {
    const { sums } = await house.did(owingReport, { as: m.lead }, { query: { day: MARCH.to } as never });
    const left = await moved("1122", 1, "whole", undefined, UNTIL);
    const query = { tab: "all", direction: "receivable", dueFrom: "2026-04-01" } as never;
    const later = (await house.did(listBills, { as: m.lead }, { query })).sums!.outstanding;
    expect([left, yuan(sums!.owed), yuan(later)]).toEqual(["4,130.80", "1,330.80", "2,800.00"]);
    expect(await moved("1122", 1, "b", undefined, UNTIL)).toBe("0.00");
  });

  test("R12: what subjects took, what prepaid money grew by and what of it is given back make up 收款", async () => {
    const of = async (where: Where) => [
      await moved("2203", 1, where, ["E08", "E09"]),
      await moved("2203", -1, where),
      await moved("2203", 1, where, ["E12"]),
      await moved("2203", -1, where, ["E06", "E17", "E10"]),
    ];
    expect(await of("a")).toEqual(["11,100.00", "250.00", "0.00", "11,350.00"]);
    expect(await of("b")).toEqual(["8,900.00", "0.00", "1,100.00", "10,000.00"]);
    expect(await of("whole")).toEqual(["20,000.00", "250.00", "1,100.00", "21,350.00"]);
  });

  test("R10: what was deferred, billed, recognised, and its net and tax", async () => {
    const of = async (where: Where) => [
      await moved("2204", -1, where, undefined, BEFORE),
      await moved("2204", -1, where, ["E01", "E04", "E05"]),
      await moved("2204", 1, where, ["E24"]),
      await moved("2204", -1, where, undefined, UNTIL),
      await moved("6001", -1, where, ["E24"]),
      await moved("2222", -1, where, ["E24"]),
    ];
    expect(await of("a")).toEqual(["0.00", "12,200.00", "7,790.32", "4,409.68", "7,676.02", "114.30"]);
    expect(await of("b")).toEqual(["3,100.00", "9,100.00", "12,200.00", "0.00", "11,345.74", "854.26"]);
    expect(await of("whole")).toEqual([
      ...["3,100.00", "21,300.00", "19,990.32", "4,409.68"],
      ...["19,021.76", "968.56"],
    ]);
  });

  test("资金: stores own none of the accounts; what head office holds is theirs but for what nobody claimed", async () => {
    const of = async (where: Where) => [
      await moved(["1001", "1002", "1012", "1019"], 1, where, undefined, UNTIL),
      await moved("2299", 1, where, undefined, UNTIL),
    ];
    expect(await of("a")).toEqual(["0.00", "13,481.90"]);
    expect(await of("b")).toEqual(["0.00", "16,120.50"]);
    expect(await of("head")).toEqual(["30,102.40", "-29,602.40"]);
    expect(await of("whole")).toEqual(["30,102.40", "0.00"]);
  });

  test("R3: money of each store, of head office and of the whole", async () => {
    expect(told((await report("a")).money)).toEqual({
      opening: "2,800.00",
      received: "11,350.00",
      paid: "-600.00",
      fees: "-48.10",
      short: "-20.00",
      closing: "13,481.90",
    });
    expect(told((await report("b")).money)).toEqual({
      opening: "10,000.00",
      received: "10,000.00",
      refunded: "-3,879.50",
      closing: "16,120.50",
    });
    expect(told((await report("head")).money)).toEqual({ unclaimed: "500.00", closing: "500.00" });
    const whole = await report("whole");
    expect(told(whole.money)).toEqual({
      opening: "12,800.00",
      received: "21,350.00",
      unclaimed: "500.00",
      refunded: "-3,879.50",
      paid: "-600.00",
      fees: "-48.10",
      short: "-20.00",
      closing: "30,102.40",
    });
    expect(whole.rest).toEqual({ now: 0, before: 0, year: 0 });
  });

  test("balances, tax and profit", async () => {
    expect(told((await report("a")).owed)).toMatchObject({
      "1122": "4,130.80",
      "1131": "3,000.00",
      "1221": "20.00",
      "2203": "250.00",
      "2204": "4,409.68",
      "2241": "5,800.00",
      "2221": "42.86",
      "2222": "319.59",
      "2299": "13,481.90",
    });
    expect(told((await report("b")).owed)).toEqual({
      "2221": "825.69",
      "2222": "28.57",
      "2243": "120.50",
      "2299": "16,120.50",
    });
    const whole = await report("whole");
    expect(told(whole.owed)).toMatchObject({
      "1122": "4,130.80",
      "2203": "250.00",
      "2241": "5,800.00",
      "2242": "500.00",
      "2221": "868.55",
      "2222": "348.16",
    });
    expect(told((await report("a")).profit)).toEqual({
      rent: "7,676.02",
      lateFee: "30.36",
      share: "2,752.29",
      cost: "-600.00",
      channel: "-48.10",
      badDebt: "-500.00",
      profit: "9,310.57",
    });
    expect(told((await report("b")).profit)["profit"]).toBe("11,345.74");
    expect(told(whole.profit)["profit"]).toBe("20,656.31");
  });

  test("the trial balance stands at 38,401.30 on each side", async () => {
    const { sums } = await house.did(trialBalance, { as: m.lead }, { query: MARCH as never });
    expect([yuan(sums!.closeDebit), yuan(sums!.closeCredit)]).toEqual(["38,401.30", "38,401.30"]);
    expect([yuan(sums!.debit), yuan(sums!.credit)]).toEqual(["165,732.97", "165,732.97"]);
  });

  test("where the money is: the bank, the channel that has settled all, and a store's share of it", async () => {
    const { list } = await house.did(accountSummary, { as: m.lead }, { query: MARCH as never });
    const of = (id: number) => list.find((row) => row.id === id)!;
    expect(of(m.accounts.bank)).toMatchObject({
      opening: 1_280_000,
      refunded: 387_950,
      paid: 60_000,
      closing: 3_010_240,
    });
    const { received, movedIn } = of(m.accounts.bank);
    expect(yuan(received + movedIn)).toBe("21,781.90");
    expect(of(m.accounts.wechat)).toMatchObject({ opening: 0, received: 635_000, fee: 3_810, closing: 0 });
    expect(of(m.accounts.cash).closing).toBe(0);
    const local = await house.person({ permits: ["23.query"], villages: [m.a.villageId] });
    const seen = await house.did(
      accountSummary,
      { as: local },
      { query: { ...MARCH, villageIds: String(m.a.villageId) } as never },
    );
    expect(seen.list.find((row) => row.id < 0 || row.name.includes("本店份额"))!.closing).toBe(1_348_190);
    expect(new Set(seen.list.filter((row) => row.id > 0).map((row) => row.closing))).toEqual(new Set([0]));
    const cards = await house.did(summaryCards, { as: m.lead }, { query: {} as never });
    expect([cards.unclaimed, cards.prepaid, cards.deposits]).toEqual([50_000, 25_000, 580_000]);
  });

  test("on no day was a bill owed below nothing, though what it paid was given back later", async () => {
    const { rows } = await pool.query(
      `select b.bill_no, o.date, o.owed from (
         select bill_id, date, sum(sum(debit - credit)) over (partition by bill_id order by date) owed
         from journal_line where account = '1122' group by 1, 2) o join bill b on b.id = o.bill_id where o.owed < 0`,
    );
    expect(rows).toEqual([]);
  });

  test("of a rent only the part that is not owed any more is given back; who paid what stays", async () => {
    const { rows } = await pool.query<{ fen: number }>(
      `select a.amount fen from allocation a join bill b on b.id = a.bill_id and b.direction = 'receivable'
       where a.kind = 'money' and a.date between '2026-03-01' and '2026-03-31' order by 1 desc`,
    );
    expect(rows.map(({ fen }) => yuan(fen))).toEqual([
      "10,000.00",
      "3,000.00",
      "3,000.00",
      "2,000.00",
      "1,500.00",
      "1,500.00",
      "100.00",
      "-1,100.00",
    ]);
    const { owner } = house.database;
    const more = `insert into allocation (bill_id, bill_line_id, flow_id, village_id, amount, date, undoes_id)
      select bill_id, bill_line_id, flow_id, village_id, $1, date, id from allocation where amount = 310000 and bill_id = $2`;
    const id = m.bills["孙七3月"];
    await expect(owner.query(more, [-200_001, id])).rejects.toMatchObject({
      constraint: "allocation_undone",
    });
    await expect(owner.query(more, [1, id])).rejects.toMatchObject({ constraint: "allocation_undone" });
  });

  test("三流合一: what a contract was charged is money, deposit, write-off and what it owes; what is invoiced stands beside", async () => {
    const { list, sums } = await house.did(
      listThreeWay,
      { as: m.lead },
      { query: { pageSize: 200 } as never },
    );
    for (const c of list)
      expect([c.contractNo, c.received + c.byDeposit + c.writtenOff + c.outstanding]).toEqual([
        c.contractNo,
        c.billed,
      ]);
    const of = (name: string) => list.find((c) => c.id === m.people[name]!.contractId)!;
    expect(of("张三")).toMatchObject({
      billed: 610_000,
      invoiced: 300_000,
      invoiceable: 10_000,
      depositIn: 300_000,
      depositHeld: 300_000,
      marks: [],
    });
    expect(of("孙七")).toMatchObject({
      byDeposit: 32_050,
      depositIn: 310_000,
      depositHeld: 0,
      outstanding: 0,
    });
    expect(of("王五")).toMatchObject({ writtenOff: 50_000, billed: 50_000 });
    expect(sums!.outstanding).toBe(413_080);
    const odd = () => house.did(listThreeWay, { as: m.lead }, { query: { odd: "true" } as never });
    expect((await odd()).total).toBe(0);
    const { owner } = house.database;
    await owner.query("update deposit_balance set held = held + 1 where contract_id = $1", [of("张三").id]);
    expect((await odd()).list).toMatchObject([{ id: of("张三").id, marks: ["deposit"] }]);
    await owner.query("update deposit_balance set held = held - 1 where contract_id = $1", [of("张三").id]);
  });

  test("every check and tie holds", async () => {
    const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
    expect(breaks).toEqual([]);
  });

  test("T08: vouchers of both sides are the journal of the month; the month's open ends are named", async () => {
    const { lead: as } = m;
    await house.did(usualMappings, { as });
    await checked(house, as);
    const places = [m.a.villageId, m.b.villageId, undefined];
    const levels = async (villageId: number | undefined) => {
      const query = { side: "income" as const, month: "2026-03", ...(villageId && { villageId }) };
      const { checks } = await house.did(checkPosting, { as }, { query });
      return checks.filter(({ level }) => level === "amber").map(({ key, said }) => `${key} ${said}`);
    };
    expect((await levels(m.a.villageId)).toSorted()).toEqual([
      "short 1 张缴款单，20.00",
      "statements 前台POS、微信商户号 共 2 天没有对账单",
    ]);
    expect(await levels(undefined)).toEqual(["unclaimed 1 笔未认领，合计 500.00"]);
    const sums: Record<string, number> = {};
    for (const side of ["income", "cost"] as const)
      for (const month of ["2026-02", "2026-03"])
        for (const villageId of places) {
          const of = { side, month, ...(villageId && { villageId }) };
          const { status, body } = await house.ask(generatePosting, { as }, { body: of });
          // a place without an entry on a side has nothing to post
          if (status !== 200) throw new Error(`${side} ${month} ${villageId ?? "head"}: ${body.message}`);
          const id = body.data.id;
          const { version, debit, inBooks } = await house.did(getPosting, { as }, { params: { id } });
          expect(debit).toBe(inBooks);
          if (month === "2026-03") sums[side] = (sums[side] ?? 0) + debit;
          await house.ask(exportPosting, { as }, { params: { id }, body: { version, format: "csv" } });
        }
    expect([yuan(sums["income"]!), yuan(sums["cost"]!)]).toEqual(["163,384.87", "2,348.10"]);
  });

  /** The vouchers of March of a place, or of all, as a file. */
  async function fileOf(where: Where, format: "ledger" | "kingdee" | "yonyou"): Promise<Buffer> {
    const { rows: items } = await pool.query<{ id: number; version: number }>(
      `select id, version from voucher_batch where month = '2026-03' and state = 'exported'
         and ($1::bigint is null or coalesce(village_id, 0) = $1) order by id`,
      [placeOf(where)],
    );
    const { status, raw } = await house.ask(exportManyAgain, { as: m.lead }, { body: { items, format } });
    expect(status).toBe(200);
    return raw;
  }
  /** What was posted of March by account: debit, credit. */
  async function bookedOf(where: Where): Promise<Record<string, Sides>> {
    const { rows } = await pool.query<{ account: string; debit: number; credit: number }>(
      `select l.account, sum(l.debit)::bigint debit, sum(l.credit)::bigint credit
       from journal_line l join journal_entry e on e.id = l.entry_id
       where ($1::bigint is null or coalesce(l.village_id, 0) = $1) and e.side <> 'none'
         and l.date between '2026-03-01' and '2026-03-31' group by 1`,
      [placeOf(where)],
    );
    return Object.fromEntries(rows.map(({ account, debit, credit }) => [account, [debit, credit]]));
  }

  test.each(["a", "b", "head", "whole"] as const)(
    "hledger and ledger work out the same balances from the plain-text file: %s",
    async (where) => {
      const journal = (await fileOf(where, "ledger")).toString();
      const left = Object.entries(await bookedOf(where)).flatMap(([account, [debit, credit]]) =>
        debit === credit ? [] : [[account, debit - credit] as const],
      );
      const sumOf = (codes: RegExp) =>
        left.filter(([account]) => codes.test(account)).reduce((sum, [, fen]) => sum + fen, 0);
      const said = hledger(journal);
      if (said) {
        expect(said.balances).toEqual(Object.fromEntries(left));
        expect(said.total("incomestatement")).toBe(0 - sumOf(/^6/));
        // what is owned less what is owed is what was earned
        expect(said.total("balancesheet")).toBe(sumOf(/^[12]/));
      }
      expect(ledger(journal) ?? Object.fromEntries(left)).toEqual(Object.fromEntries(left));
    },
  );

  test("the files for Kingdee and Yonyou come to the journal, account by account", async () => {
    const { list } = await house.did(listMappings, { as: m.lead }, { query: { pageSize: 200 } as never });
    const codes = new Map(list.map(({ account, glCode }) => [account, glCode]));
    const wanted = Object.fromEntries(
      Object.entries(await bookedOf("whole")).map(([account, sums]) => [codes.get(account), sums]),
    );
    expect(await kingdeeSums(await fileOf("whole", "kingdee"))).toEqual(wanted);
    expect(yonyouSums(await fileOf("whole", "yonyou"))).toEqual({ first: "填制凭证,V800", sums: wanted });
  });
});
