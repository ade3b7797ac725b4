import { CamelCasePlugin, Kysely, PostgresDialect, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { DB } from "../../../db/types.gen.ts";
import type { Call } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { financeReport } from "../../report/books/books.contract.ts";
import { dailyCollection } from "../../report/collection/collection.contract.ts";
import { listBankLines } from "../corporate/corporate.contract.ts";
import { listInvoices } from "../invoice/invoice.contract.ts";
import accrualJobs from "../accrual/accrual.job.ts";
import { aBill, aLine } from "../bill/bill.sample.ts";
import billJobs from "../bill-list/bill.job.ts";
import corporateJobs from "../corporate/corporate.job.ts";
import einvoiceJobs from "../einvoice/einvoice.job.ts";
import flowJobs from "../flow/flow.job.ts";
import invoiceJobs from "../invoice/invoice.job.ts";
import lateFeeJobs from "../latefee/latefee.job.ts";
import refundJobs from "../refund/refund.job.ts";
import statementJobs from "../statement/statement.job.ts";
import submissionJobs from "../submission/submission.job.ts";
import sumsJobs from "../sums/sums.job.ts";
import checkJobs from "./check.job.ts";
import { setBilling } from "../setting/setting.service.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { credit, debit, type EventCode, type Leg } from "../journal/journal.rules.ts";
import { post } from "../journal/journal.service.ts";
import { refundsByVillage } from "../refund/refund.contract.ts";
import { listSubmissions } from "../submission/submission.contract.ts";
import { accountSummary, summaryCards } from "../summary/summary.contract.ts";
import { summary as shareByStore } from "../third-party/income.contract.ts";
import { exampleMonth, type ExampleMonth } from "../summary/month.sample.ts";
import { checkLedger, type LedgerBreak } from "./check.service.ts";
import { CHECKS } from "./checks.queries.ts";

const house = await testHouse();
let m: ExampleMonth;
beforeAll(async () => {
  m = await exampleMonth(house);
}, 120_000);

/** What events moved an account by in March on its normal side, in yuan. */
async function moved(account: string, side: 1 | -1, ...events: string[]): Promise<string> {
  const { rows } = await house.database.pool.query<{ fen: number }>(
    `select coalesce(sum(l.debit - l.credit), 0)::bigint fen from journal_line l join journal_entry e on e.id = l.entry_id
     where l.account = $1 and l.date between '2026-03-01' and '2026-03-31' and (cardinality($2::text[]) = 0 or e.event = any($2))`,
    [account, events],
  );
  return yuan(rows[0]!.fen * side || 0);
}
const MARCH = { from: "2026-03-01", to: "2026-03-31" };

describe("the ties of the example month, in figures", () => {
  const asking = <const C extends Call>(call: C, query: object = {}) =>
    house.did(call, { as: m.lead }, { query: query as never } as never);

  test("T01: what was taken, by day and by journal, is what pays lines, stays prepaid or is given back", async () => {
    const { sums } = await asking(dailyCollection, MARCH);
    expect([yuan(sums!.total), await moved("2203", -1, "E06", "E17", "E10")]).toEqual([
      "21,350.00",
      "21,350.00",
    ]);
    expect([
      await moved("2203", 1, "E08", "E09"),
      await moved("2203", -1),
      await moved("2203", 1, "E12"),
      await moved("2203", -1, "E15"),
    ]).toEqual(["20,000.00", "250.00", "1,100.00", "0.00"]);
    expect(await moved("1122", -1, "E08", "E09")).toBe("20,000.00");
    const { rows } = await house.database.pool.query<{ fen: number }>(
      `select sum(a.amount)::bigint fen from allocation a join bill b on b.id = a.bill_id
       where a.kind = 'money' and b.direction = 'receivable' and a.date between '2026-03-01' and '2026-03-31'`,
    );
    expect(yuan(rows[0]!.fen)).toBe("20,000.00");
  });

  test("T05: the accounts and what is on its way are the money of the report", async () => {
    const { sums } = await asking(accountSummary, MARCH);
    const { money } = await asking(financeReport, MARCH);
    const { onTheWay } = await asking(summaryCards);
    expect([yuan(sums!.closing + onTheWay), yuan(money.at(-1)!.now)]).toEqual(["30,102.40", "30,102.40"]);
  });

  test("T06: tax ahead of invoices grew by what was recognised, less what was invoiced", async () => {
    expect([
      await moved("2222", -1),
      await moved("2222", -1, "E24"),
      await moved("2222", -1, "E03"),
      await moved("2222", -1, "E27"),
      await moved("2222", 1, "E22", "E23"),
    ]).toEqual(["348.16", "968.56", "0.44", "247.71", "868.55"]);
    const { sums } = await asking(listInvoices, { tab: "issued" });
    expect([yuan(sums!.tax), await moved("2221", -1, "E22")]).toEqual(["868.55", "868.55"]);
  });

  test("T07: what was refunded is what went out for it, and nothing is owed any more", async () => {
    const [{ sums }, accounts] = [await asking(refundsByVillage), await asking(accountSummary, MARCH)];
    expect([yuan(sums!.paid), yuan(accounts.sums!.refunded), await moved("2202", 1, "E13")]).toEqual([
      "3,879.50",
      "3,879.50",
      "3,879.50",
    ]);
    expect(await moved("2202", -1)).toBe("0.00");
  });

  test("T09: deposits received, set off and given back are what they are less than before", async () => {
    expect([
      await moved("2241", -1, "E08"),
      await moved("2241", -1, "E14"),
      await moved("2241", -1, "E12"),
      await moved("2241", -1),
    ]).toEqual(["3,000.00", "-320.50", "-2,779.50", "-100.00"]);
    const { rows } = await house.database.pool.query<{ fen: number }>(
      "select sum(held)::bigint fen from deposit_balance",
    );
    // 2,800.00 and 3,100.00 were held before
    expect(yuan(rows[0]!.fen)).toBe("5,800.00");
  });

  test("T10, T11: nobody has claimed 500.00, nothing is on its way, 20.00 are short", async () => {
    const { sums } = await asking(listBankLines);
    expect([yuan(sums!.free), await moved("2242", -1)]).toEqual(["500.00", "500.00"]);
    expect([await moved("1019", 1), await moved("1221", 1)]).toEqual(["0.00", "20.00"]);
    const { list } = await asking(listSubmissions);
    expect(list.map(({ state, diff }) => [state, diff])).toEqual([["short", -2_000]]);
  });

  test("T14: the share of partners is what is owed for it", async () => {
    const { sums } = await asking(shareByStore);
    expect([yuan(sums!.share), await moved("1131", 1, "E27")]).toEqual(["3,000.00", "3,000.00"]);
  });
});

// what the product may not do to its tables, their owner may
const asOwner = new Kysely<DB>({
  dialect: new PostgresDialect({ pool: house.database.owner }),
  plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
});
const GUARDED =
  `accrual_row allocation bank_line bill bill_line deposit_balance flow invoice invoice_line journal_day
  journal_entry journal_line party_balance period_lock taking_day third_party_income voucher_batch`.split(
    /\s+/,
  );

/** What a check of the books finds once a row of them is not what was booked; the row stands again afterwards. */
async function foundAfter(damage: string): Promise<LedgerBreak[]> {
  let found: LedgerBreak[] = [];
  const undone = new Error("undone");
  await asOwner
    .transaction()
    .execute(async (tx) => {
      for (const table of GUARDED) await sql.raw(`alter table ${table} disable trigger user`).execute(tx);
      const { numAffectedRows } = await sql.raw(damage).execute(tx);
      expect(numAffectedRows, damage).toBe(1n);
      const who = { ...nobody, enterpriseId: house.enterpriseId };
      const act = actOf(house, tx, who, { requestId: "damage", ip: "", userAgent: "test" });
      found = (await checkLedger(act, "manual")).breaks;
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return found;
}

/** One row of a table is another than it was. */
const one = (table: string, set: string, where = "true") =>
  `update ${table} set ${set} where ctid = (select ctid from ${table} where ${where} limit 1)`;
/** An account has a fen more on a side than an event gave it. */
const fen = (account: string, side: "debit" | "credit", event: string) =>
  one(
    "journal_line",
    `${side} = ${side} + 1`,
    `account = '${account}' and ${side} > 0 and entry_id in (select id from journal_entry where event = '${event}')`,
  );
const MARCH_LOCKED =
  "insert into period_lock (village_id, month, side, locked_at) select min(id), '2026-03', 'income',";
/** What is changed, and by which check it is found with what record. */
const DAMAGED: [code: string, damage: string, key: RegExp][] = [
  ["C01", fen("2203", "credit", "E06"), /^PZ/],
  [
    "C02",
    one(
      "journal_line",
      "village_id = (select max(id) from village)",
      "account = '2203' and village_id = (select min(id) from village)",
    ),
    /^PZ/,
  ],
  ["C03", one("bill", "settled = settled - 5", "settled > 5"), /^ZD/],
  ["C03", one("bill", "written_off = written_off - 5", "written_off > 5"), /^ZD/],
  ["C03", one("contract_money", "billed = billed + 1"), /^HT.* 应收$/],
  ["C03", one("contract_money", "received = received + 1"), /^HT.* 已收$/],
  ["C03", one("contract_money", "deposit_held = deposit_held + 1"), /^HT.* 押金$/],
  ["C04", one("flow", "fee = fee + 1", "fee > 0"), /^LS.* 手续费$/],
  ["C04", one("flow", "allocated = allocated - 1", "direction = 'in' and allocated > 0"), /^LS/],
  ["C05", one("party_balance", "balance = balance + 1"), /^\d+$/],
  ["C06", one("deposit_balance", "held = held + 1"), /^HT/],
  ["C07", one("accrual_row", "gross = gross + 1"), /^PZ.* 递延收入$/],
  [
    "C08",
    `with locked as (${MARCH_LOCKED} '2026-05-01' from village) ${one("accrual_row", "gross = gross + 1")}`,
    /^2026-03$/,
  ],
  ["C09", `${MARCH_LOCKED} '2026-03-15' from village`, /^2026-03 income$/],
  ["C10", one("journal_entry", "source_type = 'x'", "event = 'E06'"), /^LS/],
  ["C10", one("journal_entry", "source_type = 'x'", "event = 'E01'"), /^ZD/],
  ["C11", one("taking_day", "amount = amount + 1"), /^收款 2026-/],
  ["C11", one("journal_day", "debit = debit + 1"), /^借方 2026-/],
  ["C12", one("bill", "voided_at = now()", "direction = 'receivable'"), /^ZD/],
  [
    "C13",
    one("journal_line", "contract_id = (select max(id) from contract)", "account = '2204' and credit > 0"),
    /^HT/,
  ],
  ["C14", fen("3999", "credit", "E30"), /^PZ/],
  ["C18", one("invoice", "amount = amount + 1"), /^FP.* 明细$/],
  ["C18", one("bill_line", "invoiced = invoiced - 1", "invoiced > 0"), /^ZD.* 已开票$/],
  ["R6", one("invoice_line", "tax = tax + 1"), /店/],
  ["T13", one("bill_line", "invoiced = 900000", "invoiced = 300000"), /^HT/],
  ["T01", one("allocation", "amount = amount + 1", "kind = 'money'"), / 分配$/],
  ["T01", one("flow", "amount = amount + 1", "kind = 'receipt'"), / 收款$/],
  ["T02", fen("1122", "debit", "E01"), /店/],
  ["T03", one("bill_line", "amount = amount + 1", "amount > 0"), /店/],
  ["T04", fen("6001", "credit", "E24"), / 业务收入$/],
  ["T04", one("accrual_row", "gross = gross + 1, tax = tax + 1"), / 出账$/],
  ["T05", fen("1012", "debit", "E06"), /微信|POS/],
  ["T06", fen("2222", "credit", "E24"), /店/],
  ["T07", fen("2202", "credit", "E12"), /店/],
  [
    "T08",
    `insert into voucher_batch (batch_no, enterprise_id, village_id, month, side, state, file_version, exported_at, vouchers, debit, credit)
     select 'GZ1', enterprise_id, id, '2026-03', 'income', 'exported', 1, now(), 0, 0, 0 from village order by id limit 1`,
    /^GZ1 1122借$/,
  ],
  ["T09", one("deposit_balance", "held = held + 1"), /店/],
  ["T10", fen("2242", "credit", "E16"), /^对公账户/],
  ["T11", fen("1019", "debit", "E19"), /^JK.* 在途$/],
  ["T11", fen("1221", "debit", "E20"), /^JK.* 短款$/],
  ["T12", fen("2299", "debit", "E17"), /^2299$/],
  [
    "T14",
    one("third_party_income", "gross = gross + 1, computed = computed + 1, share = share + 1"),
    / 分成$/,
  ],
  ["T14", fen("1131", "debit", "E27"), / 未结算$/],
];

test.each(DAMAGED)(
  "%s finds what is not as it was booked, and names its record (%#)",
  async (code, damage, key) => {
    const keys = (await foundAfter(damage)).filter((b) => b.code === code).map((b) => b.key);
    expect(keys).toContainEqual(expect.stringMatching(key));
  },
);

/** Entries that balance, and are wrong all the same: whose, what they are, and where they are found. */
const MISPOSTED: [code: string, what: string, event: EventCode, legs: () => Leg[], key: RegExp][] = [
  [
    "T04",
    "what a bill charges is taken off income that it never was",
    "E04",
    () => [debit("2204", m.a.villageId, 100), credit("2243", m.a.villageId, 100)],
    / 出账$/,
  ],
  [
    "T05",
    "money comes to the bank from nowhere",
    "E29",
    () => [
      debit("1002", null, 100, { merchantAccountId: m.accounts.bank }),
      credit("6053", m.a.villageId, 100),
    ],
    / 资金来源$/,
  ],
  [
    "T06",
    "tax is due without an invoice",
    "E03",
    () => [debit("2222", m.a.villageId, 44), credit("2221", m.a.villageId, 44)],
    /店/,
  ],
  [
    "T06",
    "tax of a share that no sheet has",
    "E27",
    () => [debit("1131", m.a.villageId, 44), credit("2222", m.a.villageId, 44)],
    /店/,
  ],
];

test.each(MISPOSTED)("%s finds that %s", async (code, _what, event, legs, key) => {
  const posting = { event, sourceType: "misposted", sourceId: 1, businessDate: "2026-03-31", legs: legs() };
  const undone = new Error("undone");
  let found: LedgerBreak[] = [];
  await acting(house, async (act) => {
    await post(act, [posting]);
    found = (await checkLedger(act, "manual")).breaks;
    throw undone;
  }).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  const keys = found.filter((b) => b.code === code).map((b) => b.key);
  expect(keys).toContainEqual(expect.stringMatching(key));
});

test("no check is without a proof that it finds something", () => {
  // an amount beyond the bound is refused by its table; old ones are found in beyond.server.test.ts
  const proved = new Set([...DAMAGED.map(([code]) => code), "C15"]);
  expect(CHECKS.map(({ code }) => code).filter((code) => !proved.has(code))).toEqual([]);
});

const JOBS = [
  ...[accrualJobs, billJobs, checkJobs, corporateJobs, einvoiceJobs, flowJobs, invoiceJobs],
  ...[lateFeeJobs, refundJobs, statementJobs, submissionJobs, sumsJobs],
];
/** When each is done by the clock; the minute's ones ask, fold and tend. */
const HOURS = {
  issueBills: "10 0 * * *",
  autoUsePrepaid: "20 0 * * *",
  lateFeeFreeze: "0 1 1 * *",
  accrual: "0 2 1 * *",
  taxDeclare: "30 2 1 * *",
  ledgerCheck: "0 3 * * *",
  unclaimedAged: "0 9 * * *",
  certificateExpiry: "0 9 * * *",
  statementFetch: "30 10-17 * * *",
  submissionLate: "0 18 * * *",
  "sums.fold": "* * * * *",
  "refund.ask": "* * * * *",
  "invoice.ask": "* * * * *",
};

test("the jobs of the area are done at their hours; done once more they book and tell nothing more", async () => {
  const { db, pool } = house.database;
  await setBilling(
    { tx: db },
    { enterpriseId: house.enterpriseId },
    { lateFeeFreeze: "monthly", taxPoint: "invoiceOrReceipt" },
  );
  const { partyId, contractId, store } = m.people["张三"]!;
  await aBill(house, store, partyId, { contractId, dueDate: "2026-04-20", lines: [aLine("rent", 10_000)] });
  house.setClock("2026-05-01T18:00:00+08:00");
  const timed = JOBS.flat().filter(({ name }) => name in HOURS);
  expect(Object.fromEntries(timed.map(({ name, cron }) => [name, cron]))).toEqual(HOURS);
  const order = Object.keys(HOURS);
  const once = async (n: number) => {
    for (const job of timed.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)))
      await perform(house, job, {}, `${job.name} ${n}`);
    const { rows } = await pool.query(
      `select (select count(*)::int from journal_entry) entries, (select count(*)::int from allocation) payments,
         (select count(*)::int from accrual_row) accrued, (select count(*)::int from message) messages`,
    );
    return rows[0] as Record<string, number>;
  };
  const { rows: last } = await pool.query<{ id: number }>("select max(id) id from journal_entry");
  const first = await once(1);
  const { rows: booked } = await pool.query<{ event: string }>(
    "select distinct event from journal_entry where id > $1 order by 1",
    [last[0]!.id],
  );
  // what was planned is issued and paid out of prepaid money, late fees are written, income is earned and its tax declared
  expect(booked.map(({ event }) => event)).toEqual(["E01", "E03", "E08", "E23", "E24"]);
  expect(await once(2)).toEqual(first);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});
