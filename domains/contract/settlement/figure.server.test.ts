import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { contractActs } from "../amendment/amendment.contract.ts";
import { tenancyLine } from "../chain/chain.contract.ts";
import { listSettlements, settlementActs } from "./settlement.contract.ts";
import { aSettler } from "./settlement.sample.ts";

const house = await testHouse();
const { shop, as, accounts, another, lease, asked, agreed, confirm, draft, preview, row, submitted } =
  await aSettler(house);

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
