import { expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/house.sample.ts";
import { decideExamine, getExamine, type Decide } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { setProductPrice, setProductRooms } from "../product/price.contract.ts";
import { addProduct, product } from "../product/product.contract.ts";
import { aProduct } from "../product/product.sample.ts";
import {
  followProduct,
  previewFollow,
  previewRoomPrice,
  roomPrices,
  roomPricing,
  setRoomPrice,
} from "../room/price.contract.ts";
import { editRoom, room } from "../room/room.contract.ts";
import { aBuilding, aFlat, aVillage } from "../village/village.sample.ts";
import { getChange, listChanges, submitChange, withdrawChange } from "./change.contract.ts";
import { aPlan, drafted, handedIn } from "./price-change.sample.ts";

const house = await testHouse({ poolSize: 6 });
const now = () => house.setClock("2026-11-20T10:00:00+08:00");
now();
const [villageId, freeId] = [await aVillage(house), await aVillage(house)];
const [at, freeAt] = [await aBuilding(house, villageId), await aBuilding(house, freeId)];
const flat = async (name: string, where = at) => (await aFlat(house, where, { name })).roomIds[0]!;
const permits = [...["query", "get", "add", "edit"].map((p) => `6.${p}`), "4.add", "4.edit", "4.get"];
const villages = [villageId, freeId];
const head = await house.person({ permits: [...permits, "#601"], villages, name: "沈岚" });
const manager = await house.person({ permits: ["6.query"], villages, name: "陈嘉禾" });
const admin = await house.person({ superType: "1" });
await aModule(house, admin, {
  moduleType: "priceChange",
  name: "调价审批",
  villageIds: [villageId],
  fallback: admin,
  processes: [
    {
      name: "5% 以上",
      conditions: [{ field: "percent", op: "gte", value: 5 }],
      nodes: [asking("店长", [manager])],
    },
    otherwise(),
  ],
});

const priced = (id: number, body: object) =>
  house.ask(
    setRoomPrice,
    { as: head },
    { params: { id }, body: { listPrice: 330_000, effectiveDay: "2026-12-01", ...body } },
  );
const history = async (id: number) =>
  (await house.did(roomPrices, { as: head }, { params: { id } })).map((p) => [p.effectiveDay, p.listPrice]);
const FIRST = ["2024-01-01", 300_000];
const pendingOf = async (id: number) =>
  (await house.did(roomPricing, { as: head }, { params: { id } })).pending;
const change = (id: number) => house.did(getChange, { as: head }, { params: { id } });
let key = 0;
async function decide(changeId: number, decision: Decide["decision"], as: Person = manager) {
  const id = (await change(changeId)).examineId!;
  const { version } = await house.did(getExamine, { as }, { params: { id } });
  return house.ask(
    decideExamine,
    { as, key: `decide-one-${++key}` },
    { params: { id }, body: { decision, comment: "看过", version } },
  );
}

test("where nothing asks for approval the price is written at once, and so is a small one where something does", async () => {
  const [free, small] = [await flat("101", freeAt), await flat("1101")];
  expect((await priced(free, { listPrice: 400_000 })).body.data).toMatchObject({ examineNo: null });
  expect((await priced(small, { listPrice: 314_900 })).body.data).toMatchObject({ examineNo: null });
  expect(await history(free)).toEqual([["2026-12-01", 400_000], FIRST]);
  expect(await history(small)).toEqual([["2026-12-01", 314_900], FIRST]);
  expect(await house.did(listChanges, { as: head }, { query: {} })).toMatchObject({ total: 0 });
});

test("over the limit it waits as a change of one room: the price holds until it is approved", async () => {
  const id = await flat("1201");
  const body = { listPrice: 330_000, effectiveDay: "2026-12-01" };
  const seen = await house.did(previewRoomPrice, { as: head }, { params: { id }, body });
  expect(seen).toMatchObject({ oldList: 300_000, newList: 330_000, waits: ["店长"] });
  expect((await priced(id, {})).body.fields).toEqual([
    { field: "reason", msg: "需要审批，请输入2到200字的调价原因" },
  ]);
  const { body: answer } = await priced(id, { reason: "重新装修" });
  expect(answer.data!.examineNo).toMatch(/^SP/);
  expect(await history(id)).toEqual([FIRST]);
  const pending = (await pendingOf(id))!;
  expect(pending).toMatchObject({ state: "approving", effectiveDay: "2026-12-01", newList: 330_000 });
  expect(await change(pending.id)).toMatchObject({
    kind: "room",
    rooms: 1,
    scopeText: "滨江店·3栋·1单元·1201",
    ruleText: "3,300.00 元/月",
    reason: "重新装修",
    oldAverage: 300_000,
    newAverage: 330_000,
    waiting: { node: "1/1 店长", waitingFor: "陈嘉禾" },
  });
  expect((await house.did(room, { as: head }, { params: { id } })).priceMode).toBe("own");

  expect((await decide(pending.id, "approve")).status).toBe(200);
  expect(await history(id)).toEqual([["2026-12-01", 330_000], FIRST]);
  expect(await change(pending.id)).toMatchObject({ state: "scheduled" });
});

test("rejected, the price stays; handed in again and approved, it counts", async () => {
  const id = await flat("1202");
  await priced(id, { reason: "试试" });
  const { id: changeId } = (await pendingOf(id))!;
  await decide(changeId, "reject");
  expect(await history(id)).toEqual([FIRST]);
  expect(await pendingOf(id)).toBeNull();
  const shown = await change(changeId);
  expect(shown.state).toBe("rejected");
  await house.did(submitChange, { as: head }, { params: { id: changeId }, body: { version: shown.version } });
  await decide(changeId, "approve");
  expect(await history(id)).toEqual([["2026-12-01", 330_000], FIRST]);
});

test("a unit that changes is judged by the month, and written with the price", async () => {
  const id = await flat("1203");
  // 100.00 a day is 3,041.67 a month: 1.4 % more
  const day = { listPrice: 10_000, unit: "day" as const, effectiveDay: "2026-12-01" };
  expect((await house.did(previewRoomPrice, { as: head }, { params: { id }, body: day })).waits).toEqual([]);
  const dear = { ...day, listPrice: 11_000 };
  expect((await house.did(previewRoomPrice, { as: head }, { params: { id }, body: dear })).waits).toEqual([
    "店长",
  ]);
  await priced(id, { ...dear, reason: "改为按日" });
  await decide((await pendingOf(id))!.id, "approve");
  const [first] = await house.did(roomPrices, { as: head }, { params: { id } });
  expect(first).toMatchObject({ listPrice: 11_000, unit: "day" });
});

const taken = (number: string) => `房间已在调价单 ${number} 中，请等它生效、取消或撤回后再改价`;

test("another change pending on that day is refused and named, whether it waits or is to come", async () => {
  const [waits, comes] = [await flat("1204"), await flat("1205")];
  await priced(waits, { reason: "旺季" });
  const { number } = (await pendingOf(waits))!;
  for (const listPrice of [330_001, 301_000]) {
    const second = await priced(waits, { listPrice, reason: "旺季" });
    expect([second.status, second.body.message]).toEqual([409, taken(number)]);
  }
  // nor on an earlier day, where it would need approval itself; a small one before it moves what was agreed to
  expect((await priced(waits, { effectiveDay: "2026-11-25", reason: "旺季" })).status).toBe(409);
  const planned = await handedIn(house, head, aPlan([villageId], { roomIds: [comes], value: 4 }));
  const third = await priced(comes, { listPrice: 301_000 });
  expect([third.status, third.body.message]).toEqual([409, taken(planned.number)]);
  // and a change of many rooms leaves it out
  const { id } = await drafted(
    house,
    head,
    aPlan([villageId], { roomIds: [waits, await flat("1206")], value: 4 }),
  );
  expect(await change(id)).toMatchObject({ rooms: 1, counts: { skipped: 1 } });
});

test("two at once for one room: one waits, the other is told", async () => {
  const id = await flat("1207");
  const answers = await Promise.all([
    priced(id, { listPrice: 340_000, reason: "旺季" }),
    priced(id, { listPrice: 350_000, reason: "旺季" }),
  ]);
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
});

test("taken back by whoever handed it in, it can be handed in again but not planned anew", async () => {
  const id = await flat("1208");
  await priced(id, { reason: "旺季" });
  const { id: changeId } = (await pendingOf(id))!;
  const { version } = await change(changeId);
  const sent = { params: { id: changeId }, body: { version } };
  expect((await house.did(withdrawChange, { as: head }, sent)).state).toBe("draft");
  expect(await pendingOf(id)).toBeNull();
  expect((await priced(id, { listPrice: 301_000 })).status).toBe(200);
  const stands = await change(changeId);
  const again = await house.ask(
    submitChange,
    { as: head },
    { params: { id: changeId }, body: { version: stands.version } },
  );
  expect([again.status, again.body.message]).toEqual([409, "房价已变化，请重新预览"]);
});

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
