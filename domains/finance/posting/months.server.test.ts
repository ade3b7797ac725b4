import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import { addDays, addMonths } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { aBuilding, acting, aFlat, aVillage } from "../../listing/village/village.sample.ts";
import { runAccrual } from "../accrual/accrual.service.ts";
import { voidBills } from "../bill/void.service.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { issueDue } from "../bill-acts/change.service.ts";
import { aBill, aLine, aParty, aStore, bookBalance } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { bookCost } from "../flow/booking.service.ts";
import { costFlow } from "../flow/flow.contract.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { seedSubjects } from "../subject/subject.service.ts";
import { foldSums } from "../sums/sums.service.ts";
import { placeOf } from "./books.queries.ts";
import { usualMappings } from "./mapping.contract.ts";
import { mapUsual } from "./mapping.service.ts";
import { checkPosting, exportMany, generatePosting, reopenPosting } from "./posting.contract.ts";
import type { PostedSide } from "./posting.rules.ts";
import { exportAndLock, generate, reopen } from "./posting.service.ts";
import { previewSpread, spreadCost } from "./spread.contract.ts";

const house = await testHouse();
const { pool, db } = house.database;
const at = (day: string) => house.setClock(`${day}T10:00:00+08:00`);

/** Months one after the other: the same eight in `npm test`, others and up to four years of them under LAWS. */
const drawn = cases(8);
const MONTHS = {
  numRuns: Math.min(drawn.numRuns, 48),
  seed: drawn.seed === undefined ? Math.floor(Math.random() * 1_000_000) : 11,
};

/** What happens in a month, and what is done to it once it is over. */
const aMonth = fc.record({
  bills: fc.array(
    fc.record({
      day: fc.integer({ min: 0, max: 25 }),
      from: fc.integer({ min: -70, max: 40 }),
      days: fc.integer({ min: 1, max: 95 }),
      amount: fc.integer({ min: 1, max: 999_999 }),
      subject: fc.constantFrom("rent", "rent", "property", "damage"),
      fate: fc.constantFrom("stay", "pay", "adjust", "void"),
      later: fc.integer({ min: 0, max: 70 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  locks: fc.boolean(),
  reopens: fc.boolean(),
  folds: fc.boolean(),
});

test("law: whatever comes and goes, with months locked in between and opened again, books, rows, days and vouchers agree", async () => {
  at("2026-01-01");
  const store = await aStore(house);
  const accounts = await someAccounts(house, store);
  const partyId = await aParty(house);
  const who = { villages: [store.villageId], superType: "1" };
  const acted = <T>(work: Parameters<typeof acting<T>>[1]) => acting(house, work, who);
  await acted(mapUsual);
  const waiting: { on: string; work: () => Promise<unknown> }[] = [];
  const until = async (day: string) => {
    for (const { on, work } of waiting
      .filter((w) => w.on <= day)
      .toSorted((a, b) => (a.on < b.on ? -1 : 1))) {
      at(on);
      await work();
    }
    waiting.splice(0, waiting.length, ...waiting.filter((w) => w.on > day));
    at(day);
  };
  const open = (month: string) =>
    pool.query<{ id: number; version: number }>(
      "select id, version from voucher_batch where village_id = $1 and month = $2 and side = 'income' and state = 'exported'",
      [store.villageId, month],
    );
  const close = async (month: string, sides: readonly PostedSide[] = ["income", "cost"]) => {
    await acted((act) => runAccrual(act, { villageIds: [store.villageId], month }));
    await acted((act) => checkLedger(act, "manual"));
    for (const side of sides) {
      const place = await acted((act) => placeOf(act, store.villageId));
      const id = await acted((act) => generate(act, { place, month, side }));
      await acted((act) => exportAndLock(act, [{ id, version: 1 }]));
    }
  };
  let first = "2026-01-01";
  let before = "2025-12";
  // a bill of January may be for days in October
  const unlocked = ["2025-10", "2025-11", "2025-12"];
  for (const month of fc.sample(aMonth, MONTHS)) {
    for (const b of month.bills) {
      const day = addDays(first, b.day);
      waiting.push({
        on: day,
        work: async () => {
          const from = addDays(day, b.from);
          const slices = [{ from, to: addDays(from, b.days - 1), amount: b.amount }];
          const id = await aBill(house, store, partyId, {
            dueDate: day,
            lateFeeRate: "0",
            lines: [aLine(b.subject, b.amount, { slices })],
          });
          waiting.push({
            on: addDays(day, b.later),
            work: async () => {
              const line = await db
                .selectFrom("billLine")
                .select("id")
                .where("billId", "=", id)
                .executeTakeFirstOrThrow();
              if (b.fate === "adjust" && b.amount > 1)
                await acted((act) =>
                  adjustLines(act, [
                    { lineId: line.id, amount: -Math.floor(b.amount / 2), reason: "协商减免" },
                  ]),
                );
              if (b.fate === "void") await acted((act) => voidBills(act, [id], "录错"));
              if (b.fate === "pay")
                await take(house, store, accounts, partyId, {
                  amount: b.amount,
                  channel: "cash",
                  paidAt: `${addDays(day, b.later)}T09:00:00+08:00`,
                  bills: [id],
                });
            },
          });
        },
      });
    }
    const next = addMonths(first, 1);
    // the month before is closed on the 3rd, opened again on the 5th and closed once more on the 8th, beside what happens then
    for (let day = first; day < next; day = addDays(day, 1)) {
      await until(day);
      const noon = (nth: number) => {
        house.setClock(`${day}T12:00:00+08:00`);
        return day === addDays(first, nth);
      };
      if (noon(2)) await acted((act) => issueDue(act));
      if (noon(2) && month.folds) await foldSums(db);
      if (month.locks && noon(2)) for (const each of unlocked.splice(0)) await close(each);
      if (month.locks && month.reopens && noon(4)) {
        const { rows } = await open(before);
        await acted((act) => reopen(act, rows[0]!.id, rows[0]!.version, "补录漏记的账单"));
      }
      if (month.locks && month.reopens && noon(7)) await close(before, ["income"]);
    }
    unlocked.push(first.slice(0, 7));
    before = first.slice(0, 7);
    const { breaks } = await acted((act) => checkLedger(act, "manual"));
    expect({ ...MONTHS, first, breaks }).toEqual({ ...MONTHS, first, breaks: [] });
    first = next;
  }
  const { rows } = await pool.query<{ locked: number; caught: number }>(
    `select (select count(*)::int from period_lock where village_id = $1) locked,
       (select count(*)::int from accrual_row where village_id = $1 and kind = 'catchUp') caught`,
    [store.villageId],
  );
  expect(rows[0]!.locked).toBeGreaterThan(6);
  expect(rows[0]!.caught).toBeGreaterThan(3);
});

test("a cost whose payment waits for an approval keeps its month open, and no other", async () => {
  at("2026-05-02");
  const lead = await house.person({ superType: "1", name: "财务主管" });
  const store = await aStore(house);
  const { villageId } = store;
  const accounts = await someAccounts(house, store);
  await aModule(house, lead, {
    moduleType: "cost",
    name: "成本付款",
    villageIds: [villageId],
    fallback: lead,
    processes: [otherwise(asking("财务", [lead]))],
  });
  const { id: feeSubjectId } = await house.database.db
    .selectFrom("feeSubject")
    .select("id")
    .where("code", "=", "cleaningCost")
    .executeTakeFirstOrThrow();
  const { id: file } = (
    await sendFile(house, lead, { name: "凭证.pdf", bytes: aPdf(), type: "application/pdf" }, "paper10M")
  ).body.data;
  await house.did(
    costFlow,
    { as: lead, key: randomUUID() },
    {
      body: {
        villageId,
        payeeName: "洁净保洁",
        feeSubjectId,
        periodStart: "2026-05-01",
        periodEnd: "2026-05-31",
        amount: 30_000,
        paid: true,
        channel: "bankTransfer",
        merchantAccountId: accounts.bankTransfer,
        fileIds: [file],
      },
    },
  );
  const approving = async (month: string) =>
    (await house.did(checkPosting, { as: lead }, { query: { side: "cost", month, villageId } })).checks.find(
      ({ key }) => key === "approving",
    );
  expect(await approving("2026-05")).toMatchObject({ level: "red", said: "1 张，300.00" });
  expect(await approving("2026-04")).toMatchObject({ level: "ok" });
  const { rows } = await pool.query<{ id: number }>("select id from examine where state = 'approving'");
  const params = { id: rows[0]!.id };
  const { version } = await house.did(getExamine, { as: lead }, { params });
  const said = { version, decision: "approve" as const, comment: "核对" };
  await house.did(decideExamine, { as: lead, key: randomUUID() }, { params, body: said });
  expect(await approving("2026-05")).toMatchObject({ level: "ok" });
});

test("a month without entries is closed like any other: it is named before the next one, whose export names it too", async () => {
  const store = await aStore(house);
  const { villageId } = store;
  const lead = await house.person({ superType: "1", name: "财务主管" });
  const manager = await house.person({ villages: [villageId], name: "店长" });
  await pool.query("update village set manager_id = $2 where id = $1", [villageId, manager.operatorId]);
  const { id: feeSubjectId } = await db
    .selectFrom("feeSubject")
    .select("id")
    .where("code", "=", "cleaningCost")
    .executeTakeFirstOrThrow();
  const costOn = async (day: string, of = villageId) => {
    at(day);
    await acting(house, (act) =>
      bookCost(act, {
        villageId: of,
        payeeName: "洁净保洁",
        feeSubjectId,
        periodStart: day,
        periodEnd: day,
        amount: 10_000,
        dueDate: day,
      }),
    );
  };
  for (const day of ["2027-01-10", "2027-03-10", "2027-04-10"]) await costOn(day);
  at("2027-01-31");
  await house.did(usualMappings, { as: lead });
  const asked = (month: string) => ({ side: "cost" as const, month, villageId });
  const before = async (month: string) =>
    (await house.did(checkPosting, { as: lead }, { query: asked(month) })).checks.find(
      ({ key }) => key === "before",
    )!;
  const make = (month: string, of = villageId) =>
    house.ask(generatePosting, { as: lead, key: randomUUID() }, { body: { ...asked(month), villageId: of } });
  const made = async (month: string) => (await make(month)).body.data.id;
  const lock = (...ids: number[]) =>
    house.ask(
      exportMany,
      { as: lead, key: randomUUID() },
      { body: { items: ids.map((id) => ({ id, version: 1 })), format: "csv" } },
    );
  // on its last day a month is not over: what is paid that afternoon is its own
  const ended = async () => (await house.did(checkPosting, { as: lead }, { query: asked("2027-01") })).ended;
  expect((await make("2027-01")).body.fields?.[0]?.msg).toBe("本月尚未结束");
  expect(await ended()).toBe(false);
  at("2027-05-02");
  expect(await ended()).toBe(true);
  const january = await made("2027-01");
  expect((await lock(january)).status).toBe(200);
  const { list } = await house.did(listMessages, { as: manager }, { query: {} as never });
  expect(list.map(({ title }) => title)).toEqual([expect.stringMatching(/ 2027-01 已锁账$/)]);
  const said = "2027-02 还没有导出锁账（该月没有凭证，同样要生成并导出）";
  expect(await before("2027-03")).toMatchObject({ level: "red", said });
  expect((await make("2027-03")).body.message).toContain(said);
  expect((await make("2027-01")).body.message).toMatch(/^该月已有过账单/);
  expect((await make("2026-12")).body.message).toBe("该月已锁账");
  const february = await made("2027-02");
  expect((await lock(february)).status).toBe(200);
  expect(await before("2027-03")).toMatchObject({ level: "ok" });
  const march = await made("2027-03");
  // what was ready when it was made is not any more: the month before was opened again
  await house.did(
    reopenPosting,
    { as: lead },
    { params: { id: february }, body: { version: 2, reason: "补录漏记的成本" } },
  );
  const refused = await lock(march);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringMatching(/^.+ 2027-02 还没有导出锁账，2027-03 不能锁账；锁账须按月份顺序$/),
  ]);
  expect((await lock(await made("2027-02"), march)).status).toBe(200);
  // of many that are exported together the one that is not ready any more is named
  const { villageId: other } = await aStore(house);
  await costOn("2027-04-12", other);
  at("2027-05-03");
  const april = await made("2027-04");
  const both = [april, (await make("2027-04", other)).body.data.id];
  await costOn("2027-04-20");
  at("2027-05-03");
  const { batchNo } = await db
    .selectFrom("voucherBatch")
    .select("batchNo")
    .where("id", "=", april)
    .executeTakeFirstOrThrow();
  expect((await lock(...both)).body.message).toBe(`${batchNo}：生成后有新凭证，请重新生成`);
});

test("1,000.00 over stores with 7, 7 and 6 rooms: 350.00, 350.00 and 300.00, as shown and as booked", async () => {
  at("2026-03-20");
  const villageIds: number[] = [];
  for (const n of [7, 7, 6]) {
    const villageId = await aVillage(house);
    const rooms = Array.from({ length: n }, (_, i) => `${i + 1}`);
    await aFlat(house, await aBuilding(house, villageId), { rooms });
    villageIds.push(villageId);
  }
  await seedSubjects({ tx: db }, house.enterpriseId);
  const as = await house.person({ permits: ["200.query", "200.edit"], villages: villageIds });
  const { id: feeSubjectId } = await db
    .selectFrom("feeSubject")
    .select("id")
    .where("code", "=", "cleaningCost")
    .executeTakeFirstOrThrow();
  const cost = { villageId: villageIds[0]!, payeeName: "洁净保洁", feeSubjectId, amount: 100_000 };
  const days = { periodStart: "2026-03-01", periodEnd: "2026-03-31", dueDate: "2026-03-20" };
  const params = await acting(house, (act) => bookCost(act, { ...cost, ...days }));
  const body = { basis: "rooms" as const, villageIds, shares: [] };
  const { parts, hash } = await house.did(previewSpread, { as }, { params, body });
  expect(parts.map(({ weight, amount }) => [weight, amount])).toEqual([
    [7, 35_000],
    [7, 35_000],
    [6, 30_000],
  ]);
  await house.did(spreadCost, { as, key: randomUUID() }, { params, body: { ...body, previewHash: hash } });
  const borne = await Promise.all(villageIds.map((id) => bookBalance(house, "6401", id)));
  expect(borne).toEqual([35_000, 35_000, 30_000]);
});
