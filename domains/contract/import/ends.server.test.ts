import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { amendActs } from "../amendment/amendment.contract.ts";
import { anAmender } from "../amendment/amendment.sample.ts";
import { aRoom, type Shop } from "../contract/contract.sample.ts";
import { aSettler } from "../settlement/settlement.sample.ts";
import { changes } from "../successor/successor.contract.ts";
import { aSuccession, C, WAYS } from "../successor/successor.sample.ts";
import { commitContractImport, undoContractImport } from "./import.contract.ts";
import { aRow, aSheet, dryRun, type SampleRow } from "./import.sample.ts";

const house = await testHouse();
const { pool } = house.database;

/** What is open of a lease at 3,000.00 since 15 May that is paid to the end of November, three bills that were partly paid before. */
const ARREARS: SampleRow[] = [
  { arrears: 126.5, arrearsSubject: "电费", arrearsDue: "2026-11-05", arrearsPaid: 100 },
  { arrears: 90, arrearsSubject: "物业费", arrearsPaid: 60 },
];

/** Brings such a lease into a room of a store on 20 November; what undoes its batch. */
async function brought(shop: Pick<Shop, "villageId" | "building">, room: string) {
  house.setClock("2026-11-20T09:15:00+08:00");
  const permits = ["9.import", "9.query", "9.get", "26.get"];
  const clerk = await house.person({ permits, villages: [shop.villageId] });
  const roomId = await aRoom(house, shop.building, room);
  const { rows } = await pool.query<{ village: string }>("select name village from village where id = $1", [
    shop.villageId,
  ]);
  const { village } = rows[0]!;
  const oldNo = `LS-${room}`;
  const own = { village, room, oldNo, name: "苏瑾", phone: `1392222${room}`, arrearsDue: "2026-11-10" };
  const sheet = await aSheet([
    aRow({ ...own, arrearsPaid: 2500 }),
    ...ARREARS.map((bill) => ({ village, oldNo, ...bill })),
  ]);
  const { id: batch, state } = await dryRun(house, clerk, sheet);
  expect(state).toBe("ready");
  await house.did(commitContractImport, { as: clerk, key: randomUUID() }, { body: { id: batch } });
  const { id, contractNo, partyId } = await house.database.db
    .selectFrom("contract")
    .select(["id", "contractNo", "partyId"])
    .where("importId", "=", batch)
    .executeTakeFirstOrThrow();
  const undo = async () =>
    (await house.ask(undoContractImport, { as: clerk, key: randomUUID() }, { body: { id: batch } })).body
      .message;
  return { id, contractNo, partyId: partyId!, roomId, undo };
}

type Bill = Awaited<ReturnType<typeof billsOf>>[number];
/** Each bill with what it asks for, what was paid and what is open; voided ones ask for nothing. */
const billsOf = async (contractId: number) =>
  (
    await pool.query<{ id: number; title: string; due: string; net: number; paid: number; open: number }>(
      `select id::int, title, due_date::text due, case when voided_at is null then (amount + adjusted)::int else 0 end net,
        settled::int paid, outstanding::int open from bill where contract_id = $1 order by due_date, period_start nulls first, id`,
      [contractId],
    )
  ).rows;
const figures = async (contractId: number) =>
  (await billsOf(contractId)).filter((b) => b.net).map((b) => [b.title, b.net, b.paid, b.open]);

test("settled in the middle of a period, the open bills of before are set off to the fen, with their late fee", async () => {
  const at = await aSettler(house, { village: "退租店" });
  const lease = await brought(at.shop, "1601");
  const bills = await billsOf(lease.id);
  const [, rent, , december] = bills as [Bill, Bill, Bill, Bill];
  expect(bills.slice(0, 5).map((b) => [b.title, b.due, b.open])).toEqual([
    ["期初欠费·电费", "2026-11-05", 12_650],
    ["期初欠费", "2026-11-10", 50_000],
    ["期初欠费·物业费", "2026-11-20", 9_000],
    // 3,000.00 × 14 ÷ 30 days
    ["第7期租金", "2026-12-01", 140_000],
    ["第8期租金", "2026-12-08", 300_000],
  ]);
  const draft = { effectiveOn: "2026-12-20", endReason: "breachLessor", noticeOn: null, reason: "房屋漏水" };
  const { id } = await at.asked(lease.id, { ...draft, charges: [] } as never);
  const no = (why: string) => `1 份合同不能撤销：${lease.contractNo} 苏瑾${why}`;
  expect(await lease.undo()).toBe(no("正在办理退房"));

  const pay = (bill: Bill, amount: number, day: string) => {
    house.setClock(`${day}T10:00:00+08:00`);
    const paidAt = `${day}T10:00:00+08:00`;
    const how = { amount, channel: "cash" as const, paidAt, bills: [bill.id] };
    return take(house, at.shop as never, at.accounts, lease.partyId, how);
  };
  await pay(rent, 20_000, "2026-12-01");
  await pay(december, 140_000, "2026-12-02");
  house.setClock("2026-12-20T10:00:00+08:00");
  const ready = await at.submitted(id);
  const { lines, net, obstacles } = await at.preview(id);
  expect(lines.map((l) => [l.title, l.amount, l.formula])).toEqual([
    ["押金", 300_000, "在管押金"],
    ["预存款", 25_000, "预存款余额"],
    ["欠电费 期初欠费·电费", -12_650, "应收 126.50，计至退房日 126.50，已收 0.00"],
    ["欠租金 期初欠费", -30_000, "应收 500.00，计至退房日 500.00，已收 200.00"],
    // 500.00 × 0.05% × 18 days, written when 200.00 came in
    ["欠滞纳金 2026-11-14 至 2026-12-01", -450, "应收 4.50，计至退房日 4.50，已收 0.00"],
    ["欠物业费 期初欠费·物业费", -9_000, "应收 90.00，计至退房日 90.00，已收 0.00"],
    // six of 31 days
    ["欠租金 2026-12-15 至 2027-01-14", -58_065, "应收 3,000.00，计至退房日 580.65，已收 0.00"],
    // 300.00 × 0.05% × 19 days, 90.00 × 27, 580.65 × 9; electricity bears none
    [expect.stringMatching(/^滞纳金 ZD/), -285, "算至 2026-12-20"],
    [expect.stringMatching(/^滞纳金 ZD/), -122, "算至 2026-12-20"],
    [expect.stringMatching(/^滞纳金 ZD/), -261, "算至 2026-12-20"],
  ]);
  expect([net, obstacles]).toEqual([214_167, []]);
  expect((await at.confirm(ready)).body.data.state).toBe("toPay");

  expect(await figures(lease.id)).toEqual([
    ["期初欠费·电费", 12_650, 12_650, 0],
    ["期初欠费", 50_735, 50_735, 0],
    ["期初欠费·物业费", 9_122, 9_122, 0],
    ["第7期租金", 140_000, 140_000, 0],
    ["第8期租金", 58_326, 58_326, 0],
  ]);
  expect(await at.deposit(lease.id)).toBe(0);
  expect(await at.row(id)).toMatchObject({ net: 214_167, state: "toPay" });
  const { rows: booked } = await pool.query(
    `select account, sum(debit - credit)::int fen from journal_line where party_id = $1
      and account in ('1122', '2202', '2203', '2241', '3999') group by 1 having sum(debit - credit) <> 0 order by 1`,
    [lease.partyId],
  );
  // nothing is owed or held any more but the refund; 3999 is what was brought in: 3,000.00 + 250.00 − 716.50
  expect(booked).toEqual([
    { account: "2202", fen: -214_167 },
    { account: "3999", fen: 253_350 },
  ]);
  expect(await at.sound()).toEqual([]);
  expect(await lease.undo()).toBe(no("已收款"));
});

test("where the rent changes, the open bills of before stay as they came in", async () => {
  const at = await anAmender(house);
  const lease = await brought(at.shop, "1602");
  at.on("2026-12-20");
  await at.done(amendActs, lease.id, {
    effectiveOn: "2027-01-15",
    reason: "协商涨租",
    rises: [{ fromDate: "2027-01-15", rent: 330_000 }],
  });
  expect(await figures(lease.id)).toEqual([
    ["期初欠费·电费", 12_650, 0, 12_650],
    ["期初欠费", 50_000, 0, 50_000],
    ["期初欠费·物业费", 9_000, 0, 9_000],
    ["第7期租金", 140_000, 0, 140_000],
    ["第8期租金", 300_000, 0, 300_000],
    ...[9, 10, 11, 12].map((no) => [`第${no}期租金`, 330_000, 0, 330_000]),
  ]);
  expect(await at.sound()).toEqual([]);
  expect(await lease.undo()).toBe(`1 份合同不能撤销：${lease.contractNo} 苏瑾合同已变更`);
});

test("in another room the deposit of before goes over, and the open bills stay with the contract of before", async () => {
  const at = await aSuccession(house);
  const lease = await brought(at.shop, "1603");
  house.setClock("2026-12-20T10:00:00+08:00");
  const to = { effectiveOn: "2026-12-20", roomId: await at.room(), monthlyRent: 360_000 };
  const asked = await at.change({ contractId: lease.id, kind: "room", ...to, arrearsReason: "随后补交" });
  await at.all(C, asked.id, "2026-12-20");
  expect(await figures(lease.id)).toEqual([
    ["期初欠费·电费", 12_650, 0, 12_650],
    ["期初欠费", 50_000, 0, 50_000],
    ["期初欠费·物业费", 9_000, 0, 9_000],
    ["第7期租金", 140_000, 0, 140_000],
    // 3,000.00 × 5 ÷ 31 days
    ["第8期租金", 48_387, 0, 48_387],
  ]);
  expect((await figures(asked.contractId)).slice(0, 3)).toEqual([
    ["押金", 60_000, 0, 60_000],
    // 3,600.00 × 26 ÷ 31 days
    ["第1期租金", 301_935, 0, 301_935],
    ["第2期租金", 360_000, 0, 360_000],
  ]);
  expect([await at.held(lease.id), await at.held(asked.contractId)]).toEqual([0, 300_000]);
  expect(await at.sound()).toEqual([]);
  expect(await lease.undo()).toBe(`1 份合同不能撤销：${lease.contractNo} 苏瑾合同已变更`);
});

test("what is paid to a day after the take-over is not charged again by another room, and keeps nobody from leaving", async () => {
  const at = await aSuccession(house);
  const lease = await brought(at.shop, "1604");
  house.setClock("2026-11-25T10:00:00+08:00");
  const to = { kind: "room" as const, monthlyRent: 360_000, arrearsReason: "随后补交" };
  const change = async (effectiveOn: string) => {
    const body = { contractId: lease.id, ...to, ...WAYS, effectiveOn, roomId: await at.room() };
    return house.ask(changes.ask, { as: at.as }, { body });
  };
  for (const day of ["2026-11-25", "2026-11-30"])
    expect(await change(day)).toMatchObject({
      status: 409,
      body: { message: "生效日须晚于接管时的已付至日 2026-11-30" },
    });
  const next = await change("2026-12-01");
  expect(next.status).toBe(200);

  const settler = await aSettler(house, { village: "提前退租店" });
  const leaver = await brought(settler.shop, "1605");
  house.setClock("2026-11-25T10:00:00+08:00");
  const draft = { effectiveOn: "2026-11-24", endReason: "breachLessor", noticeOn: null, reason: "房屋漏水" };
  const { id } = await settler.asked(leaver.id, { ...draft, charges: [] } as never);
  const ready = await settler.submitted(id);
  const { warnings, obstacles, net } = await settler.preview(id);
  expect([warnings, obstacles]).toEqual([
    ["退房日早于接管时的已付至日 2026-11-30，多付的租金未登记为预存款的，不在结算内"],
    [],
  ]);
  // 500.00 × 0.05% × 11 days, 90.00 × 1
  expect(net).toBe(300_000 + 25_000 - 50_000 - 12_650 - 9_000 - 275 - 5);
  expect((await settler.confirm(ready)).status).toBe(200);
  expect((await figures(leaver.id)).filter(([, , , open]) => open)).toEqual([]);
  expect(await settler.sound()).toEqual([]);
});
