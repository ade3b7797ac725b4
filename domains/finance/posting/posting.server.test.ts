import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { accrueMonth } from "../accrual/accrual.contract.ts";
import { aBill, aLine, aParty, bookBalance } from "../bill/bill.sample.ts";
import { previewAdjust } from "../bill-acts/acts.contract.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { checkLedger } from "../check/check.service.ts";
import { march2026, type March } from "../check/march.sample.ts";
import { costFlow, getFlow } from "../flow/flow.contract.ts";
import { take } from "../flow/flow.sample.ts";
import { aConfirmed, aPartner } from "../third-party/third-party.sample.ts";
import { openBook } from "../../../platform/server/sheets/book.sample.ts";
import { exportMappings, listMappings, usualMappings } from "./mapping.contract.ts";
import * as calls from "./posting.contract.ts";
import * as spreads from "./spread.contract.ts";
import type { PostedSide } from "./posting.rules.ts";
import { workThrough } from "./run.service.ts";

const house = await testHouse();
const { pool } = house.database;
const at = (day: string, time = "10:00") => house.setClock(`${day}T${time}:00+08:00`);
let m: March;
let lead: Person;

beforeAll(async () => {
  m = await march2026(house);
  lead = await house.person({ superType: "1", name: "财务主管" });
  // the parking partner took 5,000.00 of which 60% is ours
  const partner = await aPartner(house, lead, [m.a.villageId]);
  const of = { villageId: m.a.villageId, month: "2026-03", thirdPartyId: partner.id, gross: 500_000 };
  await aConfirmed(house, lead, of);
  at("2026-04-02");
}, 60_000);

const check = (villageId: number | undefined, month: string, side: PostedSide = "income") =>
  house.did(calls.checkPosting, { as: lead }, { query: { side, month, ...(villageId && { villageId }) } });
const redOf = async (...args: Parameters<typeof check>) =>
  (await check(...args)).checks.filter(({ level }) => level === "red").map(({ key }) => key);
const generate = (villageId: number | undefined, month: string, side: PostedSide = "income") =>
  house.ask(calls.generatePosting, { as: lead }, { body: { side, month, ...(villageId && { villageId }) } });
const get = (id: number) => house.did(calls.getPosting, { as: lead }, { params: { id } });
const exported = async (id: number, format: "csv" | "ledger" = "csv") =>
  house.ask(
    calls.exportPosting,
    { as: lead },
    {
      params: { id },
      body: { version: (await get(id)).version, format },
    },
  );
const made = async (...args: Parameters<typeof generate>) => {
  const { status, body } = await generate(...args);
  if (status !== 200) throw new Error(body.message);
  return body.data.id;
};
const posted = async (...args: Parameters<typeof generate>) => {
  const id = await made(...args);
  const { status, raw } = await exported(id);
  if (status !== 200) throw new Error(raw.toString());
  return id;
};

describe("March of store A", () => {
  test("what stands in the way is named, each with its place, until it is in order", async () => {
    const { villageId } = m.a;
    expect(await redOf(villageId, "2026-03")).toEqual(
      ["before", "accrual", "ledger", "pending", "mapping"].filter((k) => k !== "pending"),
    );
    expect((await generate(villageId, "2026-03")).body.message).toContain(
      "未通过“以前月份已锁账”：2026-01 还没有导出锁账",
    );
    await house.did(
      accrueMonth,
      { as: lead },
      { body: { villageIds: [villageId, m.b.villageId], month: "2026-03" } },
    );
    await house.did(usualMappings, { as: lead });
    await acting(house, (act) => checkLedger(act, "manual"));
    expect(await redOf(villageId, "2026-03")).toEqual(["before"]);
    for (const month of ["2026-01", "2026-02"]) await posted(villageId, month);
    expect(await redOf(villageId, "2026-03")).toEqual([]);
    expect((await generate(villageId, "2026-04")).body.fields?.[0]?.msg).toBe("本月尚未结束");
  });

  test("收入确认: 借 递延 7,790.32, 应收第三方 3,000.00; 贷 租金, 物业费, 第三方, 待转销项税, 10,790.32 each side", async () => {
    const { villageId } = m.a;
    const id = await made(villageId, "2026-03");
    const batch = await get(id);
    expect(batch.debit).toBe(batch.inBooks);
    const earned = batch.vouchersOf.find(({ kind }) => kind === "earned")!;
    expect(earned.lines.map((l) => [l.account, l.auxiliary, l.debit - l.credit])).toEqual([
      ["1131", "", 300_000],
      ["2204", "", 779_032],
      ["2222", "", -36_201],
      ["6001", "租金", -760_907],
      ["6001", "物业费", -6_695],
      ["6053", "", -275_229],
    ]);
    expect(earned.debit).toBe(1_079_032);
    expect(batch.vouchersOf.map(({ title }) => title)).toEqual(["应收", "收款", "收入确认"]);
    const again = await generate(villageId, "2026-03");
    expect(again.body.message).toBe(`该月已有过账单 ${batch.batchNo}，请先作废`);
    const { list, total } = await house.did(
      calls.entriesBehind,
      { as: lead },
      { query: { voucherId: earned.id, seq: earned.lines[1]!.seq } },
    );
    expect(total).toBe(list.length);
    expect(list.reduce((sum, l) => sum + l.debit, 0)).toBe(779_032);
  });

  test("an entry between generating and exporting refuses the export; made anew it is locked, by one of two people", async () => {
    const { villageId } = m.a;
    const { rows } = await pool.query<{ id: number }>(
      "select id from voucher_batch where village_id = $1 and month = '2026-03' and side = 'income'",
      [villageId],
    );
    const [{ id }] = rows as [{ id: number }];
    const partyId = await aParty(house, "迟到");
    const late = () =>
      take(house, m.a, m.accounts.a, partyId, {
        amount: 1000,
        channel: "cash",
        paidAt: "2026-03-31T20:00:00+08:00",
      });
    await late();
    const refused = await exported(id);
    expect([refused.status, refused.body.message]).toEqual([409, "生成后有新凭证，请重新生成"]);
    const { version } = await get(id);
    await house.did(calls.discardPosting, { as: lead }, { params: { id }, query: { version } });
    const fresh = await made(villageId, "2026-03");
    const both = await Promise.all([exported(fresh), exported(fresh)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await check(villageId, "2026-03")).locked).toBe(true);
    // what was discarded is listed, and is no part of what the month comes to
    const { list, sums } = await house.did(
      calls.listPostings,
      { as: lead },
      { query: { month: "2026-03", villageIds: String(villageId) } },
    );
    expect(list.map((b) => b.state).toSorted()).toEqual(["discarded", "exported"]);
    const standing = list.find((b) => b.state === "exported")!;
    expect(sums).toMatchObject({ vouchers: standing.vouchers, debit: standing.debit, paid: null });
    // a receipt of the locked month goes to the next day that is open, with its own date
    const before = await get(fresh);
    const { id: came } = await late();
    const { entries } = await house.did(getFlow, { as: lead }, { params: { id: came! } });
    expect(entries.map(({ event, date, businessDate }) => [event, date, businessDate])).toEqual([
      ["E06", "2026-04-01", "2026-03-31"],
    ]);
    expect(await get(fresh)).toMatchObject({ debit: before.debit, inBooks: before.debit });
    await expect(
      pool.query("delete from period_lock where village_id = $1 and month = '2026-02' and side = 'income'", [
        villageId,
      ]),
    ).rejects.toThrow("只能解锁最后一个锁账的月份");
    await expect(
      pool.query("insert into period_lock (village_id, month, side) values ($1, '2026-05', 'income')", [
        villageId,
      ]),
    ).rejects.toThrow("锁账须按月份顺序");
  });

  test("the general ledger's number books it; the same figures are exported again with the mapping of then", async () => {
    const { list } = await house.did(
      calls.listPostings,
      { as: lead },
      {
        query: { side: "income", month: "2026-03", villageIds: String(m.a.villageId), state: "exported" },
      },
    );
    const { id, version } = list[0]!;
    await house.did(
      calls.bookPosting,
      { as: lead },
      { params: { id }, body: { version, glVoucherNo: "记-0312" } },
    );
    const body = { version: version + 1, format: "kingdee" as const };
    const again = await house.ask(calls.exportAgain, { as: lead }, { params: { id }, body });
    expect(again.status).toBe(200);
    const items = [{ id, version: version + 2 }];
    await house.ask(calls.exportManyAgain, { as: lead }, { body: { items, format: "csv" } });
    expect(await get(id)).toMatchObject({ state: "booked", fileVersion: 3, glVoucherNo: "记-0312" });
  });

  test("cost: 成本 600.00, 手续费 48.10, 核销 500.00, 付款 600.00; its lock leaves income as it was", async () => {
    const { villageId } = m.b;
    expect(await redOf(villageId, "2026-03", "cost")).toEqual([]);
    const id = await posted(m.a.villageId, "2026-03", "cost");
    const batch = await get(id);
    expect(batch.vouchersOf.map(({ title, debit: fen }) => [title, fen])).toEqual([
      ["成本", 60_000],
      ["付款", 60_000],
      ["手续费", 4810],
      ["核销与长短款", 50_000],
    ]);
    expect(batch).toMatchObject({ paid: 60_000, unpaid: 0 });
    await posted(villageId, "2026-03", "cost");
    expect((await check(villageId, "2026-03")).locked).toBe(false);
    const { sums } = await house.did(calls.listPostings, { as: lead }, { query: { side: "cost" } });
    expect(sums).toMatchObject({ paid: 60_000, unpaid: 0 });
  });

  test("every check holds; the last month is opened again with a reason, and only that one", async () => {
    const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
    expect(breaks).toEqual([]);
    const ids = await pool.query<{ id: number; month: string; version: number }>(
      `select id, month, version from voucher_batch where village_id = $1 and side = 'income' and state <> 'discarded'
       order by month`,
      [m.a.villageId],
    );
    const reopen = ({ id, version }: { id: number; version: number }) =>
      house.ask(
        calls.reopenPosting,
        { as: lead },
        { params: { id }, body: { version, reason: "3月租金录错门店" } },
      );
    const early = await reopen(ids.rows[1]!);
    expect([early.status, early.body.message]).toEqual([409, "只能解锁最后一个锁账的月份"]);
    expect((await reopen(ids.rows[2]!)).status).toBe(200);
    expect((await check(m.a.villageId, "2026-03")).locked).toBe(false);
    expect(await get(ids.rows[2]!.id)).toMatchObject({ state: "discarded", reason: "3月租金录错门店" });
    expect((await get(ids.rows[2]!.id)).log.map(({ action }) => action)).toContain("解锁");
    expect(
      await house.did(calls.postingYear, { as: lead }, { query: { side: "income", year: 2026 } }),
    ).toMatchObject({
      year: 2026,
    });
    await posted(m.a.villageId, "2026-03");
    expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
  });
});

test("a bill that comes after the vouchers were made has to be accrued before its month is locked", async () => {
  for (const month of ["2026-02"]) await posted(m.b.villageId, month);
  const id = await made(m.b.villageId, "2026-03");
  await aBill(house, m.b, await aParty(house), { dueDate: "2026-04-02", lines: [aLine("rent", 310_000)] });
  expect((await exported(id)).body.message).toBe("生成后有新凭证，请重新生成");
});

test("a cost is spread over stores by their rooms as it was shown, and taken back by mirrors", async () => {
  const { rows } = await pool.query<{ id: number }>("select id from bill where direction = 'payable'");
  const params = { id: rows[0]!.id };
  const villageIds = [m.a.villageId, m.b.villageId];
  const cost = async () => Promise.all(villageIds.map((id) => bookBalance(house, "6401", id)));
  const body = { basis: "fixed" as const, villageIds, shares: [3_333, 6_667] };
  const shown = await house.did(spreads.previewSpread, { as: lead }, { params, body });
  expect(shown.parts.map(({ amount }) => amount)).toEqual([19_998, 40_002]);
  const stale = { params, body: { ...body, shares: [5_000, 5_000], previewHash: shown.hash } };
  expect((await house.ask(spreads.spreadCost, { as: lead, key: randomUUID() }, stale)).status).toBe(409);
  const whole = { params, body: { ...body, shares: [5_000, 4_000] } };
  expect((await house.ask(spreads.previewSpread, { as: lead }, whole)).body.fields?.[0]?.msg).toBe(
    "比例合计应为100%",
  );
  await house.did(spreads.spreadCost, { as: lead }, { params, body: { ...body, previewHash: shown.hash } });
  expect(await cost()).toEqual([19_998, 40_002]);
  const { list } = await house.did(spreads.listCosts, { as: lead }, { query: {} });
  expect(list[0]).toMatchObject({ basis: "fixed", stores: 2, amount: 60_000, paid: 60_000 });
  const rooms = await house.did(
    spreads.previewSpread,
    { as: lead },
    { params, body: { ...body, basis: "rooms", shares: [] } },
  );
  expect(rooms.parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(60_000);
  await house.did(spreads.undoSpread, { as: lead }, { params, query: { version: list[0]!.spreadVersion! } });
  expect(await cost()).toEqual([60_000, 0]);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});

test("the mapping and the costs leave as files, for who may export them", async () => {
  const clerk = await house.person({ permits: ["200.query"], villages: [m.a.villageId] });
  const fileOf = (url: string, columns: string, { token } = lead) =>
    house.app.inject({ method: "GET", url, headers: { authorization: token }, query: { columns } });
  const firstOf = async (path: string, columns: string) =>
    (await openBook((await fileOf(path, columns)).rawPayload))[0]!.rows[2]!.values;
  const [first] = (await house.did(listMappings, { as: lead }, { query: {} })).list;
  expect(await firstOf(exportMappings.path, "account,glCode")).toEqual([first!.account, first!.glCode]);
  expect(await firstOf(spreads.exportCosts.path, "amount,paid")).toEqual([600, 600]);
  expect((await fileOf(exportMappings.path, "account", clerk)).statusCode).toBe(403);
});

test("many stores are posted by a job, each by itself; what stands in the way of one is told of that one", async () => {
  at("2026-05-02");
  const body = {
    side: "cost" as const,
    month: "2026-04",
    villageIds: [m.a.villageId, m.b.villageId],
    office: true,
  };
  await acting(house, (act) => checkLedger(act, "manual"));
  await made(m.b.villageId, "2026-04", "cost");
  const { id } = await house.did(calls.generateMany, { as: lead }, { body });
  const run = () => house.did(calls.getRun, { as: lead }, { params: { id } });
  expect(await run()).toMatchObject({ state: "running", percent: 0 });
  await house.deliver();
  const done = await run();
  expect(done).toMatchObject({ state: "done", percent: 100, month: "2026-04" });
  expect(done.rows.map(({ villageName, state, said }) => [villageName, state, said])).toEqual([
    [expect.any(String), "done", ""],
    [expect.any(String), "refused", expect.stringMatching(/^该月已有过账单 GZ.*，请先作废$/)],
    ["公司本部", "refused", "未通过“以前月份已锁账”：2026-03 还没有导出锁账"],
  ]);
  expect(await get(done.rows[0]!.batchId!)).toMatchObject({ month: "2026-04", state: "generated" });
  // a job that is run again does nothing twice
  await pool.query("update posting_run set state = 'running', ended_at = null where id = $1", [id]);
  expect(await workThrough(house, id)).toBe(0);
  expect((await run()).rows).toEqual(done.rows);
  expect(await house.did(calls.listRuns, { as: lead }, { query: { side: "cost" } })).toMatchObject([
    { id, state: "done", total: 3, done: 1, refused: 2 },
  ]);
  // whoever started one has left before it was worked through
  const left = await house.did(calls.generateMany, { as: lead }, { body });
  await pool.query("update operator set state = 'disabled' where id = $1", [lead.operatorId]);
  await house.deliver();
  await pool.query("update operator set state = 'active' where id = $1", [lead.operatorId]);
  const { rows: stopped } = await house.did(calls.getRun, { as: lead }, { params: { id: left.id } });
  expect(new Set(stopped.map(({ said }) => said))).toEqual(
    new Set([expect.stringContaining("的账号已停用，没有继续办理")]),
  );
  const other = await house.person({ permits: ["200.add"], villages: [m.a.villageId] });
  expect((await house.ask(calls.getRun, { as: other }, { params: { id } })).status).toBe(404);
  for (const sent of [
    { ...body, office: true, villageIds: [] },
    { ...body, office: false },
  ])
    expect((await house.ask(calls.generateMany, { as: other }, { body: sent })).status).toBe(404);
  const early = await house.ask(calls.generateMany, { as: lead }, { body: { ...body, month: "2026-05" } });
  expect(early.body.fields?.[0]?.msg).toBe("本月尚未结束");
});

test("a run may bring income and tax of each store up to the month first, for who has the right to", async () => {
  const villageIds = [m.a.villageId, m.b.villageId];
  const body = { side: "income" as const, month: "2026-04", villageIds };
  const saidOf = async (accrue: boolean) => {
    const { id } = await house.did(calls.generateMany, { as: lead }, { body: { ...body, accrue } });
    await house.deliver();
    return (await house.did(calls.getRun, { as: lead }, { params: { id } })).rows.map(({ said }) => said);
  };
  const before = "未通过“以前月份已锁账”：2026-03 还没有导出锁账";
  const accrual = "未通过“本月收入已计提”：本月还没有计提";
  expect(await saidOf(false)).toEqual([accrual, `${before}；${accrual}`]);
  // what is refused leaves the books of its store as they were
  expect(await saidOf(true)).toEqual(["", before]);
  const { rows } = await pool.query(
    "select village_id::int from accrual_run where month = '2026-04' and village_id = any($1)",
    [villageIds],
  );
  expect(rows).toEqual([{ village_id: m.a.villageId }]);
  const other = await house.person({ permits: ["200.add"], villages: villageIds });
  const asked = (accrue: boolean) =>
    house.ask(calls.generateMany, { as: other }, { body: { ...body, accrue } });
  expect([(await asked(true)).status, (await asked(false)).status]).toEqual([403, 200]);
});

test("a clerk of one store sees no other's batch, nor head office's; without the right nothing is locked", async () => {
  const clerk = await house.person({
    permits: ["200.query", "200.get", "200.add"],
    villages: [m.b.villageId],
  });
  const { list } = await house.did(calls.listPostings, { as: clerk }, { query: { side: "income" } });
  expect(new Set(list.map(({ villageId }) => villageId))).toEqual(new Set([m.b.villageId]));
  const other = (
    await house.did(calls.listPostings, { as: lead }, { query: { villageIds: String(m.a.villageId) } })
  ).list[0]!;
  expect((await house.ask(calls.getPosting, { as: clerk }, { params: { id: other.id } })).status).toBe(404);
  const office = { side: "income" as const, month: "2026-03" };
  expect((await house.ask(calls.checkPosting, { as: clerk }, { query: office })).status).toBe(404);
  const body = { version: list[0]!.version, format: "csv" as const };
  expect(
    (await house.ask(calls.exportPosting, { as: clerk }, { params: { id: list[0]!.id }, body })).status,
  ).toBe(403);
});

test("a cost that is spread is not adjusted under its shares; once the spread is undone it is", async () => {
  const { rows } = await pool.query<{ id: number }>(
    "select id::int from fee_subject where code = 'repairCost'",
  );
  const days = { periodStart: "2026-04-01", periodEnd: "2026-04-30", dueDate: "2026-05-31" };
  const cost = { villageId: m.a.villageId, payeeName: "迅修", feeSubjectId: rows[0]!.id, amount: 90_000 };
  await house.did(costFlow, { as: lead }, { body: { ...cost, ...days, paid: false } as never });
  const found = async () =>
    (await house.did(spreads.listCosts, { as: lead }, { query: {} })).list.find((c) => c.unpaid === 90_000)!;
  const params = { id: (await found()).id };
  const { lines } = await house.did(getBill, { as: lead }, { params });
  const changes = [{ lineId: lines[0]!.id, mode: "minus" as const, value: 30_000 }];
  const adjusting = () => house.ask(previewAdjust, { as: lead }, { params, body: { changes } });
  const body = {
    basis: "fixed" as const,
    villageIds: [m.a.villageId, m.b.villageId],
    shares: [5_000, 5_000],
  };
  const { hash } = await house.did(spreads.previewSpread, { as: lead }, { params, body });
  await house.did(spreads.spreadCost, { as: lead }, { params, body: { ...body, previewHash: hash } });
  expect((await adjusting()).body.message).toBe("该成本已分摊到门店，请先撤销分摊再调整");
  const version = (await found()).spreadVersion!;
  await house.did(spreads.undoSpread, { as: lead }, { params, query: { version } });
  expect((await adjusting()).body.data).toMatchObject({ outstandingAfter: 60_000 });
});
