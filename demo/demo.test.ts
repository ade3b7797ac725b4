import { describe, expect, test } from "vitest";
import { contractBills, contractFlows, getContract } from "../domains/contract/contract/detail.contract.ts";
import { newBills } from "../domains/contract/signing/bills.rules.ts";
import { planBills } from "../domains/contract/schedule/bills.rules.ts";
import type { Terms } from "../domains/contract/terms/terms.contract.ts";
import { scheduleOf } from "../domains/contract/terms/terms.rules.ts";
import { makeBills } from "../domains/finance/bill/bill.service.ts";
import { checkLedger } from "../domains/finance/check/check.service.ts";
import { nobody } from "../platform/server/pipeline/act.ts";
import { actOf } from "../platform/server/pipeline/pipeline.ts";
import { testHouse } from "../platform/server/process/house.sample.ts";
import { freshDatabase } from "../platform/server/database/cluster.sample.ts";
import { recordById } from "../domains/contract/contract/record.queries.ts";
import { stillAgreed } from "../domains/contract/signing/sign.service.ts";
import { generate } from "./generate.ts";
import { makeLessors } from "./leases/lessors.ts";
import { POSTS } from "./people.ts";
import { makeSignings } from "./leases/signings.ts";
import { STANDARD } from "./standard.ts";

const today = "2026-11-20";
const now = new Date(`${today}T10:00:00+08:00`);
const options = { ...STANDARD, rooms: 150, today, now };
const house = await testHouse({ fill: (h) => generate(h.database, h.cipher, options) });
house.setClock(now.toISOString());
const { pool, owner, db } = house.database;
const request = { requestId: "test", ip: "", userAgent: "" };

describe("the demo company", () => {
  test("keeps every law of the ledger", async () => {
    const { results } = await checkLedger(actOf(house, db, nobody, request), "manual");
    expect(results.filter((r) => r.breaks)).toEqual([]);
    expect(results.find((r) => r.code === "C01")!.actual).toBeGreaterThan(0);
  });

  test("breaks no reference and no check that rested while it was filled", async () => {
    const { rows } = await pool.query<{ table: string; name: string; def: string }>(
      `select conrelid::regclass::text "table", conname "name", pg_get_constraintdef(oid) "def"
       from pg_constraint where contype in ('f', 'c') and connamespace = 'public'::regnamespace`,
    );
    for (const { table, name, def } of rows) {
      await owner.query(`alter table ${table} drop constraint "${name}"`);
      await owner.query(`alter table ${table} add constraint "${name}" ${def}`);
    }
    expect(rows.length).toBeGreaterThan(100);
  });

  test("has tenants of every state that there is", async () => {
    const { rows } = await pool.query("select state, count(*)::int n from contract group by 1");
    const states = Object.fromEntries(rows.map((r) => [r.state, r.n]));
    for (const state of ["effective", "ended", "signing"]) expect(states[state], state).toBeGreaterThan(0);
    const late = await pool.query("select 1 from bill where outstanding > 0 and due_date < $1", [today]);
    expect(late.rowCount).toBeGreaterThan(0);
  });

  test("has offers that contracts of the last weeks were signed by, each for what it takes off their bills", async () => {
    const { rows } = await pool.query<{
      name: string;
      count: number;
      fen: number;
      uses: number;
      off: number;
    }>(
      `select a.name, a.used_count "count", a.used_fen fen, count(d.id)::int uses, sum(d.total_fen)::bigint off
       from activity a join contract_discount d on d.activity_id = a.id group by a.id`,
    );
    expect(rows.map((row) => row.name)).toContain("新租半年 95 折");
    for (const row of rows) expect([row.count, row.fen]).toEqual([row.uses, row.off]);
    expect(rows.every((row) => row.fen > 0)).toBe(true);
  });

  test("has transfers to a company account: claimed ones, one that no customer paid, and some that are nobody's", async () => {
    const { rows } = await pool.query<{ state: string; n: number }>(
      "select state, count(*)::int n from bank_line group by 1 order by 1",
    );
    expect(rows).toEqual([
      { state: "claimed", n: 2 },
      { state: "noNeed", n: 1 },
      { state: "unclaimed", n: 7 },
    ]);
  });

  test("has a bank's statement of the last days, compared with the books, with a few differences", async () => {
    const { rows } = await pool.query<{ matched: number; open: number }>(
      `select count(*) filter (where result = 'matched')::int matched, count(*) filter (where open)::int open
       from reconcile_item`,
    );
    expect(rows[0]!.matched).toBeGreaterThan(0);
    expect(rows[0]!.open).toBeGreaterThanOrEqual(2);
  });

  test("has leases that were renewed, moved, passed on and settled, about as often as in the trade", async () => {
    const { rows } = await pool.query<Record<string, number>>(
      `select count(*)::int over_, count(*) filter (where n.source = 'renewal')::float / count(*) renewed,
         count(*) filter (where c.next_id is not null and (n.previous_id <> c.id or n.chain_id <> c.chain_id))::int strays,
         count(*) filter (where c.next_id is not null and d.held <> 0)::int "leftBehind",
         count(*) filter (where c.next_id is null and not exists (
           select from contract_act a where a.contract_id = c.id and a.kind = 'settle'))::int unsettled
       from contract c left join contract n on n.id = c.next_id
       left join deposit_balance d on d.contract_id = c.id and d.kind = 'deposit'
       where c.state in ('ended', 'terminated', 'renewed', 'changedRoom')`,
    );
    const { over_, renewed, ...wrong } = rows[0]!;
    expect(over_).toBeGreaterThan(150);
    expect(renewed).toBeGreaterThan(0.45);
    expect(renewed).toBeLessThan(0.7);
    expect(wrong).toEqual({ strays: 0, leftBehind: 0, unsettled: 0 });
    const acts = await pool.query<{ what: string }>(
      "select distinct kind || ' ' || state what from contract_act order by 1",
    );
    expect(acts.rows.map((r) => r.what)).toEqual(
      expect.arrayContaining([
        ...["amend signing", "amend done", "changeTenant done"],
        ...["renew cancelled", "renew done", "renew signing", "settle confirming", "settle done"],
      ]),
    );
  });

  test("is a believable company: nine of ten rooms let, and some of every other kind", async () => {
    const { rows } = await pool.query<Record<string, number>>(
      `select count(*) filter (where is_let)::float / count(*) filter (where is_base) let,
         count(*) filter (where occupancy in ('reserved', 'toMoveIn'))::int "spokenFor", count(*) filter (where occupancy = 'vacant')::int vacant,
         count(*) filter (where condition <> 'rentable')::int "outOfOrder"
       from room_status_at($1, $1, array(select id from village))`,
      [today],
    );
    const { let: share, ...kinds } = rows[0]!;
    expect(share).toBeGreaterThan(0.88);
    expect(share).toBeLessThan(0.96);
    for (const [kind, count] of Object.entries(kinds)) expect(count, kind).toBeGreaterThan(0);
  });

  test("tells of nothing as done that lies ahead", async () => {
    const { rows } = await pool.query<Record<string, number>>(
      `select (select count(*)::int from flow where paid_on = $2) today,
         (select count(*)::int from flow where greatest(paid_at, confirmed_at, created_at) > $1) flows,
         (select count(*)::int from allocation where created_at > $1) allocations,
         (select count(*)::int from bill where greatest(issued_at, voided_at) > $1) bills,
         (select count(*)::int from contract where created_at > $1) contracts`,
      [now, today],
    );
    const { today: taken, ...ahead } = rows[0]!;
    expect(taken).toBeGreaterThan(0);
    expect(ahead).toEqual({ flows: 0, allocations: 0, bills: 0, contracts: 0 });
  });

  test("has shared spaces in every store, and furnished rooms in the first", async () => {
    const { rows } = await pool.query<Record<string, number>>(
      `select (select count(distinct village_id)::int from public_area) stores,
         (select count(*)::int from room_asset where room_id is not null) "inRooms",
         (select count(*)::int from room_asset where public_area_id is not null) "inAreas",
         (select count(*)::int from room_asset where state = 'damaged') damaged`,
    );
    expect(rows[0]!["stores"]).toBe(12);
    for (const [what, count] of Object.entries(rows[0]!)) expect(count, what).toBeGreaterThan(0);
  });

  test("writes the bills that signing would have written", async () => {
    const { rows } = await pool.query<{
      id: number;
      village_id: number;
      party_id: number;
      terms: Terms;
      start_date: string;
      end_date: string;
      signed_on: string;
      room_id: number;
      monthly_rent: number;
      area: string;
    }>(
      `select c.id, c.village_id, c.party_id, c.terms, c.start_date, c.end_date, c.signed_on, r.room_id, r.monthly_rent, r.area
       from contract c join contract_room r on r.contract_id = c.id
       where c.state in ('effective', 'ended') order by md5(c.id::text) limit 25`,
    );
    const shape = `select b.title, b.due_date, b.amount, b.adjusted, b.period_start, b.period_end, b.grace_days, b.late_fee_rate,
      b.subject_ids, json_agg(json_build_array(l.fee_subject_id, l.amount, l.tax, l.period_start, l.period_end, l.slices, l.explain)
        order by l.fee_subject_id, l.id) lines
      from bill b join bill_line l on l.bill_id = b.id and l.kind <> 'lateFee' where b.contract_id = $1 and b.id > $2 and b.id <= $3
      group by b.id order by b.due_date, b.title`;
    const withoutFees = (bill: { amount: number; subject_ids: number[]; lines: unknown[][] }) => ({
      ...bill,
      amount: bill.lines.reduce((sum, l) => sum + (l[1] as number), 0),
      subject_ids: [...new Set(bill.lines.map((l) => l[0]))],
    });
    for (const c of rows) {
      const last = (await pool.query("select max(id) id from bill")).rows[0].id as number;
      const input = scheduleOf({
        start: c.start_date,
        end: c.end_date,
        terms: c.terms,
        rooms: [{ roomId: c.room_id, monthlyRent: c.monthly_rent, unitPrice: null, area: c.area }],
      });
      const billed = {
        id: c.id,
        villageId: c.village_id,
        partyId: c.party_id,
        mainRoomId: c.room_id,
        terms: c.terms,
      };
      house.setClock(`${c.signed_on}T10:00:00+08:00`);
      await db
        .transaction()
        .execute((tx) =>
          makeBills(actOf(house, tx, nobody, request), newBills(billed, planBills(input), c.signed_on)),
        );
      const made = (await pool.query(shape, [c.id, last, Number.MAX_SAFE_INTEGER])).rows.map(withoutFees);
      const found = (await pool.query(shape, [c.id, 0, last])).rows.map(withoutFees);
      expect(found, `contract ${c.id}`).toEqual(made);
    }
  });
});

test("of every contract, in whatever state it is, each figure on its page is the sum of the rows behind it", async () => {
  const who = { as: await house.person({ superType: "1" }) };
  const sum = (amounts: readonly number[]) => amounts.reduce((all, fen) => all + fen, 0);
  const { rows } = await pool.query<{ id: number; state: string }>(
    "select id::int, state from contract order by id",
  );
  expect(new Set(rows.map((r) => r.state)).size).toBeGreaterThan(6);
  for (const { id } of rows) {
    const at = { params: { id } };
    const c = await house.did(getContract, who, at);
    const bills = (await house.did(contractBills, who, at)).filter((b) => b.status !== "void");
    const flows = await house.did(contractFlows, who, at);
    const issued = bills.filter((b) => b.issued);
    const open = bills.filter((b) => b.outstanding > 0);
    const next = open.map((b) => b.dueDate).toSorted()[0] ?? null;
    const { total, billed, received, owed, writtenOff, overdue, invoiced, planned } = c.money;
    const { depositHeld, nextDueOn, nextDueFen } = c;
    const head = { total, billed, received, owed, overdue, invoiced, planned, nextDueOn, nextDueFen };
    expect({ id, ...head }).toEqual({
      id,
      total: sum(bills.map((b) => b.amount)),
      billed: sum(issued.map((b) => b.amount)),
      received: sum(bills.map((b) => b.settled)),
      owed: sum(issued.map((b) => b.outstanding)),
      overdue: sum(issued.filter((b) => b.overdueDays > 0).map((b) => b.outstanding)),
      invoiced: sum(bills.map((b) => b.invoiced)),
      planned: sum(bills.filter((b) => !b.issued).map((b) => b.outstanding)),
      nextDueOn: next,
      nextDueFen: next && sum(open.filter((b) => b.dueDate === next).map((b) => b.outstanding)),
    });
    expect([id, billed, sum(flows.map((f) => f.amount))]).toEqual([
      id,
      received + owed + writtenOff,
      received + writtenOff,
    ]);
    expect([id, c.overdue, depositHeld]).toEqual([id, overdue, c.money.depositHeld]);
  }
}, 60_000);

test("a run that fails leaves the database as it was, with every index", async () => {
  const database = await freshDatabase();
  const indices = async () =>
    (await database.pool.query("select indexdef from pg_indexes where schemaname = 'public' order by 1"))
      .rows;
  const before = await indices();
  const broken = {
    ...house.cipher,
    seal: () => {
      throw new Error("no key");
    },
  };
  await expect(generate(database, broken, { ...options, rooms: 5100 })).rejects.toThrow("no key");
  expect(await indices()).toEqual(before);
  for (const table of ["village", "room", "bill", "party", "enterprise"])
    expect((await database.pool.query(`select 1 from ${table} limit 1`)).rowCount, table).toBe(0);
});

// two whole companies are made
test("the same options give the same company", { timeout: 60_000 }, async () => {
  const small = { ...options, rooms: 40 };
  const picture = async () => {
    const database = await freshDatabase();
    const { rows } = await generate(database, house.cipher, small);
    const sums = await database.pool.query(
      "select sum(amount)::bigint a, sum(settled)::bigint s, count(*)::int n, md5(string_agg(bill_no, ',' order by id)) m from bill",
    );
    return { rows, sums: sums.rows[0] };
  };
  expect(await picture()).toEqual(await picture());
});

test("whatever waits to be signed can be signed: its bills are those that were agreed to", async () => {
  house.setClock(now.toISOString());
  await makeLessors(house, today);
  await makeSignings(house, POSTS.findIndex((p) => p.post === "店长") + 1);
  const { rows } = await pool.query<{ id: number }>(
    "select id from contract c where state = 'signing' and not exists (select from contract_act where result_contract_id = c.id)",
  );
  expect(rows.length).toBeGreaterThan(1);
  const act = actOf(house, db, nobody, request);
  for (const { id } of rows) {
    const contract = (await recordById(act, id))!;
    expect((await stillAgreed(act, contract, contract.previewHash!)).contract.id).toBe(id);
  }
});
