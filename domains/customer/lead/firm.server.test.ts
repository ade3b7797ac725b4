import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { companyCalls, getCompany } from "../company/company.contract.ts";
import { aCompany, aMerchant } from "../firm/firm.sample.ts";
import { aDesk, aHeldReservation, reservationOf } from "../reservation/reservation.sample.ts";
import { addLead, editLead, getLead } from "./lead.contract.ts";
import { typedLead } from "./lead.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const FIRMS = ["106", "113"].flatMap((code) => ["query", "get", "add", "edit"].map((a) => `${code}.${a}`));
const desk = await aDesk(house, { permits: [...FIRMS, "#1602"] });
const { clerk } = desk;
const { pool } = house.database;

const company = (more: object = {}) => aCompany(house, clerk, desk.villageId, more);
const merchant = () => aMerchant(house, clerk, desk.villageId);
const keptFor = async (partyId: number | undefined, room: string, leadId: number) =>
  aHeldReservation(house, desk, { partyId, leadId, name: "", phone: "", roomId: await desk.room(room) });
const lead = (id: number) => house.did(getLead, { as: clerk }, { params: { id } });

test("a lead is reserved for in the firm's name without anybody being registered a second time", async () => {
  const partyId = await company({ name: "听潮科技有限公司" });
  const { id: leadId } = await house.did(
    addLead,
    { as: clerk },
    { body: typedLead(desk.villageId, { name: "钱经理", phone: "13733334444", partyId }) },
  );
  expect(await lead(leadId)).toMatchObject({
    partyId,
    partyKind: "company",
    partyName: "听潮科技有限公司",
  });
  const { id } = await keptFor(undefined, "4101", leadId);
  expect(await reservationOf(house, desk, id)).toMatchObject({ partyId, partyKind: "company", leadId });
  expect((await lead(leadId)).state).toBe("reserved");
  const { rows } = await pool.query("select 1 from party where phone = '13733334444'");
  expect(rows).toEqual([]);
});

test("a lead without a customer turns out to be the firm that the room is kept for", async () => {
  const { id: leadId } = await house.did(addLead, { as: clerk }, { body: typedLead(desk.villageId) });
  const partyId = await merchant();
  await keptFor(partyId, "4102", leadId);
  expect(await lead(leadId)).toMatchObject({ partyId, partyKind: "merchant" });
});

test("a lead is linked and let go by an edit; a new phone finds its renter again", async () => {
  const typed = typedLead(desk.villageId);
  const { id } = await house.did(addLead, { as: clerk }, { body: typed });
  const partyId = await company();
  const edit = async (more: object) =>
    house.did(
      editLead,
      { as: clerk },
      { params: { id }, body: { ...typed, version: (await lead(id)).version, ...more } },
    );
  await edit({ partyId });
  expect(await lead(id)).toMatchObject({ partyId, partyKind: "company" });
  await edit({});
  expect(await lead(id)).toMatchObject({ partyId: null, partyKind: null });
  await edit({ partyId });
  await expect(
    pool.query("update lead set merchant_id = $2 where id = $1", [id, await merchant()]),
  ).rejects.toMatchObject({ constraint: "lead_one_party" });
});

test("a lead follows the record into which its firm is merged", async () => {
  const [keepId, goneId] = [await company(), await company()];
  const { id } = await house.did(
    addLead,
    { as: clerk },
    { body: typedLead(desk.villageId, { partyId: goneId }) },
  );
  const version = async (partyId: number) =>
    (await house.did(getCompany, { as: clerk }, { params: { id: partyId } })).version;
  const body = {
    keepId,
    goneId,
    keepVersion: await version(keepId),
    goneVersion: await version(goneId),
    reason: "重复登记",
  };
  await house.did(companyCalls.merge, { as: clerk }, { body });
  expect((await lead(id)).partyId).toBe(keepId);
});
