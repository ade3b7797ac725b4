import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addProduct, product } from "../product/product.contract.ts";
import { productPrices, setProductPrice, setProductRooms } from "../product/price.contract.ts";
import { aProduct } from "../product/product.sample.ts";
import { roomPrices, setRoomPrice } from "../pricing/room-price.contract.ts";
import { room, rooms as listRooms } from "../room-acts/room.contract.ts";
import {
  addChange,
  cancelChange,
  changeLines,
  getChange,
  listChanges,
  previewChange,
} from "./change.contract.ts";
import { aBuilding, acting, aFlat } from "../village/village.sample.ts";
import { announceDue } from "./announce.service.ts";
import { aPlan, aPricedStore, drafted, handedIn, previewed } from "./price-change.sample.ts";

const house = await testHouse({ poolSize: 6 });
const { villageId, otherId, head, clerk, stranger, priceOf, on, three } = await aPricedStore(house);
const [a, b, c] = three;
const named = (...roomIds: number[]) => ({ roomIds });

describe("refuses", () => {
  const ask = (more: object, as = head) =>
    house.ask(previewChange, { as }, { body: aPlan([villageId], more) });
  test.each([
    [{ value: 0 }, "value", "请输入调整值"],
    [{ value: null }, "value", "请输入调整值"],
    [{ value: -90.01 }, "value", "百分比为 -90 到 500，最多两位小数"],
    [{ mode: "set", value: -1 }, "value", "统一价格必须大于0"],
    [{ effectiveDay: "2026-11-19" }, "effectiveDay", "生效日不能早于今天"],
    [{ villageIds: [] }, "villageIds", "请选择门店"],
  ])("%o", async (more, field, msg) => {
    const { status, body } = await ask(more);
    expect([status, body.fields]).toEqual([400, [{ field, msg }]]);
  });

  test("rooms and villages of others, and lowest prices of who may not see them", async () => {
    expect((await ask({ villageIds: [otherId] }, clerk)).status).toBe(404);
    expect((await ask({ villageIds: [otherId], roomIds: [a] }, stranger)).status).toBe(404);
    expect((await ask({ applyTo: "both" }, clerk)).status).toBe(403);
    const { id } = await drafted(house, head, aPlan([villageId], named(a)));
    expect((await house.ask(getChange, { as: stranger }, { params: { id } })).status).toBe(404);
    expect((await house.ask(changeLines, { as: stranger }, { params: { id }, query: {} })).status).toBe(404);
    expect(await house.did(listChanges, { as: stranger }, { query: {} })).toMatchObject({
      list: [],
      total: 0,
    });
    const cancelled = await house.ask(
      cancelChange,
      { as: stranger },
      { params: { id }, body: { version: 1 } },
    );
    expect(cancelled.status).toBe(404);
  });

  test("prices of nothing, a lowest price above the list price, and large moves nobody has looked at", async () => {
    const confirm = async (more: object, extra: object = {}) => {
      const plan = aPlan([villageId], { ...named(a, b), ...more });
      const { hash } = await previewed(house, head, plan);
      return house.ask(addChange, { as: head }, { body: { ...plan, reason: "旺季调价", hash, ...extra } });
    };
    expect((await confirm({ mode: "amount", value: -300_000 }, { checked: true })).body.message).toBe(
      "调整后价格须大于0：2 间",
    );
    expect((await confirm({ applyTo: "lowest", value: 10 })).body.message).toBe("调整后底价高于标价：2 间");
    const large = await confirm({ value: 60 });
    expect(large.body.fields).toEqual([
      { field: "checked", msg: "有 2 间调整超过 50%，请核对后勾选“已核对”" },
    ]);
    expect((await confirm({ value: 60 }, { checked: true })).status).toBe(200);
    expect((await confirm({}, { reason: "" })).body.fields).toEqual([
      { field: "reason", msg: "请输入调价原因" },
    ]);
  });
});

test("single rooms are skipped or priced by hand; the lines say so", async () => {
  const plan = aPlan([villageId], { ...named(a, b, c, c), skip: [a], edits: [{ roomId: b, list: 301_000 }] });
  const { id } = await drafted(house, head, plan);
  const lines = await house.did(changeLines, { as: head }, { params: { id }, query: {} });
  expect(lines.list.map((l) => [l.newList, l.edited, l.skipped, l.why])).toEqual([
    [309_900, false, true, "手动跳过"],
    [301_000, true, false, ""],
    [322_300, false, false, ""],
  ]);
  const skipped = await house.did(changeLines, { as: head }, { params: { id }, query: { part: "skipped" } });
  expect([skipped.total, skipped.list.length]).toEqual([1, 1]);
  const shown = await house.did(getChange, { as: head }, { params: { id } });
  expect(shown).toMatchObject({ rooms: 2, ruleText: "+3.3 %，取整到元", scopeText: "滨江店，所选 3 间" });
  expect(shown.plan).toMatchObject({ skip: [a], edits: [{ roomId: b, list: 301_000 }] });
  const { list, sums } = await house.did(listChanges, { as: head }, { query: { keyword: "旺季" } });
  expect(list.find((l) => l.id === id)).toMatchObject({ state: "draft", createdName: "沈岚", mine: true });
  expect(sums?.rooms).toBe(list.reduce((n, l) => n + l.rooms, 0));
});

test("a room that follows its product gets a price of its own, and follows again when that is cancelled", async () => {
  const made = await house.did(addProduct, { as: await productHead() }, { body: aProduct([villageId]) });
  const as = await productHead();
  await house.did(
    setProductRooms,
    { as },
    { params: { id: made.id }, body: { add: [c], ownPrice: "follow", version: 1 } },
  );
  const { version } = await house.did(product, { as }, { params: { id: made.id } });
  await house.did(
    setProductPrice,
    { as },
    { params: { id: made.id }, body: { listPrice: 330_000, effectiveDay: "2027-01-01", version } },
  );
  const prices = async () =>
    (await house.did(roomPrices, { as: head }, { params: { id: c } })).map((p) => [
      p.effectiveDay,
      p.listPrice,
    ]);
  const before = await prices();
  // alone with its product it stands for it, at the price of that very day
  for (const effectiveDay of ["2026-12-31", "2027-01-01"]) {
    const { products } = await previewed(house, head, aPlan([villageId], { ...named(c), effectiveDay }));
    expect(products.map((p) => p.id)).toEqual([made.id]);
  }
  const done = await handedIn(house, head, aPlan([villageId], named(c)));
  expect((await house.did(room, { as: head }, { params: { id: c } })).priceMode).toBe("own");
  expect((await prices())[0]).toEqual(["2026-12-01", 309_900]);
  await cancelled(done.id);
  expect((await house.did(room, { as: head }, { params: { id: c } })).priceMode).toBe("follow");
  expect(await prices()).toEqual(before);
});

const cancelled = async (id: number) => {
  const { version } = await house.did(getChange, { as: head }, { params: { id } });
  await house.did(cancelChange, { as: head }, { params: { id }, body: { version } });
};

const productHead = () =>
  house.person({ permits: ["4.add", "4.edit", "4.get", "4.query"], villages: [villageId, otherId] });

test("a room that followed its product follows it again once that is rolled back, from the day on", async () => {
  const modeOf = async () => (await house.did(room, { as: head }, { params: { id: c } })).priceMode;
  const before = await priceOf(c);
  expect(await modeOf()).toBe("follow");
  const done = await handedIn(house, head, aPlan([villageId], { ...named(c), effectiveDay: "2026-11-20" }));
  expect(await modeOf()).toBe("own");
  await handedIn(
    house,
    head,
    aPlan([villageId], { mode: "undo", value: null, undoOf: done.id, effectiveDay: "2026-11-21" }),
  );
  expect([await modeOf(), (await priceOf(c)) === before]).toEqual(["own", false]);
  await on("2026-11-21", async () => {
    await acting(house, announceDue);
    expect([await modeOf(), await priceOf(c)]).toEqual(["follow", before]);
  });
});

test("rolling back sets the prices that stood before, and takes the place of what stood on that very day", async () => {
  const plan = aPlan([villageId], { ...named(a, b), effectiveDay: "2026-11-20", value: 10 });
  const done = await handedIn(house, head, plan);
  expect(done.state).toBe("effective");
  expect([await priceOf(a), await priceOf(b)]).toEqual([330_000, 328_400]);
  const back = aPlan([villageId], { mode: "undo", value: null, undoOf: done.id, effectiveDay: "2026-11-21" });
  const seen = await previewed(house, head, back);
  expect(seen.lines.map((l) => [l.oldList, l.newList])).toEqual([
    [330_000, 300_000],
    [328_400, 298_550],
  ]);
  // what comes back is what was; a lowest price of one's own is for who may set it
  const planner = await house.person({
    permits: ["6.query", "6.get", "6.add", "6.edit"],
    villages: [villageId],
  });
  await previewed(house, planner, back);
  const own = { ...back, edits: [{ roomId: a, lowest: 100 }] };
  expect((await house.ask(previewChange, { as: planner }, { body: own })).status).toBe(403);
  const undo = await handedIn(house, head, back);
  await on("2026-11-21", async () =>
    expect([await priceOf(a), await priceOf(b)]).toEqual([300_000, 298_550]),
  );
  const shown = await house.did(getChange, { as: head }, { params: { id: done.id } });
  expect(shown.undoneBy).toMatchObject({ id: undo.id });
  const list = await house.did(listRooms, { as: head }, { query: { villageIds: String(villageId) } });
  expect(list.total).toBe(3);
});

const undoing = (undoOf: number, effectiveDay: string) =>
  aPlan([villageId], { mode: "undo", value: null, undoOf, effectiveDay, applyTo: "both", round: "fen" });
/** A room at 3,000.00 that no other change is about. */
const elsewhere = await aBuilding(house, villageId, "9栋");
const untouched = async (name: string) => (await aFlat(house, elsewhere, { name })).roomIds[0]!;
const pricedAnew = (id: number, body: object) =>
  house.did(
    setRoomPrice,
    { as: head },
    { params: { id }, body: { listPrice: 0, effectiveDay: "2026-11-21", ...body } },
  );

test("rolling back leaves the lowest price alone where only list prices were changed, and says who was changed since", async () => {
  const id = await untouched("901");
  const plan = aPlan([villageId], { ...named(id), effectiveDay: "2026-11-20" });
  const done = await handedIn(house, head, plan);
  const back = () => previewed(house, head, undoing(done.id, "2026-11-21"));
  expect((await back()).lines[0]).toMatchObject({ newList: 300_000, newLowest: 300_000, warnings: [] });
  await pricedAnew(id, { listPrice: 309_900, lowestPrice: 250_000 });
  expect((await back()).lines[0]).toMatchObject({
    oldList: 309_900,
    newList: 300_000,
    oldLowest: 250_000,
    newLowest: 250_000,
    warnings: ["之后又改过价"],
  });
});

test("rolling back brings the unit of then along", async () => {
  const id = await untouched("902");
  const done = await handedIn(house, head, aPlan([villageId], { ...named(id), effectiveDay: "2026-11-20" }));
  await pricedAnew(id, { listPrice: 11_000, lowestPrice: 9_000, unit: "day" });
  const plan = undoing(done.id, "2026-11-21");
  const seen = await previewed(house, head, plan);
  // 110.00 a day is 3,345.83 a month, so neither price moves by more than half
  expect(seen).toMatchObject({ beyond: 0, oldAverage: 334_583, newAverage: 300_000 });
  expect(seen.lines[0]).toMatchObject({
    unit: "month",
    oldList: 11_000,
    newList: 300_000,
    newLowest: 300_000,
    warnings: ["之后又改过价", "计价单位变为元/月"],
  });
  await handedIn(house, head, plan);
  const [now] = await house.did(roomPrices, { as: head }, { params: { id } });
  expect(now).toMatchObject({ effectiveDay: "2026-11-21", listPrice: 300_000, unit: "month" });
});

test("a change and its way back on one day: with both cancelled the price of before stands, whichever went first", async () => {
  const id = await untouched("903");
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const prices = async () =>
      (await house.did(roomPrices, { as: head }, { params: { id } })).map((p) => [
        p.effectiveDay,
        p.listPrice,
      ]);
    const before = await prices();
    const there = await handedIn(
      house,
      head,
      aPlan([villageId], { ...named(id), effectiveDay: "2026-12-24", value: 20 }),
    );
    const back = await handedIn(house, head, undoing(there.id, "2026-12-24"));
    const ids = [there.id, back.id];
    await cancelled(ids[first]!);
    await cancelled(ids[second]!);
    expect(await prices()).toEqual(before);
  }
});

test("where all rooms of a product are chosen, the product gets the price and they go on following", async () => {
  const as = await productHead();
  // what is planned for the rooms is taken back first: rooms that come to follow together lose nothing unseen
  const planned = await house.did(listChanges, { as: head }, { query: { state: "scheduled" } });
  for (const { id, version } of planned.list)
    await house.did(cancelChange, { as: head }, { params: { id }, body: { version } });
  const made = await house.did(
    addProduct,
    { as },
    { body: aProduct([villageId], { code: "CP77", name: "江景一居" }) },
  );
  await house.did(
    setProductRooms,
    { as },
    { params: { id: made.id }, body: { add: [a, b], ownPrice: "follow", version: 1 } },
  );
  const plan = aPlan([villageId], { ...named(a, b), effectiveDay: "2027-02-01", asProduct: true });
  const seen = await previewed(house, head, plan);
  expect(seen.products).toEqual([{ id: made.id, name: "江景一居", rooms: 2 }]);
  expect(seen.lines.map((l) => [l.newList, l.byProduct])).toEqual([
    [309_900, true],
    [309_900, true],
  ]);
  // one of the two alone cannot stand for the product
  expect((await previewed(house, head, { ...plan, ...named(a) })).products).toEqual([]);
  const done = await handedIn(house, head, plan);
  const prices = async () =>
    (await house.did(productPrices, { as }, { params: { id: made.id } })).map((p) => [
      p.effectiveDay,
      p.listPrice,
    ]);
  expect(await prices()).toEqual([
    ["2027-02-01", 309_900],
    ["2026-11-20", 300_000],
  ]);
  const follows = async () => (await house.did(room, { as: head }, { params: { id: a } })).priceMode;
  expect(await follows()).toBe("follow");
  await on("2027-02-01", async () => expect(await priceOf(a)).toBe(309_900));
  const { version } = await house.did(getChange, { as: head }, { params: { id: done.id } });
  await house.did(cancelChange, { as: head }, { params: { id: done.id }, body: { version } });
  expect([await prices(), await follows()]).toEqual([[["2026-11-20", 300_000]], "follow"]);
  await on("2027-02-01", async () => expect(await priceOf(a)).toBe(300_000));
});
