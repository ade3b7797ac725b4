import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aPlan, handedIn } from "../price-change/price-change.sample.ts";
import { followProduct, previewFollow, roomPrices, setRoomPrice } from "../pricing/room-price.contract.ts";
import { rooms, editRoom, room } from "../room-acts/room.contract.ts";
import { aBuilding, aFlat, aLease, aVillage } from "../village/village.sample.ts";
import {
  productCandidates,
  productDeals,
  productPrices,
  productRooms,
  setProductPrice,
  setProductRooms,
} from "./price.contract.ts";
import { addProduct, product } from "./product.contract.ts";
import { aProduct, signed } from "./product.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const [villageId, otherId] = [await aVillage(house), await aVillage(house)];
const as = await house.person({
  permits: ["4.add", "4.edit", "4.get", "6.add", "6.edit", "6.get", "6.query", "#601"],
  villages: [villageId, otherId],
});
const clerk = await house.person({ permits: ["4.edit", "4.get"], villages: [villageId, otherId] });
const at = await aBuilding(house, villageId);
const all: number[] = [];
for (let n = 1; n <= 40; n++)
  all.push(
    ...(await aFlat(house, at, { name: `12${String(n).padStart(2, "0")}`, listPrice: 320_000 })).roomIds,
  );
const elsewhere = (await aFlat(house, await aBuilding(house, otherId))).roomIds[0]!;
const { id } = await house.did(
  addProduct,
  { as },
  { body: aProduct([villageId], { listPrice: 300_000, lowestPrice: 290_000 }) },
);
const version = async () => (await house.did(product, { as }, { params: { id } })).version;
const link = async (body: object) =>
  house.ask(
    setProductRooms,
    { as },
    { params: { id }, body: { version: await version(), ...body } as never },
  );
const price = async (body: object, who = as) =>
  house.ask(
    setProductPrice,
    { as: who },
    { params: { id }, body: { version: await version(), ...body } as never },
  );
const read = async () => {
  const { list } = await house.did(rooms, { as }, { query: { productId: id, pageSize: 200 } });
  return Map.groupBy(list, (r) => r.listPrice!);
};
const own = all.slice(0, 3);

test("rooms are put under a product of their kind and store; those with their own price keep it or follow", async () => {
  expect((await link({ add: [elsewhere] })).body.fields?.[0]).toMatchObject({
    field: "add",
    msg: expect.stringContaining("所在门店不在产品的适用门店内"),
  });
  expect((await link({ add: own, ownPrice: "keep" })).body.data).toEqual({
    added: 3,
    removed: 0,
    following: 0,
  });
  expect((await link({ add: all.slice(3), ownPrice: "follow" })).body.data).toEqual({
    added: 37,
    removed: 0,
    following: 37,
  });
  const now = await read();
  expect([now.get(300_000)?.length, now.get(320_000)?.length]).toEqual([37, 3]);
  const candidates = await house.did(productCandidates, { as }, { params: { id } });
  expect(candidates.filter((r) => r.productId === id)).toHaveLength(40);
  const standing = await house.did(productRooms, { as }, { params: { id } });
  expect([standing.total, standing.byStatus]).toEqual([40, [{ occupancy: "vacant", count: 40 }]]);
});

test("a new price from the 1st: 37 rooms read it on the 1st, not on the day before, 3 keep their own, a contract its rent", async () => {
  const { id: contractId } = await aLease(house, all[10]!, "2026-11-21", "2027-11-20");
  await signed(house, contractId, "2026-11-20");
  await pool.query(
    "insert into contract_room (contract_id, room_id, join_date, monthly_rent) values ($1, $2, '2026-11-21', 298000)",
    [contractId, all[10]],
  );
  const changes = async () =>
    (await pool.query("select count(*)::int n from room_change where village_id = $1", [villageId])).rows[0]
      .n;
  const before = await changes();
  const { body } = await price({ listPrice: 315_000, lowestPrice: 300_000, effectiveDay: "2026-12-01" });
  expect(body.data).toEqual({ effectiveDay: "2026-12-01", rooms: 37, change: null });
  expect((await changes()) - before).toBe(37);

  house.setClock("2026-11-30T23:00:00+08:00");
  expect((await read()).get(300_000)).toHaveLength(37);
  house.setClock("2026-12-01T00:30:00+08:00");
  const then = await read();
  expect([then.get(315_000)?.length, then.get(320_000)?.length]).toEqual([37, 3]);
  const deals = await house.did(productDeals, { as }, { params: { id } });
  expect(deals).toMatchObject({
    total: 1,
    averageRent: 298_000,
    averageList: 300_000,
    list: [{ contractKind: "renter", monthlyRent: 298_000, listPrice: 300_000, difference: -2_000 }],
  });
  house.setClock("2026-11-20T10:00:00+08:00");

  const told = await pool.query(
    "select summary from business_log where kind = 'product' and record_id = $1 and action = '调价'",
    [id],
  );
  expect(told.rows).toEqual([{ summary: "调价，2026-12-01 起标价 3,150.00 元/月，37 间跟随房间随之变更" }]);
  const history = await house.did(productPrices, { as }, { params: { id } });
  expect(history.map((p) => [p.effectiveDay, p.listPrice, p.villageName, p.current])).toEqual([
    ["2026-12-01", 315_000, "全部门店", false],
    ["2026-11-20", 300_000, "全部门店", true],
  ]);
});

test("is refused in the past, below its lowest, and its lowest for who may not see it", async () => {
  expect((await price({ listPrice: 1, effectiveDay: "2026-11-19" })).body.fields).toEqual([
    { field: "effectiveDay", msg: "生效日期不能早于今天" },
  ]);
  expect(
    (await price({ listPrice: 300_000, lowestPrice: 300_001, effectiveDay: "2026-12-01" })).body.fields,
  ).toEqual([{ field: "lowestPrice", msg: "底价不能高于标价" }]);
  expect((await price({ listPrice: 9, lowestPrice: 9, effectiveDay: "2026-12-01" }, clerk)).status).toBe(403);
  // without 601 the lowest price stays where it was
  await price({ listPrice: 310_000, effectiveDay: "2026-12-15" }, clerk);
  expect((await house.did(productPrices, { as }, { params: { id } }))[0]).toMatchObject({
    listPrice: 310_000,
    lowestPrice: 300_000,
  });
  expect((await house.did(productPrices, { as: clerk }, { params: { id } }))[0]).not.toHaveProperty(
    "lowestPrice",
  );
});

test("a store may differ from all others, and a room that comes later takes what is to come", async () => {
  const other = aProduct([villageId, otherId], {
    code: "CP02",
    name: "两店产品",
    villagePrices: [{ villageId: otherId, listPrice: 260_000 }],
  });
  const made = await house.did(addProduct, { as }, { body: other });
  const sent = {
    params: { id: made.id },
    body: { add: [elsewhere], ownPrice: "follow" as const, version: 1 },
  };
  await house.did(
    setProductPrice,
    { as },
    { params: { id: made.id }, body: { listPrice: 330_000, effectiveDay: "2027-01-01", version: 1 } },
  );
  await house.did(setProductRooms, { as }, { ...sent, body: { ...sent.body, version: 2 } });
  const prices = async () =>
    (await house.did(roomPrices, { as }, { params: { id: elsewhere } })).map((p) => [
      p.effectiveDay,
      p.listPrice,
      p.source,
    ]);
  expect(await prices()).toEqual([
    ["2027-01-01", 330_000, "product"],
    ["2026-11-20", 260_000, "product"],
    ["2024-01-01", 300_000, "manual"],
  ]);
  // a price of its own from a day on is not overtaken by the product's
  await house.did(
    setRoomPrice,
    { as },
    { params: { id: elsewhere }, body: { listPrice: 255_000, effectiveDay: "2026-12-10" } },
  );
  expect(await prices()).toEqual([
    ["2026-12-10", 255_000, "manual"],
    ["2026-11-20", 260_000, "product"],
    ["2024-01-01", 300_000, "manual"],
  ]);
  // and it follows again when its form says so
  const now = await house.did(room, { as }, { params: { id: elsewhere } });
  expect(now).toMatchObject({ priceMode: "own", productName: "两店产品" });
  const { name, area, capacity, version: at2 } = now;
  await house.did(
    editRoom,
    { as },
    {
      params: { id: elsewhere },
      body: { name, area, capacity, productId: made.id, priceMode: "follow", version: at2 },
    },
  );
  expect((await prices()).slice(0, 2)).toEqual([
    ["2027-01-01", 330_000, "product"],
    ["2026-11-20", 260_000, "product"],
  ]);
});

test("a room that leaves keeps the price it has as its own", async () => {
  expect((await link({ remove: [all[39]] })).body.data).toEqual({ added: 0, removed: 1, following: 0 });
  const gone = await house.did(room, { as }, { params: { id: all[39]! } });
  expect(gone).toMatchObject({ productId: null, priceMode: "own", listPrice: 300_000 });
  const prices = await house.did(roomPrices, { as }, { params: { id: all[39]! } });
  expect(prices.map((p) => p.effectiveDay)).toEqual(["2026-11-20", "2024-01-01"]);
});

test("what is planned for a room is not lost when many come to follow: each is turned by itself, told of it", async () => {
  const rooms = ["1501", "1502"].map((name) => aFlat(house, at, { name, floor: 15, listPrice: 320_000 }));
  const [dated, planned] = (await Promise.all(rooms)).map((flat) => flat.roomIds[0]!) as [number, number];
  const { number } = await handedIn(house, as, aPlan([villageId], { roomIds: [planned] }));
  const given = { listPrice: 330_000, effectiveDay: "2026-12-10" };
  await house.did(setRoomPrice, { as }, { params: { id: dated }, body: given });
  const refusal = async (add: number) => (await link({ add: [add], ownPrice: "follow" })).body.message;
  expect(await refusal(planned)).toBe(
    `滨江店·3栋·1单元·1502 已在调价单 ${number} 中，请等它生效、取消或撤回后再改价`,
  );
  expect(await refusal(dated)).toBe(
    "滨江店·3栋·1单元·1501 已定 2026-12-10 起的价格，跟随产品后会取消；请保留自有价格，再在房间的价格中逐间恢复跟随产品",
  );
  const prices = async (roomId: number) =>
    (await house.did(roomPrices, { as }, { params: { id: roomId } })).map((p) => p.effectiveDay);
  expect([(await prices(dated))[0], (await prices(planned))[0]]).toEqual(["2026-12-10", "2026-12-01"]);

  expect((await link({ add: [dated, planned], ownPrice: "keep" })).body.data).toMatchObject({ added: 2 });
  const { warnings } = await house.did(previewFollow, { as }, { params: { id: dated } });
  expect(warnings).toEqual(["2026-12-10 起另定的价格将取消"]);
  await house.did(followProduct, { as }, { params: { id: dated }, body: {} });
  expect(await prices(dated)).not.toContain("2026-12-10");
  const told = await pool.query(
    "select summary from business_log where kind = 'room' and record_id = $1 and action = '恢复跟随产品'",
    [dated],
  );
  expect(told.rows).toEqual([{ summary: "自 2026-11-20 起价格跟随产品，2026-12-10 起另定的价格取消" }]);
});

test("a store that no longer differs has the lowest price of all others, for who may not see it", async () => {
  const made = await house.did(
    addProduct,
    { as },
    {
      body: aProduct([villageId], {
        code: "CP88",
        name: "临江一居",
        villagePrices: [{ villageId, listPrice: 300_000, lowestPrice: 200_000 }],
      }),
    },
  );
  const params = { id: made.id };
  const set = async (who: typeof as, body: object) => {
    const now = await house.did(product, { as }, { params });
    return house.did(
      setProductPrice,
      { as: who },
      { params, body: { version: now.version, ...body } as never },
    );
  };
  await set(as, { effectiveDay: "2026-11-21", listPrice: 300_000, lowestPrice: 290_000 });
  const villagePrices = [{ villageId, listPrice: 310_000 }];
  await set(clerk, { effectiveDay: "2026-11-22", listPrice: 300_000, villagePrices });
  const { rows } = await pool.query<{ lowest: string }>(
    "select lowest_price lowest from product_price where product_id = $1 and village_id = $2 and effective_day = '2026-11-22'",
    [made.id, villageId],
  );
  expect(Number(rows[0]!.lowest)).toBe(290_000);
});
