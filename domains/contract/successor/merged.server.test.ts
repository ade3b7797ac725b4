import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { mergeRenters } from "../../customer/renter/acts.contract.ts";
import { aRenter } from "../contract/contract.sample.ts";
import { readForm, saveContract } from "../drafting/draft.contract.ts";
import { getChange } from "../moving/moving.contract.ts";
import { inviteRenewals } from "../renewal/renewal.contract.ts";
import { changes } from "./successor.contract.ts";
import { C, R, WAYS, aSuccession } from "./successor.sample.ts";

const house = await testHouse();
const { shop, as, pool, room, lease, preview, all, confirm, handIn, renew, change, held, sound } =
  await aSuccession(house);

/** Another record of the same person is kept, that of the lease becomes part of it. */
async function merged(goneId: number): Promise<number> {
  const keepId = await aRenter(house, shop.villageId, { name: "罗子墨", phone: "13911112222" });
  const merger = await house.person({
    permits: ["16.query", "16.get", "16.edit", "#1602"],
    villages: [shop.villageId],
  });
  const versionOf = async (id: number) =>
    (await pool.query<{ version: number }>("select version from party where id = $1", [id])).rows[0]!.version;
  const [keepVersion, goneVersion] = [await versionOf(keepId), await versionOf(goneId)];
  const body = { keepId, keepVersion, goneId, goneVersion, take: [], reason: "同一人" };
  await house.did(mergeRenters, { as: merger }, { body });
  return keepId;
}
const partyOf = async (contractId: number) =>
  (await pool.query("select party_id::int id, party_name name from contract where id = $1", [contractId]))
    .rows[0];

test("a tenant whose record was merged is invited and renews as the record that was kept, with the deposit", async () => {
  const old = await lease({ start: "2026-03-15" }, 5);
  const keepId = await merged(old.partyId);
  house.setClock("2027-02-20T10:00:00+08:00");
  const { rows } = await house.did(inviteRenewals, { as }, { body: { ids: [old.id] } });
  expect(rows).toMatchObject([{ refusal: null }]);
  const { rows: texts } = await pool.query(
    "select recipient, party_id::int \"partyId\" from outbox where source_id = $1 and body like '%如需续租%'",
    [old.id],
  );
  expect(texts).toEqual([{ recipient: "13911112222", partyId: keepId }]);
  const asked = await renew({ contractId: old.id, end: "2028-03-14" });
  await all(R, asked.id, "2027-02-20");
  expect(await partyOf(old.id)).toMatchObject({ id: old.partyId });
  expect(await partyOf(asked.contractId)).toEqual({ id: keepId, name: "罗子墨" });
  expect([await held(old.id), await held(asked.contractId)]).toEqual([0, 350_000]);
  expect(await sound()).toEqual([]);
});

test("a renewal under way when its tenant's record is merged goes on as the record that was kept", async () => {
  const old = await lease({ start: "2026-03-15" }, 5);
  house.setClock("2027-02-20T10:00:00+08:00");
  const asked = await renew({ contractId: old.id, end: "2028-03-14" });
  const keepId = await merged(old.partyId);
  await all(R, asked.id, "2027-02-20");
  expect(await partyOf(old.id)).toMatchObject({ id: old.partyId });
  expect(await partyOf(asked.contractId)).toEqual({ id: keepId, name: "罗子墨" });
  expect([await held(old.id), await held(asked.contractId)]).toEqual([0, 350_000]);
  expect(await sound()).toEqual([]);
});

test("a renewal that was handed in already stays as it was written", async () => {
  const old = await lease({ start: "2026-03-15" }, 5);
  house.setClock("2027-02-20T10:00:00+08:00");
  const asked = await renew({ contractId: old.id, end: "2028-03-14" });
  await handIn(R, asked.id);
  await merged(old.partyId);
  expect((await confirm(R, asked.id, "2027-02-20")).body).toMatchObject({ data: { state: "done" } });
  expect(await partyOf(asked.contractId)).toMatchObject({ id: old.partyId });
  expect([await held(old.id), await held(asked.contractId)]).toEqual([0, 350_000]);
  expect(await sound()).toEqual([]);
});

test("such a tenant changes rooms; what was paid ahead goes back, as it pays no bills of another record", async () => {
  const old = await lease({ start: "2026-03-01", rent: 300_000 });
  const keepId = await merged(old.partyId);
  house.setClock("2026-05-14T10:00:00+08:00");
  const to = { contractId: old.id, kind: "room" as const, effectiveOn: "2026-05-16", monthlyRent: 300_000 };
  const roomId = await room();
  const carried = await house.ask(changes.ask, { as }, { body: { ...WAYS, ...to, roomId } });
  expect(carried.body.fields).toEqual([{ field: "credit", msg: expect.stringContaining("未用租金须退还") }]);
  const asked = await change({ ...to, roomId, credit: "refund" });
  await all(C, asked.id, "2026-05-14");
  expect(await partyOf(asked.contractId)).toMatchObject({ id: keepId });
  expect([await held(old.id), await held(asked.contractId)]).toEqual([0, 300_000]);
  const { rows } = await pool.query(
    "select party_id::int id, source from refund where contract_id is null or contract_id = $1",
    [old.id],
  );
  expect(rows).toEqual([{ id: old.partyId, source: "prepaid" }]);
  expect(await sound()).toEqual([]);
});

test("a change of room under way when its tenant's record is merged goes on as the record that was kept; unused rent goes back", async () => {
  const old = await lease({ start: "2026-03-01", rent: 300_000 }, 3);
  house.setClock("2026-05-14T10:00:00+08:00");
  const to = { contractId: old.id, kind: "room" as const, effectiveOn: "2026-05-16", monthlyRent: 300_000 };
  const asked = await change({ ...to, roomId: await room() });
  const { used, credit } = await preview(C, asked.id);
  expect(used).toBeGreaterThan(0);
  const keepId = await merged(old.partyId);
  // its draft is edited as before
  const params = { id: asked.contractId };
  const { form, version } = await house.did(readForm, { as }, { params });
  expect(form).toMatchObject({ partyId: keepId });
  await house.did(saveContract, { as }, { params, body: { ...form, remark: "朝南", version } as never });
  expect(await preview(C, asked.id)).toMatchObject({ used: 0, credit, refund: credit });
  await all(C, asked.id, "2026-05-14");
  expect(await partyOf(asked.contractId)).toMatchObject({ id: keepId });
  expect([await held(old.id), await held(asked.contractId)]).toEqual([0, 300_000]);
  expect((await house.did(getChange, { as }, { params: { id: asked.id } })).credit).toBe("refund");
  expect(await sound()).toEqual([]);
});

test("whoever takes the lease over is another person, not another record of its tenant", async () => {
  const old = await lease({ start: "2026-03-01" });
  const partyId = await merged(old.partyId);
  house.setClock("2026-05-14T10:00:00+08:00");
  const body = { ...WAYS, contractId: old.id, kind: "tenant" as const, effectiveOn: "2026-05-16", partyId };
  const answer = await house.ask(changes.ask, { as }, { body });
  expect(answer.body.message).toBe("新租客不能是原租客");
});
