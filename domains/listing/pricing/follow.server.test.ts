import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { setProductPrice, setProductRooms } from "../product/price.contract.ts";
import { addProduct, product } from "../product/product.contract.ts";
import { aProduct } from "../product/product.sample.ts";
import { followProduct, previewFollow } from "./room-price.contract.ts";
import { editRoom, editRooms, room } from "../room-acts/room.contract.ts";
import { aGovernedStore } from "../price-change/price-change.sample.ts";

const house = await testHouse({ poolSize: 6 });
const { villageId, head, flat, change, history, pendingOf, decide } = await aGovernedStore(house);

test("following the product again waits where that moves the price, by the drawer and by the form", async () => {
  const id = await flat("1301");
  const alone = await house.ask(followProduct, { as: head }, { params: { id }, body: {} });
  expect([alone.status, alone.body.message]).toEqual([409, "房间没有关联产品"]);
  const made = await house.did(
    addProduct,
    { as: head },
    { body: aProduct([villageId], { listPrice: 360_000 }) },
  );
  const link = { params: { id: made.id }, body: { add: [id], ownPrice: "keep" as const, version: 1 } };
  await house.did(setProductRooms, { as: head }, link);
  const looked = await house.did(previewFollow, { as: head }, { params: { id } });
  expect(looked).toMatchObject({ oldList: 300_000, newList: 360_000, waits: ["店长"] });
  const { examineNo } = await house.did(
    followProduct,
    { as: head },
    { params: { id }, body: { reason: "统一价格" } },
  );
  expect(examineNo).toMatch(/^SP/);
  const pending = (await pendingOf(id))!;
  expect(await change(pending.id)).toMatchObject({
    kind: "follow",
    ruleText: "跟随产品 雅致一居，3,600.00 元/月",
  });
  const before = await house.did(room, { as: head }, { params: { id } });
  expect(before).toMatchObject({ priceMode: "own", listPrice: 300_000 });
  await decide(pending.id, "approve");
  expect(await house.did(room, { as: head }, { params: { id } })).toMatchObject({
    priceMode: "follow",
    listPrice: 360_000,
  });
  // from now on it moves with the product
  const { version } = await house.did(product, { as: head }, { params: { id: made.id } });
  await house.did(
    setProductPrice,
    { as: head },
    { params: { id: made.id }, body: { listPrice: 361_000, effectiveDay: "2026-12-01", version } },
  );
  expect((await history(id))[0]).toEqual(["2026-12-01", 361_000]);

  const other = await flat("1302");
  const {
    name,
    area,
    capacity,
    version: at2,
  } = await house.did(room, { as: head }, { params: { id: other } });
  const form = { name, area, capacity, productId: made.id, priceMode: "follow" as const, version: at2 };
  const edit = (body: object) =>
    house.ask(editRoom, { as: head }, { params: { id: other }, body: { ...form, ...body } });
  expect((await edit({})).body.fields?.[0]?.field).toBe("reason");
  const saved = await edit({ reason: "统一价格" });
  expect(saved.body.data!.examineNo).toMatch(/^SP/);
  expect(await house.did(room, { as: head }, { params: { id: other } })).toMatchObject({
    productId: made.id,
    priceMode: "own",
    listPrice: 300_000,
  });
});

test("many rooms at once do not slip by: those whose price would move are handed in one by one", async () => {
  const [one, other] = [await flat("1401"), await flat("1402")];
  const make = (code: string, listPrice: number) =>
    house.did(
      addProduct,
      { as: head },
      { body: aProduct([villageId], { code, name: `产品${code}`, listPrice }) },
    );
  const [dear, near] = [await make("DEAR", 360_000), await make("NEAR", 305_000)];
  const link = (productId: number, ownPrice: "keep" | "follow", version: number) =>
    house.ask(
      setProductRooms,
      { as: head },
      { params: { id: productId }, body: { add: [one, other], ownPrice, version } },
    );
  const refused = await link(dear.id, "follow", 1);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    "2 间房跟随产品后价格变化，需要审批（店长）；请保留自有价格，再在房间的价格中逐间恢复跟随产品",
  ]);
  expect((await link(near.id, "follow", 1)).body.data).toMatchObject({ following: 2 });
  const batch = await house.ask(editRooms, { as: head }, { body: { ids: [one, other], productId: dear.id } });
  expect([batch.status, batch.body.message]).toEqual([409, refused.body.message]);
  expect(await house.did(room, { as: head }, { params: { id: one } })).toMatchObject({ listPrice: 305_000 });
});
