import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getLead, listLeads } from "../../customer/lead/lead.contract.ts";
import { aLead } from "../../customer/lead/lead.sample.ts";
import { aCompany, aMerchant } from "../../customer/firm/firm.sample.ts";
import { convertReservation } from "../../customer/reservation-acts/acts.contract.ts";
import {
  aDesk,
  aHeldReservation,
  ledgerBreaks,
  reservationOf,
} from "../../customer/reservation/reservation.sample.ts";
import { aForm, LEASING, signed } from "../contract/contract.sample.ts";
import { contractBills, getContract } from "../contract/detail.contract.ts";
import { FIRM_LEASING, FIRM_RECORDS } from "../contract/firm.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house, { permits: [...LEASING, ...FIRM_LEASING, ...FIRM_RECORDS] });
const as = desk.clerk;
const { db } = house.database;

/** The form as it opens from a reservation: nothing is typed twice. */
async function formFrom(id: number) {
  const { version } = await reservationOf(house, desk, id);
  const begun = await house.did(convertReservation, { as }, { params: { id }, body: { version } });
  const { kind, villageId, partyId, roomId, start, end, rent, payPlan } = begun;
  const [months, cycle] = payPlan!.split("-");
  return aForm(
    { villageId, partyId, roomId },
    {
      kind,
      start,
      end,
      rent,
      cycleMonths: Number(cycle) as 1,
      deposit: { mode: "months", months: months! },
    },
  );
}

test("a merchant's reservation becomes a shop lease; its earnest money pays the first bills", async () => {
  const partyId = await aMerchant(house, as, desk.villageId);
  const roomId = await desk.room("S01");
  await db.updateTable("room").set({ kind: "shop" }).where("id", "=", roomId).execute();
  const { id } = await aHeldReservation(house, desk, { partyId, name: "", phone: "", roomId });
  const form = await formFrom(id);
  expect(form).toMatchObject({ kind: "merchant", partyId, rooms: [{ roomId, monthlyRent: 300_000 }] });
  const lease = await signed(house, as, form, "2026-11-20");
  expect(await reservationOf(house, desk, id)).toMatchObject({
    state: "converted",
    held: 0,
    contractNo: lease.contractNo,
  });
  const bills = await house.did(contractBills, { as }, { params: { id: lease.id } });
  expect(bills.reduce((sum, b) => sum + b.settled, 0)).toBe(100_000);
  expect(await ledgerBreaks(house)).toEqual([]);
});

test("a company's enquiry becomes a contract of its kind", async () => {
  const companyId = await aCompany(house, as, desk.villageId);
  const leadId = await aLead(house, as, desk.villageId, { partyId: companyId });
  const { list } = await house.did(listLeads, { as }, { query: {} });
  expect(list.find((l) => l.id === leadId)).toMatchObject({ signsAs: "company" });
  const { partyId, signsAs } = await house.did(getLead, { as }, { params: { id: leadId } });
  expect({ partyId, signsAs }).toEqual({ partyId: companyId, signsAs: "company" });
  const { id } = await aHeldReservation(house, desk, { leadId, roomId: await desk.room("1501") });
  const lease = await signed(house, as, await formFrom(id), "2026-11-20");
  expect(await house.did(getContract, { as }, { params: { id: lease.id } })).toMatchObject({
    kind: "company",
    partyId: companyId,
  });
  expect(await house.did(getLead, { as }, { params: { id: leadId } })).toMatchObject({ state: "signed" });
});
