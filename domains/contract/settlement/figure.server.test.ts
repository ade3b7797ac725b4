import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { contractActs } from "../amendment/amendment.contract.ts";
import { tenancyLine } from "../chain/chain.contract.ts";
import { contractOccupants, getContract } from "../contract/detail.contract.ts";
import { addHousemate } from "../occupant/occupant.contract.ts";
import { expireEnded } from "../signing/clock.service.ts";
import { listSettlements, settlementActs } from "./settlement.contract.ts";
import { aSettler } from "./settlement.sample.ts";

const house = await testHouse();
const {
  shop,
  as,
  pool,
  accounts,
  another,
  lease,
  asked,
  agreed,
  confirm,
  draft,
  preview,
  row,
  submitted,
  sound,
} = await aSettler(house);

/** What the leaving comes to on its page, in its list with the totals, with its contract and on the line of its contract. */
async function figures(id: number, contractId: number) {
  const query = { contractId } as never;
  const { list, sums } = await house.did(listSettlements, { as }, { query });
  const acts = await house.did(contractActs, { as }, { params: { id: contractId } });
  const line = await house.did(tenancyLine, { as }, { query });
  const nets = [(await row(id)).net, list[0]!.net, acts[0]!.net, line.find(({ act }) => act)!.act!.net];
  return { nets, sums: [sums!.refunds, sums!.owed] };
}
const all = (net: number | null) => [net, net, net, net];
const of = async (result: string, contractId: number) =>
  (await house.did(listSettlements, { as }, { query: { result, contractId } as never })).total;

test("a figure stands from handing in on; once it is worked on anew or given up, no page says what it came to before", async () => {
  const { id: contractId } = await lease();
  house.setClock("2026-08-05T10:00:00+08:00");
  const { id } = await asked(contractId);
  expect(await figures(id, contractId)).toEqual({ nets: all(null), sums: [0, 0] });
  const { version } = await submitted(id);
  expect(await figures(id, contractId)).toEqual({ nets: all(431_276), sums: [431_276, 0] });
  expect(await of("refund", contractId)).toBe(1);

  const charges = draft().charges.map((c, i) =>
    i ? c : { ...c, quantity: null, price: null, amount: 10_241 },
  );
  await house.did(settlementActs.edit, { as }, { params: { id }, body: { ...draft({ charges }), version } });
  expect(await figures(id, contractId)).toEqual({ nets: all(null), sums: [0, 0] });
  expect([await of("refund", contractId), await of("even", contractId)]).toEqual([0, 0]);
  const again = await submitted(id);
  expect(await figures(id, contractId)).toEqual({ nets: all(431_275), sums: [431_275, 0] });

  const body = { version: again.version, reason: "租客不退了" };
  await house.did(settlementActs.cancel, { as }, { params: { id }, body });
  expect(await figures(id, contractId)).toEqual({ nets: all(null), sums: [0, 0] });
});

test("what was confirmed keeps its figure, what is taken back has none", async () => {
  house.setClock("2026-03-01T10:00:00+08:00");
  const { id: contractId } = await lease();
  house.setClock("2026-08-05T10:00:00+08:00");
  const ready = await agreed(contractId);
  expect((await confirm(ready)).status).toBe(200);
  expect(await figures(ready.id, contractId)).toEqual({ nets: all(431_276), sums: [431_276, 0] });
  const body = { version: (await row(ready.id)).version, reason: "金额有误" };
  await house.did(settlementActs.undo, { as }, { params: { id: ready.id }, body });
  expect(await figures(ready.id, contractId)).toEqual({ nets: all(null), sums: [0, 0] });
});

test("what cannot be taken back says so before it is asked: the bill of what was still owed is paid", async () => {
  house.setClock("2026-03-01T10:00:00+08:00");
  const { id: contractId, partyId } = await lease({ cycleMonths: 1 }, 4);
  house.setClock("2026-08-05T10:00:00+08:00");
  const ready = await agreed(contractId);
  await confirm(ready);
  const { billId, paidSince } = await row(ready.id);
  // what the deposit paid of it goes back with the settlement
  expect(paidSince).toBeNull();
  const paid = {
    amount: 100,
    paidAt: "2026-08-05T09:00:00+08:00",
    bills: [billId!],
    channel: "cash" as const,
  };
  await take(house, shop as never, accounts, partyId, paid);
  const { version, ...now } = await row(ready.id);
  const body = { version, reason: "金额有误" };
  const undone = await house.ask(
    settlementActs.undo,
    { as, key: randomUUID() },
    { params: { id: ready.id }, body },
  );
  expect(now.paidSince).toMatch(/^账单 .+ 已收款，不能撤销，请先撤销其收款分配$/);
  expect(now.paidSince).toBe(undone.body.message);
});

test("a tenant is shown what each way to count part of a month comes to, that of a contract by area among them", async () => {
  const roomId = await another();
  const byArea = {
    pricing: "areaDay",
    basis: "area",
    rooms: [{ roomId, monthlyRent: 0, unitPrice: "4.50" }],
  };
  for (const [terms, own] of [
    [{}, "按实际天数"],
    [byArea, "按面积"],
  ] as const) {
    const { id: contractId } = await lease(terms as object);
    house.setClock("2026-08-05T10:00:00+08:00");
    const { net, compare } = await preview((await asked(contractId)).id);
    expect(compare.slice(0, 3).map((c) => c.basis)).toEqual(["按实际天数", "每月30天", "每年365天"]);
    expect(compare.filter((c) => c.own)).toEqual([{ basis: own, own: true, net }]);
  }
});

const SHORT = { penaltyRule: "noticeShort", noticeDays: 30 } as const;
const SHARE = { penaltyRule: "remainingPercent", penaltyPercent: 20 } as const;
const FREE = {
  ...{ penaltyRule: "none", rentFreeClawback: "unexpired" },
  rentFree: [{ fromDate: "2026-03-15", toDate: "2026-04-14" }],
};
const STAYS = { effectiveOn: "2027-03-24", endReason: "normal", noticeOn: null } as const;

test.each([
  [
    "20 % of the rest of the rent, one month at most",
    { ...SHARE, penaltyCapMonths: "1" },
    {},
    "penalty",
    350_000,
  ],
  ["the same share, two months at most", { ...SHARE, penaltyCapMonths: "2" }, {}, "penalty", 510_323],
  ["14 days of notice too few, by actual days", SHORT, {}, "penalty", 158_065],
  ["14 days of notice too few, by 30", { ...SHORT, basis: "30" }, {}, "penalty", 163_333],
  ["14 days of notice too few, by 365", { ...SHORT, basis: "365" }, {}, "penalty", 161_096],
  ["a free month that was not lived out", FREE, {}, "clawback", 211_918],
  ["ten days beyond the end, by actual days", {}, STAYS, "holdover", 169_355],
  ["ten days beyond the end, by 30", { basis: "30" }, STAYS, "holdover", 175_000],
  ["ten days beyond the end, by 365", { basis: "365" }, STAYS, "holdover", 172_603],
] as const)("E22, %s: what is shown is what is booked", async (_, terms, leaving, kind, amount) => {
  const { id: contractId } = await lease({ holdoverPercent: 150, ...terms } as object, 4);
  const { effectiveOn = "2026-08-05" } = leaving as { effectiveOn?: string };
  house.setClock(`${effectiveOn}T10:00:00+08:00`);
  await acting(house, expireEnded, { villages: [shop.villageId] });
  const ready = await agreed(contractId, { charges: [], ...leaving });
  const { lines, net } = await preview(ready.id);
  const asksFor = lines.filter((l) => ["penalty", "clawback", "holdover"].includes(l.kind));
  expect(asksFor.map((l) => [l.kind, l.amount])).toEqual([[kind, -amount]]);
  expect(net).toBe(lines.reduce((sum, l) => sum + l.amount, 0));
  if (kind === "holdover") expect(net).toBe(350_000 - amount);
  expect((await confirm(ready)).status).toBe(200);
  const { rows } = await pool.query(
    `select l.amount::int, l.settled::int from bill_line l join bill b on b.id = l.bill_id
     where b.contract_id = $1 and b.source = 'settlement'`,
    [contractId],
  );
  expect(rows).toEqual([{ amount, settled: amount }]);
  expect(await row(ready.id)).toMatchObject({ net, depositHeld: 0 });
  expect(await sound()).toEqual([]);
});

test("E9 line by line: what is owed, used, damaged and the penalty are more than the deposit, and no late fee grows", async () => {
  const { id: contractId } = await lease({ cycleMonths: 1 }, 4);
  house.setClock("2026-08-05T10:00:00+08:00");
  const { id } = await asked(contractId);
  const { lines, net } = await preview(id);
  const of = (...kinds: string[]) =>
    lines.reduce((sum, l) => sum + (kinds.includes(l.kind) ? l.amount : 0), 0);
  expect([of("depositIn"), of("owed"), of("utility"), of("damage", "cleaning"), of("penalty")]).toEqual([
    350_000, -255_484, -13_240, -20_000, -350_000,
  ]);
  expect(lines.filter((l) => ["lateFee", "creditRent", "creditFee"].includes(l.kind))).toEqual([]);
  expect(net).toBe(-288_724);
});

test("E21: of a full month by area, left on its tenth day, 7,947.19 come back of 11,839.69", async () => {
  const roomId = await another();
  await pool.query("update room set area = 86.5 where id = $1", [roomId]);
  const { id: contractId } = await lease({
    ...{ pricing: "areaDay", basis: "area", start: "2026-04-01", end: "2027-03-31", cycleMonths: 1 },
    ...{ penaltyRule: "none", fees: [], rooms: [{ roomId, monthlyRent: 0, unitPrice: "4.50" }] },
  } as object);
  house.setClock("2026-05-10T10:00:00+08:00");
  const leaving = { effectiveOn: "2026-05-10", noticeOn: null, charges: [] };
  const ready = await agreed(contractId, leaving);
  const { lines } = await preview(ready.id);
  expect(lines.map((l) => [l.kind, l.amount])).toEqual([
    ["depositIn", 1_183_969],
    ["creditRent", 794_719],
    ["owed", 0],
  ]);
  expect((await confirm(ready)).status).toBe(200);
  const { rows } = await pool.query(
    "select (amount + adjusted)::int net from bill where contract_id = $1 and period_start = '2026-05-01'",
    [contractId],
  );
  expect(rows).toEqual([{ net: 389_250 }]);
  expect(await sound()).toEqual([]);
});

test("tenant and housemate have the door to the day of leaving, and to the end again once it is taken back", async () => {
  const { id: contractId, roomId } = await lease();
  await pool.query("update room set capacity = 2 where id = $1", [roomId]);
  const mate = { name: "韩雪", phone: "13800000001", certNo: "330106199503074521", relation: "配偶" };
  const of = { params: { id: contractId } };
  await house.did(addHousemate, { as }, { ...of, body: { ...mate, day: "2026-04-01" } as never });
  house.setClock("2026-08-05T10:00:00+08:00");
  const doors = async () =>
    (await house.did(contractOccupants, { as }, of)).map((o) => [o.name, o.fromDate, o.toDate, o.lockAccess]);
  const before = [
    ["张三", "2026-03-15", "2027-03-14", true],
    ["韩雪", "2026-04-01", "2027-03-14", true],
  ];
  expect(await doors()).toEqual(before);
  const left = async () => (await house.did(getContract, { as }, of)).daysLeft;
  expect(await left()).toBe(221);
  const ready = await agreed(contractId);
  await confirm(ready);
  // a lease that is over has no days left
  expect(await left()).toBeNull();
  expect(await doors()).toEqual([
    ["张三", "2026-03-15", "2026-08-05", true],
    ["韩雪", "2026-04-01", "2026-08-05", true],
  ]);
  const body = { version: (await row(ready.id)).version, reason: "租客改变主意" };
  await house.did(settlementActs.undo, { as }, { params: { id: ready.id }, body });
  expect([await left(), await doors()]).toEqual([221, before]);
});
