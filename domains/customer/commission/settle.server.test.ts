import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine, getExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { aRenter, aRoom, aScan } from "../../contract/contract/contract.sample.ts";
import { payFlow } from "../../finance/flow/flow.contract.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { voidBills } from "../../finance/bill/bill.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAgent, getAgent } from "../agent/agent.contract.ts";
import { ledgerBreaks } from "../reservation/reservation.sample.ts";
import { billCommissions, clawCommission, previewCommissionBill } from "./commission.contract.ts";
import { aDeal, anAgentDesk } from "../../contract/contract/agent-deal.sample.ts";
import { billing, commissionsOf, news, typedAgent } from "./commission.sample.ts";

const house = await testHouse({ poolSize: 12 });
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await anAgentDesk(house, { permits: ["26.get", "26.query"] });
const { keeper, stranger } = desk;
const accounts = await someAccounts(house, { villageId: desk.villageId, roomId: desk.roomId });
const { pool } = house.database;

let n = 0;
/** An owed commission of 3,000.00, or of another length. */
async function owed(more: { months?: number; agentId?: number } = {}) {
  const phone = `1371000${String(1000 + ++n)}`;
  const roomId = await aRoom(house, desk.building, `30${String(n).padStart(2, "0")}`, 300_000);
  const partyId = await aRenter(house, desk.villageId, { phone, name: "沈知夏" });
  const contractId = await aDeal(house, desk, { phone, roomId, partyId, ...more });
  const { list } = await commissionsOf(house, desk);
  return list.find((c) => c.contractId === contractId)!;
}
const stateOf = async (id: number) =>
  (await commissionsOf(house, desk, { pageSize: 200 })).list.find((c) => c.id === id)!;
const clawing = async (id: number, amount: number) => {
  const { version } = await stateOf(id);
  const body = { amount, version, reason: "租客提前退租" };
  return house.did(clawCommission, { as: keeper }, { params: { id }, body });
};

describe("several of one payee", () => {
  test("become one payable bill, less what is taken back; paid out it is paid, and the ledger holds", async () => {
    const [one, two] = [await owed(), await owed({ months: 6 })];
    const claw = await clawing(one.id, 50_000);
    const made = await billing(house, desk, [one.id, two.id, claw.id]);
    expect(made.body.data).toMatchObject({ waiting: null, billNo: expect.stringMatching(/^ZD/) });
    const { billId, state, version } = await stateOf(one.id);
    expect(state).toBe("settling");
    const { rows } = await pool.query(
      "select direction, amount, adjusted, outstanding, status, p.kind, p.name from bill b join party p on p.id = b.party_id where b.id = $1",
      [billId],
    );
    expect(rows).toEqual([
      {
        direction: "payable",
        amount: 450_000,
        adjusted: -50_000,
        outstanding: 400_000,
        status: "unpaid",
        kind: "thirdParty",
        name: "周启明",
      },
    ]);
    expect(await ledgerBreaks(house)).toEqual([]);
    expect(version).toBeGreaterThan(1);
    const paidAt = "2026-11-20T08:00:00+08:00";
    await take(house, desk, accounts, desk.partyId, { amount: 500_000, paidAt, channel: "cash" });
    const pay = (amount: number) =>
      aScan(house, keeper).then((scan) =>
        house.did(
          payFlow,
          { as: keeper, key: randomUUID() },
          {
            body: {
              billId: billId!,
              amount,
              channel: "cash",
              merchantAccountId: accounts.cash,
              paidAt: "2026-11-20T08:30:00+08:00",
              fileIds: [scan],
            },
          },
        ),
      );
    await pay(100_000);
    expect((await stateOf(one.id)).state).toBe("settling");
    const { flowNo } = await pay(300_000);
    expect(await stateOf(one.id)).toMatchObject({ state: "paid", flowNo });
    await news(house, "commission.paid", { billId });
    await news(house, "commission.paid", { billId });
    const told = await pool.query("select title from message where title like '佣金已支付%'");
    expect(told.rows).toHaveLength(3);
    const agent = await house.did(getAgent, { as: keeper }, { params: { id: desk.agentId } });
    expect(agent).toMatchObject({ paid: 400_000 });
    expect(await ledgerBreaks(house)).toEqual([]);
    // what was paid and is taken back is set off against the next
    const back = await clawing(two.id, 150_000);
    expect((await stateOf(two.id)).state).toBe("clawed");
    const next = await owed();
    await billing(house, desk, [next.id, back.id]);
    const bill = await pool.query("select outstanding from bill where id = $1", [
      (await stateOf(next.id)).billId,
    ]);
    expect(bill.rows).toEqual([{ outstanding: 150_000 }]);
  });

  test("the same key makes one bill, and two at once do too", async () => {
    const one = await owed();
    const key = randomUUID();
    const first = await billing(house, desk, [one.id], key);
    const again = await house.ask(
      billCommissions,
      { as: keeper, key },
      { body: { ids: [one.id], previewHash: "lost" } },
    );
    expect(again.body.data).toEqual(first.body.data);
    const two = await owed();
    const { hash: right } = await house.did(
      previewCommissionBill,
      { as: keeper },
      { body: { ids: [two.id] } },
    );
    const body = { ids: [two.id], previewHash: right };
    const both = await Promise.all(
      [1, 2].map(() => house.ask(billCommissions, { as: keeper, key: randomUUID() }, { body })),
    );
    expect(both.map((r) => r.status).toSorted()).toEqual([200, 409]);
    const bills = await pool.query(
      "select count(*)::int n from bill where source_id = $1 and source = 'cost'",
      [two.id],
    );
    expect(bills.rows).toEqual([{ n: 1 }]);
    const twice = await house.ask(billCommissions, { as: keeper, key: randomUUID() }, { body });
    expect(twice.body.message).toContain("当前状态为“结算中”，不能生成账单");
  });

  test("another payee, too much taken back, an older look and a stranger are refused", async () => {
    const { id: other } = await house.did(
      addAgent,
      { as: keeper },
      { body: typedAgent(desk, { name: "唐一诺" }) },
    );
    const [mine, theirs] = [await owed(), await owed({ agentId: other })];
    const preview = (ids: number[], as = keeper) =>
      house.ask(previewCommissionBill, { as }, { body: { ids } });
    expect((await preview([mine.id, theirs.id])).body.message).toContain("同一收款方");
    expect((await preview([mine.id], stranger)).status).toBe(404);
    const claw = await clawing(mine.id, 100_000);
    expect((await preview([claw.id])).body.message).toContain("没有应付金额");
    const { hash } = await house.did(previewCommissionBill, { as: keeper }, { body: { ids: [mine.id] } });
    const stale = await house.ask(
      billCommissions,
      { as: keeper, key: randomUUID() },
      { body: { ids: [mine.id, claw.id], previewHash: hash } },
    );
    expect(stale.status).toBe(409);
    expect(stale.body.message).toContain("请核对后重新确认");
    expect((await stateOf(mine.id)).state).toBe("owed");
  });
});

test("a bill that is voided gives its commissions back", async () => {
  const one = await owed();
  await billing(house, desk, [one.id]);
  const { billId } = await stateOf(one.id);
  await acting(house, (act) => voidBills(act, [billId!], "收款账户有误"), { villages: [desk.villageId] });
  await news(house, "commission.dropped", { billIds: [billId] });
  expect(await stateOf(one.id)).toMatchObject({ state: "owed", billId: null });
  expect((await billing(house, desk, [one.id])).status).toBe(200);
});

test("where a process says so it waits: rejected it is owed again, approved it is billed", async () => {
  const admin = await house.person({ superType: "1", name: "许承锦" });
  const manager = await house.person({ villages: [desk.villageId], permits: ["115.query"], name: "罗佳宁" });
  const fallback = await house.person({ villages: [desk.villageId], name: "郭晓东" });
  await aModule(house, admin, {
    moduleType: "commission",
    name: "佣金审批",
    villageIds: [desk.villageId],
    fallback,
    processes: [otherwise(asking("店长", [manager]))],
  });
  const one = await owed();
  const ask = async () => {
    const made = await billing(house, desk, [one.id]);
    expect(made.body.data.billNo).toBeNull();
    const { rows } = await pool.query(
      "select id::int from examine where target_kind = 'commission' and target_id = $1 and state = 'approving'",
      [one.id],
    );
    return rows[0].id as number;
  };
  const decide = async (examineId: number, decision: "approve" | "reject") => {
    const { version } = await house.did(getExamine, { as: manager }, { params: { id: examineId } });
    const body = { decision, version, comment: "不同意" } as never;
    const done = await house.ask(
      decideExamine,
      { as: manager, key: randomUUID() },
      { params: { id: examineId }, body },
    );
    expect(done.status, done.body.message).toBe(200);
  };
  const first = await ask();
  expect(await stateOf(one.id)).toMatchObject({ state: "settling", waiting: true });
  await decide(first, "reject");
  await news(house, "commission.examined", { type: "commission", recordId: one.id, state: "rejected" });
  expect(await stateOf(one.id)).toMatchObject({ state: "owed", waiting: false });
  await decide(await ask(), "approve");
  expect(await stateOf(one.id)).toMatchObject({ state: "settling", waiting: false });
  expect((await stateOf(one.id)).billId).not.toBeNull();
});
