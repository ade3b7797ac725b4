import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
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
import { remindUnsigned } from "../signing/clock.service.ts";
import { withdrawContract } from "../signing/signing.contract.ts";
import { askSwapped, changes } from "../successor/successor.contract.ts";
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
  // links and codes stand with the tenant whom they were sent to
  const { rows: sentTo } = await pool.query(
    `select party_id::int party, recipient phone, count(*)::int n from outbox
     where source_id is not null and recipient = any($1) and (params ? 'link' or template = 'code') group by 1, 2 order by 1`,
    [[await phoneOf(house, old.partyId), await phoneOf(house, partyId)]],
  );
  expect(sentTo).toEqual([
    { party: old.partyId, phone: await phoneOf(house, old.partyId), n: 1 },
    { party: partyId, phone: await phoneOf(house, partyId), n: 1 },
  ]);
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

/** Tenants at 3,000.00 and 3,600.00 who have paid three months and take each other's room on 16 May: handed in. */
async function swapping() {
  const one = await at.lease({ start: "2026-03-01", rent: 300_000 });
  const two = await at.lease({ start: "2026-03-01", rent: 360_000 });
  await identified(house, one.partyId);
  await identified(house, two.partyId);
  house.setClock("2026-05-14T10:00:00+08:00");
  const { id, contractId } = await house.did(
    askSwapped,
    { as },
    {
      body: {
        ...{ contractId: one.id, otherId: two.id, monthlyRent: 360_000, otherRent: 300_000 },
        ...{ effectiveOn: "2026-05-16", deposit: "carry", credit: "carry", reason: "双方协商" },
      } as never,
    },
  );
  await at.handIn(C, id);
  const { pairedId } = await detail(id);
  const otherId = (await detail(pairedId!)).nextId!;
  const states = async () =>
    (await Promise.all([one.id, two.id, contractId, otherId].map(at.contractOf))).map((c) => c.state);
  return { one, two, id, pairedId: pairedId!, contractId, otherId, states };
}

test("a day before the end whoever is to sign is reminded of the contract that is his, under his own name", async () => {
  const reminded = async (ids: readonly number[]) => {
    await pool.query(
      "update contract set sign_deadline = sign_deadline - interval '6 days 12 hours' where id = any($1)",
      [ids],
    );
    await acting(house, remindUnsigned);
    const { rows: told } = await pool.query(
      `select o.party_id::int party, o.recipient phone, c.id::int contract from outbox o join contract c on c.id = o.source_id
       where c.id = any($1) and o.body like '%待您签署%' and o.body like '%' || c.room_names || '%' order by o.id`,
      [ids],
    );
    return told;
  };
  const { old, asked } = await passing();
  await house.did(startSigning, { as }, { params: { id: asked.contractId } });
  expect(await reminded([asked.contractId])).toEqual([
    { party: old.partyId, phone: await phoneOf(house, old.partyId), contract: asked.contractId },
  ]);
  const { one, two, id, contractId, otherId } = await swapping();
  await partySigns(house, await send(id), one.partyId);
  expect(await reminded([contractId, otherId])).toEqual([
    { party: two.partyId, phone: await phoneOf(house, two.partyId), contract: otherId },
  ]);
});

describe("two tenants who swap their rooms", () => {
  test("E10 for both sides: they sign one file in their order, and with the seal both contracts come into force", async () => {
    const { one, two, id, pairedId, contractId, otherId, states } = await swapping();
    const token = await send(id);
    const { device } = await house.did(openSigning, {}, { params: { token }, body: { last4: LAST4 } });
    const shown = await house.did(signDocument, {}, { params: { token }, query: { device } });
    expect(shown.blocks.filter((b) => b.kind === "title").map((b) => b.text)).toEqual([
      "换房补充协议",
      "换房补充协议",
      "房屋租赁合同",
      "房屋租赁合同",
    ]);
    const places = shown.blocks.filter((b) => b.kind === "signatures");
    expect(places.map((b) => b.sides!.length)).toEqual([3]);
    expect(shown.facts).toContainEqual({ title: "签约应付", value: "909.67 元" });
    // the contract of either is being signed, and neither goes another way meanwhile
    for (const contract of [contractId, otherId])
      expect((await house.ask(startSigning, { as }, { params: { id: contract } })).body.message).toBe(
        "该合同正在电子签署中，请重新发送链接或先撤销签署",
      );
    expect([(await detail(id)).electronic, (await detail(pairedId)).electronic]).toEqual([true, true]);
    const first = await partySigns(house, token, one.partyId);
    expect((await house.did(signResult, {}, { query: { key: first } })).dueTotal).toBe(90_967);
    expect((await seal(id)).status).toBe(409);
    const second = await partySigns(house, await linkOf(house, two.partyId), two.partyId);
    expect((await signings(pairedId))[0]!.signers.map((s) => [s.role, s.state])).toEqual([
      ["party", "signed"],
      ["otherParty", "signed"],
      ["enterprise", "waiting"],
    ]);
    expect(await states()).toEqual(["effective", "effective", "signing", "signing"]);
    const sealed = await Promise.all([seal(id), seal(pairedId)]);
    expect(sealed.map((answer) => answer.status).toSorted()).toEqual([200, 409]);

    expect(await states()).toEqual(["effective", "effective", "effective", "effective"]);
    expect((await at.billsOf(contractId))[1]).toMatchObject({ net: 185_806, settled: 154_839 });
    expect((await at.billsOf(otherId))[0]).toMatchObject({ net: 154_839, settled: 154_839 });
    expect([await detail(id), await detail(pairedId)]).toMatchObject([
      { state: "done", due: 90_967, refund: 0, depositChange: 60_000 },
      { state: "done", due: 0, refund: 60_000 },
    ]);
    // each reads his own contract, and pays his own bills
    const results = [];
    for (const key of [first, second]) results.push(await house.did(signResult, {}, { query: { key } }));
    expect(results.map((r) => [r.kind, r.dueTotal])).toEqual([
      ["done", 90_967],
      ["done", 0],
    ]);
    expect(results.map((r) => r.contractNo)).toEqual(
      (await Promise.all([contractId, otherId].map(at.contractOf))).map((c) => c.contractNo.slice(-6)),
    );
    const { rows } = await pool.query(
      `select a.contract_id::int id, a.doc_kind kind, c.sign_mode mode, count(distinct c.signed_file_hash)::int files
       from contract_archive a join contract c on c.id = a.contract_id where a.contract_id = any($1)
       group by 1, 2, 3 order by 1`,
      [[contractId, otherId]],
    );
    expect(rows).toEqual(
      [contractId, otherId]
        .toSorted((a, b) => a - b)
        .map((contract) => ({ id: contract, kind: "changeRoom", mode: "electronic", files: 1 })),
    );
    house.setClock("2026-05-16T10:00:00+08:00");
    expect(await at.sound()).toEqual([]);
  });

  test("a payment in between: nothing is done on either side, both are worked on again, and signed anew they are", async () => {
    const { one, two, id, pairedId, states } = await swapping();
    await partySigns(house, await send(id), one.partyId);
    const { rows } = await pool.query(
      "select id::int, outstanding::int fen from bill where contract_id = $1 and outstanding > 0 order by due_date, id limit 1",
      [two.id],
    );
    await take(house, shop as never, at.accounts, two.partyId, {
      amount: rows[0].fen,
      paidAt: "2026-05-14T10:00:00+08:00",
      bills: [rows[0].id],
      channel: "cash",
    });
    await partySigns(house, await linkOf(house, two.partyId), two.partyId);
    expect((await seal(id)).body.data).toMatchObject({ state: "failed" });
    expect((await signings(id))[0]!.failReason).toBe("账单试算已变化，请核对后重新确认");
    expect(await states()).toEqual(["effective", "effective", "draft", "draft"]);
    expect([(await detail(id)).state, (await detail(pairedId)).state]).toEqual(["handling", "handling"]);
    await at.handIn(C, id);
    house.setClock("2026-05-14T15:00:00+08:00");
    // begun from the other side, the other tenant signs first
    await partySigns(house, await send(pairedId), two.partyId);
    await partySigns(house, await linkOf(house, one.partyId), one.partyId);
    expect((await seal(pairedId)).body.data).toMatchObject({ state: "done" });
    expect(await at.sound()).toEqual([]);
  });

  test("refused by the second, taken back with one contract, or given up: no link leads anywhere", async () => {
    const { one, two, id, pairedId, otherId, states } = await swapping();
    await partySigns(house, await send(id), one.partyId);
    const token = await linkOf(house, two.partyId);
    const params = { token };
    const { device } = await house.did(openSigning, {}, { params, body: { last4: LAST4 } });
    await house.did(refuseSigning, {}, { params, body: { device, reason: "房间太小" } });
    const { rows } = await pool.query(
      "select count(*)::int n from outbox where recipient = $1 and body like '%对方没有同意%'",
      [await phoneOf(house, one.partyId)],
    );
    expect(rows).toEqual([{ n: 1 }]);
    expect(await states()).toEqual(["effective", "effective", "signing", "signing"]);

    house.setClock("2026-05-14T15:00:00+08:00");
    const again = await send(id);
    await house.did(withdrawContract, { as }, { params: { id: otherId }, body: { reason: "改同住人" } });
    expect((await house.ask(signPage, {}, { params: { token: again } })).body.message).toBe("签署已撤销");
    expect((await signings(pairedId))[0]).toMatchObject({ state: "cancelled" });
    const { version } = await at.versionOf(pairedId);
    const body = { version, reason: "双方不换了" };
    await house.did(changes.cancel, { as }, { params: { id: pairedId }, body });
    expect((await states()).slice(0, 2)).toEqual(["effective", "effective"]);
    expect([(await detail(id)).state, (await detail(pairedId)).state]).toEqual(["cancelled", "cancelled"]);
    expect(await at.sound()).toEqual([]);
  });

  test("the database keeps a contract from being presented twice, by itself and with another", async () => {
    const { id, contractId, otherId } = await swapping();
    await send(id);
    const copy = (contract: number, other: number | null) =>
      pool
        .query(
          `insert into sign_flow (flow_no, contract_id, other_contract_id, doc_kind, enterprise_id, village_id, deadline, document_id,
             document_hash, pages, paper, preview_hash, link_hours, sms_minutes, sms_tries, handwriting, read_seconds)
           select flow_no || 'X', $1, $2, doc_kind, enterprise_id, village_id, deadline, document_id, document_hash, pages, paper,
             preview_hash, link_hours, sms_minutes, sms_tries, handwriting, read_seconds
           from sign_flow where contract_id = $3`,
          [contract, other, contractId],
        )
        .then(
          () => "taken",
          (error: { constraint?: string }) => error.constraint,
        );
    expect(await copy(contractId, null)).toBe("sign_flow_live");
    expect(await copy(otherId, contractId)).toBe("sign_flow_live_pair");
    expect(await copy(contractId, contractId)).toBe("sign_flow_other");
  });
});
