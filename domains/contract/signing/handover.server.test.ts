import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { freeRooms, startLeaving } from "../../listing/occupancy/occupancy.service.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { closeTurnovers, openTurnovers } from "../../listing/turnover/turnover.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aForm, aRenter, aRoom, aShop, signed, submitted } from "../contract/contract.sample.ts";
import { listContracts } from "../contract/contract.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { handOver } from "./signing.contract.ts";

const house = await testHouse();
const START = "2026-03-12T10:00:00+08:00";
house.setClock(START);
const shop = await aShop(house, { permits: ["#905", "3.query", "3.get"] });
const as = shop.clerk;
const { db, pool } = house.database;
const inVillage = { villages: [shop.villageId] };

const handing = async (id: number, handoverOn: string) => {
  const { version } = await db
    .selectFrom("contract")
    .select("version")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const body = { handoverOn, version, overrideReason: "租客次日转账" };
  return house.ask(handOver, { as }, { params: { id }, body });
};
const handed = async (id: number, handoverOn: string) =>
  expect(await handing(id, handoverOn)).toMatchObject({ status: 200 });
const refused = async (id: number, handoverOn: string) => {
  const { status, body } = await handing(id, handoverOn);
  return status < 400 ? "办理入住" : body.fields?.[0]?.msg || body.message;
};

let rooms = 0;
/** One tenant until 14 April who moved in, and the next from the 15th on, both signed. */
async function neighbours() {
  house.setClock(START);
  const roomId = await aRoom(house, shop.building, `H${++rooms}`);
  const before = await signed(house, as, aForm({ ...shop, roomId }, { months: 1 }), "2026-03-12");
  await handed(before.id, "2026-03-12");
  const partyId = await aRenter(house, shop.villageId);
  const next = await signed(
    house,
    as,
    aForm({ ...shop, roomId, partyId }, { start: "2026-04-15" }),
    "2026-03-12",
  );
  return { roomId, before: before.id, next: next.id };
}

test("a room goes to its next tenant when the one before has left, the leaving is through and it is clean", async () => {
  const { roomId, before, next } = await neighbours();
  house.setClock("2026-04-09T10:00:00+08:00");
  expect(await refused(next, "2026-04-09")).toBe("原租客尚未退房");
  const { list } = await house.did(listContracts, { as }, { query: { kind: "renter" } });
  expect(list.find((c) => c.id === next)!.facts.roomHeld).toMatchObject({ why: "lived" });

  await acting(house, (act) => startLeaving(act, { contractId: before }));
  await pool.query("update contract set state = 'terminated', leave_date = '2026-04-09' where id = $1", [
    before,
  ]);
  expect(await refused(next, "2026-04-09")).toBe("上一租约未结束，暂不能办理入住");

  await acting(house, async (act) => {
    await freeRooms(act, { contractId: before });
    await openTurnovers(act, [roomId], { source: "settlement", sourceId: before });
  });
  expect(await refused(next, "2026-04-09")).toMatch(/H1 待保洁，完成保洁后才能办理入住$/);

  const open = await db
    .selectFrom("turnover")
    .select("id")
    .where("roomId", "=", roomId)
    .executeTakeFirstOrThrow();
  const done = { doneDay: "2026-04-09", checklist: [], fileIds: [], note: "" };
  await acting(house, (act) => closeTurnovers(act, [open.id], done), inVillage);
  expect(await refused(next, "2026-04-07")).toBe("入住日期不能早于 2026-04-08（起租日前 7 天）");
  expect(await refused(next, "2026-04-08")).toBe("上一租客 2026-04-09 退房，入住日期不能早于这一天");
  await handed(next, "2026-04-09");
});

test("who stays by a renewal does not wait for himself; another's contract that was never moved into holds nothing", async () => {
  const { before, next } = await neighbours();
  house.setClock("2026-04-09T10:00:00+08:00");
  await pool.query("update contract set source = 'renewal', previous_id = $1 where id = $2", [before, next]);
  await handed(next, "2026-04-09");

  const empty = await neighbours();
  await pool.query("update contract set handover_on = null where id = $1", [empty.before]);
  house.setClock("2026-04-09T10:00:00+08:00");
  await handed(empty.next, "2026-04-09");
});

test("of two contracts that follow each other one has the keys, however both are handed over at once", async () => {
  house.setClock(START);
  const roomId = await aRoom(house, shop.building, `H${++rooms}`);
  const lease = async (start: string, end: string) =>
    (await signed(house, as, aForm({ ...shop, roomId }, { start, end }), "2026-03-12")).id;
  const ids = [await lease("2026-03-13", "2026-03-16"), await lease("2026-03-17", "2026-09-16")];
  const both = await Promise.all(ids.map((id) => refused(id, "2026-03-12")));
  expect(both.toSorted()).toEqual(["办理入住", "原租客尚未退房"].toSorted());
});

test("a room held over is offered and handed in as soon as notice is given, and not before", async () => {
  house.setClock(START);
  const roomId = await aRoom(house, shop.building, `H${++rooms}`);
  const { id, contractNo } = await signed(house, as, aForm({ ...shop, roomId }, { months: 1 }), "2026-03-12");
  await pool.query("update contract set state = 'expired' where id = $1", [id]);
  house.setClock("2026-05-01T10:00:00+08:00");
  const picked = async () => {
    const query = { villageId: shop.villageId, ids: String(roomId), from: "2026-05-10", to: "2027-05-09" };
    return (await house.did(roomOptions, { as }, { query }))[0]!.why;
  };
  const form = aForm({ ...shop, roomId }, { start: "2026-05-10" });
  const draft = await house.did(createContract, { as }, { body: form });
  const obstacles = async () =>
    (await house.did(previewContract, { as }, { body: { id: draft.id } })).obstacles.map((o) => o.code);
  expect(await picked()).toBe(`${contractNo} 到期未退，请先登记退房`);
  expect(await obstacles()).toEqual(["roomTaken"]);

  await acting(house, (act) => startLeaving(act, { contractId: id }));
  expect(await picked()).toBeNull();
  expect(await obstacles()).toEqual([]);
  await submitted(house, as, form);
});
