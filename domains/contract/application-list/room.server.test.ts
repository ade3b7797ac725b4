import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { cancelReservation } from "../../customer/reservation-acts/acts.contract.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aRoom, aShop } from "../contract/contract.sample.ts";
import {
  cancelApplication,
  changeApplicationRoom,
  editApplication,
  holdApplication,
  recommendRooms,
  rejectApplication,
} from "../lease-application/application.contract.ts";
import { followApplications } from "../lease-application/application.job.ts";
import { anApplication, applicationOf, applied, DESK } from "../lease-application/application.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house, { permits: [...DESK, "15.add", "15.get"], listPrice: 300_000 });
const as = shop.clerk;
const { pool } = house.database;
let rooms = 0;
const place = async () => ({
  villageId: shop.villageId,
  roomId: await aRoom(house, shop.building, `L${++rooms}`, 300_000),
});

test.each([
  ["rejected", rejectApplication],
  ["cancelled", cancelApplication],
  ["expired", undefined],
] as const)(
  "a room that is kept for an applicant is free again once the request is %s",
  async (state, call) => {
    const here = await place();
    const { id } = await applied(house, as, here);
    const body = { version: 1, holdUntil: "2026-03-15", rent: 300_000 };
    await house.did(holdApplication, { as }, { params: { id }, body });
    const other = await applied(house, as, here, { phone: "13612340077" });
    expect((await applicationOf(house, as, other.id)).roomState).toBe("taken");
    const sent = { params: { id }, body: { version: 2, reason: "客户不租了" } };
    if (call) await house.did(call as typeof rejectApplication, { as }, sent);
    else {
      await pool.query("update lease_application set expires_on = '2026-03-12' where id = $1", [id]);
      await acting(house, followApplications);
    }
    expect(await applicationOf(house, as, id)).toMatchObject({ state, held: false });
    expect((await applicationOf(house, as, other.id)).roomState).toBe("free");
  },
);

test("a request keeps to its room while that is kept; afterwards it may go to another store and still be refused", async () => {
  const elsewhere = await aShop(house, { village: "江南店", listPrice: 300_000 });
  const desk = await house.person({
    permits: [...DESK, "15.add", "15.get", "15.edit"],
    villages: [shop.villageId, elsewhere.villageId],
  });
  const here = await place();
  const { id } = await applied(house, desk, here);
  const params = { id };
  const body = { version: 1, holdUntil: "2026-03-15", rent: 300_000 };
  await house.did(holdApplication, { as: desk }, { params, body });
  const edit = (version: number, to: Parameters<typeof anApplication>[0], more: object = {}) => {
    const { phone: _, ...typed } = anApplication(to, more);
    return house.ask(editApplication, { as: desk }, { params, body: { ...typed, version } });
  };
  const there = { villageId: elsewhere.villageId, roomId: elsewhere.roomId };
  const kept = "已保留房间，请先取消预订，再修改类型、手机号、门店、房间或租期";
  for (const [to, more] of [
    [there, {}],
    [await place(), {}],
    [here, { wantStart: "2026-04-02" }],
    [here, { wantMonths: 11 }],
    [here, { phone: "13612340066" }],
  ] as const) {
    const { phone } = more as { phone?: string };
    const { phone: _, ...typed } = anApplication(to, more);
    const sent = { params, body: { ...typed, ...(phone && { phone }), version: 2 } };
    expect((await house.ask(editApplication, { as: desk }, sent)).body.message).toBe(kept);
  }
  expect((await edit(2, here, { remark: "两人同住", occupants: 2 })).status).toBe(200);
  const { reservationId } = await applicationOf(house, desk, id);
  const seen = await pool.query("select version from reservation where id = $1", [reservationId]);
  await house.did(
    cancelReservation,
    { as: desk },
    {
      params: { id: reservationId! },
      body: { version: Number(seen.rows[0].version), reason: "客户改去别店" },
    },
  );
  expect((await edit(3, there)).status).toBe(200);
  const reject = { params, body: { version: 4, reason: "房源已满" } };
  expect((await house.ask(rejectApplication, { as: desk }, reject)).status).toBe(200);
  expect(await applicationOf(house, desk, id)).toMatchObject({ state: "rejected", held: false });
});

test("a room is kept up to the day on which the lease was to begin; afterwards it is said why not", async () => {
  const { id } = await applied(house, as, await place(), { wantStart: "2026-03-13" });
  const hold = (holdUntil: string) =>
    house.ask(holdApplication, { as }, { params: { id }, body: { version: 1, holdUntil, rent: 300_000 } });
  house.setClock("2026-03-14T10:00:00+08:00");
  const late = await hold("2026-03-15");
  expect([late.status, late.body.message]).toEqual([
    409,
    "申请的起租日 2026-03-13 已过，不能保留房间，请修改起租日或转合同办理",
  ]);
  house.setClock("2026-03-13T10:00:00+08:00");
  expect((await hold("2026-03-15")).status).toBe(200);
  house.setClock("2026-03-12T10:00:00+08:00");
});

test("of a request for several rooms one is changed: rooms like that one are offered, the others stay", async () => {
  const [one, two, three] = [await place(), await place(), await place()];
  const roomIds = [one.roomId, two.roomId, three.roomId];
  const firm = { partyType: "company", firmName: "宏远商贸有限公司", roomIds, occupants: 3 };
  const { id } = await applied(house, as, one, firm);
  const near = await place();
  const params = { id };
  const offered = await house.did(recommendRooms, { as }, { params, query: { insteadId: two.roomId } });
  expect(offered.map((r) => r.id)).toContain(near.roomId);
  const change = (more: object) =>
    house.ask(changeApplicationRoom, { as }, { params, body: { version: 1, roomId: near.roomId, ...more } });
  expect((await change({})).body.fields).toEqual([{ field: "insteadId", msg: "请选择要换的房间" }]);
  expect((await change({ insteadId: two.roomId, roomId: one.roomId })).body.fields).toEqual([
    { field: "roomId", msg: "请选择另一间房" },
  ]);
  expect((await change({ insteadId: two.roomId })).status).toBe(200);
  expect((await applicationOf(house, as, id)).roomIds).toEqual([one.roomId, near.roomId, three.roomId]);
});
