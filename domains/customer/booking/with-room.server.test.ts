import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aDesk, reservationOf } from "../reservation/reservation.sample.ts";
import { listLeads } from "../lead/lead.contract.ts";
import { addLeadWithRoom } from "./with-room.contract.ts";
import { typedLead } from "../lead/lead.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house);
const add = (more: object, key: string = randomUUID()) =>
  house.ask(addLeadWithRoom, { as: desk.clerk, key }, { body: typedLead(desk.villageId, more) });

test("without a room it is an enquiry like any other", async () => {
  expect((await add({ name: "顾南乔" })).body.data).toMatchObject({ reservationId: null });
});

test("with a room both are there: the list price, three days, and the room on the timeline", async () => {
  const key = randomUUID();
  const body = { name: "苏瑾", phone: "13900001234", roomId: desk.roomId, earnest: 100_000 };
  const [first, second] = [await add(body, key), await add(body, key)];
  expect(second.body.data).toEqual(first.body.data);
  const made = await reservationOf(house, desk, first.body.data.reservationId!);
  expect(made).toMatchObject({
    partyName: "苏瑾",
    rent: 300_000,
    moveInDay: "2026-11-20",
    holdUntil: "2026-11-23",
    earnest: 100_000,
    leadNumber: first.body.data.number,
  });
});

test("when the room is taken there is no enquiry either", async () => {
  const refused = await add({ name: "江晚", roomId: desk.roomId, earnest: 0 });
  expect(refused.body.reason).toBe("roomTaken");
  const { list } = await house.did(listLeads, { as: desk.clerk }, { query: { keyword: "江晚" } });
  expect(list).toEqual([]);
  expect((await add({ roomId: desk.roomId })).body.fields).toEqual([
    { field: "earnest", msg: "请输入定金金额，免定金请填0" },
  ]);
});
