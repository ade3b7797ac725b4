import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { aBill, aParty, aStore } from "../bill/bill.sample.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { lastCheck, runCheck } from "./check.contract.ts";
import jobs from "./check.job.ts";

const house = await testHouse();
const { pool } = house.database;

test("a clean ledger passes; every break is named, and seen only by who may see the store", async () => {
  house.setClock("2026-03-20T10:00:00+08:00");
  const store = await aStore(house);
  const accounts = await someAccounts(house, store);
  const partyId = await aParty(house);
  const id = await aBill(house, store, partyId);
  await take(house, store, accounts, partyId, {
    amount: 310_000,
    paidAt: "2026-03-20T09:00:00+08:00",
    bills: [id],
  });
  const lead = await house.person({ permits: ["#6501"], villages: [store.villageId] });
  const clean = await house.did(runCheck, { as: lead });
  expect(clean).toMatchObject({ ok: true, breaks: 0 });
  expect(clean.results.map((r) => r.code)).toEqual(
    "C01 C02 C03 C04 C05 C06 C07 C08 C09 C10 C11 C12 C13 C14 C15 C18 R6 T13 T01 T02 T03 T04 T05 T06 T07 T08 T09 T10 T11 T12 T14".split(
      " ",
    ),
  );

  await pool.query("update bill set settled = settled - 5 where id = $1", [id]);
  await pool.query("update party_balance set balance = balance + 1");
  await perform(house, jobs[0]!, {}, "nightly");
  const { run, breaks } = await house.did(lastCheck, { as: lead });
  expect(run).toMatchObject({ kind: "nightly", ok: false });
  expect(new Set(breaks.map((b) => b.code))).toEqual(new Set(["C03", "C05", "T02"]));
  expect(breaks.find((b) => b.code === "C03")).toMatchObject({ expected: 0, actual: 5 });
  // who leads finance hears of it at once
  const { list } = await house.did(listMessages, { as: lead }, { query: {} as never });
  expect(list.map((one) => one.title)).toEqual([`账务自检发现 ${breaks.length} 处异常`]);

  const stranger = await house.person({ permits: ["#6501"], villages: [(await aStore(house)).villageId] });
  expect((await house.did(lastCheck, { as: stranger })).breaks).toEqual([]);
  const clerk = await house.person({ permits: ["26.query"] });
  expect((await house.ask(runCheck, { as: clerk })).status).toBe(403);
});

test("a run sums, judges and shows one enterprise's books", async () => {
  const accounts = { permits: ["#6501"], villages: [] };
  const other = await house.person(accounts);
  const { rows } = await pool.query<{ id: number }>(
    "insert into enterprise (name) values ('别家公寓') returning id",
  );
  await pool.query("update operator set enterprise_id = $2 where id = $1", [other.operatorId, rows[0]!.id]);
  expect(await house.did(lastCheck, { as: other })).toEqual({ run: null, breaks: [] });
  // the first enterprise's books were broken above
  expect(await house.did(runCheck, { as: other })).toMatchObject({ ok: true, breaks: 0 });
  const { run } = await house.did(lastCheck, { as: other });
  expect(run!.results.every((r) => r.expected === 0 && r.actual === 0)).toBe(true);

  const lead = await house.person(accounts);
  await perform(house, jobs[0]!, {}, "nightly");
  expect((await house.did(lastCheck, { as: other })).run).toMatchObject({ kind: "nightly", ok: true });
  expect((await house.did(lastCheck, { as: lead })).run).toMatchObject({ kind: "nightly", ok: false });
});
