import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { previewRoomPrice, roomPrices, setRoomPrice } from "./room-price.contract.ts";
import { room } from "../room-acts/room.contract.ts";
import { listChanges, submitChange, withdrawChange } from "../price-change/change.contract.ts";
import { aGovernedStore, aPlan, drafted, handedIn } from "../price-change/price-change.sample.ts";

const house = await testHouse({ poolSize: 6 });
const { villageId, head, flat, freeFlat, change, history, pendingOf, decide } = await aGovernedStore(house);

const priced = (id: number, body: object) =>
  house.ask(
    setRoomPrice,
    { as: head },
    { params: { id }, body: { listPrice: 330_000, effectiveDay: "2026-12-01", ...body } },
  );
const FIRST = ["2024-01-01", 300_000];

test("where nothing asks for approval the price is written at once, and so is a small one where something does", async () => {
  const [free, small] = [await freeFlat("101"), await flat("1101")];
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
