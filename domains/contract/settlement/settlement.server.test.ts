import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { voidBill } from "../../finance/bill-acts/acts.contract.ts";
import { listBills } from "../../finance/bill-list/bill.contract.ts";
import { SETTLING } from "../../finance/bill/bill.rules.ts";
import { bookBalance } from "../../finance/bill/bill.sample.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { confirmRefund, rerouteRefund, returnRefund } from "../../finance/refund/refund.contract.ts";
import { APPLYING, BANK, PAYING, onRefund } from "../../finance/refund/refund.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { getContract } from "../contract/detail.contract.ts";
import {
  type SettleDraft,
  countSettlements,
  getSettlement,
  listSettlements,
  settlementActs,
  settlementDays,
  settlementSheetFile,
} from "./settlement.contract.ts";
import jobs, { tellLeaving } from "./settlement.job.ts";
import { PERMITS, aSettler } from "./settlement.sample.ts";

const house = await testHouse();
const {
  shop,
  CHARGES,
  as,
  db,
  pool,
  accounts,
  lease,
  draft,
  asked,
  preview,
  row,
  agreed,
  confirm,
  sound,
  deposit,
} = await aSettler(house);

describe("a tenant leaves early", () => {
  test("with a quarter paid: the refund of the worked example, to the fen, and the ledger agrees", async () => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const ready = await agreed(contract.id);
    const before = await preview(ready.id);
    expect(before.lines.map((l) => [l.kind, l.amount])).toEqual([
      ["depositIn", 350_000],
      ["creditRent", 451_613],
      ["creditFee", 12_903],
      ["utility", -10_240],
      ["utility", -3_000],
      ["damage", -5_000],
      ["cleaning", -15_000],
      ["penalty", -350_000],
      ["owed", 0],
    ]);
    expect(before.compare.map((c) => [c.basis, c.own, c.net])).toEqual([
      ["按实际天数", true, 431_276],
      ["每月30天", false, 422_760],
      ["每年365天", false, 426_376],
    ]);
    const sheet = await house.ask(settlementSheetFile, { as }, { params: { id: ready.id } });
    expect(sheet.status).toBe(200);
    const done = await confirm(ready);
    expect(done.body).toMatchObject({ code: 200, data: { state: "toPay" } });
    const shown = await row(ready.id);
    expect(shown).toMatchObject({ net: 431_276, state: "toPay", depositHeld: 0 });
    expect(shown.lines).toEqual(before.lines);
    const refund = await db
      .selectFrom("refund")
      .selectAll()
      .where("id", "=", shown.refundId!)
      .executeTakeFirstOrThrow();
    expect(refund).toMatchObject({ amount: 431_276, source: "settlement", state: "toPay" });
    expect(await deposit(contract.id)).toBe(0);
    expect(await house.did(getContract, { as }, { params: { id: contract.id } })).toMatchObject({
      state: "terminated",
    });
    const bills = await pool.query(
      "select period_start, status, outstanding from bill where contract_id = $1 and source = 'schedule' order by due_date, id",
      [contract.id],
    );
    expect(bills.rows.map((b) => b.status)).toEqual(["paid", "paid", "paid", "void", "void"]);
    expect(
      await pool.query("select upper(period)::text from occupancy_row where contract_id = $1", [contract.id]),
    ).toMatchObject({
      rows: [{ upper: "2026-08-06" }],
    });
    expect(await sound()).toEqual([]);
  });

  test("its refund is paid: it is done, the room is free, and the tenant hears of it; sent back by the bank, it waits again", async () => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const boss = await house.person({
      permits: [...APPLYING, ...PAYING],
      villages: [shop.villageId],
      name: "周财务",
    });
    await pool.query(
      "insert into contract_config (enterprise_id, village_id, free_room_at) values ($1, $2, 'paid')",
      [house.enterpriseId, shop.villageId],
    );
    const ready = await agreed(contract.id);
    await confirm(ready);
    const freed = async () =>
      (await pool.query("select ended_on::text from room_leaving where contract_id = $1", [contract.id]))
        .rows;
    expect(await freed()).toEqual([{ ended_on: null }]);
    const { refundId } = await row(ready.id);
    const toPay = await house.did(listMessages, { as: boss }, { query: {} });
    expect(toPay.list[0]!.title).toBe("退房退款待付：张三 4,312.76 元");
    expect((await onRefund(house, boss, rerouteRefund, refundId!, BANK)).status).toBe(200);
    const { data } = (await sendFile(house, boss, { name: "凭证.pdf", bytes: aPdf() }, "paper10M")).body;
    const paying = { merchantAccountId: accounts.bankTransfer, fileIds: [data.id] };
    expect((await onRefund(house, boss, confirmRefund, refundId!, paying)).body.code).toBe(200);
    await house.deliver();
    const not = expect.stringMatching(/^退款 .+ 已支付或支付中，不能撤销$/) as string;
    expect(await row(ready.id)).toMatchObject({ state: "done", paidSince: not });
    expect(await freed()).toEqual([{ ended_on: "2026-08-05" }]);
    await pool.query("delete from contract_config where village_id = $1", [shop.villageId]);
    const { rows } = await pool.query("select body from outbox order by id desc limit 1");
    expect(rows[0].body).toContain("退款 4,312.76 元已支付，请查收");
    await onRefund(house, boss, returnRefund, refundId!, { reason: "账号有误" });
    await house.deliver();
    expect((await row(ready.id)).state).toBe("toPay");
    // what nobody was told of is found at night; what is still to be paid is left
    const through = jobs.find((j) => j.name === "settlement.through")!;
    await perform(house, through, {}, randomUUID());
    expect((await row(ready.id)).state).toBe("toPay");
    await pool.query("update contract_act set state = 'toPay', refund_id = null where id = $1", [ready.id]);
    await perform(house, through, {}, randomUUID());
    expect((await row(ready.id)).state).toBe("done");
    expect(await sound()).toEqual([]);
  });

  test("who looks after a leaving is told three days before, and on the day", async () => {
    const contract = await lease();
    house.setClock("2026-08-01T08:18:00+08:00");
    const keeper = await house.person({ permits: ["72.query"], villages: [shop.villageId] });
    const { id } = await asked(contract.id, { noticeOn: "2026-07-20" });
    await pool.query("update contract_act set handler_id = $2 where id = $1", [id, keeper.operatorId]);
    const told = async () =>
      (await house.did(listMessages, { as: keeper }, { query: {} })).list.map((m) =>
        m.title.split(" ").at(-1),
      );
    for (const [day, titles] of [
      ["01", []],
      ["02", ["天后退房"]],
      ["03", ["天后退房"]],
      ["05", ["今天退房", "天后退房"]],
      ["06", ["今天退房", "天后退房"]],
    ] as const) {
      house.setClock(`2026-08-${day}T08:18:00+08:00`);
      await acting(house, tellLeaving);
      expect([day, await told()]).toEqual([day, titles]);
    }
  });

  test("with the month unpaid: one bill for what is still owed", async () => {
    const contract = await lease({ cycleMonths: 1 }, 4);
    house.setClock("2026-08-05T10:00:00+08:00");
    const ready = await agreed(contract.id);
    expect(await preview(ready.id)).toMatchObject({ net: -288_724 });
    // its bills say so meanwhile, and nobody voids one of them by hand
    const biller = await house.person({ permits: ["26.query", "#2602"], villages: [shop.villageId] });
    const { list } = await house.did(
      listBills,
      { as: biller },
      { query: { contractId: contract.id } as never },
    );
    const due = list.find((one) => one.outstanding > 0)!;
    expect(list.map((one) => one.tags.includes("settling"))).toEqual(list.map((one) => one.outstanding > 0));
    const body = { reason: "重复录入", version: due.version };
    const voided = await house.ask(
      voidBill,
      { as: biller, key: randomUUID() },
      { params: { id: due.id }, body },
    );
    expect(voided.body.message).toBe(SETTLING);
    expect((await confirm(ready)).body).toMatchObject({ code: 200, data: { state: "toPay" } });
    const { billId, refundId } = await row(ready.id);
    expect(refundId).toBeNull();
    const bill = await db.selectFrom("bill").selectAll().where("id", "=", billId!).executeTakeFirstOrThrow();
    expect(bill).toMatchObject({ outstanding: 288_724, source: "settlement" });
    expect(bill.title).toContain("退房结算补收");
    const open = await pool.query(
      "select coalesce(sum(outstanding), 0)::int fen from bill where contract_id = $1",
      [contract.id],
    );
    expect(open.rows[0].fen).toBe(288_724);
    expect(await deposit(contract.id)).toBe(0);
    expect(await sound()).toEqual([]);
    // the tenant pays: it is done
    await take(house, shop as never, accounts, contract.partyId, {
      amount: 288_724,
      paidAt: "2026-08-05T09:30:00+08:00",
      bills: [billId!],
      channel: "cash",
    });
    const job = jobs.find((j) => j.name === "settlement.paid")!;
    await perform(house, job, { billIds: [billId!], contractIds: [contract.id] }, randomUUID());
    expect((await row(ready.id)).state).toBe("done");
  });

  test("taken back, everything is as before: bills, payments, deposit, contract and room", async () => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const money = () =>
      Promise.all(
        ["1122", "2203", "2204", "2205", "2241", "2202"].map((account) =>
          bookBalance(house, account, shop.villageId),
        ),
      );
    const bills = async () =>
      (
        await pool.query(
          `select title, period_start::text, due_date::text, amount, adjusted, settled, outstanding from bill
           where contract_id = $1 and voided_at is null order by due_date, title, id`,
          [contract.id],
        )
      ).rows;
    const was = { money: await money(), bills: await bills(), deposit: await deposit(contract.id) };
    const ready = await agreed(contract.id);
    await confirm(ready);
    const { version } = await row(ready.id);
    const undone = await house.ask(
      settlementActs.undo,
      { as, key: randomUUID() },
      { params: { id: ready.id }, body: { version, reason: "租客改变主意" } },
    );
    expect(undone.body).toMatchObject({ code: 200, data: { state: "settling" } });
    expect({ money: await money(), bills: await bills(), deposit: await deposit(contract.id) }).toEqual(was);
    expect(await house.did(getContract, { as }, { params: { id: contract.id } })).toMatchObject({
      state: "effective",
    });
    expect(
      await pool.query("select upper(period)::text from occupancy_row where contract_id = $1", [contract.id]),
    ).toMatchObject({
      rows: [{ upper: "2027-03-15" }],
    });
    expect(await sound()).toEqual([]);
    // and it can be settled again, to the same fen
    const again = await preview(ready.id);
    expect(again.net).toBe(431_276);
  });
});

describe("what is refused", () => {
  test("a second act on the contract, a deduction without its clause or note, another's village, a changed preview", async () => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const ready = await agreed(contract.id);
    const twice = await house.ask(
      settlementActs.ask,
      { as },
      { body: { contractId: contract.id, ...draft() } },
    );
    expect(twice).toMatchObject({ status: 409, body: { reason: "actOpen" } });
    const [charge] = CHARGES.slice(2);
    const without = draft({ charges: [{ ...charge!, clause: "" }] });
    const bare = await house.ask(
      settlementActs.preview,
      { as },
      { params: { id: ready.id }, body: { draft: without } },
    );
    expect(JSON.stringify(bare.body)).toContain("请填写扣款依据的合同条款");
    const unsaid = await house.ask(
      settlementActs.preview,
      { as },
      { params: { id: ready.id }, body: { draft: draft({ charges: [{ ...charge!, note: "" }] }) } },
    );
    expect(JSON.stringify(unsaid.body)).toContain("请填写扣款说明");
    const stranger = await house.person({ permits: PERMITS, villages: [] });
    const unseen = await house.ask(getSettlement, { as: stranger }, { params: { id: ready.id } });
    expect(unseen.status).toBe(404);
    // a cashier takes money for the contract meanwhile
    await take(house, shop as never, accounts, contract.partyId, {
      amount: 100,
      paidAt: "2026-08-05T09:00:00+08:00",
      channel: "cash",
    });
    const changed = await confirm(ready);
    expect(changed).toMatchObject({ status: 409, body: { reason: "previewChanged" } });
    expect((await row(ready.id)).state).toBe("confirming");
  });

  test("a penalty of one's own needs its permit and a reason", async () => {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    const { id } = await asked(contract.id);
    const set = (more: Partial<SettleDraft>, who = as) =>
      house.ask(settlementActs.preview, { as: who }, { params: { id }, body: { draft: draft(more) } });
    expect((await set({ penalty: 0 })).status).toBe(400);
    const free = await set({ penalty: 0, penaltyReason: "协商免除" });
    expect(free.body).toMatchObject({ data: { net: 781_276 } });
    const clerk = await house.person({ permits: PERMITS, villages: [shop.villageId] });
    const refused = await set({ penalty: 0, penaltyReason: "协商免除" }, clerk);
    expect(refused).toMatchObject({ status: 403, body: { message: '没有"修改或免除违约金"权限' } });
    // it is not confirmed before the tenant has agreed
    const { previewHash } = await preview(id);
    const { version } = await row(id);
    const early = await confirm({ id, version, previewHash });
    expect(early.status).toBe(409);
  });

  test("nothing before the day of leaving; two who confirm at once settle once", async () => {
    const contract = await lease();
    house.setClock("2026-08-04T10:00:00+08:00");
    const { id } = await asked(contract.id);
    expect((await preview(id)).obstacles.map((o) => o.msg)).toEqual([
      "退房日 2026-08-05 未到，到日后才能确认结算",
    ]);
    house.setClock("2026-08-05T10:00:00+08:00");
    expect((await preview(id)).obstacles).toEqual([]);
    const asking = await pool.query(
      `insert into refund (refund_no, source, source_id, contract_id, village_id, party_id, amount, reason, state)
       values ('TK20260805-000009', 'deposit', $1, $1, $2, $3, 10000, '多缴', 'applied') returning id`,
      [contract.id, shop.villageId, contract.partyId],
    );
    expect((await preview(id)).obstacles.map((o) => o.msg)).toEqual([
      "押金或预存款有 100.00 元正在申请退款，请在审批结束或取消后再结算",
    ]);
    await pool.query("delete from refund where id = $1", [asking.rows[0].id]);
    const { version } = await row(id);
    await house.did(
      settlementActs.cancel,
      { as },
      { params: { id }, body: { version, reason: "租客不退了" } },
    );
    const ready = await agreed(contract.id);
    const both = await Promise.all([confirm(ready), confirm(ready)]);
    expect(both.map((b) => b.status).toSorted()).toEqual([200, 409]);
    expect(await sound()).toEqual([]);
  });
});

test("the list shows the leavings of the village with their sums", async () => {
  const list = await house.did(listSettlements, { as }, { query: { pageNo: 1, pageSize: 50 } as never });
  expect(list.total).toBeGreaterThan(3);
  expect(list.list.every((r) => r.villageId === shop.villageId)).toBe(true);
  const refunds = list.list.reduce((sum, r) => sum + Math.max(0, r.net ?? 0), 0);
  expect(list.sums!.refunds).toBe(refunds);
  // one is found by the tenant's phone, whole or its last four digits
  const { id, contractId } = list.list.at(-1)!;
  const of = "select p.phone from contract c join party p on p.id = c.party_id where c.id = $1";
  const [{ phone }] = (await pool.query(of, [contractId])).rows;
  for (const keyword of [phone, phone.slice(-4)])
    expect(
      (await house.did(listSettlements, { as }, { query: { keyword } as never })).list.map((r) => r.id),
    ).toEqual([id]);
});

test("the calendar counts who leaves on each day, under the filter of the list", async () => {
  const days = (query: object) => house.did(settlementDays, { as }, { query: query as never });
  const august = await days({ month: "2026-08" });
  const { total } = await house.did(
    listSettlements,
    { as },
    { query: { leaveFrom: "2026-08-05", leaveTo: "2026-08-05" } as never },
  );
  const { rows } = await pool.query("select count(*)::int n from contract_act where state = 'cancelled'");
  expect(august).toEqual([{ day: "2026-08-05", count: total! - rows[0].n }]);
  expect(await days({ month: "2026-08", tab: "ended" })).toEqual([{ day: "2026-08-05", count: rows[0].n }]);
  expect(await days({ month: "2026-07" })).toEqual([]);
});

test("open tabs show who leaves next, the others the newest; each tab has its count", async () => {
  house.setClock("2026-08-05T10:00:00+08:00");
  const days = ["2026-08-20", "2026-08-11", "2026-08-29"];
  const ids: number[] = [];
  for (const effectiveOn of days) {
    const contract = await lease();
    house.setClock("2026-08-05T10:00:00+08:00");
    ids.push((await asked(contract.id, draft({ effectiveOn, charges: [] }))).id);
  }
  const list = async (query: object) =>
    (await house.did(listSettlements, { as }, { query: { pageSize: 200, ...query } as never })).list;
  const open = await list({ tab: "inspecting" });
  const ours = open.filter((r) => ids.includes(r.id));
  expect(ours.map((r) => r.effectiveOn)).toEqual(["2026-08-11", "2026-08-20", "2026-08-29"]);
  const newest = (rows: { id: number }[]) => rows.map((r) => r.id).toSorted((a, b) => b - a);
  for (const query of [{}, { tab: "done" }, { tab: "ended" }]) {
    const rows = await list(query);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((r) => r.id)).toEqual(newest(rows));
  }
  const counts = await house.did(countSettlements, { as }, { query: {} });
  expect(counts).toMatchObject({
    inspecting: open.length,
    ended: (await list({ tab: "ended" })).length,
  });
});
