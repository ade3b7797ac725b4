import { counter } from "../../../platform/server/database/counter.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRenter, aRoom, aShop, submitted, type Shop } from "../contract/contract.sample.ts";
import { aSeal } from "../seal/seal.sample.ts";
import { openSigning, sendSignCode, signByParty, signDocument, startSigning } from "./esign.contract.ts";

/** The last four characters of every renter's certificate here. */
export const LAST4 = "1234";
/** A picture of one dot. */
export const INK =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** A store whose contracts are signed electronically: its clerk may start a signing, and its keeper sets the seal. */
export async function aSigningShop(
  house: TestHouse,
  { village, permits = [], ...how }: { autoSeal?: boolean; village?: string; permits?: string[] } = {},
) {
  const shop = await aShop(house, { permits: ["95.query", ...permits], ...(village && { village }) });
  const keeper = await house.person({ permits: ["95.query"], villages: [shop.villageId], name: "何印" });
  const sealId = await aSeal(house, {
    villageIds: [shop.villageId],
    operatorIds: [keeper.operatorId],
    ...how,
  });
  return { ...shop, keeper, sealId };
}

/** Gives a tenant a certificate, by which a link is opened. */
export const identified = (house: TestHouse, partyId: number) =>
  house.database.db
    .updateTable("renter")
    .set({ certType: "idCard", certNoMasked: `310***********${LAST4}`, verify: "verified" })
    .where("id", "=", partyId)
    .execute();

const rooms = counter();
/** A contract that was handed in, of a renter of its own who has a certificate. */
export async function toSign(house: TestHouse, shop: Shop, more: Parameters<typeof aForm>[1] = {}) {
  const partyId = await aRenter(house, shop.villageId);
  await identified(house, partyId);
  const roomId = await aRoom(house, shop.building, `S${rooms()}`);
  const form = aForm({ ...shop, roomId, partyId }, more);
  return { ...(await submitted(house, shop.clerk, form)), partyId, roomId };
}

/** The code of the newest text message to a phone: no provider is connected, so it can be read. */
export async function codeSent(house: TestHouse, phone: string): Promise<string> {
  const { rows } = await house.database.pool.query<{ code: string }>(
    "select params->>'code' code from outbox where recipient = $1 and template = 'code' order by id desc limit 1",
    [phone],
  );
  return rows[0]!.code;
}

export const phoneOf = async (house: TestHouse, partyId: number): Promise<string> =>
  (
    await house.database.db
      .selectFrom("party")
      .select("phone")
      .where("id", "=", partyId)
      .executeTakeFirstOrThrow()
  ).phone;

/** Starts a signing; the code in the link that was sent. */
export async function started(house: TestHouse, as: Person, id: number): Promise<string> {
  const { links } = await house.did(startSigning, { as }, { params: { id } });
  return links[0]!.path.split("/").at(-1)!;
}

/** The code in the newest link that was sent to a party. */
export async function linkOf(house: TestHouse, partyId: number): Promise<string> {
  const { rows } = await house.database.pool.query<{ link: string }>(
    "select params->>'link' link from outbox where recipient = $1 and params ? 'link' order by id desc limit 1",
    [await phoneOf(house, partyId)],
  );
  return rows[0]!.link.split("/").at(-1)!;
}

/** Opens a link on a device and asks for a code: everything that a signature needs. */
export async function readyToSign(house: TestHouse, token: string, partyId: number, last4 = LAST4) {
  const params = { token };
  const { device } = await house.did(openSigning, {}, { params, body: { last4 } });
  const { hash } = await house.did(signDocument, {}, { params, query: { device } });
  await house.did(sendSignCode, {}, { params, body: { device } });
  const captcha = await codeSent(house, await phoneOf(house, partyId));
  return { device, captcha, documentHash: hash, agreed: true as const, handwriting: INK };
}

/** The party has signed; the key of the result. */
export async function partySigns(
  house: TestHouse,
  token: string,
  partyId: number,
  last4 = LAST4,
): Promise<string> {
  const body = await readyToSign(house, token, partyId, last4);
  return (await house.did(signByParty, {}, { params: { token }, body })).key;
}
