import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { makeBills } from "../bill/bill.service.ts";
import { aBill, aNewBill, aParty, aStore } from "../bill/bill.sample.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { checkPosting } from "../posting/posting.contract.ts";
import { lastCheck, runCheck } from "./check.contract.ts";
import jobs from "./check.job.ts";
import { checked } from "./check.sample.ts";

const house = await testHouse();
const { pool } = house.database;
const nightly = jobs.find(({ name }) => name === "ledgerCheck")!;

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
  const asked = await house.did(runCheck, { as: lead });
  // it goes on beside the calls; who asks again meanwhile is given the same run
  expect(await house.did(lastCheck, { as: lead })).toEqual({
    run: null,
    breaks: [],
    underway: { id: asked.id, progress: 0 },
    failed: false,
  });
  expect(await house.did(runCheck, { as: lead })).toEqual(asked);
  await house.deliver();
  const clean = await house.did(lastCheck, { as: lead });
  expect(clean).toMatchObject({
    run: { id: asked.id, kind: "manual", ok: true },
    breaks: [],
    underway: null,
  });
  expect(clean.run!.results.map((r) => r.code)).toEqual(
    "C01 C02 C03 C04 C05 C06 C07 C08 C09 C10 C11 C12 C13 C14 C15 C18 R6 T13 T01 T02 T03 T04 T05 T06 T07 T08 T09 T10 T11 T12 T14".split(
      " ",
    ),
  );

  await pool.query("update bill set settled = settled - 5 where id = $1", [id]);
  await pool.query("update party_balance set balance = balance + 1");
  await perform(house, nightly, {}, "nightly");
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
  expect(await house.did(lastCheck, { as: other })).toMatchObject({ run: null, breaks: [] });
  // the first enterprise's books were broken above
  const { run, breaks } = await checked(house, other);
  expect(breaks).toEqual([]);
  expect(run).toMatchObject({ ok: true });
  expect(run!.results.every((r) => r.expected === 0 && r.actual === 0)).toBe(true);

  const lead = await house.person(accounts);
  await perform(house, nightly, {}, "nightly");
  expect((await house.did(lastCheck, { as: other })).run).toMatchObject({ kind: "nightly", ok: true });
  expect((await house.did(lastCheck, { as: lead })).run).toMatchObject({ kind: "nightly", ok: false });
});

test("a run that breaks off says so, and the next is another; one that was lost makes way", async () => {
  const lead = await house.person({ permits: ["#6501"] });
  house.setClock("2026-03-21T10:00:00+08:00");
  const { id } = await house.did(runCheck, { as: lead });
  const before = (await house.did(lastCheck, { as: lead })).run!.id;
  await house.database.owner.query("alter view contract_brief rename to contract_short");
  await expect(house.deliver()).rejects.toThrow(/contract_brief/);
  await house.database.owner.query("alter view contract_short rename to contract_brief");
  expect(await house.did(lastCheck, { as: lead })).toMatchObject({
    run: { id: before },
    underway: null,
    failed: true,
  });

  const lost = await house.did(runCheck, { as: lead });
  expect(lost.id).toBeGreaterThan(id);
  house.setClock("2026-03-21T14:00:00+08:00");
  expect(await house.did(runCheck, { as: lead })).toEqual(lost);
  house.setClock("2026-03-21T14:00:01+08:00");
  const next = await house.did(runCheck, { as: lead });
  expect(next.id).toBeGreaterThan(lost.id);
  await house.deliver();
  const done = await house.did(lastCheck, { as: lead });
  expect(done).toMatchObject({ run: { id: next.id }, failed: false });
  // the books stay as they were found, whoever of two servers comes to the end
  await house.deliver();
  expect(await house.did(lastCheck, { as: lead })).toEqual(done);
});

test("of more breaks than are kept each store keeps one, so that its month does not pass as clean; nor by a run of before its end", async () => {
  const lead = await house.person({ superType: "1" });
  const [many, last] = [await aStore(house), await aStore(house)];
  const partyId = await aParty(house);
  house.setClock("2026-03-31T10:00:00+08:00");
  await acting(house, (act) =>
    makeBills(act, [...Array.from({ length: 205 }, () => aNewBill(many, partyId)), aNewBill(last, partyId)]),
  );
  const ledger = async () => {
    const query = { side: "income" as const, month: "2026-03", villageId: last.villageId };
    return (await house.did(checkPosting, { as: lead }, { query })).checks.find(
      ({ key }) => key === "ledger",
    )!;
  };
  await perform(house, nightly, {}, "nightly");
  house.setClock("2026-04-02T10:00:00+08:00");
  expect(await ledger()).toMatchObject({
    level: "red",
    said: "月末以后还没有运行过账务自检，上次为 2026-03-31",
  });
  await pool.query("update bill set settled = settled + 5 where village_id = any($1)", [
    [many.villageId, last.villageId],
  ]);
  await perform(house, nightly, {}, "nightly");
  const { run, breaks } = await house.did(lastCheck, { as: lead });
  expect(run!.results.find((r) => r.code === "C03")!.breaks).toBeGreaterThan(205);
  expect(breaks.filter((b) => b.code === "C03").length).toBe(200);
  expect(breaks.filter((b) => b.code === "C03" && b.villageId === last.villageId).length).toBeGreaterThan(0);
  expect(await ledger()).toMatchObject({ level: "red", said: expect.stringMatching(/^\d+ 处异常$/) });
});
