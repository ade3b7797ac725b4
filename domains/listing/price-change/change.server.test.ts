import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/house.sample.ts";
import { addProduct, product } from "../product/product.contract.ts";
import { setProductPrice, setProductRooms } from "../product/price.contract.ts";
import { aProduct } from "../product/product.sample.ts";
import { roomPrices, setRoomPrice } from "../room/price.contract.ts";
import { room } from "../room/room.contract.ts";
import { rooms as listRooms } from "../room/list.contract.ts";
import { aBuilding, aFlat, aLease, aVillage } from "../village/village.sample.ts";
import {
  addChange,
  cancelChange,
  changeLines,
  editChange,
  getChange,
  listChanges,
  submitChange,
} from "./change.contract.ts";
import { countChange, previewChange } from "./plan.contract.ts";
import { aPlan, drafted, handedIn, previewed } from "./price-change.sample.ts";
import { announceDue } from "./announce.service.ts";
import { acting } from "../village/village.sample.ts";

const house = await testHouse({ poolSize: 6 });
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const manager = await house.person({ name: "王店长" });
const [villageId, otherId] = [
  await aVillage(house, { managerId: manager.operatorId }),
  await aVillage(house),
];
const building = await aBuilding(house, villageId);
const permits = ["query", "get", "add", "edit", "export"].map((p) => `6.${p}`);
const head = await house.person({
  permits: [...permits, "#601"],
  villages: [villageId, otherId],
  name: "沈岚",
});
const clerk = await house.person({ permits, villages: [villageId] });
const stranger = await house.person({ permits, villages: [otherId] });
const flatOf = async (name: string, listPrice: number) =>
  (await aFlat(house, building, { name, listPrice })).roomIds[0]!;
const three = [
  await flatOf("1201", 300_000),
  await flatOf("1202", 298_550),
  await flatOf("1203", 312_000),
] as const;
const [a, b, c] = three;
const named = (...roomIds: number[]) => ({ roomIds });
const priceOf = async (id: number) => (await house.did(room, { as: head }, { params: { id } })).listPrice;
const on = async <T>(day: string, work: () => Promise<T>): Promise<T> => {
  house.setClock(`${day}T09:00:00+08:00`);
  try {
    return await work();
  } finally {
    house.setClock("2026-11-20T10:00:00+08:00");
  }
};

describe("+3.3 % to yuan from the first of December", () => {
  test("is seen before: each room, the totals, the spread", async () => {
    const seen = await previewed(house, head, aPlan([villageId]));
    expect(seen.lines.map((l) => [l.oldList, l.newList, l.change])).toEqual([
      [300_000, 309_900, 9_900],
      [298_550, 308_400, 9_850],
      [312_000, 322_300, 10_300],
    ]);
    expect(seen).toMatchObject({
      rooms: 3,
      skipped: 0,
      oldAverage: 303_517,
      newAverage: 313_533,
      effect: 30_050,
    });
    expect(seen.histogram.before.reduce((x, y) => x + y, 0)).toBe(3);
    expect(seen.lines[0]).toMatchObject({ oldLowest: 300_000, newLowest: 300_000 });
    const bare = await previewed(house, clerk, aPlan([villageId]));
    expect(bare.lines[0]).not.toHaveProperty("oldLowest");
    expect((await house.did(countChange, { as: clerk }, { body: { villageIds: [villageId] } })).rooms).toBe(
      3,
    );
  });

  test("counts from that day on; a signed contract keeps its rent, its manager hears of it once", async () => {
    const lease = await aLease(house, a, "2026-11-19", "2027-11-18");
    await pool.query(
      "insert into contract_room (contract_id, room_id, join_date, monthly_rent, list_price) values ($1, $2, '2026-11-19', 300000, 300000)",
      [lease.id, a],
    );
    const { id, number, state } = await handedIn(house, head, aPlan([villageId]));
    expect(state).toBe("scheduled");
    expect(await Promise.all(three.map(priceOf))).toEqual([300_000, 298_550, 312_000]);
    await on("2026-11-30", async () => expect(await priceOf(b)).toBe(298_550));
    await on("2026-12-01", async () => {
      expect(await Promise.all(three.map(priceOf))).toEqual([309_900, 308_400, 322_300]);
      const { rows } = await pool.query("select monthly_rent from contract_room where contract_id = $1", [
        lease.id,
      ]);
      expect(Number(rows[0].monthly_rent)).toBe(300_000);
      expect(await acting(house, announceDue)).toBe(1);
      expect(await acting(house, announceDue)).toBe(0);
      const told = await pool.query(
        "select m.title from message m join message_receipt r on r.message_id = m.id where r.operator_id = $1",
        [manager.operatorId],
      );
      expect(told.rows).toEqual([{ title: "滨江店 3 间房今日起执行新价格" }]);
      const gone = await house.ask(cancelChange, { as: head }, { params: { id }, body: { version: 3 } });
      expect([gone.status, gone.body.message]).toEqual([409, "调价已生效，不能取消"]);
    });
    const history = await house.did(roomPrices, { as: head }, { params: { id: b } });
    expect(history.map((p) => [p.effectiveDay, p.listPrice, p.source])).toEqual([
      ["2026-12-01", 308_400, "batch"],
      ["2024-01-01", 298_550, "manual"],
    ]);
    const { rows } = await pool.query(
      "select summary from business_log where kind = 'room' and record_id = $1 order by id desc limit 1",
      [b],
    );
    expect(rows[0].summary).toBe(`批量调价 ${number}，2026-12-01 起：2,985.50 → 3,084.00`);
    // another change of the same rooms on or after that day leaves them out by its number
    const again = await previewed(house, head, aPlan([villageId], { effectiveDay: "2026-12-01" }));
    expect(again.lines.map((l) => l.why)).toEqual(Array(3).fill(`已在调价单 ${number} 中`));
    expect(again.problems).toEqual(["所选房间全部跳过，没有可调整的房间"]);
    const later = await previewed(house, head, aPlan([villageId], { effectiveDay: "2026-12-15" }));
    expect(later.lines.map((l) => l.oldList)).toEqual([309_900, 308_400, 322_300]);
    // taken back, the prices of today stay
    const { version } = await house.did(getChange, { as: head }, { params: { id } });
    await house.did(cancelChange, { as: head }, { params: { id }, body: { version } });
    await on("2026-12-01", async () => expect(await priceOf(b)).toBe(298_550));
  });
});

test("someone changes one price meanwhile: refused and shown anew", async () => {
  const plan = aPlan([villageId], named(b, c));
  const { hash } = await previewed(house, head, plan);
  await house.did(
    setRoomPrice,
    { as: head },
    { params: { id: c }, body: { listPrice: 320_000, effectiveDay: "2026-11-20" } },
  );
  const refused = await house.ask(addChange, { as: head }, { body: { ...plan, reason: "旺季调价", hash } });
  expect([refused.status, refused.body.message]).toEqual([409, "房价已变化，请重新预览"]);
  const fresh = refused.body.data as unknown as { hash: string; lines: { newList: number }[] };
  expect(fresh.lines.map((l) => l.newList)).toEqual([308_400, 330_600]);
  const made = await house.did(
    addChange,
    { as: head },
    { body: { ...plan, reason: "旺季调价", hash: fresh.hash } },
  );
  // the same between draft and submission
  await house.did(
    setRoomPrice,
    { as: head },
    { params: { id: c }, body: { listPrice: 312_000, effectiveDay: "2026-11-20" } },
  );
  const late = await house.ask(
    submitChange,
    { as: head },
    { params: { id: made.id }, body: { version: made.version } },
  );
  expect([late.status, late.body.message]).toEqual([409, "房价已变化，请重新预览"]);
  const shown = await house.did(getChange, { as: head }, { params: { id: made.id } });
  expect(shown.state).toBe("draft");
  const again = await previewed(house, head, { ...shown.plan, self: made.id });
  const edited = await house.did(
    editChange,
    { as: head },
    {
      params: { id: made.id },
      body: { ...shown.plan, reason: "旺季调价", hash: again.hash, version: shown.version },
    },
  );
  await house.did(submitChange, { as: head }, { params: { id: made.id }, body: { version: edited.version } });
  const done = await house.did(getChange, { as: head }, { params: { id: made.id } });
  await house.did(cancelChange, { as: head }, { params: { id: made.id }, body: { version: done.version } });
});

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
  const plan = aPlan([villageId], { ...named(a, b, c), skip: [a], edits: [{ roomId: b, list: 301_000 }] });
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
  const done = await handedIn(house, head, aPlan([villageId], named(c)));
  expect((await house.did(room, { as: head }, { params: { id: c } })).priceMode).toBe("own");
  expect((await prices())[0]).toEqual(["2026-12-01", 309_900]);
  const now = await house.did(getChange, { as: head }, { params: { id: done.id } });
  await house.did(cancelChange, { as: head }, { params: { id: done.id }, body: { version: now.version } });
  expect((await house.did(room, { as: head }, { params: { id: c } })).priceMode).toBe("follow");
  expect(await prices()).toEqual(before);
});
const productHead = () =>
  house.person({ permits: ["4.add", "4.edit", "4.get", "4.query"], villages: [villageId, otherId] });

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
  const undo = await handedIn(house, head, back);
  await on("2026-11-21", async () =>
    expect([await priceOf(a), await priceOf(b)]).toEqual([300_000, 298_550]),
  );
  const shown = await house.did(getChange, { as: head }, { params: { id: done.id } });
  expect(shown.undoneBy).toMatchObject({ id: undo.id });
  const list = await house.did(listRooms, { as: head }, { query: { villageIds: String(villageId) } });
  expect(list.total).toBe(3);
});

test("two changes of one room at once: one stands, the other is told to look again", async () => {
  const plan = aPlan([villageId], { ...named(b), effectiveDay: "2026-12-20" });
  const drafts = [await drafted(house, head, plan), await drafted(house, head, plan)];
  const answers = await Promise.all(
    drafts.map(({ id, version }) =>
      house.ask(submitChange, { as: head }, { params: { id }, body: { version } }),
    ),
  );
  expect(answers.map((x) => x.status).toSorted()).toEqual([200, 409]);
  expect(answers.find((x) => x.status === 409)!.body.message).toBe("房价已变化，请重新预览");
});

test("the lines of what was carried out stay as they are, whoever tries", async () => {
  await expect(
    pool.query(
      "update price_change_line set new_list = 1 where change_id = (select id from price_change where state = 'scheduled' limit 1)",
    ),
  ).rejects.toThrow("kept");
});
