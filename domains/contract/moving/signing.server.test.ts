import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { aRenter } from "../contract/contract.sample.ts";
import {
  actSignings,
  openSigning,
  payDue,
  refuseSigning,
  setSeal,
  signDocument,
  signPage,
  signResult,
  startActSigning,
  startSigning,
} from "../esign/esign.contract.ts";
import { identified, LAST4, linkOf, partySigns, phoneOf } from "../esign/esign.sample.ts";
import { aSeal } from "../seal/seal.sample.ts";
import { C, aSuccession } from "../successor/successor.sample.ts";
import { getChange, listChanges } from "./moving.contract.ts";

const house = await testHouse();
const at = await aSuccession(house);
const { shop, as, pool } = at;
const keeper = await house.person({ permits: ["95.query"], villages: [shop.villageId], name: "何印" });
await aSeal(house, { villageIds: [shop.villageId], operatorIds: [keeper.operatorId] });

const detail = (id: number) => house.did(getChange, { as }, { params: { id } });
const signings = (id: number) => house.did(actSignings, { as }, { params: { id } });
const seal = async (id: number) =>
  house.ask(setSeal, { as: keeper }, { params: { id: (await signings(id))[0]!.id }, body: {} });
async function send(id: number): Promise<string> {
  const { previewHash } = await at.preview(C, id);
  const { version } = await at.versionOf(id);
  const { links } = await house.did(
    startActSigning,
    { as },
    { params: { id }, body: { version, previewHash } },
  );
  expect(links).toHaveLength(1);
  return links[0]!.path.split("/").at(-1)!;
}
/** A tenant who has paid three months at 3,000.00 and moves on 16 May into a room at 3,600.00: handed in. */
async function moving() {
  const old = await at.lease({ start: "2026-03-01", rent: 300_000 });
  await identified(house, old.partyId);
  house.setClock("2026-05-14T10:00:00+08:00");
  const to = { effectiveOn: "2026-05-16", roomId: await at.room(), monthlyRent: 360_000 };
  const asked = await at.change({ contractId: old.id, kind: "room", ...to });
  await at.handIn(C, asked.id);
  return { old, asked };
}
/** A lease at 3,200.00 paid to 14 June that another tenant takes over on the 11th: handed in. */
async function passing() {
  const old = await at.lease({ start: "2026-05-15", rent: 320_000, cycleMonths: 1 });
  house.setClock("2026-06-11T10:00:00+08:00");
  const partyId = await aRenter(house, shop.villageId, { name: "李四" });
  await identified(house, old.partyId);
  await identified(house, partyId);
  const way = { effectiveOn: "2026-06-11", partyId, arrearsReason: "次月账单随转租作废" };
  const asked = await at.change({ contractId: old.id, kind: "tenant", ...way });
  await at.handIn(C, asked.id);
  return { old, asked, partyId };
}

test("E10: the supplement and the new contract are one file, signed once, and 909.67 is due", async () => {
  const { old, asked } = await moving();
  const token = await send(asked.id);
  const { device } = await house.did(openSigning, {}, { params: { token }, body: { last4: LAST4 } });
  const shown = await house.did(signDocument, {}, { params: { token }, query: { device } });
  const titles = shown.blocks.filter((b) => b.kind === "title").map((b) => b.text);
  expect(titles).toEqual(["换房补充协议", "房屋租赁合同"]);
  expect(shown.blocks.filter((b) => b.kind === "signatures")).toHaveLength(1);
  expect(shown.facts).toContainEqual({ title: "签约应付", value: "909.67 元" });
  expect(await detail(asked.id)).toMatchObject({ state: "signing", electronic: true });
  const key = await partySigns(house, token, old.partyId);
  expect((await house.did(signResult, {}, { query: { key } })).dueTotal).toBe(90_967);
  expect((await seal(asked.id)).body).toMatchObject({ data: { state: "done", number: asked.contractNo } });

  const added = await at.billsOf(asked.contractId);
  expect(added.slice(0, 3).map((b) => [b.net, b.outstanding])).toEqual(
    expect.arrayContaining([
      [60_000, 60_000],
      [185_806, 30_967],
    ]),
  );
  const done = (await house.did(listChanges, { as }, { query: { kind: "room", tab: "done" } as never }))
    .list[0];
  expect(done).toMatchObject({ rentChange: 60_000, depositChange: 60_000, due: 90_967, refund: 0 });
  expect(await house.did(signResult, {}, { query: { key } })).toMatchObject({
    kind: "done",
    dueTotal: 90_967,
  });
  const { rows } = await pool.query("select doc_kind, medium from contract_archive where contract_id = $1", [
    asked.contractId,
  ]);
  expect(rows).toEqual([{ doc_kind: "changeRoom", medium: "electronic" }]);
  expect((await signings(asked.id)).map((s) => [s.docKind, s.state])).toEqual([["changeRoom", "done"]]);
  expect(await at.sound()).toEqual([]);
});

test("E10 after another payment: the signing ends with the reason and the change is worked on again", async () => {
  const { old, asked } = await moving();
  await partySigns(house, await send(asked.id), old.partyId);
  const { rows } = await pool.query(
    "select id::int, outstanding::int fen from bill where contract_id = $1 and outstanding > 0 order by due_date, id limit 1",
    [old.id],
  );
  await take(house, shop as never, at.accounts, old.partyId, {
    amount: rows[0].fen,
    paidAt: "2026-05-14T10:00:00+08:00",
    bills: [rows[0].id],
    channel: "cash",
  });
  expect((await seal(asked.id)).body.data).toMatchObject({ state: "failed" });
  expect((await signings(asked.id))[0]).toMatchObject({
    state: "failed",
    failReason: "账单试算已变化，请核对后重新确认",
  });
  expect(await detail(asked.id)).toMatchObject({ state: "handling" });
  const states = [(await at.contractOf(old.id)).state, (await at.contractOf(asked.contractId)).state];
  expect(states).toEqual(["effective", "draft"]);
  const { rows: told } = await pool.query(
    "select count(*)::int n from outbox where recipient = $1 and body like '%换房协议未能生效%'",
    [await phoneOf(house, old.partyId)],
  );
  expect(told).toEqual([{ n: 1 }]);
  expect(await at.sound()).toEqual([]);
});

test("E14: the tenant until then, the new one and the lessor sign in this order", async () => {
  const { old, asked, partyId } = await passing();
  // from the contract's own page it is the same document
  const { links } = await house.did(startSigning, { as }, { params: { id: asked.contractId } });
  expect(links.map((l) => l.path.split("/").at(-1))).toEqual([await linkOf(house, old.partyId)]);
  const { rows: early } = await pool.query(
    "select count(*)::int n from outbox where recipient = $1 and params ? 'link'",
    [await phoneOf(house, partyId)],
  );
  expect(early).toEqual([{ n: 0 }]);
  expect((await seal(asked.id)).status).toBe(409);
  const first = await partySigns(house, await linkOf(house, old.partyId), old.partyId);
  expect(await house.did(signResult, {}, { query: { key: first } })).toMatchObject({
    kind: "signing",
    due: [],
  });
  expect((await signings(asked.id))[0]!.signers.map((s) => [s.role, s.state])).toEqual([
    ["previousParty", "signed"],
    ["party", "sent"],
    ["enterprise", "waiting"],
  ]);
  expect((await seal(asked.id)).status).toBe(409);
  const second = await partySigns(house, await linkOf(house, partyId), partyId);
  expect((await house.did(signResult, {}, { query: { key: second } })).dueTotal).toBeGreaterThan(0);
  expect((await seal(asked.id)).body).toMatchObject({ data: { state: "done" } });
  const [kept, begun] = [await at.billsOf(old.id), await at.billsOf(asked.contractId)];
  expect(kept.find((b) => b.from === "2026-05-15" && b.title.includes("租金"))!.net).toBe(278_710);
  expect(begun.find((b) => b.from === "2026-06-11" && b.title.includes("租金"))!.net).toBe(41_290);
  expect((await at.contractOf(old.id)).state).toBe("terminated");
  expect(await detail(asked.id)).toMatchObject({ state: "done" });
  // who left sees no bills of who came, nor a way to pay them
  expect(await house.did(signResult, {}, { query: { key: first } })).toMatchObject({
    ...{ kind: "done", due: [], online: false },
  });
  expect((await house.ask(payDue, {}, { body: { key: first } })).status).toBe(404);
  expect(await at.sound()).toEqual([]);
});

test("E14 refused by the new tenant: who signed before hears of it, the change waits", async () => {
  const { old, asked, partyId } = await passing();
  await partySigns(house, await send(asked.id), old.partyId);
  const token = await linkOf(house, partyId);
  const params = { token };
  const { device } = await house.did(openSigning, {}, { params, body: { last4: LAST4 } });
  await house.did(refuseSigning, {}, { params, body: { device, reason: "租金太高" } });
  expect((await house.ask(signPage, {}, { params })).body.message).toBe("已拒绝签署");
  expect((await signings(asked.id))[0]).toMatchObject({ state: "refused", failReason: "租金太高" });
  expect(await detail(asked.id)).toMatchObject({ state: "signing" });
  const { rows } = await pool.query("select recipient from outbox where body like '%对方没有同意%'");
  expect(rows).toEqual([{ recipient: await phoneOf(house, old.partyId) }]);
});
