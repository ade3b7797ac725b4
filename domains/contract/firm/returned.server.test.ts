import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { anAmender } from "../amendment/amendment.sample.ts";
import { aCompanyForm, someRooms } from "../contract/firm.sample.ts";
import { signed } from "../contract/contract.sample.ts";
import { contractOccupants } from "../contract/detail.contract.ts";
import { addOccupants, moveOccupants } from "../occupant/occupant.contract.ts";
import { listRenewals } from "../renewal/renewal.contract.ts";
import { returnRoomsActs } from "../room-change/room-change.contract.ts";
import { settlementActs } from "../settlement/settlement.contract.ts";
import { companyContractRooms, listCompanyContracts } from "./firm-list.contract.ts";

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

test("the rooms of a contract that was settled were let to the day of leaving, one given back to its own", async () => {
  at.on("2026-03-01");
  const ids = await someRooms(house, shop, ["S1", "S2"]);
  const form = aCompanyForm(shop, ids, { rent: 180_000, start: "2026-03-01" });
  const { id } = await signed(house, as, form, "2026-03-01");
  at.on("2026-04-20");
  const goes = { effectiveOn: "2026-04-20", reason: "员工离职", roomIds: [ids[1]!], charges: [] };
  await at.done(returnRoomsActs, id, goes);
  at.on("2026-05-10");
  const leaves = { effectiveOn: "2026-05-10", endReason: "early", noticeOn: null, reason: "项目结束" };
  await at.done(settlementActs as never, id, { ...leaves, penaltyReason: "", charges: [] });
  const rooms = await house.did(companyContractRooms, { as }, { params: { id } });
  expect(rooms.map((r) => [r.roomId, r.from, r.to])).toEqual([
    [ids[0], "2026-03-01", "2026-05-10"],
    [ids[1], "2026-03-01", "2026-04-20"],
  ]);
});

test("moving somebody to another room of the company changes none of its bills, and the old door is his no more", async () => {
  at.on("2026-03-01");
  const ids = await someRooms(house, shop, ["M1", "M2", "M3"]);
  const [one, two] = ids as [number, number];
  const form = aCompanyForm(shop, ids, { rent: 180_000, start: "2026-03-01", cycleMonths: 3 });
  const { id } = await signed(house, as, form, "2026-03-01");
  const { companyId } = shop;
  const people = [{ roomId: one, name: "赵一", phone: "13800000001", certNo: "330106199503074521" }];
  await house.did(addOccupants, { as }, { body: { companyId, day: "2026-03-01", people } as never });
  at.on("2026-04-20");
  const bills = async () =>
    (
      await house.database.pool.query(
        `select b.*, (select jsonb_agg(to_jsonb(l) order by l.id) from bill_line l where l.bill_id = b.id) lines
         from bill b where b.contract_id = $1 order by b.id`,
        [id],
      )
    ).rows;
  const [before, agreed] = [await bills(), await at.contract(id)];
  expect(before.map((b) => Number(b.amount))).toContain(1_620_000);
  const stays = () => house.did(contractOccupants, { as }, { params: { id } });
  const [stay] = await stays();
  const move = { companyId, day: "2026-04-20", moves: [{ id: stay!.id, roomId: two }] };
  expect(await house.did(moveOccupants, { as }, { body: move })).toEqual({ moved: 1 });
  expect((await stays()).map((o) => [o.roomId, o.lockAccess, o.fromDate, o.toDate]).toSorted()).toEqual(
    [
      [one, true, "2026-03-01", "2026-04-19"],
      [two, true, "2026-04-20", "2027-02-28"],
    ].toSorted(),
  );
  expect(await bills()).toEqual(before);
  expect(await at.contract(id)).toEqual(agreed);
  expect(await at.sound()).toEqual([]);
});
