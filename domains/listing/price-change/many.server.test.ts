import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { aPlan, drafted, previewed } from "./price-change.sample.ts";
import { submitChange } from "./change.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const ROOMS = 20_000;

test(
  "20,000 rooms are previewed, kept and carried out while somebody waits",
  { timeout: 180_000 },
  async () => {
    const villageId = await aVillage(house);
    const building = await aBuilding(house, villageId);
    const flat = await aFlat(house, building, { name: "0" });
    await pool.query(
      `insert into apartment (village_id, building_id, unit_id, floor_id, name, rent_mode, gross_area)
     select village_id, building_id, unit_id, floor_id, 'n' || n, rent_mode, gross_area
     from apartment cross join generate_series(1, $2::int) n where id = $1`,
      [flat.id, ROOMS],
    );
    await pool.query(
      `insert into room (apartment_id, village_id, kind, name, full_name, first_day, area)
     select id, village_id, 'whole', name, '滨江店·3栋·' || name, '2024-01-01', 30 from apartment where name like 'n%'`,
    );
    await pool.query(
      `insert into room_price (room_id, effective_day, list_price, lowest_price, source)
     select id, '2024-01-01', 300000 + id * 10, 280000, 'import' from room where name like 'n%'`,
    );
    await house.database.owner.query("analyze");
    const permits = ["6.query", "6.get", "6.add", "6.edit", "#601"];
    const as = await house.person({ permits, villages: [villageId] });
    const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
      const began = performance.now();
      return [await work(), performance.now() - began];
    };
    const plan = aPlan([villageId], { applyTo: "both" });
    // the one that the others were copied from
    await pool.query("update room set retired_day = '2026-11-01' where id = $1", [flat.roomIds[0]]);
    const [seen, looked] = await timed(() => previewed(house, as, plan));
    expect(seen).toMatchObject({ rooms: ROOMS, problems: [] });
    expect(seen.lines).toHaveLength(50);
    const [made, kept] = await timed(() => drafted(house, as, plan));
    const [done, carried] = await timed(() =>
      house.did(submitChange, { as }, { params: { id: made.id }, body: { version: made.version } }),
    );
    expect(done.state).toBe("scheduled");
    const { rows } = await pool.query(
      "select count(*)::int n from room_price where source = 'batch' and source_id = $1 and effective_day = '2026-12-01'",
      [made.id],
    );
    expect(rows[0].n).toBe(ROOMS);
    // a person waits at most thirty seconds for any of it, also on a busy machine
    expect(Math.max(looked, kept, carried)).toBeLessThan(30_000);
  },
);
