import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { setProductRooms } from "../../listing/product/price.contract.ts";
import { addProduct, disableProduct } from "../../listing/product/product.contract.ts";
import { aProduct } from "../../listing/product/product.sample.ts";
import { aForm, aRoom, aShop, signed } from "../contract/contract.sample.ts";
import { formData } from "../drafting/draft.contract.ts";
import { usualTerms } from "../drafting/drafting.rules.ts";
import { liveBills } from "../terms/check.rules.ts";

const house = await testHouse();
const TODAY = "2026-03-12";
house.setClock(`${TODAY}T10:00:00+08:00`);
const shop = await aShop(house);
const head = await house.person({
  permits: ["4.add", "4.edit", "4.get", "4.disable", "#601"],
  villages: [shop.villageId],
});

test("the product's default way of paying is proposed, and what the panel shows of it is what is signed", async () => {
  const roomId = await aRoom(house, shop.building, "P1");
  const { id: productId } = await house.did(
    addProduct,
    { as: head },
    {
      body: aProduct([shop.villageId], {
        effectiveDay: TODAY,
        lowestPrice: 280_000,
        payPlans: [
          { depositMonths: 1, payMonths: 3, adjustPercent: 0, default: false },
          { depositMonths: 2, payMonths: 6, adjustPercent: -5, default: true },
        ],
      }),
    },
  );
  await house.did(
    setProductRooms,
    { as: head },
    { params: { id: productId }, body: { add: [roomId], ownPrice: "follow", version: 1 } },
  );
  const query = { villageId: shop.villageId, roomIds: String(roomId), partyId: shop.partyId };
  const data = await house.did(formData, { as: shop.clerk }, { query });
  const [card] = data.rooms;
  expect(card!.product).toMatchObject({ name: "雅致一居", payPlans: [{ payMonths: 3 }, { payMonths: 6 }] });

  const blank = aForm({ ...shop, roomId }, { start: "2026-03-15", rent: 300_000 });
  const form = { ...blank, ...usualTerms(blank, card!) };
  expect(form).toMatchObject({
    cycleMonths: 6,
    deposit: { mode: "months", months: "2" },
    rooms: [{ roomId, monthlyRent: 285_000 }],
  });
  const live = liveBills(form, {
    ...data.config,
    today: TODAY,
    mayBackdate: false,
    rooms: data.rooms,
    party: data.party ?? undefined,
  });
  expect(live.errors).toEqual([]);
  const amounts = (bills: readonly { amount: number }[]) => bills.map((b) => b.amount);
  expect(amounts(live.plan!.bills)).toContain(570_000);
  const { id, preview } = await signed(house, shop.clerk, form, TODAY);
  expect(amounts(preview.added)).toEqual(amounts(live.plan!.bills));
  const { rows } = await house.database.pool.query(
    "select amount from bill where contract_id = $1 order by id",
    [id],
  );
  expect(rows.map((row) => row.amount)).toEqual(amounts(live.plan!.bills));
});

test("a disabled product offers nothing to new contracts, and neither does a room without one", async () => {
  const [roomId, alone] = [await aRoom(house, shop.building, "P2"), await aRoom(house, shop.building, "P3")];
  const { id } = await house.did(
    addProduct,
    { as: head },
    { body: aProduct([shop.villageId], { code: "CP02", name: "停用一居", effectiveDay: TODAY }) },
  );
  await house.did(
    setProductRooms,
    { as: head },
    { params: { id }, body: { add: [roomId], ownPrice: "follow", version: 1 } },
  );
  await house.did(disableProduct, { as: head }, { params: { id }, body: { version: 2 } });
  const query = { villageId: shop.villageId, roomIds: `${roomId},${alone}` };
  const { rooms } = await house.did(formData, { as: shop.clerk }, { query });
  expect(rooms.map((r) => r.product)).toEqual([
    { name: "停用一居", payPlans: [], minTermMonths: null, maxTermMonths: null, fees: [] },
    null,
  ]);
  const blank = aForm({ ...shop, roomId }, { start: "2026-03-15", rent: 300_000 });
  expect(usualTerms(blank, rooms[0]!)).toEqual({});
});
