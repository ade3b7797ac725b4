import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aFlat } from "../../listing/village/village.sample.ts";
import { changes } from "./successor.contract.ts";
import { C, aSuccession } from "./successor.sample.ts";

const house = await testHouse();
const { shop, as, pool, lease, preview, change, sound, contractOf } = await aSuccession(house);

test.each(["the same bed", "a bed and the whole flat that it stands in"])(
  "two changes of room into %s: one has it, the other is told who",
  async (what) => {
    const [one, two] = [await lease({ start: "2026-03-01" }), await lease({ start: "2026-03-01" })];
    house.setClock("2026-05-16T10:00:00+08:00");
    const { roomIds } = await aFlat(house, shop.building, {
      ...{ name: what === "the same bed" ? "B1" : "B2", rentMode: "bed", wholeToo: true },
      rooms: ["A床", "B床"],
    });
    const [whole, bed] = roomIds as [number, number];
    const to = { kind: "room", effectiveOn: "2026-05-16", monthlyRent: 300_000 } as const;
    const first = await change({ contractId: one.id, ...to, roomId: bed });
    const other = what === "the same bed" ? bed : whole;
    const second = await change({ contractId: two.id, ...to, roomId: other });
    const asks = [];
    for (const { id } of [first, second])
      asks.push({ params: { id }, body: { version: 1, previewHash: (await preview(C, id)).previewHash } });
    const both = await Promise.all(
      asks.map((ask) => house.ask(changes.submit, { as, key: randomUUID() }, ask)),
    );
    expect(both.map((r) => r.status).toSorted()).toEqual([200, 409]);
    const [won, lost] = both[0]!.status === 200 ? [first, second] : [second, first];
    const refused = both.find((r) => r.status === 409)!.body;
    expect(refused).toMatchObject({ reason: "roomTaken" });
    const { contractNo } = await contractOf(won.contractId);
    expect(refused.message + (await preview(C, lost.id)).obstacles.map((o) => o.msg).join()).toContain(
      contractNo,
    );
    const { rows } = await pool.query(
      "select distinct contract_id::int id from occupancy_row where let_room_id = any($1)",
      [roomIds],
    );
    expect(rows).toEqual([{ id: won.contractId }]);
    expect(await sound()).toEqual([]);
  },
);
