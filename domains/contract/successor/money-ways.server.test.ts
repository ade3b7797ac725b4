import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, acting, aVillage } from "../../listing/village/village.sample.ts";
import { saveConfig } from "../config/config.service.ts";
import { CONFIG_DEFAULTS } from "../config/config.rules.ts";
import { LEASING, aRenter, aRoom, aScan } from "../contract/contract.sample.ts";
import { changes } from "./successor.contract.ts";
import { C, R, WAYS, aSuccession } from "./successor.sample.ts";

const house = await testHouse();
const at = await aSuccession(house);
const { shop, as, pool, room, lease, preview, versionOf, all, renew, change, billsOf, held, sound } = at;
const refunds = async (contractId: number) =>
  (await pool.query("select amount::int, source from refund where contract_id = $1", [contractId])).rows;

describe("a lower deposit, where it is to pay bills", () => {
  test("of a renewal from 3,500.00 to 3,000.00: 500.00 pay of the first quarter, nothing goes back", async () => {
    const old = await lease({ start: "2026-03-15" }, 5);
    house.setClock("2027-02-20T10:00:00+08:00");
    const rents = [{ roomId: old.roomId, monthlyRent: 300_000 }];
    const asked = await renew({ contractId: old.id, end: "2028-03-14", rents, rest: "bills" });
    expect(await preview(R, asked.id)).toMatchObject({
      ...{ held: 350_000, carried: 300_000, spent: 50_000, back: 0, refund: 0, due: 850_000 },
    });
    await all(R, asked.id, "2027-02-20");
    expect((await billsOf(asked.contractId))[0]).toMatchObject({ net: 900_000, settled: 50_000 });
    expect([await held(old.id), await held(asked.contractId)]).toEqual([0, 300_000]);
    expect(await refunds(old.id)).toEqual([]);
    expect(await sound()).toEqual([]);
  });

  test("of a change of room it pays what unused rent has left open, and the rest of it later bills", async () => {
    const old = await lease({ start: "2026-03-01", rent: 300_000, deposit: { mode: "months", months: "2" } });
    house.setClock("2026-05-16T10:00:00+08:00");
    const to = {
      effectiveOn: "2026-05-16",
      roomId: await room(),
      monthlyRent: 240_000,
      rest: "bills",
    } as const;
    const asked = await change({ contractId: old.id, kind: "room", ...to });
    // 1,548.39 unused, 1,238.71 to the end of May
    expect(await preview(C, asked.id)).toMatchObject({ credit: 154_839, spent: 120_000, back: 0, due: 0 });
    await all(C, asked.id, "2026-05-16");
    const [rest, next] = await billsOf(asked.contractId);
    expect([rest.net, rest.outstanding]).toEqual([123_871, 0]);
    expect([next.net, next.settled]).toEqual([720_000, 120_000]);
    expect(await sound()).toEqual([]);
    // moved on before June begins, what it paid of that quarter is held again and pays the next one's
    house.setClock("2026-05-20T10:00:00+08:00");
    const on = { ...to, effectiveOn: "2026-05-20", roomId: await room() };
    const again = await change({ contractId: asked.contractId, kind: "room", ...on });
    expect(await preview(C, again.id)).toMatchObject({
      held: 480_000,
      carried: 480_000,
      spent: 120_000,
      back: 0,
    });
    await all(C, again.id, "2026-05-20");
    const [, quarter] = await billsOf(again.contractId);
    expect([quarter.net, quarter.settled]).toEqual([720_000, 120_000]);
    expect([await held(asked.contractId), await held(again.contractId)]).toEqual([0, 480_000]);
    expect(await sound()).toEqual([]);
  });

  test("of a lease that passes to another tenant it pays the new tenant's bills; refunded, it goes back whatever was said", async () => {
    const take = async (more: object) => {
      const old = await lease({ start: "2026-05-15", rent: 320_000, cycleMonths: 1 });
      house.setClock("2026-06-11T10:00:00+08:00");
      const partyId = await aRenter(house, shop.villageId);
      const own = { kind: "tenant", effectiveOn: "2026-06-11", partyId, arrearsReason: "另行支付" } as const;
      return { old, asked: await change({ contractId: old.id, ...own, ...more }) };
    };
    const { asked } = await take({ deposit: "carry", rest: "bills" });
    expect(await preview(C, asked.id)).toMatchObject({ carried: 320_000, spent: 0, back: 0 });
    const { old, asked: back } = await take({ deposit: "refund", rest: "bills" });
    expect(await preview(C, back.id)).toMatchObject({ carried: 0, spent: 0, back: 320_000 });
    await all(C, back.id, "2026-06-11");
    expect(await refunds(old.id)).toEqual([{ amount: 320_000, source: "deposit" }]);
    expect(await sound()).toEqual([]);
  });
});

describe("a room of another store", () => {
  const DAY = "2026-05-16";
  async function elsewhere() {
    const villageId = await aVillage(house, {});
    const roomId = await aRoom(house, await aBuilding(house, villageId), `T${randomUUID().slice(0, 4)}`);
    const clerk = await house.person({
      permits: [...LEASING, "96.get", "96.add", "96.edit", "#9601"],
      villages: [shop.villageId, villageId],
    });
    return { villageId, roomId, clerk };
  }
  const asking = (clerk: typeof as, body: object) =>
    house.ask(
      changes.ask,
      { as: clerk },
      { body: { ...WAYS, kind: "room", effectiveOn: DAY, ...body } as never },
    );

  test("is for who works in both; the deposit goes over, unused rent goes back, the terms are the other store's", async () => {
    const old = await lease({ start: "2026-03-01", rent: 300_000 });
    const { villageId, roomId, clerk } = await elsewhere();
    await acting(house, (act) =>
      saveConfig(
        act,
        { enterpriseId: house.enterpriseId, villageId },
        { ...CONFIG_DEFAULTS, defaultTerms: { noticeDays: 45, graceDays: 3 } } as never,
        0,
      ),
    );
    house.setClock(`${DAY}T10:00:00+08:00`);
    const body = { contractId: old.id, villageId, roomId, monthlyRent: 300_000 };
    expect((await asking(as, { ...body, credit: "refund" })).status).not.toBe(200);
    expect((await asking(clerk, body)).body).toMatchObject({
      fields: [{ field: "credit", msg: "跨门店换房的未用租金须退还，不能抵扣另一门店的账单" }],
    });
    const asked = await asking(clerk, { ...body, credit: "refund" });
    const { id, contractId } = asked.body.data as { id: number; contractId: number };
    const shown = await house.did(changes.preview, { as: clerk }, { params: { id }, body: {} });
    expect(shown).toMatchObject({ carried: 300_000, credit: 154_839, due: 154_839, refund: 154_839 });
    // who does not work in the other store does not see its contract
    expect((await house.ask(changes.preview, { as }, { params: { id }, body: {} })).status).toBe(404);
    const sent = async (call: typeof changes.submit | typeof changes.confirm, more: object) => {
      const { previewHash } = await house.did(changes.preview, { as: clerk }, { params: { id }, body: {} });
      const { version } = await versionOf(id);
      return house.did(call as typeof changes.confirm, { as: clerk, key: randomUUID() } as never, {
        params: { id },
        body: { version, previewHash, ...more } as never,
      });
    };
    await sent(changes.submit, {});
    await sent(changes.confirm, { fileIds: [await aScan(house, clerk)], signedOn: DAY });
    const { rows } = await pool.query(
      `select c.village_id::int, c.terms->>'noticeDays' notice, c.terms->>'graceDays' grace,
         (select count(distinct village_id)::int from bill where contract_id = c.id) stores from contract c where c.id = $1`,
      [contractId],
    );
    expect(rows).toEqual([{ village_id: villageId, notice: "45", grace: "3", stores: 1 }]);
    expect([await held(old.id), await held(contractId)]).toEqual([0, 300_000]);
    expect(await refunds(old.id)).toEqual([]);
    const { rows: back } = await pool.query(
      "select amount::int, village_id::int from refund where party_id = $1",
      [old.partyId],
    );
    expect(back).toEqual([{ amount: 154_839, village_id: shop.villageId }]);
    expect(await sound()).toEqual([]);
  });
});

test("unused rent pays what falls due on signing as it was shown, and no later bill whose day has come too", async () => {
  const old = await lease({ start: "2026-03-01", rent: 360_000 });
  const day = "2026-05-24";
  house.setClock("2026-05-28T10:00:00+08:00");
  const to = { effectiveOn: day, roomId: await room(), monthlyRent: 240_000 } as const;
  const asked = await change({ contractId: old.id, kind: "room", ...to });
  // eight days of May: 929.03 unused, 619.35 in the new room; June was due on the 25th, between the change and its signing
  const shown = await preview(C, asked.id);
  expect(shown).toMatchObject({ credit: 92_903, used: 61_935 });
  await all(C, asked.id, "2026-05-28");
  const money = await pool.query(
    "select credit_used::int used, due::int due from change_money where act_id = $1",
    [asked.id],
  );
  expect(money.rows).toEqual([{ used: shown.used, due: shown.due }]);
  const [first, june] = await billsOf(asked.contractId);
  expect([first.settled, june.settled]).toEqual([61_935, 0]);
  expect(await sound()).toEqual([]);
});
