import { beforeAll, describe, expect, test } from "vitest";
import { TOO_LARGE } from "../../../platform/kernel/fen.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { getBill, countBills, listBills } from "./bill.contract.ts";
import jobs from "./bill.job.ts";
import { aBill, aParty, bookBalance } from "../bill/bill.sample.ts";
import { type Billed, aBilledStore } from "../bill/billed.sample.ts";
import { lastCheck } from "../check/check.contract.ts";
import { checked } from "../check/check.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { openOfParty, payers } from "../payer/payer.contract.ts";
import * as acts from "../bill-acts/acts.contract.ts";

const house = await testHouse();
// what the product may not do to its tables, their owner may
const { owner: pool } = house.database;
let world: Billed;
let lead: Person;
let cleaning: number;
beforeAll(async () => {
  world = await aBilledStore(house);
  lead = await house.person({
    permits: ["26.query", "26.get", "102.query", "102.add", "#6501", "#2602"],
    villages: [world.store.villageId],
  });
  const { rows } = await pool.query<{ id: number }>(
    "select id from fee_subject where code = 'cleaning' limit 1",
  );
  cleaning = rows[0]!.id;
});

describe("a bill by hand", () => {
  const line = (more: object = {}) => ({
    feeSubjectId: cleaning,
    periodStart: "2026-03-20",
    periodEnd: "2026-03-20",
    quantity: "1",
    price: 9_999_999_999,
    ...more,
  });
  let posts = 0;
  const asked = async (lines: object[]) => {
    const { villageId, roomId } = world.store;
    const body = { villageId, partyId: world.partyId, roomId, title: "赔偿", dueDate: "2026-03-25", lines };
    const answer = await house.ask(
      acts.addBill,
      { as: world.clerk, key: `bill-${++posts}-beyond` },
      { body: body as never },
    );
    return [answer.status, answer.body.fields?.map((f) => `${f.field}: ${f.msg}`)];
  };

  test("is refused where quantity and price come to more than an amount", async () => {
    expect(await asked([line({ quantity: "999999.99" })])).toEqual([400, [`lines.0.price: ${TOO_LARGE}`]]);
    expect(await asked([line({ quantity: "1.01" })])).toEqual([400, [`lines.0.price: ${TOO_LARGE}`]]);
    expect(await asked([line(), line({ price: 1 })])).toEqual([400, [`lines: ${TOO_LARGE}`]]);
    expect((await asked([line()]))[0]).toBe(200);
  });

  test("is refused where it comes to nothing, or is for longer than any lease", async () => {
    expect(await asked([line({ quantity: "0" })])).toEqual([400, ["lines.0.quantity: 金额必须大于0"]]);
    expect(await asked([line({ quantity: "0.01", price: 1 })])).toEqual([
      400,
      ["lines.0.quantity: 金额必须大于0"],
    ]);
    expect(await asked([line({ periodStart: "2026-01-01", periodEnd: "2046-01-01" })])).toEqual([
      400,
      ["lines.0.periodEnd: 计费期最长二十年"],
    ]);
    expect(await asked([line({ price: 1, periodStart: "2026-01-01", periodEnd: "2045-12-31" })])).toEqual([
      200,
      undefined,
    ]);
  });

  test("what is wrong by itself is told by itself, and nothing breaks on it", async () => {
    expect(await asked([line({ quantity: "a", price: 1.5 })])).toEqual([
      400,
      [
        "lines.0.quantity: 请输入正确的数量（最多6位整数、2位小数）",
        "lines.0.price: 请输入正确的金额（最多两位小数）",
      ],
    ]);
    for (const quantity of ["-1", "1000000", "1.234"])
      expect(await asked([line({ quantity })])).toEqual([
        400,
        ["lines.0.quantity: 请输入正确的数量（最多6位整数、2位小数）"],
      ]);
  });

  test("an increase stops at the same bound", async () => {
    const id = await aBill(house, world.store, world.partyId);
    const { lines } = await house.did(getBill, { as: world.clerk }, { params: { id } });
    const changes = [{ lineId: lines[0]!.id, mode: "plus" as const, value: 9_999_999_999 }];
    const answer = await house.ask(
      acts.previewAdjust,
      { as: world.clerk },
      { params: { id }, body: { changes } },
    );
    expect(answer.body.fields).toEqual([{ field: "changes.0.value", msg: TOO_LARGE }]);
  });
});

test("the database refuses what no code stopped, with a sentence", async () => {
  const id = await aBill(house, world.store, world.partyId);
  const tries = [
    ["update bill set amount = 20000000000 where id = $1", "bill_sum_bound"],
    [
      "insert into bill_line (bill_id, fee_subject_id, amount) select $1, id, 10000000000 from fee_subject limit 1",
      "bill_line_amount_bound",
    ],
    ["update flow set amount = 10000000000 where $1 > 0", "flow_amount_bound"],
  ] as const;
  for (const [sql, constraint] of tries)
    await expect(pool.query(sql, [id]), sql).rejects.toMatchObject({ code: "23514", constraint });
});

/** 999999.99 × 99,999,999.99 yuan, as it could be posted before there was a bound. */
const BEYOND = 9_999_999_899_000_000n;
const GUARDS = [
  "bill bill_amount_bound",
  "bill_line bill_line_amount_bound",
  "journal_line journal_line_amount_bound",
];

/** What one POST of before left behind: a bill on the ledger, or a plan, beyond what a number holds exactly. */
async function poisoned(partyId: number, no: string, day: string, issued: boolean): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    for (const guard of GUARDS) {
      const [table, name] = guard.split(" ");
      await client.query(`alter table ${table} disable trigger ${name}`);
    }
    const one = async (sql: string, values: unknown[]) =>
      (await client.query<{ id: number }>(sql, values)).rows[0]!.id;
    const { villageId, roomId } = world.store;
    const bill = await one(
      `insert into bill (bill_no, village_id, room_id, party_id, title, due_date, issue_date, issued_at, source, amount,
         subject_ids) values ($1, $2, $3, $4, '赔偿', $5, $5, $6, 'manual', $7, array[$8::bigint]) returning id`,
      [no, villageId, roomId, partyId, day, issued ? `${day}T08:00:00+08:00` : null, BEYOND, cleaning],
    );
    const line = await one(
      `insert into bill_line (bill_id, fee_subject_id, amount, tax_mode, tax_rate, tax, period_start, period_end, slices)
       values ($1, $2, $3::bigint, 'rate', 0.06, 0, $4::date, $4::date,
         jsonb_build_array(jsonb_build_object('from', $4::text, 'to', $4::text, 'amount', $3::bigint))) returning id`,
      [bill, cleaning, BEYOND, day],
    );
    if (issued) {
      const entry = await one(
        `insert into journal_entry (entry_no, event, side, date, business_date, source_type, source_id)
         values ($1, 'E01', 'income', $2, $2, 'bill', $3) returning id`,
        [`PZ-${no}`, day, bill],
      );
      await client.query(
        `insert into journal_line (entry_id, seq, date, village_id, account, debit, credit, party_id, bill_id,
           bill_line_id, fee_subject_id)
         values ($1, 0, $2, $3, '1122', $4, 0, $5, $6, $7, $8), ($1, 1, $2, $3, '2204', 0, $4, $5, $6, $7, $8)`,
        [entry, day, villageId, BEYOND, partyId, bill, line, cleaning],
      );
    }
    // what was put off until the commit is proved first
    await client.query("set constraints all immediate");
    for (const guard of GUARDS) {
      const [table, name] = guard.split(" ");
      await client.query(`alter table ${table} enable trigger ${name}`);
    }
    await client.query("commit");
    return bill;
  } finally {
    client.release();
  }
}

describe("a bill of before, beyond what a number holds", () => {
  let partyId: number;
  let id: number;
  const breaks = async () =>
    (await house.did(lastCheck, { as: lead })).breaks.filter((b) => b.code === "C15").map((b) => b.key);
  beforeAll(async () => {
    partyId = await aParty(house, "王五", { villageId: world.store.villageId });
    id = await poisoned(partyId, "ZD20260310-900001", "2026-03-10", true);
    await poisoned(partyId, "ZD20260310-900002", "2026-03-19", false);
  });

  test("is listed with its store's sums, opened, and found with its payer", async () => {
    for (const tab of ["all", "open", "overdue", "plan"] as const) {
      const page = await house.did(listBills, { as: lead }, { query: { tab } });
      expect(page.sums?.amount, tab).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
      expect(
        page.list.some((b) => b.billNo.startsWith("ZD20260310-90000")),
        tab,
      ).toBe(true);
    }
    expect((await house.did(countBills, { as: lead }, { query: {} })).plan).toBeGreaterThan(0);
    const bill = await house.did(getBill, { as: lead }, { params: { id } });
    expect(bill).toMatchObject({ amount: Number.MAX_SAFE_INTEGER, status: "unpaid" });
    const found = await house.did(payers, { as: lead }, { query: { keyword: "王五" } });
    expect(found.map((p) => p.id)).toEqual([partyId]);
    const open = await house.did(
      openOfParty,
      { as: lead },
      { params: { type: "renter", id: partyId }, query: {} },
    );
    expect(open.villages[0]!.bills).toHaveLength(2);
  });

  test("is named by the ledger check, and the night's work goes round it", async () => {
    expect((await checked(house, lead)).run!.results.find((r) => r.code === "C15")?.breaks).toBe(2);
    expect(await breaks()).toEqual(["ZD20260310-900001", "ZD20260310-900002"]);
    await perform(house, jobs[0]!, {}, "nightly");
    const { rows } = await pool.query(
      "select 1 from bill where bill_no like '%-900002' and issued_at is not null",
    );
    expect(rows).toEqual([]);
  });

  test("is voided, and its ledger comes back to where it was", async () => {
    const due = await bookBalance(house, "1122", world.store.villageId);
    expect(due).toBe(Number.MAX_SAFE_INTEGER);
    const { rows } = await pool.query<{ id: number }>(
      "select id from bill where bill_no like 'ZD20260310-90%'",
    );
    for (const bill of rows)
      await house.did(
        acts.voidBill,
        { as: lead },
        { params: { id: bill.id }, body: { reason: "录入错误", version: 1 } },
      );
    const { results } = await acting(house, (act) => checkLedger(act, "manual"));
    expect(results.filter((r) => r.breaks).map((r) => r.code)).toEqual([]);
    expect(await bookBalance(house, "1122", world.store.villageId)).toBeLessThan(10_100_000_000);
    expect(await breaks()).toEqual([]);
  });
});
