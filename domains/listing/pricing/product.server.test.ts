import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import {
  previewProductPrice,
  productPrices,
  setProductPrice,
  setProductRooms,
} from "../product/price.contract.ts";
import { addProduct, deleteProduct, product } from "../product/product.contract.ts";
import { aProduct } from "../product/product.sample.ts";
import { setRoomPrice } from "./room-price.contract.ts";
import { cancelChange, listChanges, submitChange, previewChange } from "../price-change/change.contract.ts";
import { aGovernedStore, aPlan } from "../price-change/price-change.sample.ts";

// more than three rooms are too many to wait for
const house = await testHouse({ poolSize: 6, settings: { PRICE_JOB_ROOMS: "3" } });
const { villageId, head, flat, change, history: ofRoom, decide } = await aGovernedStore(house);
const { pool } = house.database;

let made = 0;
/** A product at 3,000.00 with so many rooms that follow it. */
async function aRange(rooms: number) {
  const n = ++made;
  const { id } = await house.did(
    addProduct,
    { as: head },
    { body: aProduct([villageId], { code: `CP${n}0`, name: `雅致${n}号` }) },
  );
  const ids: number[] = [];
  for (let i = 1; i <= rooms; i++) ids.push(await flat(`${n}-${i}`));
  if (rooms)
    await house.did(
      setProductRooms,
      { as: head },
      { params: { id }, body: { add: ids, ownPrice: "follow", version: 1 } },
    );
  return { id, ids };
}
async function priced(id: number, body: object) {
  const { version } = await house.did(product, { as: head }, { params: { id } });
  return house.ask(
    setProductPrice,
    { as: head },
    { params: { id }, body: { listPrice: 330_000, effectiveDay: "2026-12-01", version, ...body } },
  );
}
const ofProduct = async (id: number) =>
  (await house.did(productPrices, { as: head }, { params: { id } })).map((p) => [
    p.effectiveDay,
    p.listPrice,
  ]);
const FIRST = ["2026-11-20", 300_000];

test("below the limit it is written at once, and nothing is kept of it but the price", async () => {
  const { id, ids } = await aRange(2);
  expect((await priced(id, { listPrice: 314_000 })).body.data).toEqual({
    effectiveDay: "2026-12-01",
    rooms: 2,
    change: null,
  });
  expect((await ofRoom(ids[0]!))[0]).toEqual(["2026-12-01", 314_000]);
  expect(await house.did(listChanges, { as: head }, { query: {} })).toMatchObject({ total: 0 });
});

test("with a process the product and its rooms wait; approved, both are written together", async () => {
  const { id, ids } = await aRange(2);
  const body = { listPrice: 330_000, effectiveDay: "2026-12-01" };
  expect(await house.did(previewProductPrice, { as: head }, { params: { id }, body })).toMatchObject({
    rooms: 2,
    moved: 2,
    oldAverage: 300_000,
    newAverage: 330_000,
    byJob: false,
    waits: ["店长"],
  });
  expect((await priced(id, {})).body.fields?.[0]?.field).toBe("reason");
  const { change: kept } = (await priced(id, { reason: "旺季调价" })).body.data!;
  expect(kept!.examineNo).toMatch(/^SP/);
  expect([await ofProduct(id), (await ofRoom(ids[0]!))[0]]).toEqual([[FIRST], FIRST]);
  expect(await change(kept!.id)).toMatchObject({
    kind: "product",
    state: "approving",
    rooms: 2,
    scopeText: "产品 雅致2号 的 2 间跟随房间",
    ruleText: "标价 3,300.00 元/月",
  });
  const second = await priced(id, { listPrice: 301_000 });
  expect([second.status, second.body.message]).toEqual([
    409,
    `产品已在调价单 ${kept!.number} 中，请等它完成或撤回后再调价`,
  ]);
  await decide(kept!.id, "approve");
  expect((await ofProduct(id))[0]).toEqual(["2026-12-01", 330_000]);
  for (const roomId of ids) expect((await ofRoom(roomId))[0]).toEqual(["2026-12-01", 330_000]);

  // until the day before it can be taken back whole
  const { version, state } = await change(kept!.id);
  expect(state).toBe("scheduled");
  await house.did(cancelChange, { as: head }, { params: { id: kept!.id }, body: { version } });
  expect([await ofProduct(id), (await ofRoom(ids[0]!))[0]]).toEqual([[FIRST], FIRST]);
  const undone = await house.ask(
    previewChange,
    { as: head },
    {
      body: aPlan([villageId], {
        mode: "undo",
        value: null,
        undoOf: kept!.id,
        applyTo: "both",
        round: "fen",
      }),
    },
  );
  expect(undone.body.message).toBe("跟随产品的价格不能回滚，请重新调整产品或房间的价格");
});

test("rejected it leaves everything; one whose room has moved meanwhile cannot be approved", async () => {
  const { id, ids } = await aRange(2);
  const first = (await priced(id, { reason: "旺季调价" })).body.data!.change!;
  await decide(first.id, "reject");
  expect([await ofProduct(id), (await ofRoom(ids[0]!))[0]]).toEqual([[FIRST], FIRST]);
  const next = (await priced(id, { reason: "旺季调价" })).body.data!.change!;
  await house.did(
    setRoomPrice,
    { as: head },
    { params: { id: ids[0]! }, body: { listPrice: 305_000, effectiveDay: "2026-11-25" } },
  );
  const refused = await decide(next.id, "approve");
  expect([refused.status, refused.body.message]).toEqual([409, "房价已变化，请重新预览"]);
  expect(await ofProduct(id)).toEqual([FIRST]);
});

test("a product without rooms waits too, and is not deleted while its change is kept", async () => {
  const { id } = await aRange(0);
  const kept = (await priced(id, { reason: "旺季调价" })).body.data!.change!;
  const { version } = await house.did(product, { as: head }, { params: { id } });
  const gone = await house.ask(deleteProduct, { as: head }, { params: { id }, query: { version } });
  expect(gone.body.message).toBe(`该产品有调价单 ${kept.number}，不能删除，可改为停用`);
  await decide(kept.id, "approve");
  expect((await ofProduct(id))[0]).toEqual(["2026-12-01", 330_000]);
});

const messages = async () =>
  (
    await pool.query(
      `select m.title from message m join message_receipt r on r.message_id = m.id
       where r.operator_id = $1 and m.type = 8 order by m.id desc`,
      [head.operatorId],
    )
  ).rows.map((row) => row.title);

test("more rooms than somebody waits for: a job writes all of them and tells whoever asked", async () => {
  const { id, ids } = await aRange(4);
  const kept = (await priced(id, { listPrice: 310_000 })).body.data!.change!;
  expect(kept.examineNo).toBeNull();
  expect(await change(kept.id)).toMatchObject({ state: "running", progress: 0 });
  expect(await ofProduct(id)).toEqual([FIRST]);
  const second = await priced(id, { listPrice: 311_000 });
  expect(second.body.message).toBe(`产品已在调价单 ${kept.number} 中，请等它完成或撤回后再调价`);
  await house.deliver();
  expect(await change(kept.id)).toMatchObject({ state: "scheduled", progress: 100 });
  expect((await ofProduct(id))[0]).toEqual(["2026-12-01", 310_000]);
  for (const roomId of ids) expect((await ofRoom(roomId))[0]).toEqual(["2026-12-01", 310_000]);
  expect((await messages())[0]).toBe("产品 雅致5号 的 4 间跟随房间 调价已完成");
});

test("approved, the job does it; a room that moved before comes to nothing, and all prices stay", async () => {
  const { id, ids } = await aRange(4);
  const kept = (await priced(id, { reason: "旺季调价" })).body.data!.change!;
  expect((await decide(kept.id, "approve")).status).toBe(200);
  expect((await change(kept.id)).state).toBe("running");
  // another hand, between the approval and the job
  await pool.query("update room_price set list_price = 305000 where room_id = $1 and source = 'product'", [
    ids[3],
  ]);
  await house.deliver();
  const failed = await change(kept.id);
  expect(failed).toMatchObject({ state: "draft", failed: "房价已变化，请重新预览", progress: 0 });
  expect(await ofProduct(id)).toEqual([FIRST]);
  for (const roomId of ids.slice(0, 3)) expect((await ofRoom(roomId))[0]).toEqual(FIRST);
  expect((await messages())[0]).toBe("产品 雅致6号 的 4 间跟随房间 调价没有执行");

  await pool.query("update room_price set list_price = 300000 where room_id = $1 and source = 'product'", [
    ids[3],
  ]);
  const sent = { params: { id: kept.id }, body: { version: failed.version } };
  expect((await house.did(submitChange, { as: head }, sent)).state).toBe("approving");
  await decide(kept.id, "approve");
  await house.deliver();
  expect(await change(kept.id)).toMatchObject({ state: "scheduled", failed: "" });
  expect((await ofRoom(ids[3]!))[0]).toEqual(["2026-12-01", 330_000]);
});

test.each([
  [0, 1],
  [1, 0],
])("two prices of one day, both taken back, leave what was before: %i, then %i", async (...order) => {
  const { id, ids } = await aRange(1);
  const kept: number[] = [];
  for (const listPrice of [330_000, 360_000]) {
    const one = (await priced(id, { listPrice, reason: "旺季调价" })).body.data!.change!;
    await decide(one.id, "approve");
    kept.push(one.id);
  }
  expect((await ofRoom(ids[0]!))[0]).toEqual(["2026-12-01", 360_000]);
  for (const i of order) {
    const { version } = await change(kept[i]!);
    await house.did(cancelChange, { as: head }, { params: { id: kept[i]! }, body: { version } });
  }
  expect([await ofProduct(id), (await ofRoom(ids[0]!))[0]]).toEqual([[FIRST], FIRST]);
});
