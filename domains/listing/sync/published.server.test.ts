import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { addChannel } from "../channel/channel.contract.ts";
import { setProductRooms } from "../product/price.contract.ts";
import { addProduct, editProduct, product } from "../product/product.contract.ts";
import { aProduct } from "../product/product.sample.ts";
import { closeVillage, editVillage, village } from "../village/village.contract.ts";
import { aChannel, anOpenStore } from "./sync.sample.ts";

const house = await testHouse({ poolSize: 6 });
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const { villageId, roomIds } = await anOpenStore(house, 3);
const permits = ["67.query", "67.add", "4.add", "4.edit", "4.get", "6.edit", "6.get", "6.disable"];
let as: Person;

type Document = { address: string; contact: { phone: string }; payPlans: unknown[]; pictures: number[] };
async function onFeed(): Promise<Document[]> {
  await house.deliver();
  const { rows } = await pool.query<{ document: Document }>(
    "select document from listing where state = 'online' order by room_id",
  );
  return rows.map((row) => row.document);
}

beforeAll(async () => {
  as = await house.person({ permits, villages: [villageId] });
  await house.did(addChannel, { as }, { body: aChannel([villageId]) });
  expect(await onFeed()).toHaveLength(3);
});

test("a product's ways of paying and pictures are shown with its rooms at once", async () => {
  const { code, name, kind, villageIds, ...rest } = aProduct([villageId]);
  const form = { code, name, kind, villageIds, ...rest };
  const { id } = await house.did(addProduct, { as }, { body: form });
  const link = { add: roomIds.slice(0, 2), ownPrice: "keep" as const, version: 1 };
  await house.did(setProductRooms, { as }, { params: { id }, body: link });
  const paid = async () => (await onFeed()).map((d) => d.payPlans.length);
  expect(await paid()).toEqual([2, 2, 0]);
  const edit = async (more: object) => {
    const { version } = await house.did(product, { as }, { params: { id } });
    const { listPrice: _, effectiveDay: __, ...fields } = form;
    await house.did(editProduct, { as }, { params: { id }, body: { ...fields, ...more, version } });
  };
  const plan = { depositMonths: 1, payMonths: 3, adjustPercent: 0, default: true } as const;
  await edit({ payPlans: [plan] });
  expect(await paid()).toEqual([1, 1, 0]);
  const cover = (await sendFile(house, as, { name: "a.png", bytes: aPng() }, "image10M")).body.data.id;
  await edit({ payPlans: [plan], pictures: [cover] });
  expect((await onFeed()).map((d) => d.pictures)).toEqual([[cover], [cover], []]);
});

test("the address and the phone of a store are shown at once; one that closes leaves the channel", async () => {
  const row = await house.did(village, { as }, { params: { id: villageId } });
  const { code, name, mode, districtId, address, managerId, phone, openingDay, lng, lat, version } = row;
  const form = { code, name, mode, districtId, address, managerId, phone, openingDay, lng, lat, version };
  const moved = { ...form, address: "滨江区江南大道590号", phone: "0571-88886667" };
  await house.did(editVillage, { as }, { params: { id: villageId }, body: moved });
  expect(new Set((await onFeed()).map((d) => `${d.address} ${d.contact.phone}`))).toEqual(
    new Set(["滨江区江南大道590号 0571-88886667"]),
  );
  const body = { version: version + 1, reason: "季节调整" };
  await house.did(closeVillage, { as }, { params: { id: villageId }, body });
  expect(await onFeed()).toEqual([]);
});
