import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { anAmender } from "../amendment/amendment.sample.ts";
import { aCompanyForm, someRooms } from "../contract/firm.sample.ts";
import { signed } from "../contract/contract.sample.ts";
import { listRenewals } from "../renewal/renewal.contract.ts";
import { returnRoomsActs } from "../room-change/room-change.contract.ts";
import { listCompanyContracts } from "./firm-list.contract.ts";

const house = await testHouse();
const at = await anAmender(house);
const { shop, as } = at;
const reader = await house.person({ permits: ["11.query", "73.query"], villages: [shop.villageId] });

/** How many rooms the row of a contract names, and the totals under it, where so many are asked for. */
async function counted(id: number, rooms: number) {
  const query = { roomsFrom: rooms, roomsTo: rooms } as never;
  const { list, sums } = await house.did(listCompanyContracts, { as: reader }, { query });
  return [list.find((c) => c.id === id)?.rooms, sums!.rooms];
}
const priceOf = async (id: number) =>
  (await house.did(listRenewals, { as: reader }, { query: { tab: "soon" } as never })).list.find(
    (r) => r.id === id,
  )!.listPrice;

test("rooms that were given back count neither in the row, the filter and the totals nor in the price of a renewal", async () => {
  at.on("2026-03-01");
  const ids = await someRooms(house, shop, ["R1", "R2", "R3"]);
  const form = aCompanyForm(shop, ids, { rent: 180_000, start: "2026-03-01", end: "2026-06-30" });
  const { id } = await signed(house, as, form, "2026-03-01");
  const due = (await at.bills(id)).filter((b) => b.due <= "2026-03-01");
  await at.pay(
    shop.companyId,
    due.map((b) => b.id),
  );
  at.on("2026-04-20");
  expect(await counted(id, 3)).toEqual([3, 3]);
  expect(await priceOf(id)).toBe(840_000);
  const draft = { effectiveOn: "2026-04-20", reason: "员工离职", roomIds: [ids[1]!], charges: [] };
  await at.done(returnRoomsActs, id, draft);
  expect(await counted(id, 3)).toEqual([undefined, 0]);
  expect(await counted(id, 2)).toEqual([2, 2]);
  expect(await priceOf(id)).toBe(560_000);
});
