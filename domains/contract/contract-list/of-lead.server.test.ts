import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getLead } from "../../customer/lead/lead.contract.ts";
import { aLead } from "../../customer/lead/lead.sample.ts";
import { convertReservation } from "../../customer/reservation-acts/acts.contract.ts";
import { aDesk, aHeldReservation, reservationOf } from "../../customer/reservation/reservation.sample.ts";
import { listContracts } from "../contract/contract.contract.ts";
import { LEASING, aForm, aRenter, signed, submitted } from "../contract/contract.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house, { permits: LEASING });
const as = desk.clerk;
const of = async (leadId: number, who = as) =>
  (await house.did(listContracts, { as: who }, { query: { leadId } })).list.map((c) => c.contractNo);
const form = (roomId: number, partyId: number) =>
  aForm({ villageId: desk.villageId, roomId, partyId }, { start: "2026-12-01", rent: 300_000 });

test("a lead shows the contract that its reservation becomes, from the day it is handed in", async () => {
  const leadId = await aLead(house, as, desk.villageId, { name: "苏瑾" });
  const { id } = await aHeldReservation(house, desk, { leadId });
  expect(await of(leadId)).toEqual([]);
  const { version } = await reservationOf(house, desk, id);
  const start = await house.did(convertReservation, { as }, { params: { id }, body: { version } });
  const made = await submitted(house, as, form(start.roomId, start.partyId));
  expect(await of(leadId)).toEqual([made.contractNo]);
  expect(await of(leadId, desk.stranger)).toEqual([]);
  expect(await of(await aLead(house, as, desk.villageId))).toEqual([]);
});

test("and the one that was signed without a reservation", async () => {
  const phone = "13711112222";
  const partyId = await aRenter(house, desk.villageId, { phone });
  const leadId = await aLead(house, as, desk.villageId, { phone });
  const made = await signed(house, as, form(await desk.room("1204"), partyId), "2026-11-20");
  await house.deliver();
  expect(await of(leadId)).toEqual([made.contractNo]);
  expect((await house.did(getLead, { as }, { params: { id: leadId } })).state).toBe("signed");
});
