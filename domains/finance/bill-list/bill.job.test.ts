import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { readBills } from "../bill/bills.queries.ts";
import flowJobs from "../flow/flow.job.ts";
import { someAccounts, take, wantsOf } from "../flow/flow.sample.ts";
import { previewFlow, receiveFlow } from "../flow/receive.contract.ts";
import { voidBill } from "../bill-acts/acts.contract.ts";
import jobs from "./bill.job.ts";

const house = await testHouse();
const bill = async (id: number) => (await readBills({ tx: house.database.db }, [id]))[0]!;

test("overnight bills enter the ledger and prepaid money pays them, oldest due first; twice changes nothing", async () => {
  house.setClock("2026-03-20T10:00:00+08:00");
  const store = await aStore(house);
  const accounts = await someAccounts(house, store);
  const partyId = await aParty(house);
  const planned = { dueDate: "2026-03-21", lines: [aLine("rent", 60_000)] };
  const first = await aBill(house, store, partyId, planned);
  const second = await aBill(house, store, partyId, { ...planned, dueDate: "2026-03-22" });
  await take(house, store, accounts, partyId, { amount: 90_000, paidAt: "2026-03-20T09:00:00+08:00" });
  house.setClock("2026-03-23T00:10:00+08:00");
  for (let night = 0; night < 2; night++) {
    await perform(house, jobs[0]!, {}, "night");
    await perform(house, flowJobs[0]!, {}, "night");
  }
  expect(await bill(first)).toMatchObject({ issueDate: "2026-03-21", status: "paid" });
  expect(await bill(second)).toMatchObject({
    issueDate: "2026-03-22",
    outstanding: 30_000,
    status: "partial",
  });
});

test("of a payment and a voiding at the same moment one wins and the other is told", async () => {
  house.setClock("2026-03-20T10:00:00+08:00");
  const store = await aStore(house);
  const accounts = await someAccounts(house, store);
  const partyId = await aParty(house, "王五", { villageId: store.villageId });
  const permits = ["102.add", "#2602"];
  const as = await house.person({ permits, villages: [store.villageId] });
  for (let round = 0; round < 6; round++) {
    const id = await aBill(house, store, partyId, { dueDate: "2026-03-20", lines: [aLine("rent", 10_000)] });
    const body = {
      villageId: store.villageId,
      partyId,
      amount: 10_000,
      channel: "cash" as const,
      merchantAccountId: accounts.cash,
      paidAt: "2026-03-20T09:00:00+08:00",
      wants: (await wantsOf(house, [id])).filter((w) => w.lineId !== null),
    };
    const { hash } = await house.did(previewFlow, { as }, { body });
    const [paid, voided] = await Promise.all([
      house.ask(receiveFlow, { as, key: randomUUID() }, { body: { ...body, previewHash: hash } }),
      house.ask(
        voidBill,
        { as, key: randomUUID() },
        { params: { id }, body: { reason: "录错", version: 1 } },
      ),
    ]);
    expect([paid.status, voided.status].toSorted()).toEqual([200, 409]);
    const now = await bill(id);
    expect(now.status).toBe(paid.status === 200 ? "paid" : "void");
    expect(now.settled).toBe(paid.status === 200 ? 10_000 : 0);
  }
});
